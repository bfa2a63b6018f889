// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/reproduction_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/json.h"
#include "core/base/table_writer.h"
#include "core/base/text.h"
#include "core/catalog.h"
#include "core/mechanics/parameter.h"

namespace twosphere {

namespace {

using json::shortest;

constexpr std::size_t page = 100;  // columns

/// The width of a text on a terminal: it contains no wide or combining characters.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(count_characters(text));
}
std::string padded(std::string text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? text + std::string(width - used, ' ') : text;
}
std::string flush_right(const std::string& text, std::size_t width) {
  const std::size_t used = columns(text);
  return used < width ? std::string(width - used, ' ') + text : text;
}

/// Footnotes, numbered from 1 in the order of their first use; equal ones share a number.
class Footnotes {
 public:
  /// The number of a footnote; 0 for an empty reason.
  std::size_t number(std::string_view reason) {
    if (reason.empty()) return 0;
    const auto found = std::find(list_.begin(), list_.end(), reason);
    if (found != list_.end()) return static_cast<std::size_t>(found - list_.begin()) + 1;
    list_.push_back(reason);
    return list_.size();
  }
  const std::vector<std::string_view>& list() const { return list_; }

 private:
  std::vector<std::string_view> list_;
};

std::string name(const ReproducedMean& mean) {
  return fmt::format("mean {}", label_of_mean(mean.published->quantity));
}

std::string labelled(const ReproducedRun& run, const ReproducedMean& mean) {
  return fmt::format("{} [{}]", name(mean), run.unit(mean));
}

std::string published(const ReproducedMean& mean) {
  return mean.published->value() ? std::string(mean.published->printed) : "figure only";
}

std::string ratio(const ReproducedMean& mean) {
  const auto value = mean.published->value();
  return value ? fmt::format("{:.4f}", mean.ours / *value) : "";
}

std::string allowed(const ReproducedMean& mean) {
  if (!mean.allowed) return "";
  switch (mean.published->rule) {
    case AcceptanceRule::digits:
      return "± " + as_printed(mean.published->half_unit(), 0);
    case AcceptanceRule::at_most:
      return "≤ " + std::string(mean.published->printed);
    case AcceptanceRule::open:
      return fmt::format("spread {} … {}", as_printed(mean.allowed->low, 2),
                         as_printed(mean.allowed->high, 2));
    case AcceptanceRule::spread:
      break;
  }
  return fmt::format("{} … {}", as_printed(mean.allowed->low), as_printed(mean.allowed->high));
}

/// The title of an example, with its presets.
std::string heading(const ReproducedRun& run) {
  return fmt::format("Example {}: {}", run.published->example, run.scenario.title);
}

std::string subject(const ReproducedRun& run) {
  return fmt::format("{}, {}", run.published->integrator, inputs(run));
}

/// The summary as a sentence.
std::string summary(const std::vector<ReproducedRun>& runs) {
  return capitalised(in_words(tally(runs))) + '.';
}

bool same_preset(const ReproducedRun& a, const ReproducedRun& b) {
  return a.published->preset == b.published->preset;
}

}  // namespace

std::string as_printed(double value, int decimals) {
  std::string text = fmt::format("{:.{}e}", value, decimals);
  const auto e = text.find('e');
  if (e == std::string::npos) return text;
  const bool negative = text[e + 1] == '-';
  const auto digit = std::min(text.find_first_not_of('0', e + 2), text.size() - 1);
  return text.substr(0, e + 1) + (negative ? "-" : "") + text.substr(digit);
}

std::string inputs(const ReproducedRun& run) {
  const LaneSpec& lane = run.scenario.lanes[0];
  std::string out =
      fmt::format("h {} s, {} s", shortest(lane.step), shortest(run.scenario.duration));
  for (const ParameterInfo& parameter : find_integrator(lane.type)->parameters)
    if (parameter.shape == Shape::scalar)
      out += fmt::format(", {} {}", parameter.label,
                         shortest(numbers_of(lane.values, parameter.key).front()));
  return out;
}

