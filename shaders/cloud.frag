// SPDX-License-Identifier: GPL-3.0-or-later
// A disc with a soft edge.
flat in vec4 ink;
out vec4 color;

void main() {
  float r = length(2.0 * gl_PointCoord - 1.0);
  if (r >= 1.0) discard;
  color = vec4(ink.rgb, ink.a * (1.0 - smoothstep(0.55, 1.0, r)));
}
