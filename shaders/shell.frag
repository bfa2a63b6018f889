// SPDX-License-Identifier: GPL-3.0-or-later
// One side of a translucent ball. It is denser towards the edge, where more of it lies on the line
// of sight.
uniform vec4 ball;
uniform vec4 tint;   // linear, opacity seen straight on
uniform float near;  // 1: the side towards the eye
uniform float zoned;      // 1: tints by zones
uniform vec4 zones[17];   // linear, at even steps of e3 from pole to pole
flat in vec3 middle;
out vec4 color;

void main() {
  vec3 ray = sight(gl_FragCoord.xy);
  float r = ball.w, a = dot(ray, ray), b = dot(ray, middle) / a;
  float e = length(middle - b * ray);
  float cover = clamp(0.5 + (r - e) / (lens.w * max(b, 1e-6)), 0.0, 1.0);
  if (cover <= 0.0) discard;
  float half_chord = sqrt(max(r * r - e * e, 0.0) / a);
  vec3 p = (near > 0.5 ? b - half_chord : b + half_chord) * ray;
  if (p.z > -1e-6) discard;
  gl_FragDepth = depth_of(p);
  vec3 v = -normalize(ray), n = (p - middle) / r;
  float facing = abs(dot(n, v));
  float opacity = tint.a * mix(1.9, 1.0, smoothstep(0.0, 0.55, facing));
  if (near < 0.5) opacity *= 0.75;
  float place = clamp(8.0 - 8.0 * dot(n, up.xyz), 0.0, 15.999);
  int zone = int(place);
  vec3 albedo = zoned > 0.5 ? mix(zones[zone].rgb, zones[zone + 1].rgb, fract(place)) : tint.rgb;
  color = vec4(encode(lit(albedo, n, v)), clamp(opacity, 0.0, 1.0) * cover);
}
