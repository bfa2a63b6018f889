// SPDX-License-Identifier: GPL-3.0-or-later
// A face of one colour. Light only tells which way it faces, so that the colour can be read.
uniform samplerBuffer tints;  // linear, one per face
in vec3 seen;
out vec4 color;

void main() {
  vec3 n = normalize(cross(dFdx(seen), dFdy(seen))), v = -normalize(seen);
  vec3 albedo = texelFetch(tints, gl_PrimitiveID).rgb;
  color = vec4(encode(mix(albedo, lit(albedo, n, v), 0.35)), 1.0);
}
