// SPDX-License-Identifier: GPL-3.0-or-later
// The relative equilibria of the dialog of orbits.
#include <QProgressBar>
#include <QSignalBlocker>
#include <utility>

#include "app/dialogs/orbits_dialog.h"
#include "app/dialogs/orbits_form.h"

namespace twosphere {

void OrbitsDialog::find_relative() {
  if (busy() || !systems_.rest || !systems_.no_turning.empty()) return;
  const auto momenta = form_->momenta();
  if (!momenta) return refuse_error(momenta.error());
  const TurningSystem turning{systems_.system, systems_.rest, form_->axis()};
  if (const auto fine = check_turning(turning); !fine) return refuse_error(fine.error());
  refuse({});
  bar_->setFormat("%v of %m starts");
  compute(
      [this, turning, q = scenario_.q, momenta = *momenta, search = form_->search()] {
        return relative_equilibria_of_momenta(
            turning, q, momenta, search, spare_threads(),
            [this](std::size_t done, std::size_t all) { return proceed(done, all); });
      },
      [this, axis = turning.axis](Result<RelativeEquilibria> found) {
        if (std::exchange(again_, false)) return search();
        take_relative(std::move(found), axis);
      });
  poll();
}

void OrbitsDialog::take_relative(Result<RelativeEquilibria> found, int axis) {
  if (!found) return fail(found.error());
  std::erase_if(found->curves, [](const RelativeCurve& one) { return one.list.empty(); });
  if (found->curves.empty())
    return refuse(cancelled() ? QStringLiteral("Cancelled")
                              : QStringLiteral("No relative equilibrium was found at these "
                                               "momenta; try others, or more random starts"));
  relative_ = std::move(*found);
  axis_ = axis;
  turning_.reset();
  tree_->set_curves(relative_.curves, axis_);
  draw();
  choose_turning(0, 0);
}

/// Another relative equilibrium, whose modes are not known.
void OrbitsDialog::set_turning(const OrbitView::Place& place) {
  const QSignalBlocker quiet(tree_);
  if (turning_ && turning_ != place) tree_->set_modes({ItemKind::relative, turning_->curve}, {});
  if (turning_ != place) turning_modes_.reset();
  turning_ = place;
}

void OrbitsDialog::choose_turning(std::size_t curve, std::size_t point) {
  set_turning({curve, point});
  const QSignalBlocker quiet(tree_);
  tree_->choose({ItemKind::relative, curve});
  show_chosen();
  compute_modes();
}

const RelativeEquilibrium* OrbitsDialog::chosen_turning() const {
  const ItemKind kind = tree_->chosen().kind;
  if ((kind != ItemKind::relative && kind != ItemKind::relative_mode) || !turning_) return nullptr;
  return &relative_.curves[turning_->curve].list[turning_->point];
}

}  // namespace twosphere
