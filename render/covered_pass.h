// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "render/gl.h"

namespace twosphere::render {

/// Draws shapes by ray casting, one quad per instance, with exact outline and depth at any size.
/// The inside is opaque. The outline is blended by coverage after everything opaque is drawn, so
/// that no sorting is needed. Derived classes define the data of an instance.
class CoveredPass {
 public:
  void draw_inside() const;
  void draw_outline() const;

 protected:
  /// Creates the pass with the shaders of this name. The error contains the log of the driver.
  template <class Pass>
  static Result<Pass> with_shaders(std::string_view name) {
    auto program = gl::Program::create(name, uniforms);
    if (!program) return program.error();
    Pass pass;
    pass.program_ = std::move(*program);
    return pass;
  }
  /// Replaces the instances, and leaves their buffer bound for input().
  template <class Instance>
  void write(std::span<const Instance> instances) {
    count_ = instances.size();
    vertices_.bind();
    instances_.write(GL_ARRAY_BUFFER, instances);
  }
  /// Input `location` of the vertex shader: `components` floats at `offset` of an instance.
  template <class Instance>
  void input(GLuint location, int components, std::size_t offset) const {
    vertices_.per_instance(location, components, sizeof(Instance), offset);
  }

 private:
  static constexpr std::string_view uniforms[] = {"outline"};
  void draw(float outline) const;

  gl::Program program_;
  gl::VertexArray vertices_;
  gl::Buffer instances_;
  std::size_t count_ = 0;
};

}  // namespace twosphere::render
