// SPDX-License-Identifier: GPL-3.0-or-later
uniform vec4 place;  // centre in the world, radius
out vec2 where;      // from the centre, in radii

void main() {
  where = CORNER;
  gl_Position = projection * view * vec4(place.xyz + vec3(place.w * where, 0.0), 1.0);
}
