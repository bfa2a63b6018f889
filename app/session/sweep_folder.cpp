// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/session/sweep_folder.h"

#include <QCryptographicHash>
#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/run/simulation.h"

namespace twosphere {

namespace {

/// The stride of the rows where no measure depends on them.
constexpr std::int64_t sparse_rows = 1000;

std::string sha256(std::string_view text) {
  return QCryptographicHash::hash({text.data(), static_cast<qsizetype>(text.size())},
                                  QCryptographicHash::Sha256)
      .toHex()
      .toStdString();
}

}  // namespace

Result<SweepFolder> open_sweep(const std::string& path) {
  const std::string file = path + '/' + sweep_file;
  const auto text = read_file(file, json::max_bytes);
  if (!text)
    return Error{text.error().kind, text.error().place,
                 text.error().message + "; twosphere sweep new makes a folder with it"};
  auto sweep = read_sweep(*text, file);
  if (!sweep) return sweep.error();
  return SweepFolder{path, sha256(*text), std::move(*sweep)};
}

Result<SweepFolder> make_sweep(const std::string& path, const Sweep& sweep) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) return Error{ErrorKind::input_output, path, error.message()};
  const std::string file = path + '/' + sweep_file, text = write_sweep(sweep);
  if (std::filesystem::exists(file, error)) {
    const auto present = read_file(file, json::max_bytes);
    if (!present || *present != text)
      return Error{ErrorKind::usage, file, "is there already; choose another folder"};
  }
  if (auto done = write_file(file, text); !done) return done.error();
  return SweepFolder{path, sha256(text), sweep};
}

void take_few_rows(Sweep& sweep) {
  const bool rows = std::any_of(sweep.measures.begin(), sweep.measures.end(),
                                [](const SweepMeasure& m) { return m.needs_rows(); });
  if (!rows && sweep.scenario.every == 0 && sweep.scenario.stop.empty())
    sweep.scenario.every = sparse_rows;
}

Result<void> check_sweep(const Sweep& sweep, const std::string& axes, const std::string& measures) {
  const auto attributed = [](const Error& error, const std::string& place) {
    return Error{error.kind, place, error.text()};
  };
  std::optional<Error> first;
  for (const std::size_t task : {std::size_t{0}, sweep.tasks() / 2, sweep.tasks() - 1}) {
    const auto begins = [&]() -> Result<void> {
      auto scenario = sweep_scenario(sweep, task);
      if (!scenario) return attributed(scenario.error(), axes);
      if (scenario->lanes.size() != 1)
        return Error{ErrorKind::usage, axes, "the number of lanes cannot change"};
      auto run = Simulation::create(std::move(*scenario));
      if (!run) return attributed(run.error(), axes);
      if (sweep.vectors() == 0) return {};
      if (auto follows = run->follow_exponents(sweep.vectors()); !follows)
        return attributed(follows.error(), measures);
      return {};
    }();
    if (begins) return {};
    if (!first) first = begins.error();
  }
  return *first;
}

}  // namespace twosphere
