// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <imgui.h>

#include <mutex>

namespace twosphere {

/// Makes a context of Dear ImGui the current one for as long as the object exists, and then the one
/// before again. The current context is one of the whole process: while a thread has it, others
/// that draw, as those of pictures and videos do, wait here.
class CurrentContext {
 public:
  explicit CurrentContext(ImGuiContext* context)
      : lock_(mutex_), before_(ImGui::GetCurrentContext()) {
    ImGui::SetCurrentContext(context);
  }
  ~CurrentContext() { ImGui::SetCurrentContext(before_); }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  static inline std::recursive_mutex mutex_;  // the plot window draws by the viewport
  std::unique_lock<std::recursive_mutex> lock_;
  ImGuiContext* before_;
};

}  // namespace twosphere
