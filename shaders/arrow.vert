// SPDX-License-Identifier: GPL-3.0-or-later
// An arrow of the corner axes, seen without perspective.
layout(location = 0) in vec3 foot;  // x, y from the lower left of the viewport; length [device pixels]
layout(location = 1) in vec3 axis;  // in view axes, unit length
layout(location = 2) in vec3 tint;  // linear
out vec2 where;                     // from the foot [device pixels]
flat out vec3 direction;
flat out float size;
flat out vec3 albedo;

void main() {
  float len = length(axis.xy);
  vec2 along = len > 1e-4 ? axis.xy / len : vec2(1.0, 0.0), across = vec2(-along.y, along.x);
  float reach = 0.13 * foot.z + 1.5;  // beyond the head's radius
  vec2 corner = CORNER;
  where = along * (corner.x < 0.0 ? -reach : len * foot.z + reach) + across * corner.y * reach;
  gl_Position = vec4(2.0 * (foot.xy + where) / viewport.zw - 1.0, 0.0, 1.0);
  direction = axis;
  size = foot.z;
  albedo = tint;
}
