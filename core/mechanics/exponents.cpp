// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mechanics/exponents.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/interrupt.h"
#include "core/base/philox.h"
#include "core/mechanics/first_order.h"

namespace twosphere {

namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t max_noted = 128;
constexpr std::array<std::string_view, 5> entries{
    "tangent_vectors", "tangent_metric", "tangent_growth", "tangent_sums", "tangent_history"};

/// The nearest tangent vector: δq ⟂ q, q·δω + ω·δq = 0, without δω in a system of first order.
void project_vector(const System& system, const State& state, TangentVector& v) {
  if (first_order(system)) {
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      v.q.col(i) = tangent(state.q.col(i), v.q.col(i));
    return;
  }
  for (Eigen::Index i = 0; i < state.q.cols(); ++i) {
    const Vec3 q = state.q.col(i);
    v.q.col(i) = tangent(q, v.q.col(i));
    v.w.col(i) = tangent(q, v.w.col(i)) - state.w.col(i).dot(v.q.col(i)) * q;
  }
}

}  // namespace

Exponents::Exponents(const System& system, const State& state, int count)
    : growth_(static_cast<std::size_t>(count), 0.0) {
  const int n = state.size();
  norm_ = tangent_norm(system, state);
  const bool has_momenta = !first_order(system);
  // Fixed directions in T(T*(S²)ⁿ). The first half is orthonormal and isotropic, δ_k ⟂ δ_l and J
  // δ_l; the rest are J of these, backwards.
  PhaseTangent phase(system);
  phase.at(system, state);
  const double rate0 = std::sqrt(norm_.square);
  const auto turned = [&](const Carried& c) {  // J, of D p and δq
    Carried out = c;
    for (Eigen::Index i = 0; i < n; ++i) {
      if (!has_momenta) {
        const Vec3 q = state.q.col(i), dq = c.v.q.col(i);
        out.v.q.col(i) = std::copysign(1.0, system.strength()[i]) * q.cross(dq);
        continue;
      }
      out.v.q.col(i) = -c.p.col(i) / (norm_.weight[i] * rate0);
      out.p.col(i) = c.v.q.col(i) * (norm_.weight[i] * rate0);
    }
    return out;
  };
  std::vector<Carried> half;
  const int dimension = max_count(system);
  for (int k = 0; k < std::min(count, dimension / 2); ++k) {
    // Isotropic normal numbers in each tangent plane, of unit size in the norm.
    Carried c{{Columns(3, n), Columns(3, n)}, Columns(3, n)};
    for (int i = 0; i < n; ++i) {
      const Vec3 q = state.q.col(i);
      const auto drawn = [&](std::uint32_t which) {
        const auto z = normal_numbers(
            {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(k), which, 0}, 0);
        return tangent(q, Vec3(z[0], z[1], z[2]));
      };
      c.v.q.col(i) = drawn(0) / std::sqrt(norm_.weight[i] * rate0);
      c.p.col(i) = has_momenta ? Vec3(drawn(1) * std::sqrt(norm_.weight[i] * rate0)) : Vec3::Zero();
    }
    // Twice, because the first time leaves rounding of the size of what it removes.
    for (int pass = 0; pass < 2; ++pass)
      for (const Carried& other : half)
        for (const Carried& against : {other, turned(other)}) {
          const double along = product(c, against);
          c.v.q -= along * against.v.q;
          c.p -= along * against.p;
        }
    // Unit length.
    const double size = std::sqrt(product(c, c));
    c.v.q /= size;
    c.p /= size;
    half.push_back(std::move(c));
  }
  for (int k = 0; k < count; ++k) {
    const Carried c = k < dimension / 2 ? half[static_cast<std::size_t>(k)]
                                        : turned(half[static_cast<std::size_t>(dimension - 1 - k)]);
    // (δq, δω) of (δq, δp).
    TangentVector& v = vectors_.emplace_back(TangentVector{c.v.q, Columns::Zero(3, n)});
    if (has_momenta) phase.to_omega(system, c.v.q, c.p, v.w);
    project_vector(system, state, v);
  }
  length_ = length();
  if (!std::isfinite(length_)) vectors_.clear();
}

