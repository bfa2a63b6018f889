// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot/plot_spec.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include "core/base/text.h"
#include "core/record/spectrum.h"

namespace twosphere::ui {

std::vector<Signal> PlotSpec::signals() const {
  std::vector<Signal> all{y};
  all.insert(all.end(), also.begin(), also.end());
  return all;
}

std::vector<Signal> PlotSpec::all_signals() const {
  std::vector<Signal> all = signals();
  if (x) all.push_back(*x);
  return all;
}

PlotSpec PlotSpec::of(const Signal& signal) const {
  PlotSpec alone = *this;
  alone.y = signal;
  alone.also.clear();
  return alone;
}

bool PlotSpec::whole() const {
  const std::vector<Signal> all = signals();
  return !spectrum &&
         std::all_of(all.begin(), all.end(), [](const Signal& s) { return s.count(); });
}

void PlotSpec::toggle(const Signal& signal) {
  std::vector<Signal> all = signals();
  if (std::erase(all, signal) == 0) all.push_back(signal);
  if (all.empty()) return;
  y = all.front();
  also.assign(all.begin() + 1, all.end());
}

PlotSpec plot_of(std::initializer_list<Signal> signals) {
  PlotSpec spec = plot_of(*signals.begin());
  spec.also.assign(signals.begin() + 1, signals.end());
  return spec;
}

PlotSpec plot_of(const Signal& y) {
  PlotSpec spec{.y = y, .x = std::nullopt};
  if (y.error()) spec.scale = Scale::logarithmic;
  return spec;
}

PlotSpec spectrum_of(const Signal& y) {
  return {.y = y, .x = std::nullopt, .scale = Scale::logarithmic, .spectrum = true};
}

std::vector<PlotSpec> energy_plots() {
  return {plot_of({Quantity::kinetic_energy, Quantity::potential_energy, Quantity::total_energy}),
          plot_of(Quantity::energy_error)};
}

bool compares_energies(const PlotSpec& spec) {
  const std::vector<Signal> all = spec.signals();
  const auto has = [&all](Quantity energy) {
    return std::find(all.begin(), all.end(), Signal(energy)) != all.end();
  };
  return spec.over_time() && spec.scale == Scale::linear && !spec.magnitude &&
         has(Quantity::kinetic_energy) && has(Quantity::potential_energy) &&
         has(Quantity::total_energy);
}

bool needs_tangent_vectors(const std::vector<PlotSpec>& plots) {
  const auto needs = [](const Signal& signal) {
    const auto q = signal.step_quantity();
    return q && needs_tangent_vectors(*q);
  };
  return std::any_of(plots.begin(), plots.end(), [&](const PlotSpec& plot) {
    const std::vector<Signal> all = plot.all_signals();
    return std::any_of(all.begin(), all.end(), needs);
  });
}

std::vector<PlottedExpression> expressions_of(const std::vector<PlotSpec>& plots) {
  std::vector<PlottedExpression> all;
  for (const PlotSpec& plot : plots)
    for (const Signal& signal : plot.all_signals())
      if (const auto plotted = signal.expression();
          plotted && std::find(all.begin(), all.end(), *plotted) == all.end())
        all.push_back(*plotted);
  return all;
}

std::string to_text(const PlotSpec& spec) {
  std::string text = spec.y.key();
  for (const Signal& signal : spec.also) text += " and " + signal.key();
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
  for (; next + 1 < words.size() && words[next] == "and"; next += 2) {
    const auto signal = Signal::parse(words[next + 1]);
    const std::vector<Signal> all = spec.signals();
    if (!signal || signal->unit() != y->unit() ||
        std::find(all.begin(), all.end(), *signal) != all.end())
      return std::nullopt;
    spec.also.push_back(*signal);
  }
  if (spec.also.empty() && next + 1 < words.size() && words[next] == "over") {
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

namespace {

/// "kinetic, potential and total energy", "polar angle θ₁ and θ₂": the last word of the labels, or
/// all words before it, are written once if all have them.
std::string together(const std::vector<std::string>& labels) {
  const auto last_word = [](const std::string& label) {
    const auto space = label.rfind(' ');
    return space == label.npos ? std::string() : label.substr(space);
  };
  const auto beginning = [&](const std::string& label) {
    return label.substr(0, label.size() - last_word(label).size());
  };
  std::string common = last_word(labels.front()), first = beginning(labels.front());
  for (const std::string& label : labels) {
    if (last_word(label) != common) common.clear();
    if (last_word(label).empty() || beginning(label) != first) first.clear();
  }
  std::string text = first;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i > 0) text += i + 1 < labels.size() ? "," : " and";
    std::string part = labels[i].substr(first.size());
    part.resize(part.size() - common.size());
    if (first.empty() && i > 0) text += ' ';
    text += part;
  }
  return text + common;
}

}  // namespace

std::string title(const PlotSpec& spec, std::string_view reference) {
  if (!spec.also.empty()) {
    std::vector<std::string> labels;
    for (const Signal& signal : spec.signals()) labels.push_back(title(spec.of(signal), reference));
    return together(labels);
  }
  const bool from_named = spec.y.kind() == Signal::Kind::distance && !reference.empty();
  const std::string label =
      from_named ? fmt::format("distance from {}", reference) : spec.y.label();
  if (spec.spectrum) return "power spectrum of " + label;
  if (from_named) return label;
  if (!spec.shows_magnitude()) return spec.y.label();
  const std::string symbol = spec.y.symbol();
  // A signal that is already a magnitude has its label.
  return symbol.find('|') == std::string::npos ? fmt::format("|{}|", symbol) : spec.y.label();
}

std::string symbols(const PlotSpec& spec) { return joined(spec.signals(), ", ", &Signal::symbol); }

std::string unit(const PlotSpec& spec) {
  return spec.spectrum ? density_unit(spec.y.unit()) : std::string(spec.y.unit());
}

}  // namespace twosphere::ui