std::vector<ReproductionRow> reproduction_rows(const ReproducedRun& run) {
  std::vector<ReproductionRow> rows;
  for (const ReproducedMean& mean : run.means)
    rows.push_back({subject(run), labelled(run, mean), as_printed(mean.ours), published(mean),
                    ratio(mean), allowed(mean), word(mean.verdict), mean.published->reason});
  return rows;
}

std::string reproduction_text(const std::vector<ReproducedRun>& runs) {
  constexpr std::size_t what = 32, number = 12, share = 9, range = 27;
  Footnotes notes;
  std::string out;
  const ReproducedRun* last = nullptr;
  for (const ReproducedRun& run : runs) {
    if (!last || !same_preset(*last, run)) {
      if (last) out += '\n';
      out += fmt::format("{} ({})\n", heading(run), run.published->preset);
      out += std::string(what, ' ') + flush_right("ours", number) +
             flush_right("published", number) + flush_right("ratio", share) + "  " +
             padded("allowed", range) + "verdict\n";
    }
    last = &run;
    out += "  " + subject(run) + '\n';
    for (const ReproducedMean& mean : run.means) {
      out += padded("    " + labelled(run, mean), what) +
             flush_right(as_printed(mean.ours), number) + flush_right(published(mean), number) +
             flush_right(ratio(mean), share) + "  " + padded(allowed(mean), range) +
             std::string(word(mean.verdict));
      const std::size_t note = mean.published->printed.empty()
                                   ? 0  // already stated in the column
                                   : notes.number(mean.published->reason);
      out += note > 0 ? fmt::format(" ({})\n", note) : "\n";
    }
  }
  out += '\n';
  for (std::size_t i = 0; i < notes.list().size(); ++i) {
    const std::string label = fmt::format("({}) ", i + 1);
    out += label + wrapped(notes.list()[i], label.size(), page) + '\n';
  }
  if (tally(runs).compared() > 0) out += wrapped(meaning_of_verdicts(), 0, page) + '\n';
  return out + summary(runs) + '\n';
}

std::string reproduction_markdown(const std::vector<ReproducedRun>& runs) {
  Footnotes notes;
  std::string out =
      "# The examples of Lee, Leok and McClamroch (2009), reproduced\n\n"
      "Means are over every row. Allowed: the range in which the printed number may lie, or ours "
      "where ours is compared.\n";
  const ReproducedRun* last = nullptr;
  for (const ReproducedRun& run : runs) {
    if (!last || !same_preset(*last, run))
      out += fmt::format(
          "\n## {}\n\nPreset `{}`.\n\n| run | quantity | ours | published | ratio | allowed | "
          "verdict |\n|---|---|---|---|---|---|---|\n",
          heading(run), run.published->preset);
    last = &run;
    for (const ReproductionRow& row : reproduction_rows(run)) {
      const std::size_t note = notes.number(row.reason);
      out += fmt::format("| {} | {} | {} | {} | {} | {} | {}{} |\n", row.run, row.quantity,
                         row.ours, row.published, row.ratio, row.allowed, row.verdict,
                         note > 0 ? fmt::format(" ({})", note) : "");
    }
  }
  out += '\n';
  for (std::size_t i = 0; i < notes.list().size(); ++i)
    out += fmt::format("({}) {}\n\n", i + 1, notes.list()[i]);
  if (tally(runs).compared() > 0) out += fmt::format("{}\n\n", meaning_of_verdicts());
  return out + summary(runs) + '\n';
}

std::string reproduction_csv(const std::vector<ReproducedRun>& runs) {
  TableWriter table;
  table.row("example", "preset", "integrator", "inputs", "quantity", "unit", "ours", "published",
            "ratio", "allowed_low", "allowed_high", "verdict", "reason");
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  for (const ReproducedRun& run : runs)
    for (const ReproducedMean& mean : run.means) {
      const auto value = mean.published->value();
      table.row(run.published->example, run.published->preset, run.published->integrator,
                inputs(run), name(mean), run.unit(mean), mean.ours, mean.published->printed,
                value ? mean.ours / *value : none, mean.allowed ? mean.allowed->low : none,
                mean.allowed ? mean.allowed->high : none, word(mean.verdict),
                mean.published->reason);
    }
  return table.take();
}

}  // namespace twosphere
