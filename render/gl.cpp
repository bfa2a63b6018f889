// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/gl.h"

#include <array>
#include <string>

#include "embedded/shader_files.h"

namespace twosphere::render::gl {

namespace {

GLuint generated(void (*generate)(GLsizei, GLuint*)) {
  GLuint id = 0;
  generate(1, &id);
  return id;
}

Error failure(std::string_view file, std::string message) {
  while (!message.empty() && (message.back() == '\n' || message.back() == '\0')) message.pop_back();
  return {ErrorKind::check, "shader " + std::string(file), std::move(message)};
}

const embedded::File* find_source(std::string_view name) {
  for (const embedded::File& file : embedded::shader_files())
    if (file.name == name) return &file;
  return nullptr;
}

Result<Object<delete_shader>> compile(GLenum kind, const std::string& name) {
  const embedded::File* common = find_source("common.glsl");
  const embedded::File* own = find_source(name);
  if (common == nullptr || own == nullptr) return failure(name, "not part of the program");
  Object<delete_shader> shader(glCreateShader(kind));
  constexpr std::string_view version = "#version 330 core\n", line = "\n#line 1\n";
  const std::array parts = {version, common->text, line, own->text};
  std::array<const GLchar*, parts.size()> texts;
  std::array<GLint, parts.size()> lengths;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    texts[i] = parts[i].data();
    lengths[i] = static_cast<GLint>(parts[i].size());
  }
  glShaderSource(shader.id(), static_cast<GLsizei>(parts.size()), texts.data(), lengths.data());
  glCompileShader(shader.id());
  GLint ok = GL_FALSE, length = 0;
  glGetShaderiv(shader.id(), GL_COMPILE_STATUS, &ok);
  if (ok == GL_TRUE) return shader;
  glGetShaderiv(shader.id(), GL_INFO_LOG_LENGTH, &length);
  std::string log(static_cast<std::size_t>(length), '\0');
  glGetShaderInfoLog(shader.id(), length, nullptr, log.data());
  return failure(name, std::move(log));
}

}  // namespace

void delete_buffer(GLuint id) { glDeleteBuffers(1, &id); }
void delete_vertex_array(GLuint id) { glDeleteVertexArrays(1, &id); }
void delete_program(GLuint id) { glDeleteProgram(id); }
void delete_shader(GLuint id) { glDeleteShader(id); }
void delete_texture(GLuint id) { glDeleteTextures(1, &id); }

Object<delete_texture> make_texture() { return Object<delete_texture>(generated(glGenTextures)); }

Buffer::Buffer() : object_(generated(glGenBuffers)) {}

void Buffer::write(GLenum target, const void* data, std::size_t bytes) const {
  glBindBuffer(target, object_.id());
  glBufferData(target, static_cast<GLsizeiptr>(bytes), data, GL_STREAM_DRAW);
}

VertexArray::VertexArray() : object_(generated(glGenVertexArrays)) {}

void VertexArray::bind() const { glBindVertexArray(object_.id()); }

void VertexArray::per_instance(GLuint location, int components, std::size_t stride,
                               std::size_t offset) const {
  per_vertex(location, components, stride, offset);
  glVertexAttribDivisor(location, 1);
}

void VertexArray::per_vertex(GLuint location, int components, std::size_t stride,
                             std::size_t offset) const {
  glEnableVertexAttribArray(location);
  glVertexAttribPointer(location, components, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                        reinterpret_cast<const void*>(offset));
}

Result<Program> Program::create(std::string_view name, std::span<const std::string_view> uniforms) {
  auto vertex = compile(GL_VERTEX_SHADER, std::string(name) + ".vert");
  if (!vertex) return vertex.error();
  auto fragment = compile(GL_FRAGMENT_SHADER, std::string(name) + ".frag");
  if (!fragment) return fragment.error();

  Program program;
  program.object_ = Object<delete_program>(glCreateProgram());
  const GLuint id = program.object_.id();
  glAttachShader(id, vertex->id());
  glAttachShader(id, fragment->id());
  glLinkProgram(id);
  GLint ok = GL_FALSE;
  glGetProgramiv(id, GL_LINK_STATUS, &ok);
  if (ok != GL_TRUE) {
    GLint length = 0;
    glGetProgramiv(id, GL_INFO_LOG_LENGTH, &length);
    std::string log(static_cast<std::size_t>(length), '\0');
    glGetProgramInfoLog(id, length, nullptr, log.data());
    return failure(name, std::move(log));
  }
  glDetachShader(id, vertex->id());
  glDetachShader(id, fragment->id());
  if (const GLuint block = glGetUniformBlockIndex(id, "Frame"); block != GL_INVALID_INDEX)
    glUniformBlockBinding(id, block, 0);
  for (std::string_view uniform : uniforms) {
    const GLint location = glGetUniformLocation(id, std::string(uniform).c_str());
    if (location < 0) return failure(name, "no uniform \"" + std::string(uniform) + "\"");
    program.uniforms_.push_back(location);
  }
  return program;
}

void Program::use() const { glUseProgram(object_.id()); }
void Program::set(std::size_t uniform, float value) const {
  glUniform1f(uniforms_[uniform], value);
}
void Program::set(std::size_t uniform, const glm::vec4& value) const {
  glUniform4f(uniforms_[uniform], value.x, value.y, value.z, value.w);
}

void Program::set(std::size_t uniform, std::span<const glm::vec4> values) const {
  glUniform4fv(uniforms_[uniform], static_cast<GLsizei>(values.size()), &values.front().x);
}

void draw_quads(std::size_t instances) {
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(instances));
}

}  // namespace twosphere::render::gl
