// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/shell/frame.h"

namespace twosphere::ui_test {

/// Does nothing with what the interface asks for.
class SilentSink : public ui::CommandSink {
 public:
  void command(Command) override {}
  void show(std::int64_t) override {}
  void show_head() override {}
  void switch_to(int) override {}
  void load_preset(std::string_view) override {}
  void remove_preset(std::string_view) override {}
  void open_file(std::string_view) override {}
  void sweep(std::string_view) override {}
  void export_plot(const ui::PlotSpec&) override {}
  void guide(const ui::TourCall&) override {}
  void act(ui::Action) override {}
};

}  // namespace twosphere::ui_test
