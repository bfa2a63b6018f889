// SPDX-License-Identifier: GPL-3.0-or-later
#include <pybind11/stl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "core/base/png.h"
#include "core/output/page_rows.h"
#include "core/scenario/scenario_for_page.h"
#include "core/scenario/writer.h"
#include "core/worker/snapshot.h"
#include "python/run.h"
#include "python/watch.h"
#include "render/web_page.h"

namespace twosphere::python {

namespace {

/// Steps taken in one call of the core, between looks at Ctrl-C.
constexpr std::int64_t page_steps = 64;

/// Repeats a run as far as its rows go, and takes those.
PageRows repeated(const Recording& recording, Simulation& run) {
  PageRows rows(recorded_lanes(run.record()).size());
  Watch watch;
  const py::gil_scoped_release release;
  std::int64_t added = -1;
  const auto add = [&] {
    if (run.steps() < recording.first() || added == run.steps()) return;
    rows.add(run);
    added = run.steps();
  };
  add();
  while (run.steps() < recording.last() && !run.stopped() && !Calls::any()) {
    const bool before = run.steps() < recording.first();
    const std::int64_t goal = before ? recording.first() : recording.last();
    const auto failure =
        run.advance_to(std::min(goal, (run.steps() / page_steps + 1) * page_steps));
    if (!failure && (run.at_sample() || run.steps() == recording.first())) add();
    if (!watch.interrupted() && !failure) continue;
    const py::gil_scoped_acquire acquire;
    watch.check();
    if (failure && !failure->interrupted()) raise({ErrorKind::numerical, "", failure->message});
  }
  add();
  return rows;
}

/// (page, picture as a PNG file); the picture is empty where none can be drawn.
py::tuple page_of(const Recording& recording, const std::string& title,
                  std::optional<std::string> text, const Whole& frames, bool light,
                  py::handle trail, bool split) {
  PointLimits limits;
  limits.frames = static_cast<std::size_t>(to_whole(frames, "frames", 2));
  render::SceneStyle style{.palette = light ? Palette::light : Palette::dark,
                           .split = split ? Split::lanes : Split::none};
  style.trail_span = to_number(trail, "trail");
  if (style.trail_span < 0)
    raise({ErrorKind::usage, "trail",
           "must be 0 s or more, not " + json::shortest(style.trail_span)});
  if (recording.rows() == 0)
    raise({ErrorKind::usage, "html", "a page needs at least one row of the run"});
  Run run(recording.record());
  const auto made = run.change([&](Simulation& simulation) {
    style.frame = frame_of(run.view(), simulation);
    style.layer = layer_of(run.view(), simulation);
    const PageRows rows = repeated(recording, simulation);
    const Scenario& record = simulation.record();
    const Snapshot end = snapshot(simulation);
    render::WebPageSource source{.end = end,
                                 .record = record,
                                 .markers = simulation.markers(),
                                 .rows = rows,
                                 .texts = {.scenario = write_scenario(record),
                                           .file = scenario_name_of_page({}, record),
                                           .still = {},
                                           .title = title,
                                           .description = std::move(text)},
                                 .style = style,
                                 .limits = limits};
    const py::gil_scoped_release release;
    if (const auto still = render::web_page_still(source))
      source.texts.still = png(still->pixels, still->width, {});
    auto page = render::web_page(source);
    return std::pair(std::move(page), source.texts.still);
  });
  if (!made.first) raise(made.first.error());
  return py::make_tuple(py::bytes(made.first->html), py::bytes(made.second));
}

}  // namespace

void bind_page(py::module_& module) {
  module.def("page", &page_of, py::arg("recording"), py::arg("title"), py::arg("text"),
             py::arg("frames"), py::arg("light"), py::arg("trail"), py::arg("split"),
             "A web page that plays the run, and its picture as a PNG file.");
}

}  // namespace twosphere::python
