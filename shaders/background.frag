// SPDX-License-Identifier: GPL-3.0-or-later
// A vertical gradient. Noise of one grey level, the same in every frame, hides its steps.
uniform vec4 top, bottom;
in float height;
out vec4 color;

void main() {
  vec2 p = gl_FragCoord.xy - viewport.xy;
  float noise = fract(52.9829189 * fract(dot(p, vec2(0.06711056, 0.00583715))));
  color = vec4(mix(bottom.rgb, top.rgb, height) + (noise - 0.5) / 255.0, 1.0);
}
