// SPDX-License-Identifier: GPL-3.0-or-later
// One straight piece of a tube: the rectangle on the screen along its axis that holds the box
// around it, as far as the planes that end it reach.
layout(location = 0) in vec4 start;       // in the world, radius
layout(location = 1) in vec3 end;
layout(location = 2) in vec3 leave;       // normals of the planes at both ends, along the curve
layout(location = 3) in vec3 arrive;
layout(location = 4) in vec3 start_tint;  // linear
layout(location = 5) in vec3 end_tint;
layout(location = 6) in float back;
flat out vec4 foot;     // start in view axes, radius
flat out vec4 axis;     // unit length, length
flat out vec3 first;    // the planes' normals in view axes
flat out vec3 last;
flat out vec3 tint_from;
flat out vec3 tint_to;
flat out float away;

void main() {
  vec3 p = (view * vec4(start.xyz, 1.0)).xyz, q = (view * vec4(end, 1.0)).xyz;
  float r = start.w, len = max(length(q - p), 1e-9);
  vec3 a = (q - p) / len;
  vec3 b = normalize(cross(a, abs(a.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  vec3 c = cross(a, b);
  foot = vec4(p, r);
  axis = vec4(a, len);
  first = mat3(view) * leave;
  last = mat3(view) * arrive;
  tint_from = start_tint;
  tint_to = end_tint;
  away = back;
  // A plane that leans by an angle cuts the side farther out by its tangent.
  vec2 cosine = max(vec2(dot(first, a), dot(last, a)), 0.3);
  vec2 further = r * sqrt(max(1.0 - cosine * cosine, 0.0)) / cosine;
  vec3 from_end = p - further.x * a, to_end = q + further.y * a;
  vec4 from = projection * vec4(p, 1.0), to = projection * vec4(q, 1.0);
  vec2 along = (to.xy / to.w - from.xy / from.w) * viewport.zw;
  along = dot(along, along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  vec2 across = vec2(-along.y, along.x);
  vec2 low = vec2(1e9), high = vec2(-1e9);
  bool behind = false;
  for (int i = 0; i < 8; ++i) {
    vec3 corner = ((i & 1) == 0 ? from_end : to_end) + r * (((i & 2) == 0 ? b : -b) + ((i & 4) == 0 ? c : -c));
    vec4 clip = projection * vec4(corner, 1.0);
    behind = behind || clip.w < 1e-3 * len;
    vec2 pixel = 0.5 * viewport.zw * clip.xy / clip.w;
    vec2 place = vec2(dot(pixel, along), dot(pixel, across));
    low = min(low, place);
    high = max(high, place);
  }
  vec2 place = mix(low - 1.5, high + 1.5, 0.5 + 0.5 * CORNER);
  vec2 pixel = place.x * along + place.y * across;
  gl_Position = behind ? vec4(0.0, 0.0, 2.0, 1.0) : vec4(2.0 * pixel / viewport.zw, 0.0, 1.0);
}
