// SPDX-License-Identifier: GPL-3.0-or-later
// A straight piece of a tube by intersecting it with the line of sight; every line of sight belongs
// to the piece between whose planes it meets the surface, or comes nearest to the axis.
uniform float outline;
flat in vec4 foot;
flat in vec4 axis;
flat in vec3 first;
flat in vec3 last;
flat in vec3 tint_from;
flat in vec3 tint_to;
flat in float away;
out vec4 color;

void main() {
  vec3 ray = sight(gl_FragCoord.xy);
  vec3 a = axis.xyz;
  float r = foot.w, len = axis.w;
  // Position along the axis: sa + t da; off the axis: sp + t dp.
  float da = dot(ray, a), sa = -dot(foot.xyz, a);
  vec3 dp = ray - da * a, sp = -foot.xyz - sa * a;
  float across = max(dot(dp, dp), 1e-12), middle = -dot(sp, dp) / across;
  vec3 nearest = sp + middle * dp;
  float e = length(nearest);
  // A pixel's width at that depth. Wires of less than a pixel fade.
  float pixel = lens.w * max(middle, 1e-6);
  float cover = clamp(0.5 + (r - e) / pixel, 0.0, min(1.0, 2.0 * r / pixel));
  float t = middle - sqrt(max(r * r - e * e, 0.0) / across);
  vec3 p = t * ray;
  if (dot(p - foot.xyz, first) < 0.0 || dot(p - foot.xyz - len * a, last) > 0.0) discard;
  if (outline > 0.5 ? (cover <= 0.0 || cover >= 1.0) : cover < 1.0) discard;
  if (p.z > -1e-6) discard;
  gl_FragDepth = depth_of(behind(p, away));
  float s = clamp((sa + t * da) / len, 0.0, 1.0);
  vec3 along = normalize(mix(first, last, s)), n = sp + t * dp;
  n = normalize(n - dot(n, along) * along);
  color = vec4(encode(lit(mix(tint_from, tint_to, s), n, -normalize(ray))), cover);
}
