// SPDX-License-Identifier: GPL-3.0-or-later
// A ball by intersecting it with the line of sight. Drawn twice: first what it covers fully, with
// depth, then the pixels of its outline, blended by the share covered.
uniform float outline;
flat in vec4 seen;
flat in vec3 albedo;
out vec4 color;

void main() {
  vec3 ray = sight(gl_FragCoord.xy);
  vec3 c = seen.xyz;
  float r = seen.w, a = dot(ray, ray), b = dot(ray, c) / a;
  vec3 aside = c - b * ray;
  float e = length(aside);
  float cover = clamp(0.5 + (r - e) / SLOPE(e), 0.0, 1.0);
  if (outline > 0.5 ? (cover <= 0.0 || cover >= 1.0) : cover < 1.0) discard;

  vec3 p = (b - sqrt(max(r * r - e * e, 0.0) / a)) * ray;
  if (p.z > -1e-6) discard;
  gl_FragDepth = depth_of(p);
  color = vec4(encode(lit(albedo, normalize(p - c), -normalize(ray))), cover);
}
