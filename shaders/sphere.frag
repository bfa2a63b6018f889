// SPDX-License-Identifier: GPL-3.0-or-later
// A ball by intersecting it with the line of sight. Drawn twice: first what it covers fully, with
// depth, then the pixels of its outline, blended by the share covered. Of a ring the second is all.
uniform float outline;
flat in vec4 seen;
flat in vec3 albedo;
flat in float away;  // of a ring: the width of its line [logical pixels]
out vec4 color;

void main() {
  vec3 ray = sight(gl_FragCoord.xy);
  vec3 c = seen.xyz;
  float r = abs(seen.w), a = dot(ray, ray), b = dot(ray, c) / a;
  vec3 aside = c - b * ray;
  float e = length(aside);
  float inside = (r - e) / SLOPE(e);
  float cover = clamp(0.5 + inside, 0.0, 1.0);
  if (seen.w < 0.0) {
    cover *= clamp(0.5 + away * lens.z - inside, 0.0, 1.0);
    if (outline < 0.5 || cover <= 0.0 || b < 0.0) discard;
    gl_FragDepth = depth_of(b * ray);
    color = vec4(encode(albedo), cover);
    return;
  }
  if (outline > 0.5 ? (cover <= 0.0 || cover >= 1.0) : cover < 1.0) discard;

  vec3 p = (b - sqrt(max(r * r - e * e, 0.0) / a)) * ray;
  if (p.z > -1e-6) discard;
  gl_FragDepth = depth_of(behind(p, away));
  color = vec4(encode(lit(albedo, normalize(p - c), -normalize(ray))), cover);
}
