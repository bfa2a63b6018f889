// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/dialogs/pair_distribution_dialog.h"

#include <fmt/format.h>

#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <utility>

#include "app/base/qt_text.h"
#include "app/dialogs/figure_view.h"
#include "app/dialogs/widgets.h"
#include "app/figures/paper_figure.h"
#include "app/scene/viewport.h"
#include "app/session/live_run.h"
#include "core/base/text.h"
#include "core/output/lane_style.h"
#include "core/record/history.h"
#include "core/worker/snapshot.h"
#include "ui/plot/axis.h"

namespace twosphere {

namespace {

constexpr int counting_share = 5;  // the pause, in times of the count before it
constexpr int fewest_bins = 10, max_bins = 2000;
constexpr std::chrono::milliseconds counting_turn{
    200};  // of counting, before what is found is shown

}  // namespace

PairDistributionDialog::PairDistributionDialog(const DialogContext& context)
    : StudyDialog(context, "pair_distribution_dialog", {860, 560}, Follows::run) {
  QWidget* fields = make_fields();
  view_ = named(new FigureView(this), "picture", "Pair distribution over the angle");
  status_ = text_lines(*this, "status");
  results_->addWidget(view_, 1);
  results_->addWidget(status_);
  add_exports("bins", "pairs", [this](bool tabs) { return pair_table(curves_, tabs); });
  lay_out(fields);
}

QWidget* PairDistributionDialog::make_fields() {
  auto* fields = new QWidget(this);
  instants_ = drop_down(fields, "instants", "States",
                        "The mean over all states of the run so far, or the instant shown", 16);
  instants_->addItem("All states so far");
  instants_->addItem("Instant shown");
  bins_ = number_box(fields, "bins", "Number of bins",
                     "Number of bins of the angle between two directions", fewest_bins, max_bins,
                     PairDistribution::default_bins);
  auto* rows = new QFormLayout;
  rows->addRow("States", instants_);
  rows->addRow("Bins", bins_);
  auto* column = new QVBoxLayout(fields);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(rows);
  column->addStretch(1);
  connect(instants_, &QComboBox::currentIndexChanged, this, &PairDistributionDialog::poll);
  connect(bins_, &QSpinBox::valueChanged, this, &PairDistributionDialog::poll);
  return fields;
}

PairDistributionDialog::Request PairDistributionDialog::request() const {
  const bool instant = instants_->currentIndex() == 1;
  const Snapshot& now = instant ? context_.run.shown() : context_.run.snapshot();
  const std::vector<History>& histories = context_.run.histories();
  return {.generation = now.generation,
          .steps = now.steps,
          .t = now.t,
          .first = instant || histories.empty() ? 0 : histories.front().first(),
          .instant = instant,
          .bins = bins_->value()};
}

void PairDistributionDialog::poll() {
  const Snapshot& now = context_.run.snapshot();
  if (!isVisible() || !now.present || !now.record || busy()) return;
  const Request next = request();
  const bool behind = !complete_ && counted_.steps >= 0;
  if (!behind && next == counted_) return;
  // What another choice changes is counted at once, and what the run adds after a pause.
  Request same_run = next;
  same_run.steps = counted_.steps;
  same_run.t = counted_.t;
  if (same_run == counted_ && !behind && !rested(counting_share)) return;
  if (next.instant)
    count_instant(next);
  else
    count(next);
}

std::vector<PairCurve> PairDistributionDialog::lanes(int bins) const {
  const Snapshot& now = context_.run.snapshot();
  const std::vector<LaneSpec>& specs = now.present->lanes;
  const LaneColors colors = context_.viewport.interface().settings().lane_colors;
  std::vector<PairCurve> list;
  for (std::size_t l = 0; l < now.lanes.size() && l < specs.size(); ++l)
    list.push_back({now.lanes[l].name, now.lanes[l].title(),
                    lane_style(specs, static_cast<int>(l), specs[l].type, Palette::light, colors),
                    PairDistribution(std::max(now.present->size(), 2), bins)});
  return list;
}

void PairDistributionDialog::count(const Request& next) {
  compute(
      [view = context_.run.view(), bins = next.bins, mean = mean_]() -> Result<Counted> {
        const bool complete = mean->proceed(view, bins, counting_turn);
        return Counted{mean->lanes(), complete};
      },
      [this, next, shown = lanes(next.bins)](Result<Counted> found) mutable {
        if (!cancelled()) take(next, std::move(shown), std::move(found));
      });
}

void PairDistributionDialog::count_instant(const Request& next) {
  std::vector<Columns> directions;
  for (const Snapshot::LaneView& lane : context_.run.shown().lanes)
    directions.push_back(lane.state.q);
  compute(
      [directions = std::move(directions), bins = next.bins]() -> Result<Counted> {
        Counted found;
        for (const Columns& q : directions) {
          if (q.cols() < 2) break;
          found.lanes.emplace_back(static_cast<int>(q.cols()), bins);
          if (q.allFinite()) found.lanes.back().add(q);
        }
        return found;
      },
      [this, next, shown = lanes(next.bins)](Result<Counted> found) mutable {
        if (!cancelled()) take(next, std::move(shown), std::move(found));
      });
}

void PairDistributionDialog::take(const Request& of, std::vector<PairCurve> shown,
                                  Result<Counted> found) {
  counted_ = of;
  failure_.clear();
  if (!found) {
    // No thread, or no memory.
    failure_ = found.error().text();
    found = Counted{};
  } else if (found->lanes.empty()) {
    failure_ = "A pair needs 2 bodies.";
  }
  complete_ = found->complete;
  shown.erase(
      shown.begin() + static_cast<std::ptrdiff_t>(std::min(shown.size(), found->lanes.size())),
      shown.end());
  for (std::size_t l = 0; l < shown.size(); ++l) shown[l].pairs = std::move(found->lanes[l]);
  curves_ = std::move(shown);
  show_curves();
}

void PairDistributionDialog::show_curves() {
  const bool any = std::any_of(curves_.begin(), curves_.end(),
                               [](const PairCurve& curve) { return curve.pairs.rows() > 0; });
  if (!any) {
    set_exported({});
    status_->setText(to_qstring(failure_));
    return view_->show_text(failure_.empty() ? QStringLiteral("No states yet") : QString());
  }
  const std::int64_t states = curves_.front().pairs.rows();
  status_->setText(to_qstring(
      counted_.instant ? fmt::format("At t = {} s. Independent directions have 1 everywhere.",
                                     ui::significant(counted_.t, 6))
                       : fmt::format("{}Mean of {}. Independent directions have 1 everywhere.",
                                     complete_ ? "" : "So far: ", counted(states, "state"))));
  const Figure picture(pair_figure(
      curves_, fmt::format("{}: pair distribution", context_.run.snapshot().present->title)));
  set_exported(picture);
  view_->fill_with(picture, {360, 220}, paper_look());
}

DialogRecord pair_distribution_dialog() {
  return study_record<PairDistributionDialog>("pair_distribution",
                                              QStringLiteral("Pair distribution"));
}

}  // namespace twosphere

#include "moc_pair_distribution_dialog.cpp"
