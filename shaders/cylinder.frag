// SPDX-License-Identifier: GPL-3.0-or-later
// A rod with flat ends by intersecting it with the line of sight; drawn twice, like balls.
uniform float outline;
flat in vec4 foot;
flat in vec4 axis;
flat in vec3 albedo;
flat in vec2 trim;
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
  float e = length(sp + middle * dp);
  float reach = sqrt(max(r * r - e * e, 0.0) / across);
  float enter = sa + (middle - reach) * da, leave = sa + (middle + reach) * da;
  // Distances to the outline in pixels: of the round side, of both ends, of the end that faces the eye.
  float below = max(enter, leave), above = len - min(enter, leave);
  float inside = min((r - e) / SLOPE(e), min(below / SLOPE(below), above / SLOPE(above)));
  float face = da < 0.0 ? len : 0.0;
  float t_face = (face - sa) / (abs(da) < 1e-6 ? 1e-6 : da);
  float radial = length(sp + t_face * dp);
  float disc = (r - radial) / SLOPE(radial);
  if (abs(da) > 0.02 * length(ray)) inside = max(inside, disc);
  float cover = clamp(0.5 + inside, 0.0, 1.0);

  // The share of the pixel that shows the round side, not the end.
  float round_side = clamp(0.5 + min(enter, len - enter) / SLOPE(enter), 0.0, 1.0);
  bool side = enter >= 0.0 && enter <= len;
  vec3 p = (side ? middle - reach : t_face) * ray;
  // Where it goes into a ball it ends at the ball's surface, smoothly.
  vec2 clear = vec2(length(p - foot.xyz), length(p - foot.xyz - len * a)) - trim;
  vec2 slope = vec2(SLOPE(clear.x), SLOPE(clear.y));
  if (trim.x > 0.0) cover *= clamp(clear.x / slope.x, 0.0, 1.0);
  if (trim.y > 0.0) cover *= clamp(clear.y / slope.y, 0.0, 1.0);
  if (outline > 0.5 ? (cover <= 0.0 || cover >= 1.0) : cover < 1.0) discard;
  if (p.z > -1e-6) discard;

  gl_FragDepth = depth_of(behind(p, away));
  vec3 v = -normalize(ray);
  vec3 light = mix(lit(albedo, da < 0.0 ? a : -a, v), lit(albedo, normalize(sp + (middle - reach) * dp), v), round_side);
  color = vec4(encode(light), cover);
}
