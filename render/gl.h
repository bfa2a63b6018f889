// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef GL_GLEXT_PROTOTYPES
#define GL_GLEXT_PROTOTYPES
#endif
#include <GL/glcorearb.h>

#include <glm/vec4.hpp>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"

/// RAII wrappers of OpenGL objects. The context in which an object was created must be current. Do
/// not include together with headers of Qt's OpenGL module.
namespace twosphere::render::gl {

/// Owns the name of an OpenGL object.
template <void (*Delete)(GLuint)>
class Object {
 public:
  Object() = default;
  explicit Object(GLuint id) : id_(id) {}
  Object(Object&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  ~Object() {
    if (id_ != 0) Delete(id_);
  }
  GLuint id() const { return id_; }

 private:
  GLuint id_ = 0;
};

void delete_buffer(GLuint id);
void delete_vertex_array(GLuint id);
void delete_program(GLuint id);
void delete_shader(GLuint id);
void delete_texture(GLuint id);

Object<delete_texture> make_texture();

/// A buffer that is rewritten every frame.
class Buffer {
 public:
  Buffer();

  /// Replaces the contents without waiting for the driver to finish reading the old ones. Leaves
  /// `target` bound.
  template <class T>
  void write(GLenum target, std::span<const T> data) const {
    write(target, data.data(), data.size_bytes());
  }
  GLuint id() const { return object_.id(); }

 private:
  void write(GLenum target, const void* data, std::size_t bytes) const;
  Object<delete_buffer> object_;
};

/// The layout of the vertex shader inputs.
class VertexArray {
 public:
  VertexArray();
  void bind() const;
  /// Input `location` is `components` floats at byte `offset` of the bound array buffer, one per
  /// instance.
  void per_instance(GLuint location, int components, std::size_t stride, std::size_t offset) const;
  /// The same, one per vertex.
  void per_vertex(GLuint location, int components, std::size_t stride, std::size_t offset) const;

 private:
  Object<delete_vertex_array> object_;
};

/// A program of the shaders NAME.vert and NAME.frag, each preceded by common.glsl.
class Program {
 public:
  Program() = default;
  /// Fails with the log of the driver, or if one of the uniforms does not exist. The block Frame,
  /// if used, is read from binding 0.
  static Result<Program> create(std::string_view name,
                                std::span<const std::string_view> uniforms = {});

  void use() const;
  /// Sets the uniform with that index in the list given to create(); the program must be in use.
  void set(std::size_t uniform, float value) const;
  void set(std::size_t uniform, const glm::vec4& value) const;
  void set(std::size_t uniform, std::span<const glm::vec4> values) const;  ///< of an array

 private:
  Object<delete_program> object_;
  std::vector<GLint> uniforms_;
};

/// Draws `instances` copies of a quad: four corners as a strip.
void draw_quads(std::size_t instances);

}  // namespace twosphere::render::gl
