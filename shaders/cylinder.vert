// SPDX-License-Identifier: GPL-3.0-or-later
// The smallest rectangle on the screen along the rod's axis that holds the box around it.
layout(location = 0) in vec4 start;  // in the world, radius
layout(location = 1) in vec4 end;
layout(location = 2) in vec3 tint;   // linear
layout(location = 3) in vec2 cut;    // radii of the balls at the ends that the rod goes into
layout(location = 4) in float back;
flat out vec4 foot;                  // start in view axes, radius
flat out vec4 axis;                  // unit length, length
flat out vec3 albedo;
flat out vec2 trim;
flat out float away;

void main() {
  vec3 p = (view * vec4(start.xyz, 1.0)).xyz, q = (view * vec4(end.xyz, 1.0)).xyz;
  float r = start.w, len = max(length(q - p), 1e-9);
  vec3 a = (q - p) / len;
  vec3 b = normalize(cross(a, abs(a.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 c = cross(a, b);
  foot = vec4(p, r);
  axis = vec4(a, len);
  albedo = tint;
  trim = cut;
  away = back;

  vec4 from = projection * vec4(p, 1.0), to = projection * vec4(q, 1.0);
  vec2 along = to.xy / to.w - from.xy / from.w;
  along *= viewport.zw;
  along = dot(along, along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  vec2 low = vec2(1e9), high = vec2(-1e9);
  bool behind = false;
  for (int i = 0; i < 8; ++i) {
    vec3 corner = ((i & 1) == 0 ? p : q) + r * (((i & 2) == 0 ? b : -b) + ((i & 4) == 0 ? c : -c));
    vec4 clip = projection * vec4(corner, 1.0);
    behind = behind || clip.w < 1e-3 * len;
    vec2 pixel = 0.5 * viewport.zw * clip.xy / clip.w;
    vec2 place = vec2(dot(pixel, along), dot(pixel, across));
    low = min(low, place);
    high = max(high, place);
  }
  vec2 place = mix(low - 1.5, high + 1.5, 0.5 + 0.5 * CORNER);
  vec2 pixel = place.x * along + place.y * across;
  gl_Position = behind ? vec4(CORNER, 0.0, 1.0) : vec4(2.0 * pixel / viewport.zw, 0.0, 1.0);
}
