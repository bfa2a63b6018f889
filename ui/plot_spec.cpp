// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot_spec.h"

#include <fmt/core.h>

#include <iterator>
#include <sstream>

#include "core/spectrum.h"

namespace twosphere::ui {

PlotSpec plot_of(const Signal& y) {
  PlotSpec spec{.y = y, .x = std::nullopt};
  if (y.error()) spec.scale = Scale::logarithmic;
  return spec;
}

PlotSpec spectrum_of(const Signal& y) {
  return {.y = y, .x = std::nullopt, .scale = Scale::logarithmic, .spectrum = true};
}

std::vector<PlotSpec> default_plots() {
  return {plot_of(Quantity::total_energy), plot_of(Quantity::energy_error),
          plot_of(Quantity::unit_length_error)};
}

std::string to_text(const PlotSpec& spec) {
  std::string text = spec.y.key();
  if (spec.x) text += " over " + spec.x->key();
  if (spec.spectrum) return text + " spectrum";
  if (spec.scale == Scale::logarithmic) text += " logarithmic";
  if (spec.scale == Scale::symlog) text += " symlog";
  if (spec.magnitude) text += " magnitude";
  return text;
}

std::optional<PlotSpec> parse_plot(std::string_view text) {
  std::istringstream stream{std::string(text)};
  const std::vector<std::string> words(std::istream_iterator<std::string>(stream), {});
  if (words.empty()) return std::nullopt;
  const auto y = Signal::parse(words[0]);
  if (!y) return std::nullopt;
  PlotSpec spec{.y = *y, .x = std::nullopt};
  if (words.size() == 2 && words[1] == "spectrum") return spectrum_of(*y);
  std::size_t next = 1;
  if (next + 1 < words.size() && words[next] == "over") {
    spec.x = Signal::parse(words[next + 1]);
    if (!spec.x) return std::nullopt;
    next += 2;
  }
  for (; next < words.size(); ++next) {
    if (words[next] == "logarithmic")
      spec.scale = Scale::logarithmic;
    else if (words[next] == "symlog")
      spec.scale = Scale::symlog;
    else if (words[next] == "magnitude")
      spec.magnitude = true;
    else
      return std::nullopt;
  }
  return spec;
}

std::string title(const PlotSpec& spec, std::string_view reference) {
  if (spec.spectrum) return fmt::format("power spectrum of {}", spec.y.label());
  if (spec.y.kind() == Signal::Kind::distance && !reference.empty())
    return fmt::format("distance from {}", reference);
  if (!spec.shows_magnitude()) return spec.y.label();
  const std::string symbol = spec.y.symbol();
  // What is a magnitude already goes by its name.
  return symbol.find('|') == std::string::npos ? fmt::format("|{}|", symbol) : spec.y.label();
}

std::string unit(const PlotSpec& spec) {
  return spec.spectrum ? density_unit(spec.y.unit()) : std::string(spec.y.unit());
}

}  // namespace twosphere::ui
