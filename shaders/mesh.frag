// SPDX-License-Identifier: GPL-3.0-or-later
// A face of one colour. Light only tells which way it faces, so that the colour can be read. On web
// pages, which have no textures of buffers, the corners have the colour of the face.
#ifdef GL_ES
flat in vec3 tint;
#else
uniform samplerBuffer tints;  // linear, one per face
#endif
in vec3 seen;
out vec4 color;

void main() {
  vec3 n = normalize(cross(dFdx(seen), dFdy(seen))), v = -normalize(seen);
#ifdef GL_ES
  vec3 albedo = tint;
#else
  vec3 albedo = texelFetch(tints, gl_PrimitiveID).rgb;
#endif
  color = vec4(encode(mix(albedo, lit(albedo, n, v), 0.35)), 1.0);
}
