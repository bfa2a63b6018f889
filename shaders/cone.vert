// SPDX-License-Identifier: GPL-3.0-or-later
// A quad across the line of sight that holds the ball around the cone.
layout(location = 0) in vec4 base;  // centre in the world, radius
layout(location = 1) in vec3 tip;
layout(location = 2) in vec3 tint;  // linear
layout(location = 3) in float back;
flat out vec4 apex;                 // in view axes; height
flat out vec4 axis;                 // from the tip to the base, unit length; radius of the base
flat out vec3 albedo;
flat out float offset;

void main() {
  vec3 b = (view * vec4(base.xyz, 1.0)).xyz, a = (view * vec4(tip, 1.0)).xyz;
  float height = max(length(b - a), 1e-9), r = base.w;
  apex = vec4(a, height);
  axis = vec4((b - a) / height, r);
  albedo = tint;
  offset = back;
  vec3 c = 0.5 * (a + b);
  float around = length(vec2(0.5 * height, r)), d = max(length(c), 1e-6);
  vec3 n = c / d, s = normalize(cross(n, vec3(0.0, 1.0, 0.0))), t = cross(s, n);
  float reach = around * d / sqrt(max(d * d - around * around, 1e-3 * d * d)) + 2.0 * lens.w * d;
  gl_Position = projection * vec4(c + reach * (CORNER.x * s + CORNER.y * t), 1.0);
}
