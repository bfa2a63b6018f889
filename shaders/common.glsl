// SPDX-License-Identifier: GPL-3.0-or-later
// What every shader knows. View axes: x right, y up, z towards the viewer, the eye at the origin.
layout(std140) uniform Frame {
  mat4 view;
  mat4 projection;
  vec4 viewport;  // x, y, width, height [device pixels]
  vec4 lens;      // view x and y per half viewport at unit depth; device pixels per logical pixel; one device pixel at unit depth
  vec4 up;        // -e3 in view axes
  vec4 sky;       // ambient light from above and below, linear
  vec4 earth;
};

// Corner of a quad drawn as a strip of four vertices, in [-1, 1]².
#define CORNER (vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0)

// Length of the gradient per device pixel.
#define SLOPE(f) max(length(vec2(dFdx(f), dFdy(f))), 1e-12)

// Direction of the line of sight through a point of the screen, scaled to unit depth.
vec3 sight(vec2 pixel) {
  return vec3((2.0 * (pixel - viewport.xy) / viewport.zw - 1.0) * lens.xy, -1.0);
}

float depth_of(vec3 p) {
  float clip = projection[2].z * p.z + projection[3].z;
  return 0.5 + 0.5 * clip / -p.z;
}

// A point that much farther away on its line of sight.
vec3 behind(vec3 p, float back) { return p * (1.0 + back / max(length(p), 1e-6)); }

// Of a colour as written in style sheets (sRGB) the linear light.
vec3 decode(vec3 c) {
  return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c));
}

vec3 encode(vec3 linear) {
  vec3 c = clamp(linear, 0.0, 1.0);
  return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
}

// Matte surface under a soft key light from the upper left, a fill from the right, light from above
// and below, and a faint rim. n: normal, v: towards the eye, both of unit length.
vec3 lit(vec3 albedo, vec3 n, vec3 v) {
  const vec3 key = vec3(-0.45, 0.65, 0.61), fill = vec3(0.80, 0.10, 0.59);
  float k = clamp((dot(n, key) + 0.15) / 1.15, 0.0, 1.0);
  float f = clamp(dot(n, fill), 0.0, 1.0);
  vec3 ambient = mix(earth.rgb, sky.rgb, 0.5 + 0.5 * dot(n, up.xyz));
  float edge = 1.0 - clamp(dot(n, v), 0.0, 1.0);
  float rim = edge * edge * edge * (0.35 + 0.65 * clamp(dot(n, up.xyz), 0.0, 1.0));
  return albedo * (0.86 * k + 0.10 * f + ambient) + 0.10 * rim * sky.w;
}
