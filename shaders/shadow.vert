// SPDX-License-Identifier: GPL-3.0-or-later
// Shadow of a ball or a rod straight below it on the ground.
uniform vec4 place;                  // of the ground: centre, radius
layout(location = 0) in vec4 start;  // in the world, radius
layout(location = 1) in vec4 end;
flat out vec4 from;   // ground x, y; height above it; radius
flat out vec4 to;
out vec2 where;       // ground x, y

float blur(float radius, float height) { return radius + 0.13 * height; }

void main() {
  from = vec4(start.xy, max(place.z - start.z, 0.0), start.w);
  to = vec4(end.xy, max(place.z - end.z, 0.0), end.w);
  vec2 along = to.xy - from.xy;
  along = dot(along, along) > 1e-12 ? normalize(along) : vec2(1.0, 0.0);
  float reach = 2.6 * max(blur(from.w, from.z), blur(to.w, to.z));
  vec2 corner = CORNER;
  where = (corner.x < 0.0 ? from.xy : to.xy) + reach * (corner.x * along + corner.y * vec2(-along.y, along.x));
  gl_Position = projection * view * vec4(where, place.z, 1.0);
}
