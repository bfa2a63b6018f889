// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "render/gl.h"
#include "render/scene.h"

namespace twosphere::render {

/// A surface with one colour per face. The shape is uploaded once, the colours in every call.
class MeshPass {
 public:
  static Result<MeshPass> create();
  void draw(const Mesh& mesh);

 private:
  gl::Program program_;
  gl::VertexArray vertices_;
  gl::Buffer places_, indices_, colors_;
  gl::Object<gl::delete_texture> texture_;
  std::shared_ptr<const Mesh::Shape> shape_;  // contents of the buffers
};

}  // namespace twosphere::render
