// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/ui/desk.h"
#include "ui/plot/plot_curves.h"

/// What the tests of the plots do at a desk.
namespace twosphere::plots_panel_test {

using namespace ui;
using namespace ui_test;

inline constexpr std::uint32_t curve = 0x56b4e9;  // of the variational integrator, dark

inline std::vector<std::string> listed(const Desk& desk) {
  std::vector<std::string> texts;
  for (const PlotSpec& plot : desk.interface.settings().plots) texts.push_back(to_text(plot));
  return texts;
}

/// Shows these plots, after so many steps more.
inline void show(Desk& desk, const std::vector<std::string>& texts, int steps = 0) {
  if (steps > 0) desk.run(steps);
  desk.interface.settings().plots.clear();
  for (const std::string& text : texts)
    desk.interface.settings().plots.push_back(parse_plot(text).value());
  desk.frames(2);
}

/// How much is drawn in a curve's colour inside a plot.
inline int vertices(const Rect& plot, std::uint32_t color = curve) {
  const ImU32 packed = IM_COL32((color >> 16) & 0xff, (color >> 8) & 0xff, color & 0xff, 255);
  int count = 0;
  for (const ImDrawVert& v : drawn_corners())
    count += v.col == packed && plot.contains(v.pos.x, v.pos.y);
  return count;
}

/// Draws frames until that is so, at least one: other threads make spectra and their lines.
template <class Condition>
void draw_until(Desk& desk, Condition condition) {
  int frames = 0;
  do {
    desk.frame();
  } while (!condition() && ++frames < 5000);
}

inline void right_click(Desk& desk, const std::string& name) {
  desk.point(name);
  desk.press(1);
  desk.release(1);
  desk.frames(2);
}

inline void choose_in_menu(Desk& desk, const std::string& plot, const std::string& entry) {
  right_click(desk, plot);
  desk.click("menu/" + entry);
}

/// A lane whose kinetic energy is a sine about 2.
inline void play_sine(Desk& desk, double amplitude, double frequency, std::size_t n,
                      double interval) {
  History& history = desk.histories[0];
  history.clear();
  for (std::size_t i = 0; i < n; ++i) {
    Sample s;
    const double t = interval * static_cast<double>(i);
    s[Quantity::time] = t;
    s[Quantity::kinetic_energy] = 2 + amplitude * std::sin(2 * 3.14159265358979 * frequency * t);
    history.append(static_cast<std::int64_t>(i), s);
  }
  desk.snapshot.t = desk.snapshot.end_time = interval * static_cast<double>(n - 1);
  ++desk.snapshot.generation;
  desk.frames(3);
}

}  // namespace twosphere::plots_panel_test
