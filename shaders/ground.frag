// SPDX-License-Identifier: GPL-3.0-or-later
// A disc that fades outwards, with lines of one logical pixel whose coverage is computed from their
// distance; every fifth is stronger. Lines that lie closer than a few pixels melt into a tone.
uniform vec4 place;
uniform vec4 grid;   // colour; share that is seen (less from below)
uniform vec4 lines;  // world x, y of the centre; spacing
in vec2 where;
out vec4 color;

float ruled(vec2 u, float width) {
  vec2 per_pixel = vec2(SLOPE(u.x), SLOPE(u.y));
  vec2 away = abs(fract(u - 0.5) - 0.5) / per_pixel;
  vec2 cover = clamp(0.5 + 0.5 * width - away, 0.0, 1.0) * min(width, 1.0);
  vec2 mean = clamp(width * per_pixel, 0.0, 1.0);
  cover = mix(cover, mean, smoothstep(0.2, 0.5, per_pixel)) * (1.0 - smoothstep(0.35, 1.2, per_pixel));
  return max(cover.x, cover.y);
}

void main() {
  float fade = clamp(1.0 - dot(where, where), 0.0, 1.0);
  fade *= fade;
  vec2 u = (lines.xy + place.w * where) / lines.z;
  float width = max(1.0, lens.z);
  float line = max(0.50 * ruled(u, width), 0.95 * ruled(u / 5.0, width));
  color = vec4(grid.rgb, grid.w * fade * (0.26 + 0.74 * line));
}
