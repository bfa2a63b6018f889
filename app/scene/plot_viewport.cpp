// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/scene/plot_viewport.h"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <utility>

#include "app/scene/current_context.h"
#include "app/scene/imgui_bridge.h"
#include "app/scene/viewport.h"
#include "ui/shell/interface_colors.h"
#include "ui/shell/style.h"

namespace twosphere {
namespace {

constexpr int frame_interval = 16;  // [ms] at least between two frames of an animation

}  // namespace

PlotViewport::PlotViewport(Viewport& viewport, QWidget* parent)
    : QOpenGLWidget(parent), viewport_(viewport), fonts_(std::make_unique<ImFontAtlas>()) {
  setFormat(viewport.format());
  setObjectName(QStringLiteral("plot_view"));
  setAccessibleName(QStringLiteral("Plots"));
  setAccessibleDescription(QStringLiteral("The plots of the run, in a window of their own"));
  setMinimumSize(260, 200);
  loaded_scale_ = wanted_scale();
  ui::load_fonts(*fonts_, loaded_scale_);
  const CurrentContext current(nullptr);
  imgui_ = ImGui::CreateContext(fonts_.get());
  ImGui::SetCurrentContext(imgui_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigDragClickToInputText = true;
  bridge_ = std::make_unique<ImGuiBridge>(*this, [this] {
    touched_ = true;
    update();
  });
  viewport_.share_keys(*bridge_);
  next_.setSingleShot(true);
  next_.callOnTimeout(this, [this] { update(); });
  connect(&viewport_, &Viewport::drawn, this, [this] { update(); });
  connect(&viewport_, &Viewport::coming, this, [this] {
    if (!viewport_.is_seen()) update();
  });
}

PlotViewport::~PlotViewport() {
  if (context()) disconnect(context(), nullptr, this, nullptr);
  release();
  const CurrentContext current(imgui_);
  bridge_.reset();
  ImGui::DestroyContext(imgui_);
}

void PlotViewport::release() {
  if (!std::exchange(ready_, false)) return;
  makeCurrent();
  const CurrentContext current(imgui_);
  ImGui_ImplOpenGL3_Shutdown();
  doneCurrent();
}

void PlotViewport::initializeGL() {
  connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, &PlotViewport::release);
  const CurrentContext current(imgui_);
  ready_ = ImGui_ImplOpenGL3_Init(glsl_version);
}

float PlotViewport::wanted_scale() const {
  return viewport_.interface().scale() * static_cast<float>(devicePixelRatioF());
}

void PlotViewport::click(const ui::Rect& rect) {
  bridge_->click(rect.x + rect.width / 2, rect.y + rect.height / 2);
}

bool PlotViewport::is_drawn() const { return !touched_ && !bridge_->pending(); }

void PlotViewport::paintGL() {
  if (!ready_) return;
  const bool touched = std::exchange(touched_, false);
  const CurrentContext current(imgui_);
  ImGui_ImplOpenGL3_NewFrame();
  follow_scale(wanted_scale(), loaded_scale_);
  bridge_->begin_frame();
  ImGui::NewFrame();
  const bool complete = viewport_.draw_plots(surface_, framebuffer_size(*this),
                                             static_cast<float>(devicePixelRatioF()));
  ImGui::Render();
  const ui::Colors& colors = ui::colors(viewport_.interface().settings().palette);
  const auto part = [&colors](int shift) {
    return static_cast<float>((colors.panel.rgb >> shift) & 0xff) / 255;
  };
  QOpenGLFunctions& gl = *context()->functions();
  gl.glClearColor(part(16), part(8), part(0), 1);
  gl.glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  bridge_->end_frame();
  bridge_->keep_arrows(surface_.focus.takes_arrows());
  bridge_->keep_presses(surface_.focus.on());
  // What was changed here may change the scene: the instant, the lanes that are hidden, the cursor.
  if (touched) viewport_.request_frame();
  if (bridge_->pending() || surface_.animating() || !complete) next_.start(frame_interval);
  Q_EMIT drawn();
}

}  // namespace twosphere

#include "moc_plot_viewport.cpp"
