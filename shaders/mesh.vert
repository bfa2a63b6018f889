// SPDX-License-Identifier: GPL-3.0-or-later
layout(location = 0) in vec3 place;  // in the world
out vec3 seen;                       // in view axes
#ifdef GL_ES
layout(location = 1) in vec3 color_of_face;  // linear
flat out vec3 tint;
#endif

void main() {
#ifdef GL_ES
  tint = color_of_face;
#endif
  vec4 p = view * vec4(place, 1.0);
  seen = p.xyz;
  gl_Position = projection * p;
}