double Exponents::product(const Carried& a, const Carried& b) const {
  double sum = 0;
  const double rate = std::sqrt(norm_.square);
  for (Eigen::Index i = 0; i < norm_.weight.size(); ++i)
    sum += norm_.weight[i] * rate * a.v.q.col(i).dot(b.v.q.col(i)) +
           a.p.col(i).dot(b.p.col(i)) / (norm_.weight[i] * rate);
  return sum;
}

double Exponents::length() const {
  const TangentVector& v = vectors_.front();
  double sum = 0;
  for (Eigen::Index i = 0; i < norm_.weight.size(); ++i)
    sum += norm_.weight[i] * (norm_.square * v.q.col(i).squaredNorm() + v.w.col(i).squaredNorm());
  return std::log(sum) / 2;
}

void Exponents::orthonormalise(const System& system, const State& state, PhaseTangent& phase,
                               std::vector<TangentVector>& vectors, std::vector<Carried>& carried,
                               std::vector<double>& growth) const {
  phase.at(system, state);
  carried.resize(vectors.size());
  for (std::size_t k = 0; k < vectors.size(); ++k) {
    // (δq, δp) of each vector, both tangent.
    Carried& c = carried[k];
    c.v = vectors[k];
    project_vector(system, state, c.v);
    c.p.resize(3, state.q.cols());
    phase.to_momentum(system, c.v, c.p);
    for (Eigen::Index i = 0; i < state.q.cols(); ++i)
      c.p.col(i) = tangent(state.q.col(i), c.p.col(i));
  }
  // Modified Gram-Schmidt.
  for (std::size_t k = 0; k < carried.size(); ++k) {
    Carried& c = carried[k];
    // Growth since the last time, and unit length.
    const double size = std::sqrt(product(c, c));
    growth[k] += std::log(size);
    for (Columns* columns : {&c.v.q, &c.v.w, &c.p}) *columns /= size;
    for (std::size_t l = k + 1; l < carried.size(); ++l) {
      // Remove its component from the later vectors.
      Carried& other = carried[l];
      const double along = product(c, other);
      other.v.q -= along * c.v.q;
      other.v.w -= along * c.v.w;
      other.p -= along * c.p;
    }
    vectors[k] = c.v;
  }
}

StepReport Exponents::advance(const System& system, Integrator& method, double h, State& state) {
  TangentMap* map = lost() ? nullptr : method.tangent_map(system);
  if (!map) {
    vectors_.clear();
    return method.advance(system, h, state);
  }
  const StepReport report = map->advance(system, h, state, vectors_);
  if (!report.ok()) return report;
  add(system, h, state, length());
  return report;
}

void Exponents::add(const System& system, double h, const State& state, double now) {
  elapsed_ += std::abs(h);
  // t ln(‖δ_1(t)‖/‖δ_1(t − h)‖), and Y(t) h.
  moments_ += elapsed_ * (now - length_);
  mean_ += std::abs(h) * (2 * moments_ / elapsed_);
  // Growth ln(‖δ_1(t)‖/‖δ_1(0)‖) and its largest value, the FLI.
  grown_ += now - length_;
  length_ = now;
  fli_ = std::max(fli_, grown_);
  if (++since_ == interval) {
    if (!phase_) phase_.emplace(system);
    orthonormalise(system, state, *phase_, vectors_, carried_, growth_);
    since_ = 0;
    length_ = length();
    note();
  }
  // A vector that is not finite ends the measurement.
  const auto finite = [](double x) { return std::isfinite(x); };
  if (!finite(length_) || !std::all_of(growth_.begin(), growth_.end(), finite)) vectors_.clear();
}

std::size_t Exponents::width(const System& system, Integrator& method) const {
  // Several vectors are made orthonormal one member at a time.
  if (lost() || count() > 1) return 1;
  const TangentMap* map = method.tangent_map(system);
  return map ? map->followed_width(system) : 1;
}

