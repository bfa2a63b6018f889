// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/row_block.h"

#include <cmath>

#include "core/kernels/row_measures.h"
#include "core/mechanics/linear_terms.h"

namespace twosphere {

RowBlock::RowBlock() = default;
RowBlock::RowBlock(RowBlock&&) noexcept = default;
RowBlock& RowBlock::operator=(RowBlock&&) noexcept = default;
RowBlock::~RowBlock() = default;

bool RowBlock::suits(const System& system) {
  return rows_kernel::suits(system.inertia()) && !has_linear_terms(system);
}

void RowBlock::begin(const System& system) {
  size_ = 0;
  if (!rows_) rows_ = std::make_unique<rows_kernel::Rows>();
  bodies_ = system.size();
  potential_together_ = system.has_potential_together();
  rows_->resize(bodies_);
}

void RowBlock::add(const System& system, const State& state, double t, double work,
                   const StepReport& report) {
  const std::size_t k = size_++;
  const double *q = state.q.data(), *w = state.w.data();
  double *to_q = rows_->q.data() + k, *to_w = rows_->w.data() + k;
  for (Eigen::Index i = 0; i < 3 * bodies_; ++i, to_q += capacity, to_w += capacity) {
    *to_q = q[i];
    *to_w = w[i];
  }
  if (!potential_together_) potential_[k] = system.potential(state.q);
  work_[k] = work;
  time_[k] = t;
  lane_time_[k] = state.t;
  iterations_[k] = report.iterations;
  residual_[k] = report.residual;
}

bool RowBlock::measure(const System& system, double energy_reference) {
  rows_kernel::Rows& rows = *rows_;
  rows_kernel::measure(system.inertia(), size_, rows);
  fastest_ = std::sqrt(rows.fastest);
  apart_ = std::sqrt(rows.apart);
  if (potential_together_) system.potential_together(rows.q.data(), potential_.data());
  bool all_finite = true;
  for (std::size_t k = 0; k < size_; ++k) {
    const double kinetic = rows.kinetic_energy[k], potential = potential_[k];
    const double total = kinetic + potential, error = total - energy_reference - work_[k];
    Sample& s = samples_[k];
    s[Quantity::time] = time_[k];
    s[Quantity::kinetic_energy] = kinetic;
    s[Quantity::potential_energy] = potential;
    s[Quantity::total_energy] = total;
    s[Quantity::work] = work_[k];
    s[Quantity::energy_error] = error;
    s[Quantity::unit_length_error] = rows.unit_length_error[k];
    s[Quantity::unit_length_error_mean] = rows.unit_length_error_mean[k];
    s[Quantity::tangency_error] = rows.tangency_error[k];
    s[Quantity::angular_momentum_x] = rows.momentum[0][k];
    s[Quantity::angular_momentum_y] = rows.momentum[1][k];
    s[Quantity::angular_momentum_z] = rows.momentum[2][k];
    // Finite only if every term is, not read from where it has just been written; a sum of finite
    // terms may still overflow.
    const double errors =
        rows.unit_length_error[k] + rows.unit_length_error_mean[k] + rows.tangency_error[k];
    const double momentum = rows.momentum[0][k] + rows.momentum[1][k] + rows.momentum[2][k];
    if (!std::isfinite((error + time_[k]) + (errors + momentum)))
      all_finite = all_finite && finite(s);
  }
  return all_finite;
}

void RowBlock::state(std::size_t row, State& to) const {
  to.t = lane_time_[row];
  to.q.resize(3, bodies_);
  to.w.resize(3, bodies_);
  const double *q = rows_->q.data() + row, *w = rows_->w.data() + row;
  for (Eigen::Index i = 0; i < 3 * bodies_; ++i, q += capacity, w += capacity) {
    to.q.data()[i] = *q;
    to.w.data()[i] = *w;
  }
}

}  // namespace twosphere
