// SPDX-License-Identifier: GPL-3.0-or-later
// A point as large as the ball, at the depth of its front.
layout(location = 0) in vec4 ball;  // centre in the world, radius
layout(location = 1) in vec3 tint;  // sRGB
layout(location = 2) in float back;
flat out vec3 albedo;

const float least = 1.5;  // device pixels

void main() {
  vec3 c = (view * vec4(ball.xyz, 1.0)).xyz;
  float r = ball.w, d = max(length(c), 1e-6);
  gl_Position = projection * vec4(c * max(1.0 - (r - back) / d, 1e-3), 1.0);
  gl_PointSize = max(2.0 * r / (lens.w * max(-c.z, 1e-6)), least);
  albedo = decode(tint);
}
