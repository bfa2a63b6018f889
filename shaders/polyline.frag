// SPDX-License-Identifier: GPL-3.0-or-later
// Every pixel of a curve belongs to one segment, so that nothing is blended twice at the joints;
// the joints are round.
uniform float width;
uniform vec4 ink;
flat in vec4 ends;
flat in vec4 joints;
flat in vec2 opacity;
out vec4 color;

void main() {
  vec2 p = gl_FragCoord.xy - ends.xy, q = gl_FragCoord.xy - ends.zw, along = ends.zw - ends.xy;
  if (dot(p, joints.xy) < 0.0 || dot(q, joints.zw) > 0.0) discard;
  float s = dot(p, along) / max(dot(along, along), 1e-6);
  float away = length(p - clamp(s, 0.0, 1.0) * along);
  float cover = clamp(0.5 + 0.5 * width - away, 0.0, 1.0);
  color = vec4(ink.rgb, cover * mix(opacity.x, opacity.y, clamp(s, 0.0, 1.0)));
}
