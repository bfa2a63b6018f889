// SPDX-License-Identifier: GPL-3.0-or-later
// A dot of a cloud, fainter the farther away it is.
layout(location = 0) in vec3 place;  // in the world
layout(location = 1) in vec3 tint;   // sRGB
uniform vec4 look;    // radius, opacity, how much farther away it counts, extent of the cloud
uniform vec4 middle;  // in the world
flat out vec4 ink;

const float least = 2.6, faintest = 0.35;  // diameter in logical pixels; share of the opacity

void main() {
  vec3 c = (view * vec4(place, 1.0)).xyz;
  float d = length(c), away = (d - length((view * middle).xyz)) / max(look.w, 1e-6);
  gl_Position = projection * vec4(behind(c, look.z), 1.0);
  gl_PointSize = max(2.0 * look.x / (lens.w * max(-c.z, 1e-6)), least * lens.z);
  ink = vec4(tint, look.y * mix(1.0, faintest, clamp(0.5 + 0.5 * away, 0.0, 1.0)));
}
