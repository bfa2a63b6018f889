// SPDX-License-Identifier: GPL-3.0-or-later
// The nearer the ground, the darker and sharper.
uniform vec4 place;
uniform float strength;
flat in vec4 from;
flat in vec4 to;
in vec2 where;
out vec4 color;

void main() {
  vec2 along = to.xy - from.xy, p = where - from.xy;
  float s = clamp(dot(p, along) / max(dot(along, along), 1e-12), 0.0, 1.0);
  vec2 aside = p - s * along;
  float radius = from.w, blur = radius + 0.13 * mix(from.z, to.z, s), share = radius / blur;
  bool ball = from.xyz == to.xyz;
  float d2 = dot(aside, aside) / (blur * blur);
  // A Gaussian that ends where the quad does.
  float profile = max(exp(-0.9 * d2) - 0.0023, 0.0);
  vec2 q = (where - place.xy) / place.w;
  float fade = clamp(1.0 - dot(q, q), 0.0, 1.0);
  color = vec4(0.0, 0.0, 0.0, strength * fade * fade * (ball ? share * share : 0.7 * share) * profile);
}
