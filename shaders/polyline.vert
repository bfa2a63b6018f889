// SPDX-License-Identifier: GPL-3.0-or-later
// One segment of a curve, from `here` to `next`, as a quad on the screen.
uniform float width;     // device pixels
uniform float back;
uniform float far_side;  // share of the opacity where the curve is behind a sphere about the origin
layout(location = 0) in vec4 before;  // xyz in the world, opacity; below zero it is not part of the curve
layout(location = 1) in vec4 here;
layout(location = 2) in vec4 next;
layout(location = 3) in vec4 after;
flat out vec4 ends;    // both ends [device pixels]
flat out vec4 joints;  // normals of the lines that part it from its neighbours
flat out vec2 opacity;

vec2 pixel(vec4 clip) { return viewport.xy + viewport.zw * (0.5 + 0.5 * clip.xy / clip.w); }

// Normal of the line through a joint that halves the turn; zero where the curve ends or turns back.
vec2 joint(vec2 a, vec2 b, vec2 c) {
  vec2 u = b - a, v = c - b;
  float lu = length(u), lv = length(v);
  if (lu < 1e-3 || lv < 1e-3) return vec2(0.0);
  vec2 sum = u / lu + v / lv;
  return dot(sum, sum) < 0.05 ? vec2(0.0) : normalize(sum);
}

vec4 clip_of(vec3 p) { return projection * vec4(behind((view * vec4(p, 1.0)).xyz, back), 1.0); }

// The eye is at the origin of the view axes.
float shown(vec3 p) {
  vec3 seen = (view * vec4(p, 1.0)).xyz, outward = (view * vec4(p, 0.0)).xyz;
  float facing = dot(outward, -seen) / max(length(outward) * length(seen), 1e-12);
  return mix(far_side, 1.0, smoothstep(-0.08, 0.08, facing));
}

void main() {
  if (here.w < 0.0 || next.w < 0.0) {
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    ends = joints = vec4(0.0);
    opacity = vec2(0.0);
    return;
  }
  vec4 a = clip_of(before.xyz), b = clip_of(here.xyz), c = clip_of(next.xyz), d = clip_of(after.xyz);
  opacity = vec2(here.w * shown(here.xyz), next.w * shown(next.xyz));
  // Cut off what is nearer than the near plane, where w + z = 0.
  float nb = b.z + b.w, nc = c.z + c.w;
  bool cut_b = nb < 0.0, cut_c = nc < 0.0;
  if (cut_b && cut_c) {
    gl_Position = vec4(0.0, 0.0, 2.0, 1.0);
    ends = joints = vec4(0.0);
    return;
  }
  vec4 crossing = mix(b, c, nb / (nb - nc));
  if (cut_b) b = crossing;
  if (cut_c) c = crossing;
  vec2 pb = pixel(b), pc = pixel(c);
  ends = vec4(pb, pc);
  joints.xy = cut_b || a.z + a.w < 0.0 ? vec2(0.0) : joint(pixel(a), pb, pc);
  joints.zw = cut_c || d.z + d.w < 0.0 ? vec2(0.0) : joint(pb, pc, pixel(d));

  vec2 along = pc - pb;
  along = dot(along, along) > 1e-6 ? normalize(along) : vec2(1.0, 0.0);
  float reach = 0.5 * width + 1.0;
  vec2 corner = CORNER;
  vec2 place = (corner.x < 0.0 ? pb : pc) + reach * (corner.x * along + corner.y * vec2(-along.y, along.x));
  vec4 end = corner.x < 0.0 ? b : c;
  gl_Position = vec4((2.0 * (place - viewport.xy) / viewport.zw - 1.0) * end.w, end.zw);
}
