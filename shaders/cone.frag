// SPDX-License-Identifier: GPL-3.0-or-later
// A cone with its base by intersecting it with the line of sight; drawn twice, like balls. A line of
// sight that misses it, made thinner by half a pixel, by less than a pixel is covered in part.
uniform float outline;
flat in vec4 apex;
flat in vec4 axis;
flat in vec3 albedo;
flat in float offset;
out vec4 color;

float away(vec3 p, vec2 rim) {
  float s = dot(p, axis.xyz), r = length(p - s * axis.xyz);
  vec2 side = vec2(r, s) - rim * clamp(dot(vec2(r, s), rim) / dot(rim, rim), 0.0, 1.0);
  vec2 base = vec2(r - min(r, rim.x), s - rim.y);
  return min(length(side), length(base));
}

void main() {
  vec3 ray = normalize(sight(gl_FragCoord.xy)), d = axis.xyz;
  float middle = dot(apex.xyz + 0.5 * apex.w * d, ray);
  float pixel = lens.w * max(middle, 1e-6);
  float height = apex.w, radius = max(axis.w - 0.5 * pixel, 0.5 * pixel), k = radius / height;
  // Points p from the tip with |p − (p·d) d| = k p·d, 0 ≤ p·d ≤ height; p = t ray − apex.
  float rd = dot(ray, d), cd = -dot(apex.xyz, d), k2 = 1.0 + k * k;
  float rc = -dot(ray, apex.xyz), cc = dot(apex.xyz, apex.xyz);
  float a = 1.0 - k2 * rd * rd, b = rc - k2 * rd * cd, c = cc - k2 * cd * cd;
  float q = b * b - a * c, root = sqrt(max(q, 0.0)), hit = 1e9;
  if (abs(a) < 1e-6) a = 1e-6;
  vec3 n = -ray;
  for (int i = 0; i < 2; ++i) {
    float t = (-b + (i == 0 ? root : -root)) / a, along = cd + t * rd;
    if (q < 0.0 || along < 0.0 || along > height || t > hit || t < 0.0) continue;
    hit = t;
    vec3 off = t * ray - apex.xyz - along * d;
    n = normalize(off / max(length(off), 1e-9) - k * d);
  }
  float base = (height - cd) / (abs(rd) < 1e-6 ? 1e-6 : rd);
  if (base > 0.0 && base < hit && length(base * ray - apex.xyz - height * d) <= radius) {
    hit = base;
    n = d;
  }
  float cover = 1.0;
  if (hit > 1e8) {
    if (outline < 0.5) discard;
    float t = middle - height - radius, nearest = 1e9;
    for (int i = 0; i < 24; ++i) {
      float step = away(t * ray - apex.xyz, vec2(radius, height));
      if (step < nearest) {
        nearest = step;
        hit = t;
      }
      t += max(step, 0.25 * pixel);
    }
    cover = clamp(1.0 - nearest / pixel, 0.0, 1.0);
    if (cover <= 0.0) discard;
    vec3 p = hit * ray - apex.xyz, off = p - dot(p, d) * d;
    n = normalize(off / max(length(off), 1e-9) - k * d);
  } else if (outline > 0.5) {
    discard;
  }
  vec3 p = hit * ray;
  if (p.z > -1e-6) discard;
  gl_FragDepth = depth_of(behind(p, offset));
  color = vec4(encode(lit(albedo, n, -ray)), cover);
}
