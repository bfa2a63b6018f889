// SPDX-License-Identifier: GPL-3.0-or-later
// The half of a ball that is seen from afar.
flat in vec3 albedo;
out vec4 color;

void main() {
  vec2 p = vec2(2.0, -2.0) * (gl_PointCoord - 0.5);
  float s = 1.0 - dot(p, p);
  if (s < 0.0) discard;
  color = vec4(encode(lit(albedo, vec3(p, sqrt(s)), vec3(0.0, 0.0, 1.0))), 1.0);
}
