// SPDX-License-Identifier: GPL-3.0-or-later
// A quad across the line of sight that just holds the ball's outline.
layout(location = 0) in vec4 ball;  // centre in the world, radius; below zero of a ring
layout(location = 1) in vec3 tint;  // sRGB
layout(location = 2) in float back;  // of a ring: the width of its line
flat out vec4 seen;                 // centre in view axes, radius
flat out vec3 albedo;
flat out float away;

void main() {
  vec3 c = (view * vec4(ball.xyz, 1.0)).xyz;
  float r = abs(ball.w), d = max(length(c), 1e-6);
  vec3 n = c / d, s = normalize(cross(n, vec3(0.0, 1.0, 0.0))), t = cross(s, n);
  float reach = r * d / sqrt(max(d * d - r * r, 1e-3 * d * d)) + 2.0 * lens.w * d;
  gl_Position = projection * vec4(c + reach * (CORNER.x * s + CORNER.y * t), 1.0);
  seen = vec4(c, ball.w);
  away = back;
  albedo = decode(tint);
}
