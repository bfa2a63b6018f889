// SPDX-License-Identifier: GPL-3.0-or-later
// A rod and a cone. Coverage from the distance to their outlines, shading from the point hit.
in vec2 where;
flat in vec3 direction;
flat in float size;
flat in vec3 albedo;
out vec4 color;

vec4 over(vec4 front, vec4 back) {
  float alpha = front.a + back.a * (1.0 - front.a);
  return vec4((front.rgb * front.a + back.rgb * back.a * (1.0 - front.a)) / max(alpha, 1e-4), alpha);
}

void main() {
  float rod = 0.032 * size, height = 0.30 * size, radius = 0.12 * size;
  float m = length(direction.xy), az = direction.z;
  vec2 dir = m > 1e-4 ? direction.xy / m : vec2(1.0, 0.0);
  vec3 along = vec3(dir, 0.0), across = vec3(-dir.y, dir.x, 0.0), a = m * along + vec3(0.0, 0.0, az);
  vec2 p = vec2(dot(where, dir), dot(where, across.xy));

  // The rod.
  float end = (size - height) * m;
  float cover = clamp(0.5 + rod - length(p - vec2(clamp(p.x, 0.0, end), 0.0)), 0.0, 1.0);
  float tilt = clamp(p.y / rod, -1.0, 1.0);
  vec3 facing = vec3(-dir * az, m);
  vec4 shaft = vec4(lit(albedo, tilt * across + sqrt(1.0 - tilt * tilt) * facing, vec3(0.0, 0.0, 1.0)), cover);

  // The cone's outline: the ellipse of its base and the tangents from its tip.
  p.x -= end;
  float tip = height * m, flat_radius = radius * abs(az);
  vec2 axes = vec2(max(flat_radius, 0.25), radius);
  float f = length(p / axes);
  cover = clamp(0.5 + (1.0 - f) * f / max(length(p / (axes * axes)), 1e-4), 0.0, 1.0);
  if (tip > axes.x) {
    float x = axes.x * axes.x / tip, y = axes.y * sqrt(1.0 - axes.x * axes.x / (tip * tip));
    vec2 edge = normalize(vec2(y, tip - x));
    float inside = min(edge.x * tip - dot(edge, vec2(p.x, abs(p.y))), p.x - x);
    cover = max(cover, clamp(0.5 + inside, 0.0, 1.0));
  }
  // The point hit: |p|² − s² = k² (height − s)² with s the distance from the base along the axis.
  float k = radius / height, k2 = 1.0 + k * k, s0 = p.x * m;
  float qa = 1.0 - k2 * az * az, qb = az * (k * k * height - k2 * s0);
  float qc = dot(p, p) - k2 * s0 * s0 + 2.0 * k * k * height * s0 - k * k * height * height;
  float root = sqrt(max(qb * qb - qa * qc, 0.0)), best = -1e9;
  if (abs(qa) < 1e-4) qa = 1e-4;
  vec3 n = az < 0.0 ? -a : a;
  for (int i = 0; i < 2; ++i) {
    float z = (-qb + (i == 0 ? root : -root)) / qa, s = s0 + az * z;
    if (s < -0.5 || s > height || z < best) continue;
    vec3 off = p.x * along + p.y * across + vec3(0.0, 0.0, z) - s * a;
    best = z;
    n = normalize(off / max(length(off), 1e-4) + k * a);
  }
  if (az < -1e-3) {
    float z = -s0 / az;
    if (z > best && dot(p, p) + z * z <= radius * radius) n = -a;
  }
  vec4 head = vec4(lit(albedo, n, vec3(0.0, 0.0, 1.0)), cover);

  vec4 both = az < 0.0 ? over(shaft, head) : over(head, shaft);
  if (both.a <= 0.0) discard;
  color = vec4(encode(both.rgb), both.a);
}