std::int64_t Exponents::advance_together(const System& system, double h, std::int64_t count,
                                         std::span<const Member> members) {
  TangentMap& map = *members[0].method->tangent_map(system);
  // Squared lengths of the vectors after each step.
  std::vector<double> squares(members.size() * interval);
  std::vector<TangentMap::FollowedMember> followed;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const auto& [exponents, method, state] = members[m];
    followed.push_back(
        {method, state, &exponents->vectors_.front(), &exponents->norm_, &squares[m * interval]});
  }
  std::int64_t taken = 0;
  for (bool continues = true; continues && taken < count && !(taken > 0 && interrupted());) {
    // Up to the next step after which a vector is made orthonormal.
    std::int64_t steps = count - taken;
    for (const Member& member : members)
      steps = std::min<std::int64_t>(steps, interval - member.exponents->since_);
    // Steps of all members together.
    const std::int64_t done = map.advance_followed(system, h, steps, followed);
    continues = done == steps;
    taken += done;
    for (std::size_t m = 0; m < members.size(); ++m) {
      // Sums of each member, step by step.
      Exponents& exponents = *members[m].exponents;
      for (std::int64_t k = 0; k < done && !exponents.lost(); ++k)
        exponents.add(system, h, *members[m].state, std::log(followed[m].squares[k]) / 2);
      continues = continues && !exponents.lost();
    }
  }
  return taken;
}

/// Keeps T and the sums for error bounds, at most `max_noted` times.
void Exponents::note() {
  // T and the sums of growth.
  if (++count_ % stride_ != 0) return;
  const std::size_t width = growth_.size() + 1;
  history_.push_back(elapsed_);
  history_.insert(history_.end(), growth_.begin(), growth_.end());
  if (history_.size() < max_noted * width) return;
  // Every other one: those at multiples of twice the stride.
  for (std::size_t k = 0; k < max_noted / 2; ++k)
    std::copy_n(history_.begin() + static_cast<std::ptrdiff_t>((2 * k + 1) * width), width,
                history_.begin() + static_cast<std::ptrdiff_t>(k * width));
  history_.resize(max_noted / 2 * width);
  stride_ *= 2;
}

void Exponents::project(const System& system, const State& state) {
  phase_.reset();  // the system may be another one, too
  if (lost()) return;
  for (TangentVector& v : vectors_) project_vector(system, state, v);
  length_ = length();
  if (!std::isfinite(length_)) vectors_.clear();
}

std::vector<double> Exponents::values(const System& system, const State& state) const {
  if (lost() || elapsed_ == 0) return std::vector<double>(growth_.size(), unknown);
  std::vector<TangentVector> vectors = vectors_;
  std::vector<double> growth = growth_;
  std::vector<Carried> carried;
  PhaseTangent phase(system);
  // λ_k: growth up to now, over T, from copies of the vectors.
  orthonormalise(system, state, phase, vectors, carried, growth);
  for (double& sum : growth) sum /= elapsed_;
  return growth;
}

std::vector<Exponents::Exponent> Exponents::spectrum(const System& system,
                                                     const State& state) const {
  std::vector<Exponent> out;
  for (const double value : values(system, state)) out.push_back({value, unknown});
  if (lost() || elapsed_ == 0) return out;
  const std::size_t width = growth_.size() + 1;
  for (std::size_t k = 0; k < out.size(); ++k) {
    double low = out[k].value, high = low;
    for (std::size_t at = 0; at < history_.size(); at += width) {
      // Lowest and highest λ_k(t) since T/2.
      if (history_[at] < elapsed_ / 2) continue;
      const double then = history_[at + 1 + k] / history_[at];
      low = std::min(low, then);
      high = std::max(high, then);
    }
    // Half their distance, and the growth that a vector has without chaos, ln(1 + νT)/T.
    out[k].error = (high - low) / 2 + std::log1p(std::sqrt(norm_.square) * elapsed_) / elapsed_;
  }
  return out;
}

double Exponents::megno() const { return lost() || elapsed_ == 0 ? unknown : mean_ / elapsed_; }
double Exponents::fli() const { return lost() || elapsed_ == 0 ? unknown : fli_; }

