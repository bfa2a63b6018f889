// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "app/base/progress.h"
#include "core/base/result.h"
#include "core/scenario/scenario.h"
#include "render/web_page.h"

namespace twosphere {

struct DrawnPage {
  render::WebPage page;
  std::string no_still{};  ///< why it has no still picture; empty: it has one
};

/// What is to be said of a page that is coarser than it should be, or has no still picture.
inline std::vector<std::string> notes_of(const DrawnPage& drawn) {
  std::vector<std::string> notes;
  if (!drawn.no_still.empty()) notes.push_back("page: no picture for paper: " + drawn.no_still);
  if (drawn.page.error > PointLimits{}.error)
    notes.push_back(
        fmt::format("page: {} frames; points between them are up to {:.1e} of the scene's radius "
                    "from their places",
                    drawn.page.frames, drawn.page.error));
  return notes;
}

/// The page of a run with its still picture, if that can be drawn.
Result<DrawnPage> draw_page(render::WebPageSource source);

/// What a window writes as a page: a part of its run.
struct PagePlan {
  double from = 0, to = 0;         ///< Simulation::elapsed() [s]
  std::vector<std::size_t> lanes;  ///< of the record, in ascending order; at least one
  std::string title;               ///< empty: that of the scenario
  std::string text;
  std::string file;  ///< the name under which a reader saves the scenario
  render::SceneStyle style;
};

/// Repeats `steps` steps of a run from its record and writes its page. False if it was cancelled;
/// then nothing was written. Fails, too, if the run has no row in that interval.
Result<bool> write_page(Scenario record, std::int64_t steps, const PagePlan& plan,
                        const std::string& path, Progress& progress);

}  // namespace twosphere
