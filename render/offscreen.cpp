// SPDX-License-Identifier: GPL-3.0-or-later
#include "render/offscreen.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "render/gl.h"

namespace twosphere::render {

namespace {

Error failure(std::string message) {
  return {ErrorKind::input_output, "offscreen rendering", std::move(message)};
}

bool lists(const char* extensions, std::string_view name) {
  const std::string_view all = extensions == nullptr ? "" : extensions;
  return (" " + std::string(all) + " ").find(" " + std::string(name) + " ") != std::string::npos;
}

// An initialised display that needs no window system: Mesa's surfaceless platform, else the first
// usable device.
EGLDisplay open_display() {
  const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const auto get_display = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(
      eglGetProcAddress("eglGetPlatformDisplayEXT"));
  if (get_display == nullptr || !lists(extensions, "EGL_EXT_platform_base")) return EGL_NO_DISPLAY;
  const auto usable = [](EGLDisplay display) {
    return display != EGL_NO_DISPLAY && eglInitialize(display, nullptr, nullptr) == EGL_TRUE &&
           lists(eglQueryString(display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context");
  };
  if (lists(extensions, "EGL_MESA_platform_surfaceless")) {
    EGLDisplay display = get_display(EGL_PLATFORM_SURFACELESS_MESA,
                                     reinterpret_cast<void*>(EGL_DEFAULT_DISPLAY), nullptr);
    if (usable(display)) return display;
  }
  const auto query_devices =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
  if (query_devices == nullptr || !lists(extensions, "EGL_EXT_platform_device"))
    return EGL_NO_DISPLAY;
  std::array<EGLDeviceEXT, 16> devices{};
  EGLint count = 0;
  if (query_devices(static_cast<EGLint>(devices.size()), devices.data(), &count) != EGL_TRUE)
    return EGL_NO_DISPLAY;
  for (EGLint i = 0; i < count; ++i) {
    EGLDisplay display =
        get_display(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<std::size_t>(i)], nullptr);
    if (usable(display)) return display;
  }
  return EGL_NO_DISPLAY;
}

}  // namespace

struct Offscreen::Impl {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  GLuint framebuffer = 0, color = 0, depth = 0;
  int width = 0, height = 0;

  ~Impl() {
    if (context == EGL_NO_CONTEXT) return;
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(1, &color);
    glDeleteRenderbuffers(1, &depth);
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display, context);
  }
};

Offscreen::Offscreen() : impl_(std::make_unique<Impl>()) {}
Offscreen::~Offscreen() = default;

Result<std::unique_ptr<Offscreen>> Offscreen::create(int width, int height) {
  std::unique_ptr<Offscreen> made(new Offscreen);
  Impl& self = *made->impl_;
  self.display = open_display();
  if (self.display == EGL_NO_DISPLAY)
    return failure(
        "no EGL display is available without a window system (needs libegl1 and a driver with "
        "EGL_MESA_platform_surfaceless or EGL_EXT_platform_device)");
  constexpr EGLint config_wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0,
                                      EGL_NONE};
  EGLConfig config = nullptr;
  EGLint configs = 0;
  if (!lists(eglQueryString(self.display, EGL_EXTENSIONS), "EGL_KHR_no_config_context"))
    eglChooseConfig(self.display, config_wanted, &config, 1, &configs);
  constexpr EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                                3,
                                EGL_CONTEXT_MINOR_VERSION,
                                3,
                                EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                EGL_NONE};
  if (eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return failure("this EGL has no desktop OpenGL");
  self.context = eglCreateContext(self.display, config, EGL_NO_CONTEXT, version);
  if (self.context == EGL_NO_CONTEXT) return failure("no OpenGL 3.3 core context");
  if (eglMakeCurrent(self.display, EGL_NO_SURFACE, EGL_NO_SURFACE, self.context) != EGL_TRUE)
    return failure("the OpenGL context cannot be made current");

  GLint limit = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &limit);
  if (width < 1 || height < 1 || width > limit || height > limit)
    return failure("size " + std::to_string(width) + "x" + std::to_string(height) +
                   " is not within 1x1 and " + std::to_string(limit) + "x" + std::to_string(limit));
  self.width = width;
  self.height = height;
  glGenFramebuffers(1, &self.framebuffer);
  glGenRenderbuffers(1, &self.color);
  glGenRenderbuffers(1, &self.depth);
  glBindFramebuffer(GL_FRAMEBUFFER, self.framebuffer);
  glBindRenderbuffer(GL_RENDERBUFFER, self.color);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, self.color);
  glBindRenderbuffer(GL_RENDERBUFFER, self.depth);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, self.depth);
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
    return failure("no framebuffer of this size");
  return made;
}

Target Offscreen::target(float pixel_ratio) const {
  return {impl_->framebuffer, 0, 0, impl_->width, impl_->height, pixel_ratio};
}

Image Offscreen::read() const {
  Image image{impl_->width, impl_->height, {}};
  const std::size_t row = 4 * static_cast<std::size_t>(impl_->width);
  const auto rows = static_cast<std::size_t>(impl_->height);
  image.pixels.resize(row * rows);
  glBindFramebuffer(GL_FRAMEBUFFER, impl_->framebuffer);
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glReadPixels(0, 0, impl_->width, impl_->height, GL_RGBA, GL_UNSIGNED_BYTE, image.pixels.data());
  // OpenGL's rows begin at the bottom.
  const auto begin = image.pixels.begin();
  const auto at = [&](std::size_t y) { return begin + static_cast<std::ptrdiff_t>(y * row); };
  for (std::size_t y = 0; y < rows / 2; ++y) std::swap_ranges(at(y), at(y + 1), at(rows - 1 - y));
  return image;
}

}  // namespace twosphere::render