void Exponents::save(IntegratorState& memory) const {
  if (lost()) return;
  // Vectors, weights of the norm, sums.
  std::vector<double> flattened;
  for (const TangentVector& v : vectors_)
    for (const Columns* c : {&v.q, &v.w})
      flattened.insert(flattened.end(), c->data(), c->data() + c->size());
  std::vector<double> metric(norm_.weight.data(), norm_.weight.data() + norm_.weight.size());
  metric.push_back(norm_.square);
  const std::vector<double> sums{elapsed_,
                                 static_cast<double>(since_),
                                 length_,
                                 moments_,
                                 mean_,
                                 fli_,
                                 grown_,
                                 static_cast<double>(stride_),
                                 static_cast<double>(count_)};
  const std::array<const std::vector<double>*, 5> values{&flattened, &metric, &growth_, &sums,
                                                         &history_};
  for (std::size_t k = 0; k < entries.size(); ++k) memory.emplace_back(entries[k], *values[k]);
}

std::optional<Exponents> Exponents::load(const IntegratorState& memory, int bodies) {
  std::array<const std::vector<double>*, entries.size()> found{};
  for (const auto& [name, values] : memory)
    if (const auto at = std::find(entries.begin(), entries.end(), name); at != entries.end())
      found[static_cast<std::size_t>(at - entries.begin())] = &values;
  if (std::find(found.begin(), found.end(), nullptr) != found.end()) return {};
  const auto& [flattened, metric, growth, sums, history] = found;
  // Sizes that fit one another and the number of bodies.
  const auto n = static_cast<std::size_t>(bodies), m = growth->size();
  if (m < 1 || m > 4 * n || flattened->size() != 6 * n * m || metric->size() != n + 1 ||
      sums->size() != 9 || history->size() % (m + 1) != 0 ||
      history->size() >= max_noted * (m + 1) || !((*sums)[7] >= 1))
    return {};
  // Inertias and a square of a rate.
  if (!std::all_of(metric->begin(), metric->end(), [](double x) { return x > 0; })) return {};
  Exponents out;
  // Vectors, weights of the norm, and sums in the order of save().
  const double* from = flattened->data();
  for (std::size_t k = 0; k < m; ++k) {
    TangentVector& v = out.vectors_.emplace_back();
    for (Columns* c : {&v.q, &v.w}) {
      *c = Eigen::Map<const Columns>(from, 3, bodies);
      from += c->size();
    }
  }
  out.norm_.weight = Eigen::Map<const Eigen::VectorXd>(metric->data(), bodies);
  out.norm_.square = metric->back();
  out.growth_ = *growth;
  out.elapsed_ = (*sums)[0];
  out.since_ = static_cast<int>((*sums)[1]);
  out.length_ = (*sums)[2];
  out.moments_ = (*sums)[3];
  out.mean_ = (*sums)[4];
  out.fli_ = (*sums)[5];
  out.grown_ = (*sums)[6];
  out.stride_ = static_cast<std::int64_t>((*sums)[7]);
  out.count_ = static_cast<std::int64_t>((*sums)[8]);
  out.history_ = *history;
  return out;
}

namespace {

bool conserves_energy(const System& system) {
  return !velocity_dependent(system) && !system.has_external_force();
}

}  // namespace

int expected_zeros(const System& system) {
  const auto axes = system.conserved_momentum();
  const auto components = static_cast<int>(std::count(axes.begin(), axes.end(), true));
  // Two for the energy and two for each momentum in involution: J about one axis, or that and |J|².
  return 2 * (conserves_energy(system) ? 1 : 0) + 2 * std::min(components, 2);
}

std::string zero_causes(const System& system) {
  const auto axes = system.conserved_momentum();
  const bool all = axes[0] && axes[1] && axes[2];
  std::string text = conserves_energy(system) ? "energy" : "";
  const auto add = [&text](std::string_view name) {
    text.append(text.empty() ? "" : ", ").append(name);
  };
  if (all) add("|J|");
  constexpr std::array<std::string_view, 3> names{"J₁", "J₂", "J₃"};
  for (std::size_t k = 0; k < 3; ++k)
    if (axes[k] && (!all || k == 2)) add(names[k]);
  return text;
}

}  // namespace twosphere
