// SPDX-License-Identifier: GPL-3.0-or-later
layout(location = 0) in vec3 place;  // in the world
out vec3 seen;                       // in view axes

void main() {
  vec4 p = view * vec4(place, 1.0);
  seen = p.xyz;
  gl_Position = projection * p;
}
