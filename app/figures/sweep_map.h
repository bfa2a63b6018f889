// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/color/color_map.h"
#include "core/studies/sweep_task.h"
#include "ui/plot/axis.h"
#include "ui/plot/draw_list.h"
#include "ui/plot/figure.h"

/// What a map of a sweep shows.
namespace twosphere {

/// An axis of a map: the values that a setting takes, or the members.
struct MapAxis {
  std::string label;               ///< "Start ω₂·e₁"
  std::string unit;                ///< "1" for pure numbers
  std::vector<double> values;      ///< numbers; empty if they are words
  std::vector<std::string> words;  ///< else

  std::size_t size() const { return words.empty() ? values.size() : words.size(); }
  std::string title() const;  ///< "Start ω₂·e₁ [rad/s]"
  /// The value at an index, with its unit: "−1.430 rad/s".
  std::string text(std::size_t index) const;
  /// Ticks in units of cells: the middle of cell i is at i + 1/2. At round values if the values are
  /// equally spaced or have equal ratios, else at values themselves.
  ui::Ticks ticks(int max_labels) const;
};

/// The part of a sweep that a map shows.
struct MapChoice {
  std::size_t measure = 0;
  std::size_t across = 0;            ///< axis of the sweep
  std::optional<std::size_t> up{};   ///< none: a single row
  std::vector<std::size_t> fixed{};  ///< index on every axis, of which those of other axes count
  bool logarithmic = false;          ///< colours by the logarithm of the magnitude
  ColorMap colors = ColorMap::viridis;
  std::string measure_name{};         ///< empty: its key
  std::vector<std::string> labels{};  ///< of the axes; missing ones have their paths
};

/// A sweep as a map of one of its measures over one or two of its axes.
struct SweepMap {
  struct Cell {
    std::size_t task = 0;
    TaskStatus status = TaskStatus::missing;
    double value = std::numeric_limits<double>::quiet_NaN();  ///< of the task itself
    /// The task whose value the cell shows, as long as its own is missing that of a coarser point;
    /// none: it is empty.
    std::optional<std::size_t> shown{};
    double shade = 0;     ///< of its colour, from 0 to 1
    bool failed = false;  ///< the task shown was refused or is not finite
  };
  /// A value with its own colour: an equilibrium, or none.
  struct Category {
    double value = 0;
    std::string name;                 ///< "2: (−0.11, 0.19, 0.98)"
    std::optional<std::size_t> tint;  ///< of body_color(); none: grey
  };
  std::string title;
  MapAxis across, up;
  ColorBar bar;  ///< of the values or, if logarithmic, of log10 of their magnitudes
  bool logarithmic = false;
  std::vector<Category> categories{};  ///< of basins; `bar` is then of their places in this list
  std::size_t tints = 0;               ///< how many there are
  std::string note{};                  ///< a line below: how finely basins are mixed
  std::optional<double> level{};       ///< a value that means something, on the scale of `bar`
  std::vector<Cell> cells;             ///< the row of the first value of `up` first

  const Cell& at(std::size_t column, std::size_t row) const {
    return cells[row * across.size() + column];
  }
  /// What the values are: "MEGNO", "energy [J]".
  std::string value_title() const;
  /// The values of the axes at a cell: "Gravity g = 9.81 m/s², Start ω₂·e₁ = 2 rad/s".
  std::string place(std::size_t column, std::size_t row) const;
  Color color(const Cell& cell, Palette palette) const;
  Color color_of(const Category& category, Palette palette) const;
  /// The category of a value; null if there is none.
  const Category* category_of(double value) const;
  /// A value on the scale of `bar`; NaN if it has no place there.
  double scaled(double value) const;
};

/// The colours of what is drawn around the cells.
struct MapInks {
  ui::Ink text = ui::print_ink, dim = ui::print_ink, line = ui::print_ink;
  ui::Ink failed{{0xb0b0b0}};
  ui::Ink curve{{0x0072b2}};
};

}  // namespace twosphere
