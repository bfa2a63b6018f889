// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// The page of a run with its still picture, if that can be drawn.
Result<DrawnPage> draw_page(render::WebPageSource source);

/// What a window writes as a page: a part of its run.
struct PagePlan {
  double from = 0, to = 0;         ///< Simulation::elapsed() [s]
  std::vector<std::size_t> lanes;  ///< of the record, in ascending order; at least one
  std::string title, text;         ///< empty: those of the scenario
  std::string file;                ///< the name under which a reader saves the scenario
  render::SceneStyle style;
};

/// Repeats `steps` steps of a run from its record and writes its page. False if it was cancelled;
/// then nothing was written. Fails, too, if the run has no row in that interval.
Result<bool> write_page(Scenario record, std::int64_t steps, const PagePlan& plan,
                        const std::string& path, Progress& progress);

}  // namespace twosphere
