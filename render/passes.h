// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "render/frame_uniforms.h"
#include "render/gl.h"
#include "render/scene.h"

/// The passes of the renderer, one class for each kind of shape; NAME_pass.cpp has its
/// source.
namespace twosphere::render {

/// Shapes that one program draws.
class ShaderPass {
 protected:
  /// Creates the pass with the shaders of this name and their uniforms. The error contains the log
  /// of the driver.
  template <class Pass>
  static Result<Pass> with_shaders(std::string_view name,
                                   std::span<const std::string_view> uniforms = {}) {
    auto program = gl::Program::create(name, uniforms);
    if (!program) return program.error();
    Pass pass;
    pass.program_ = std::move(*program);
    return pass;
  }

  gl::Program program_;
  gl::VertexArray vertices_;
};

/// Fills the viewport with a vertical gradient.
class BackgroundPass : public ShaderPass {
 public:
  static Result<BackgroundPass> create();
  void draw(const Theme& theme) const;
};

/// The ground: a faint disc with grid lines and the soft shadows of the balls and rods vertically
/// above it. Drawn after the opaque shapes; writes no depth.
class GroundPass {
 public:
  static Result<GroundPass> create();
  void draw(const Scene& scene, const Theme& theme, glm::vec3 eye) const;

 private:
  gl::Program ground_, shadow_;
  gl::VertexArray vertices_;
  gl::Buffer instances_;
};

/// Draws shapes by ray casting, one quad per instance, with exact outline and depth at any size.
/// The inside is opaque. The outline is blended by coverage after everything opaque is drawn, so
/// that no sorting is needed. Derived classes define the data of an instance.
class CoveredPass : public ShaderPass {
 public:
  void draw_inside() const;
  void draw_outline() const;

 protected:
  template <class Pass>
  static Result<Pass> with_shaders(std::string_view name) {
    return ShaderPass::with_shaders<Pass>(name, std::array<std::string_view, 1>{"outline"});
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
  void draw(float outline) const;

  gl::Buffer instances_;
  std::size_t count_ = 0;
};

/// Balls, and the outlines of balls.
class SpherePass : public CoveredPass {
 public:
  static Result<SpherePass> create();
  void upload(std::span<const Sphere> spheres, std::span<const Ring> rings);
};

/// Rods with flat ends, ray-cast with a blended outline: see CoveredPass. A rod that ends at the
/// centre of a ball is cut at its surface.
class CylinderPass : public CoveredPass {
 public:
  static Result<CylinderPass> create();
  void upload(std::span<const Cylinder> cylinders, std::span<const Sphere> spheres);
};

/// Arrow heads, ray-cast with a blended outline: see CoveredPass.
class ConePass : public CoveredPass {
 public:
  static Result<ConePass> create();
  void upload(std::span<const Cone> cones);
};

/// Bent rods as straight pieces that meet in the bisecting planes, shaded as one smooth surface and
/// ray-cast: see CoveredPass.
class TubePass : public CoveredPass {
 public:
  static Result<TubePass> create();
  void upload(std::span<const Tube> tubes);
};

/// Many small balls drawn as points: shaded as balls, but with the depth of their front and hard
/// edges. With software rendering this is much cheaper than SpherePass.
class DotPass : public ShaderPass {
 public:
  static Result<DotPass> create();
  void draw(std::span<const Sphere> dots) const;

 private:
  gl::Buffer instances_;
};

/// A surface with one colour per face. The shape is uploaded once, the colours in every call.
class MeshPass : public ShaderPass {
 public:
  static Result<MeshPass> create();
  void draw(const Mesh& mesh);

 private:
  gl::Buffer places_, indices_, colors_;
  gl::Object<gl::delete_texture> texture_;
  std::shared_ptr<const Mesh::Shape> shape_;  // contents of the buffers
};

/// Curves of constant width on the screen, at least 1.5 logical pixels, anti-aliased and without
/// gaps. Drawn after the opaque shapes, which occlude them.
class PolylinePass : public ShaderPass {
 public:
  static Result<PolylinePass> create();
  void draw(std::span<const Polyline> polylines, float pixel_ratio) const;

 private:
  gl::Buffer points_;
};

/// Translucent dots from one buffer, written once for each cloud. Drawn after the opaque shapes,
/// which occlude them.
class CloudPass : public ShaderPass {
 public:
  static Result<CloudPass> create();
  void draw(const DotCloud& cloud);

 private:
  gl::Buffer dots_;
  std::shared_ptr<const std::vector<DotCloud::Dot>> written_;
};

/// A translucent ball: the far side, then the near side, each with depth test.
class ShellPass : public ShaderPass {
 public:
  static Result<ShellPass> create();
  void draw(const Shell& shell) const;
};

/// The directions of e1, e2, e3 as small arrows in the lower left corner, with an arrow for gravity
/// beside them.
class AxesPass : public ShaderPass {
 public:
  static Result<AxesPass> create();
  AxisLabels draw(const Frame& frame, bool gravity, const Theme& theme) const;

 private:
  gl::Buffer instances_;
};

}  // namespace twosphere::render
