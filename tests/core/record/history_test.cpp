// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/record/history.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <future>
#include <limits>
#include <memory>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "core/catalog.h"
#include "core/mechanics/system.h"
#include "core/record/view_limit.h"
#include "core/run/simulation.h"
#include "core/scenario/reader.h"
#include "core/scenario/scenario.h"
#include "tests/runs.h"
#include "tests/sample_row.h"
#include "tests/sanitized.h"

namespace twosphere::history_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Quantity probe = Quantity::energy_error;

Sample sample_of(double t, double value) {
  Sample s;
  for (double& x : s.values) x = -value;
  s[Quantity::time] = t;
  s[probe] = value;
  return s;
}

/// A history with these values in the probed column, one per second.
History history_of(const std::vector<double>& values) {
  History h;
  for (std::size_t i = 0; i < values.size(); ++i)
    h.append(static_cast<std::int64_t>(10 * i), sample_of(static_cast<double>(i), values[i]));
  return h;
}

Range brute_force(const std::vector<double>& values, std::size_t first, std::size_t last) {
  const auto [low, high] = std::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                                               values.begin() + static_cast<std::ptrdiff_t>(last));
  return {*low, *high};
}

TEST(History, KeepsWhatIsAppended) {
  const History h = history_of({1, -2, 3});
  ASSERT_EQ(h.size(), 3u);
  EXPECT_EQ(h.column(probe)[1], -2);
  EXPECT_EQ(h.column(Quantity::work)[1], 2);
  EXPECT_EQ(h.steps()[2], 20);
  EXPECT_EQ(h.sample(2).values, sample_of(2, 3).values);
}

TEST(History, ExtremesOfEveryStretchOfAShortRun) {
  std::mt19937 generator(1);
  std::normal_distribution<double> normal;
  std::vector<double> values(CompressedBlock::count + 40);
  for (double& v : values) v = normal(generator);
  const History h = history_of(values);
  for (std::size_t first = 0; first < values.size(); ++first)
    for (std::size_t last = first + 1; last <= values.size(); ++last) {
      const Range got = h.range(probe, first, last), want = brute_force(values, first, last);
      ASSERT_EQ(got.low, want.low) << first << " … " << last;
      ASSERT_EQ(got.high, want.high) << first << " … " << last;
    }
}

TEST(History, ExtremesOfRandomStretchesOfALongRunWhileItGrows) {
  std::mt19937 generator(2);
  std::cauchy_distribution<double> wide;
  std::vector<double> values;
  History h;
  while (values.size() < 150'000) {
    values.push_back(wide(generator));
    h.append(0, sample_of(0, values.back()));
    if (values.size() % 1500 != 7) continue;
    for (int i = 0; i < 10; ++i) {
      std::size_t first = generator() % values.size(), last = generator() % values.size();
      if (last < first) std::swap(first, last);
      ++last;
      const Range got = h.range(probe, first, last), want = brute_force(values, first, last);
      ASSERT_EQ(got.low, want.low) << first << " … " << last << " of " << values.size();
      ASSERT_EQ(got.high, want.high) << first << " … " << last << " of " << values.size();
    }
  }
}

// A spike of one sample at the edges of blocks of every level is seen by every stretch that holds
// it, and by no other.
TEST(History, OneSampleSpikeIsNeverLost) {
  constexpr std::size_t size = 16 * 16 * 16 * 16 + 16 * 16 + 5;
  std::vector<std::size_t> places{0, size - 1};
  for (std::size_t scale = 1; scale <= 65536; scale *= 16)
    for (const std::size_t multiple : {1u, 3u, 15u})
      for (const std::ptrdiff_t shift : {-1, 0, 1}) {
        const auto place = static_cast<std::ptrdiff_t>(multiple * scale) + shift;
        if (place >= 0 && place < static_cast<std::ptrdiff_t>(size))
          places.push_back(static_cast<std::size_t>(place));
      }
  std::mt19937 generator(3);
  for (const std::size_t place : places) {
    std::vector<double> values(size, 1.0);
    values[place] = 7;
    const History h = history_of(values);
    EXPECT_EQ(h.range(probe, 0, size).high, 7) << place;
    EXPECT_EQ(h.range(probe, place, place + 1).high, 7) << place;
    if (place > 0) {
      EXPECT_EQ(h.range(probe, 0, place).high, 1) << place;
    }
    if (place + 1 < size) {
      EXPECT_EQ(h.range(probe, place + 1, size).high, 1) << place;
    }
    for (int i = 0; i < 200; ++i) {
      const std::size_t first = generator() % (place + 1);
      const std::size_t last = place + 1 + generator() % (size - place);
      ASSERT_EQ(h.range(probe, first, last).high, 7) << place << ": " << first << " … " << last;
    }
  }
}

TEST(History, WhatIsNoNumberHasNoPartInARange) {
  std::vector<double> values(600, 2.0);
  for (std::size_t i = 0; i < 300; ++i) values[i] = nan;
  values[100] = -1;
  const History h = history_of(values);
  EXPECT_EQ(h.range(probe, 0, 600).low, -1);
  EXPECT_EQ(h.range(probe, 0, 600).high, 2);
  EXPECT_EQ(h.range(probe, 101, 600).low, 2);
  EXPECT_TRUE(std::isnan(h.range(probe, 101, 300).low));
  EXPECT_TRUE(std::isnan(h.range(probe, 101, 300).high));
  EXPECT_TRUE(std::isnan(h.range(probe, 5, 6).low));
}

TEST(History, WhatIsMissingHasNoPartInMeanAndWorstWhatIsInfiniteHas) {
  EXPECT_EQ(history_of({1, nan, 3}).mean_magnitude(probe), 2);
  EXPECT_EQ(history_of({1, nan, 3}).worst_magnitude(probe), 3);
  EXPECT_EQ(history_of({nan, nan}).mean_magnitude(probe), 0);
  EXPECT_EQ(history_of({infinity, nan}).worst_magnitude(probe), infinity);
  EXPECT_EQ(history_of({1, -infinity, 3}).worst_magnitude(probe), infinity);
  EXPECT_EQ(history_of({1, -infinity, 3}).mean_magnitude(probe), infinity);
  EXPECT_EQ(history_of({-infinity, 3}).range(probe, 0, 2).low, -infinity);
}

TEST(History, MeanAndWorstAreOfMagnitudes) {
  const History h = history_of({1, -5, 3});
  EXPECT_EQ(h.mean_magnitude(probe), 3);
  EXPECT_EQ(h.worst_magnitude(probe), 5);
  EXPECT_EQ(History().mean_magnitude(probe), 0);
  EXPECT_EQ(History().worst_magnitude(probe), 0);
}

// The plain sum goes astray, which shows that the case is hard enough.
TEST(History, MeanIsCompensated) {
  History h;
  constexpr int count = 1'000'000;
  for (int i = 0; i < count; ++i) h.append(i, sample_of(i, i % 2 ? 0.1 : -0.1));
  EXPECT_NEAR(h.mean_magnitude(probe), 0.1, 2e-17);
  double plain = 0;
  for (int i = 0; i < count; ++i) plain += 0.1;
  EXPECT_GT(std::abs(plain / count - 0.1), 1e-13);
}

TEST(History, FindsTimes) {
  History h;
  for (const double t : {0.0, 1.0, 1.0, 2.0}) h.append(0, sample_of(t, 0));
  EXPECT_EQ(h.nearest(-1), 0u);
  EXPECT_EQ(h.nearest(0.7), 1u);
  EXPECT_EQ(h.nearest(1.7), 3u);
  EXPECT_EQ(h.nearest(3), 3u);
  const auto found = [&](double low, double high) {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (const IndexRange& part : h.between(low, high)) all.emplace_back(part.first, part.last);
    return all;
  };
  using Ranges = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(found(0.5, 1), (Ranges{{1, 3}}));
  EXPECT_EQ(found(-1, 5), (Ranges{{0, 4}}));
  EXPECT_EQ(found(1.2, 1.8), Ranges{});
  // A run that was reversed twice passes its times three times.
  for (const double t : {1.5, 1.0, 0.5, 0.75, 1.25}) h.append(0, sample_of(t, 0));
  EXPECT_EQ(h.legs().size(), 3u);
  EXPECT_EQ(found(0.5, 1), (Ranges{{1, 3}, {5, 7}, {7, 8}}));
  EXPECT_EQ(found(1.5, 9), (Ranges{{3, 4}, {4, 5}}));
  EXPECT_EQ(h.nearest(1), 5u) << "the newest of those that are nearest";
  EXPECT_EQ(h.nearest(2.5), 3u);
  h.thin(2);  // 0, 1, 1.5, 0.5, 1.25
  EXPECT_EQ(h.legs().size(), 3u);
  EXPECT_EQ(found(0.5, 1), (Ranges{{1, 2}, {3, 4}}));
}

TEST(History, ClearForgetsEverything) {
  History h = history_of(std::vector<double>(1000, 9.0));
  h.clear();
  EXPECT_EQ(h.size(), 0u);
  EXPECT_EQ(h.worst_magnitude(probe), 0);
  for (int i = 0; i < 300; ++i) h.append(i, sample_of(i, i));
  EXPECT_EQ(h.range(probe, 0, 300).high, 299);
  EXPECT_EQ(h.range(probe, 0, 300).low, 0);
  EXPECT_EQ(h.mean_magnitude(probe), 149.5);
}

/// A chain of two links of these lengths.
std::shared_ptr<const System> chain(double first, double second) {
  auto scenario = read_scenario(find_preset("double_spherical_pendulum")->text, "preset");
  scenario->parameters["lengths"] = {first, second};
  return std::move(*find_system(scenario->system)->create(2, scenario->parameters));
}

/// The state of sample i: no two are alike.
State state_of(std::size_t i) {
  const auto x = static_cast<double>(i);
  State state{x, Columns(3, 2), Columns(3, 2)};
  for (int body = 0; body < 2; ++body) {
    state.q.col(body) = Vec3(std::cos(x + body), std::sin(2 * x), 0.5 + body).normalized();
    state.w.col(body) = Vec3(x, -x, 0.1 * body);
  }
  return state;
}

/// `count` samples with states; the system changes to another at sample `change`.
struct Filled {
  std::shared_ptr<const System> before = chain(1, 2), after = chain(5, 7);
  std::size_t change;
  History history;

  Filled(std::size_t count, std::size_t change_at, StateStride stride = {})
      : change(change_at), history(stride) {
    append(count);
  }
  void append(std::size_t count) {
    for (std::size_t end = next_ + count; next_ < end; ++next_) {
      Sample sample = sample_of(static_cast<double>(next_), 1);
      sample[Quantity::angular_momentum_z] = momentum_of(next_);
      history.append(test::row_of(static_cast<std::int64_t>(10 * next_), sample, state_of(next_),
                                  system_at(next_), cost_of(next_)),
                     0);
    }
  }
  static double momentum_of(std::size_t i) { return 3 + 0.1 * static_cast<double>(i * i); }
  /// Nothing at first, then iterations; a time from the fifth on.
  static StepCost cost_of(std::size_t i) {
    StepCost cost;
    if (i % 7 != 0) cost[StepQuantity::newton_iterations] = static_cast<double>(i);
    if (i >= 5) cost[StepQuantity::time] = 0.5 * static_cast<double>(i);
    return cost;
  }
  std::shared_ptr<const System> system_at(std::size_t i) const {
    return i < change ? before : after;
  }

  void expect_right(std::size_t every = 1) const { expect_right_of(history, every); }
  /// All views against values worked out one by one, where every `every`-th of what was appended
  /// is a sample.
  void expect_right_of(const History& of, std::size_t every) const {
    std::size_t of_steps = 0, of_momentum = 0, of_state = 0;
    for (const Signal& signal : signals(*find_system("chain_pendulum"), 2)) {
      if (signal.quantity()) continue;
      const SignalView view = of.view(signal);
      ASSERT_EQ(view.values->size(), (of.size() + view.stride - 1) / view.stride);
      ASSERT_EQ(view.times->size(), view.values->size());
      for (std::size_t k = 0; k < view.values->size(); ++k) {
        const std::size_t i = k * view.stride * every;
        ASSERT_EQ((*view.times)[k], static_cast<double>(i)) << signal.key() << " " << k;
        ASSERT_EQ((*view.times)[k], of.column(Quantity::time)[k * view.stride]);
        if (const auto q = signal.step_quantity()) {
          const double got = (*view.values)[k], want = cost_of(i)[*q];
          ASSERT_TRUE(got == want || (std::isnan(got) && std::isnan(want)))
              << signal.key() << " " << k;
          ++of_steps;
        } else if (signal.kind() == Signal::Kind::momentum_error) {
          ASSERT_EQ((*view.values)[k], momentum_of(i) - momentum_of(0)) << k;
          ++of_momentum;
        } else if (signal.kind() == Signal::Kind::modified_energy_error) {
          ASSERT_TRUE(std::isnan((*view.values)[k])) << "the method is not known";
        } else {
          ASSERT_EQ((*view.values)[k], signal.value(*system_at(i), state_of(i)))
              << signal.key() << " " << k;
          ++of_state;
        }
      }
    }
    const std::size_t rows = of.size(),
                      states = of.view(Signal(Signal::Kind::polar, 0)).values->size();
    EXPECT_EQ(of_momentum, rows);
    EXPECT_EQ(of_steps, step_quantity_count * states);
    EXPECT_EQ(of_state, 39 * states) << "q, ω, place, two angles, height and momenta of two links, "
                                        "their mean direction, and the "
                                        "determinant and condition of the inertia";
    for (std::size_t i = 0; i < of.size(); ++i) {
      const std::size_t stride = of.view(Signal(Signal::Kind::polar, 0)).stride;
      const State got = of.state_at(i), want = state_of(i / stride * stride * every);
      ASSERT_EQ(got.t, want.t) << i;
      ASSERT_EQ(got.q, want.q) << i;
      ASSERT_EQ(got.w, want.w) << i;
    }
  }

 private:
  std::size_t next_ = 0;
};

TEST(History, ViewsOfQuantitiesAreTheirColumns) {
  const History h = history_of({1, -2, 3});
  const SignalView view = h.view(probe);
  EXPECT_EQ(view.stride, 1u);
  EXPECT_EQ(view.values, &h.column(probe));
  EXPECT_EQ(view.times, &h.column(Quantity::time));
  EXPECT_EQ(h.state_count(), 0u);
  EXPECT_TRUE(h.view(Signal(Signal::Kind::polar, 0)).values->empty());
}

// Asked for at the end, and from the start on; through a change of the system's lengths.
TEST(History, SignalsOfTheStateAreThoseOfEveryStateKept) {
  const Filled late(3000, 1700);
  late.expect_right();
  Filled early(1, 1700);
  early.expect_right();
  for (int i = 0; i < 6; ++i) {
    early.append(500);
    early.expect_right();
  }
  EXPECT_EQ(early.history.state_count(), 3001u);
}

// With the parameters of each part of the run, whether it is asked for at the end or as it grows.
TEST(History, ExpressionsAreThoseOfEveryStateKept) {
  const Signal height(PlottedExpression{"height", "-e3.q[1]*gravity", "cm s^-2"}),
      foreign(PlottedExpression{"foreign", "q[7].e1", "1"});
  History early, late;
  auto scenario = test::preset();
  std::vector<double> expected;
  for (int k = 0; k < 40; ++k) {
    if (k % 10 == 0) scenario.parameters["gravity"] = {1.0 + k};
    static std::shared_ptr<const System> system;
    static std::shared_ptr<const Scenario> settings;
    if (k % 10 == 0) {
      system = std::move(*create_system(scenario));
      settings = std::make_shared<const Scenario>(scenario);
    }
    const State state{0.1 * k, scenario.q, scenario.omega};
    const SampleRows rows = test::row_of(k, sample_of(0.1 * k, 0), state, system, {}, settings);
    early.append(rows, 0);
    late.append(rows, 0);
    const int changed = k / 10 * 10;
    expected.push_back(-scenario.q(2, 1) * (1.0 + changed) / 0.01);
    EXPECT_EQ(early.view(height).values->size(), expected.size());
  }
  EXPECT_EQ(early.view(height).values->values(), expected);
  EXPECT_EQ(late.view(height).values->values(), expected);
  EXPECT_TRUE(std::isnan(late.view(foreign).values->front())) << "there is no such body";
  History without;
  without.append(test::row_of(0, sample_of(0, 0), {0, scenario.q, scenario.omega},
                              std::move(*create_system(scenario))),
                 0);
  EXPECT_TRUE(std::isnan(without.view(height).values->front())) << "no settings";
}

// Two links take 96 bytes; far more samples than states, and through many changes of the stride.
TEST(History, StatesStayWithinTheBudget) {
  for (const std::size_t most : {1u, 2u, 7u, 64u, 1000u}) {
    Filled filled(1, 1700, StateStride(2, 1, 96 * most + 95));
    for (int i = 0; i < 40; ++i) {
      filled.append(97);
      filled.expect_right();
      const std::size_t count = filled.history.state_count(), samples = filled.history.size();
      EXPECT_LE(count, most);
      EXPECT_GE(count, std::min(samples, (most + 1) / 2));
    }
  }
}

TEST(History, ThinsAsIfTheOthersHadNeverBeen) {
  for (const std::size_t most : {3u, 64u, 100'000u})
    for (const std::size_t factor : {1u, 2u, 3u, 4u, 6u})
      for (const std::size_t count : {1u, 2u, 700u, 5000u}) {
        Filled filled(count, 431, StateStride(2, 1, 96 * most));
        (void)filled.history.view(Signal(Signal::Kind::position, 1, 0));
        (void)filled.history.view(Signal::momentum_error(2));
        filled.history.thin(factor);
        filled.expect_right(factor);
        EXPECT_LE(filled.history.state_count(), most);
        ASSERT_EQ(filled.history.size(), (count + factor - 1) / factor);
        for (std::size_t i = 0; i < filled.history.size(); ++i)
          ASSERT_EQ(filled.history.steps()[i], static_cast<std::int64_t>(10 * factor * i));
      }

  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  std::vector<double> all(5000), every_third;
  for (double& v : all) v = normal(generator);
  for (std::size_t i = 0; i < all.size(); i += 3) every_third.push_back(all[i]);
  History thinned = history_of(all);
  thinned.thin(3);
  const History want = history_of(every_third);
  EXPECT_EQ(thinned.mean_magnitude(probe), want.mean_magnitude(probe));
  EXPECT_EQ(thinned.worst_magnitude(probe), want.worst_magnitude(probe));
  for (int i = 0; i < 1000; ++i) {
    const std::size_t first = generator() % want.size(),
                      last = first + 1 + generator() % (want.size() - first);
    EXPECT_EQ(thinned.range(probe, first, last).low, want.range(probe, first, last).low);
    EXPECT_EQ(thinned.range(probe, first, last).high, want.range(probe, first, last).high);
  }
}

/// A free particle that counts how often its figure is asked for.
class Counted final : public System {
 public:
  int size() const override { return 1; }
  const Inertia& inertia() const override { return inertia_; }
  double potential(const Columns&) const override { return 0; }
  void gradient(const Columns&, Columns& g) const override { g.setZero(); }
  void hessian_times(const Columns&, const Columns&, Columns& h) const override { h.setZero(); }
  void geometry(const Columns& q, Geometry& out) const override {
    ++asked;
    out.clear();
    out.bodies.push_back({q.col(0)});
  }
  Extent extent() const override { return {Vec3::Zero(), 1, false}; }

  mutable int asked = 0;

 private:
  Inertia inertia_{DiagonalInertia(Eigen::VectorXd::Ones(1))};
};

TEST(History, ComputesASignalOfTheStateOnlyWhenItIsLookedAt) {
  const auto early = std::make_shared<Counted>(), late = std::make_shared<Counted>();
  const Signal height(Signal::Kind::height, 0);
  History h;
  const auto append = [&](std::size_t count, const std::shared_ptr<const System>& system) {
    for (std::size_t k = 0; k < count; ++k) {
      const double t = h.size() > 0 ? h.steps().back() + 1 : 0;
      const State state{t, Vec3(0, 0, -t), Vec3::Zero()};
      h.append(test::row_of(static_cast<std::int64_t>(t), sample_of(t, 0), state, system), 0);
    }
  };
  const auto expect_all = [&] {
    const SignalView view = h.view(height);
    ASSERT_EQ(view.values->size(), h.state_count());
    for (std::size_t k = 0; k < view.values->size(); ++k)
      EXPECT_EQ((*view.values)[k], (*view.times)[k]);
  };
  append(10, early);
  expect_all();
  EXPECT_EQ(early->asked, 10);
  append(5, early);
  append(5, late);
  EXPECT_EQ(early->asked, 10) << "nobody has looked";
  EXPECT_EQ(late->asked, 0);
  expect_all();
  expect_all();
  EXPECT_EQ(early->asked, 15);
  EXPECT_EQ(late->asked, 5) << "each state once, with the system of its time";
  // What has not been looked at may be thinned or cut.
  append(20, late);
  h.thin(2);
  expect_all();
  EXPECT_EQ(late->asked, 15);
  append(5, late);
  h.cut(38);
  ASSERT_EQ(h.size(), 20u);
  expect_all();
  EXPECT_EQ(late->asked, 15);
}

TEST(History, AViewThatIsCutIsContinued) {
  const Filled whole(3000, 1700), parts(3000, 1700);
  const Signal signal(Signal::Kind::polar, 0);
  const SignalView all = whole.history.view(signal);
  EXPECT_FALSE(all.cut);
  {
    const ViewLimit limit([] { return true; });
    const SignalView none = parts.history.view(signal);
    EXPECT_EQ(none.values->size(), 2u) << "two are enough to draw";
    EXPECT_TRUE(none.cut && limit.cut());
  }
  int calls = 0;
  for (bool cut = true; cut; ++calls) {
    int asked = 0;
    const ViewLimit limit([&asked] { return ++asked > 1000; });
    const SignalView some = parts.history.view(signal);
    cut = limit.cut();
    ASSERT_EQ(some.cut, cut);
    ASSERT_LT(calls, 4);
  }
  EXPECT_EQ(calls, 3);
  const SignalView now = parts.history.view(signal);
  ASSERT_EQ(now.values->size(), all.values->size());
  for (std::size_t k = 0; k < now.values->size(); ++k)
    ASSERT_EQ((*now.values)[k], (*all.values)[k]) << k;
}

TEST(History, ADistanceThatIsCutIsContinued) {
  std::vector<History> lanes;
  for (int lane = 0; lane < 2; ++lane) lanes.push_back(Filled(500, 100).history);
  lanes[0].compare_with(&lanes[1]);
  {
    const ViewLimit limit([] { return true; });
    const SignalView some = lanes[0].view(Signal::distance());
    EXPECT_EQ(some.values->size(), 2u);
    EXPECT_TRUE(some.cut);
  }
  const SignalView all = lanes[0].view(Signal::distance());
  EXPECT_EQ(all.values->size(), 500u);
  EXPECT_FALSE(all.cut);
}

// A branch takes over what there was when it left.
TEST(History, IsCutAsIfTheRestHadNeverBeen) {
  for (const std::size_t most : {3u, 64u, 100'000u}) {
    Filled filled(5000, 431, StateStride(2, 1, 96 * most));
    (void)filled.history.view(Signal(Signal::Kind::position, 1, 0));
    (void)filled.history.view(Signal::momentum_error(2));
    for (const std::size_t kept : {1u, 2u, 430u, 432u, 1024u, 1025u, 2048u, 4097u, 5000u}) {
      History part = filled.history;
      part.cut(static_cast<std::int64_t>(10 * kept - 5));
      ASSERT_EQ(part.size(), kept);
      filled.expect_right_of(part, 1);
      const std::size_t factor = part.state_stride().stride();
      // It grows again to what it was.
      for (std::size_t i = kept; i < 5000; ++i) {
        Sample sample = sample_of(static_cast<double>(i), 1);
        sample[Quantity::angular_momentum_z] = Filled::momentum_of(i);
        part.append(test::row_of(static_cast<std::int64_t>(10 * i), sample, state_of(i),
                                 filled.system_at(i), Filled::cost_of(i)),
                    0);
      }
      EXPECT_EQ(part.state_stride().stride(), factor);
      filled.expect_right_of(part, 1);
    }
    filled.expect_right();
  }

  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  std::vector<double> all(5000);
  for (double& v : all) v = normal(generator);
  for (const std::size_t kept : {1u, 127u, 128u, 1024u, 3000u}) {
    History part = history_of(all);
    part.cut(static_cast<std::int64_t>(10 * (kept - 1)));
    for (std::size_t i = kept; i < 4000; ++i)
      part.append(static_cast<std::int64_t>(10 * i), sample_of(static_cast<double>(i), all[i]));
    const History want = history_of({all.begin(), all.begin() + 4000});
    ASSERT_EQ(part.size(), want.size());
    EXPECT_EQ(part.mean_magnitude(probe), want.mean_magnitude(probe));
    EXPECT_EQ(part.worst_magnitude(probe), want.worst_magnitude(probe));
    for (int i = 0; i < 1000; ++i) {
      const std::size_t first = generator() % want.size(),
                        last = first + 1 + generator() % (want.size() - first);
      EXPECT_EQ(part.range(probe, first, last).low, want.range(probe, first, last).low);
      EXPECT_EQ(part.range(probe, first, last).high, want.range(probe, first, last).high);
    }
  }
}

// A long run is thinned in pieces while it runs. What it consists of is right at once.
TEST(History, ThinsInPiecesToWhatThinningAtOnceGives) {
  for (const std::size_t factor : {2u, 3u})
    for (const std::size_t piece : {1u, 700u, 100'000u}) {
      Filled late(5000, 431, StateStride(2, 1, 96 * 64)), once = late;
      late.history.thin_later(factor);
      once.history.thin(factor);
      EXPECT_TRUE(late.history.is_thinning());
      EXPECT_FALSE(once.history.is_thinning());
      for (int k = 0; k < 5; ++k) {
        for (int i = 0; i < 40; ++i) late.history.continue_thinning(piece);
        EXPECT_LE(late.history.is_thinning(), piece < 100'000);
        const History &a = late.history, &b = once.history;
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
          ASSERT_EQ(a.sample(i).values, b.sample(i).values) << i;
          ASSERT_EQ(a.steps()[i], b.steps()[i]) << i;
        }
        for (std::size_t i = 0; i + 50 < a.size(); i += 97) {
          const Range whole = a.range(Quantity::time, i, i + 50),
                      exact = b.range(Quantity::time, i, i + 50);
          EXPECT_EQ(whole.low, exact.low);
          EXPECT_EQ(whole.high, exact.high) << "no more than from the first to the last";
        }
        for (const double t : {-1.0, 0.0, 17.5, 2000.0, 4999.0, 1e9})
          EXPECT_EQ(a.nearest(t), b.nearest(t)) << t;
        for (Filled* filled : {&late, &once}) {
          const auto next = static_cast<double>(10'000 + 10 * k);
          for (int i = 0; i < 10; ++i)
            filled->history.append(static_cast<std::int64_t>(next) + i, sample_of(next + i, i - 5));
        }
      }
      while (late.history.column(Quantity::time).skips() || late.history.steps().skips())
        late.history.continue_thinning(piece);
      EXPECT_EQ(late.history.mean_magnitude(probe), once.history.mean_magnitude(probe));
      EXPECT_EQ(late.history.worst_magnitude(probe), once.history.worst_magnitude(probe));
      const std::size_t count = late.history.size();
      for (std::size_t i = 0; i < count; i += 13)
        for (const std::size_t last : {i + 1, std::min(i + 300, count), count}) {
          EXPECT_EQ(late.history.range(probe, i, last).low, once.history.range(probe, i, last).low);
          EXPECT_EQ(late.history.range(probe, i, last).high,
                    once.history.range(probe, i, last).high);
        }
      late.history.thin_later(2);  // while there is another one to end
      late.history.continue_thinning(10);
      late.history.thin_later(2);
      once.history.thin(4);
      ASSERT_EQ(late.history.size(), once.history.size());
      for (std::size_t i = 0; i < late.history.size(); ++i)
        ASSERT_EQ(late.history.sample(i).values, once.history.sample(i).values) << i;
    }
}

// Bodies in so great number that each state has its own block.
TEST(History, ThinsStatesOfManyBodies) {
  constexpr int bodies = 3000;
  const std::shared_ptr<const System> system = std::move(*find_system("n_body")->create(
      bodies, {{"masses", std::vector<double>(bodies, 1)}, {"gamma", {1}}}));
  const auto state_at = [](std::size_t i) {
    return State{static_cast<double>(i), Columns::Constant(3, bodies, static_cast<double>(i)),
                 Columns::Constant(3, bodies, -static_cast<double>(i))};
  };
  History h{StateStride(bodies, 1, StateStride::bytes_per_sample(bodies, 1) * 7)};
  for (std::size_t i = 0; i < 100; ++i) {
    h.append(test::row_of(static_cast<std::int64_t>(i), sample_of(static_cast<double>(i), 0),
                          state_at(i), system),
             0);
    ASSERT_LE(h.state_count(), 7u);
    ASSERT_EQ(h.state_at(0).q, state_at(0).q);
    for (std::size_t k = 0; k <= i; ++k) {
      const State got = h.state_at(k);
      ASSERT_LE(got.t, static_cast<double>(k));
      ASSERT_EQ(got.q, state_at(static_cast<std::size_t>(got.t)).q);
      ASSERT_EQ(got.w, state_at(static_cast<std::size_t>(got.t)).w);
    }
  }
}

// What comes after thinning is taken by one who only counts, as the worker does.
TEST(History, GoesOnAfterThinningInStepWithWhoeverTakesTheStates) {
  const auto system = chain(1, 2);
  for (const std::size_t factor : {2u, 3u, 6u})
    for (std::size_t thinned = 1; thinned < 120; ++thinned) {
      const std::size_t most = 7;
      const StateStride rule(2, 1, 96 * most);
      StateStride taker = rule;
      History h{rule};
      std::size_t every = 1, index = 0;
      for (std::size_t i = 0; i < 1000; i += every) {
        if (index == thinned && every < 100) {
          every *= factor;
          taker.thin(factor);
          h.thin(factor);
          index = h.size();
          i = every * index;
        }
        if (taker.take(index++))
          h.append(test::row_of(static_cast<std::int64_t>(i), sample_of(static_cast<double>(i), 0),
                                state_of(i), system),
                   0);
        else
          h.append(static_cast<std::int64_t>(i), sample_of(static_cast<double>(i), 0));
        const SignalView view = h.view(Signal(Signal::Kind::azimuth, 1));
        EXPECT_LE(h.state_count(), most);
        for (std::size_t k = 0; k < view.times->size(); ++k)
          ASSERT_EQ((*view.times)[k], h.column(Quantity::time)[k * view.stride]) << i;
      }
    }
}

/// Rows of the double pendulum, every `stride`-th step.
std::vector<Sample> pendulum_rows(std::size_t count, int stride) {
  auto simulation = Simulation::create(test::preset());
  std::vector<Sample> rows;
  while (rows.size() < count) {
    rows.push_back(simulation->sample(0));
    for (int i = 0; i < stride; ++i) EXPECT_FALSE(simulation->step());
  }
  return rows;
}

std::vector<std::int64_t> steps_of(std::size_t count) {
  std::vector<std::int64_t> steps(count);
  for (std::size_t i = 0; i < count; ++i) steps[i] = static_cast<std::int64_t>(10 * i);
  return steps;
}

/// Equal bits, those of values that are not numbers, too.
bool same_bits(const Sample& a, const Sample& b) {
  return std::equal(a.values.begin(), a.values.end(), b.values.begin(), [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  });
}

void expect_same(const History& got, const History& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i) {
    ASSERT_TRUE(same_bits(got.sample(i), want.sample(i))) << i;
    ASSERT_EQ(got.steps()[i], want.steps()[i]) << i;
  }
  for (const QuantityInfo& info : quantities()) {
    const auto q = static_cast<Quantity>(&info - quantities().data());
    EXPECT_EQ(got.mean_magnitude(q), want.mean_magnitude(q)) << info.key;
    EXPECT_EQ(got.worst_magnitude(q), want.worst_magnitude(q)) << info.key;
    for (std::size_t i = 0; i < want.size(); i += 1 + want.size() / 50) {
      EXPECT_EQ(got.range(q, i, want.size()).low, want.range(q, i, want.size()).low) << info.key;
      EXPECT_EQ(got.range(q, 0, i + 1).high, want.range(q, 0, i + 1).high) << info.key;
    }
  }
}

// Taken at any moment, also in the middle of thinning, and read while the history continues.
TEST(History, CopiesStayWhatTheyWere) {
  constexpr std::size_t all = 6 * CompressedBlock::count + 77;
  const std::vector<Sample> rows = pendulum_rows(2 * all, 1);
  const std::vector<std::int64_t> steps = steps_of(2 * all);
  const auto same = [&](const History& taken, std::size_t size, std::size_t stride) {
    ASSERT_EQ(taken.size(), size);
    std::vector<Sample> got(size);
    taken.read(0, size, got.data());
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_TRUE(same_bits(got[i], rows[i * stride])) << i;
      ASSERT_EQ(taken.steps()[i], static_cast<double>(steps[i * stride]));
    }
  };
  History h;
  h.append(std::span(steps).first(all), rows.data());
  const History before = h;
  h.append(std::span(steps).subspan(all), rows.data() + all);
  const History whole = h;
  h.thin_later(3);
  std::vector<History> half_way;
  while (h.is_thinning()) {
    half_way.push_back(h);
    h.continue_thinning(1500);
  }
  ASSERT_GT(half_way.size(), 12u);
  h.clear();
  same(before, all, 1);
  same(whole, 2 * all, 1);
  for (const History& taken : half_way) same(taken, (2 * all + 2) / 3, 3);
}

// The thread sanitizer watches: a view shares its blocks with lanes that continue, are thinned and
// go.
TEST(History, ViewsAreReadOnOtherThreadsWhileTheLanesGoOn) {
  constexpr std::size_t count = 3000, change = 1700;
  std::vector<History> lanes;
  for (int lane = 0; lane < 2; ++lane) lanes.push_back(Filled(count, change).history);
  for (History& lane : lanes) lane.compare_with(&lanes[1]);
  (void)lanes[0].view(Signal(Signal::Kind::polar, 0));  // shared; what is asked for later is not
  std::vector<std::future<void>> readers;
  for (int reader = 0; reader < 2; ++reader)
    readers.push_back(
        std::async(std::launch::async, [count, change, views = History::views(lanes)] {
          Filled(1, change).expect_right_of(views[0], 1);
          const SignalView distance = views[0].view(Signal::distance());
          ASSERT_EQ(distance.values->size(), count) << "of the view of the other lane";
          for (std::size_t k = 0; k < count; ++k) ASSERT_EQ((*distance.values)[k], 0);
        }));
  const auto system = chain(5, 7);
  for (History& lane : lanes) {
    for (std::size_t i = count; i < 2 * count; ++i)
      lane.append(test::row_of(static_cast<std::int64_t>(10 * i),
                               sample_of(static_cast<double>(i), 1), state_of(0), system),
                  0);
    lane.thin(3);
  }
  lanes.clear();
  for (std::future<void>& reader : readers) reader.get();
}

TEST(History, PacksTheSamplesOfTheDoublePendulum) {
  for (const int stride : {1, 128}) {
    if (test::sanitized && stride > 1) break;  // three million steps
    // Between two fillings there is the same that is not packed yet.
    constexpr std::size_t some = 4 * CompressedBlock::count, all = 24 * CompressedBlock::count;
    const std::vector<Sample> rows = pendulum_rows(all, stride);
    const std::vector<std::int64_t> steps = steps_of(all);
    History h;
    h.append(std::span(steps).first(some), rows.data());
    const std::size_t before = h.bytes();
    h.append(std::span(steps).subspan(some), rows.data() + some);
    const double each = static_cast<double>(h.bytes() - before) / static_cast<double>(all - some);
    EXPECT_NEAR(each, 33, 1) << "bytes of a sample, every " << stride << " steps";
    for (std::size_t i = 0; i < all; ++i) {
      ASSERT_TRUE(same_bits(h.sample(i), rows[i])) << i;
    }
  }
}

TEST(History, NeedsLittleMoreThanTheNumbersThemselvesAtMost) {
  std::mt19937_64 random(11);
  History h;
  std::size_t before = 0;
  constexpr std::size_t some = 2 * CompressedBlock::count, all = 34 * CompressedBlock::count;
  for (std::size_t i = 0; i < all; ++i) {
    Sample sample;
    for (double& x : sample.values) x = std::bit_cast<double>(random());
    h.append(static_cast<std::int64_t>(random() % (std::uint64_t{1} << 52)), sample);
    if (i + 1 == some) before = h.bytes();
  }
  const double numbers = quantity_count + 1;  // with the step
  EXPECT_LE(static_cast<double>(h.bytes() - before) / static_cast<double>(all - some),
            8 * numbers + 3);
}

// Row after row of every second of two lanes; while it is thinned, copied and moved.
TEST(History, AppendsManyAsOneByOne) {
  constexpr std::size_t count = 20'000;
  const std::vector<Sample> rows = pendulum_rows(count, 3);
  std::vector<Sample> lanes;
  for (const Sample& row : rows) lanes.insert(lanes.end(), {sample_of(1, nan), row});
  const std::vector<std::int64_t> steps = steps_of(count);
  for (const std::size_t piece : {1u, 50u, 3000u})
    for (const bool thins : {false, true}) {
      std::mt19937 random(4);
      std::vector<History> many(1), one(1);
      for (std::size_t i = 0; i < count;) {
        const std::size_t taken = std::min(count - i, 1 + random() % piece);
        many[0].append(std::span(steps).subspan(i, taken), lanes.data() + 2 * i + 1, 2);
        for (const std::size_t end = i + taken; i < end; ++i) one[0].append(steps[i], rows[i]);
        if (thins && random() % 16 == 0 && one[0].size() > 4000) {
          many[0].thin_later(2);
          one[0].thin(2);
        }
        many[0].continue_thinning(random() % 4000);
        if (random() % 32 == 0) {
          History moved = std::move(many[0]);
          History copied = moved;
          many.emplace_back();  // somewhere else
          many.erase(many.begin());
          many[0] = random() % 2 ? std::move(moved) : std::move(copied);
        }
      }
      many[0].continue_thinning(std::numeric_limits<std::size_t>::max());
      expect_same(many[0], one[0]);
      const History copy = many[0];
      many.clear();
      expect_same(copy, one[0]);
    }
}

TEST(History, TakesTheDistancesOfACloudUpToTheirLastRow) {
  // A sample every tenth step; a cloud is there from the fifth on.
  History h;
  const std::shared_ptr<const System> system = chain(1, 2);
  StepCost former;
  add_cloud(former, {0.5, 0.25, 0.75, 9});
  for (int i = 0; i < 10; ++i)
    h.append(test::row_of(10 * i, sample_of(i, 0), state_of(static_cast<std::size_t>(i)), system,
                          i < 4 ? StepCost() : former),
             0);
  const SignalView median = h.view(StepQuantity::cloud_distance);
  std::vector<CloudRow> rows;
  for (const std::int64_t step : {10, 20, 30, 50, 55, 60, 70}) {
    const auto x = static_cast<double>(step);
    rows.push_back({step, {x, x - 1, x + 1, 3}});
  }
  h.give_cloud(rows);
  const std::vector<double> expected{nan, 10, 20, 30, nan, 50, 60, 70, 0.5, 0.5};
  ASSERT_EQ(median.values->size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_TRUE((*median.values)[k] == expected[k] || std::isnan(expected[k])) << k;
  EXPECT_TRUE(std::isnan((*median.values)[0]) && std::isnan((*median.values)[4]));
  EXPECT_EQ((*h.view(StepQuantity::cloud_high).values)[5], 51);
  EXPECT_EQ((*h.view(StepQuantity::cloud_members).values)[9], 9);
  // Later states follow as before.
  h.append(test::row_of(100, sample_of(10, 0), state_of(10), system, former), 0);
  EXPECT_EQ((*h.view(StepQuantity::cloud_distance).values)[10], 0.5);
}

TEST(SampleRows, GiveUpARowThatWasNotFinished) {
  SampleRows rows = test::row_of(7, sample_of(7, 1), state_of(7), chain(1, 2));
  for (int k = 0; k < 4; ++k) {
    rows.samples.push_back(sample_of(8, 2));
    if (k > 0) rows.state_rows.push_back(1);
    if (k > 1) rows.add_state(state_of(8));
    if (k > 2) rows.costs.emplace_back();
    rows.drop_unfinished();
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows.samples.size(), 1u);
    EXPECT_EQ(rows.state_rows.size(), 1u);
    EXPECT_EQ(rows.states.size(), 13u);
    EXPECT_EQ(rows.costs.size(), 1u);
  }
  EXPECT_EQ(rows.state(0, 0)[0], state_of(7).t);
}

// The second of two lanes, in pieces of any size; the first has other numbers.
TEST(History, AppendsManyRowsWithStatesAsOneByOne) {
  const StateStride rule(2, 1, 96 * 64);
  const Filled filled(3000, 1700, rule);
  for (const std::size_t most : {1u, 7u, 500u, 3000u}) {
    History h{rule};
    (void)h.view(Signal(Signal::Kind::position, 1, 0));
    StateStride taker = rule;
    for (std::size_t i = 0; i < 3000;) {
      SampleRows rows;
      rows.lanes = 2;
      rows.system = filled.system_at(i);
      for (; rows.size() < most && i < 3000 && filled.system_at(i) == rows.system; ++i) {
        rows.steps.push_back(static_cast<std::int64_t>(10 * i));
        rows.samples.push_back(sample_of(-static_cast<double>(i), nan));
        rows.samples.push_back(filled.history.sample(i));
        if (!taker.take(i)) continue;
        rows.state_rows.push_back(rows.size() - 1);
        rows.add_state(state_of(i + 1));
        rows.add_state(state_of(i));
        rows.costs.push_back(Filled::cost_of(i + 1));
        rows.costs.push_back(Filled::cost_of(i));
      }
      h.append(rows, 1);
    }
    expect_same(h, filled.history);
    ASSERT_EQ(h.state_count(), filled.history.state_count());
    for (const Signal& signal : signals(*find_system("chain_pendulum"), 2)) {
      const Series &got = *h.view(signal).values, &want = *filled.history.view(signal).values;
      ASSERT_EQ(got.size(), want.size());
      for (std::size_t k = 0; k < got.size(); ++k)
        ASSERT_TRUE(got[k] == want[k] || (std::isnan(got[k]) && std::isnan(want[k])));
    }
  }
}

/// Rows of a run of the preset, with their states, as a worker passes them.
SampleRows rows_of(Simulation& run, std::int64_t last, StateStride& stride, std::size_t& count) {
  SampleRows rows;
  rows.system = run.system();
  for (;;) {
    rows.samples.push_back(run.sample(0));
    if (stride.take(count++)) {
      rows.state_rows.push_back(rows.size());
      rows.add_state(run.state(0));
      rows.costs.emplace_back();
    }
    rows.steps.push_back(run.steps());
    if (run.steps() == last || run.step() || run.step()) return rows;
  }
}

// A run that was continued from a state, and repeated up to there, is that which was not.
TEST(History, IsGivenItsMissingBeginning) {
  const Scenario scenario = test::preset();
  const std::size_t state_bytes = 100 * StateStride::bytes_per_sample(2, 1);
  constexpr std::int64_t head = 3000, end = 7000;
  auto run = Simulation::create(scenario);
  StateStride stride(2, 1, state_bytes);
  std::size_t count = 0;
  const SampleRows first = rows_of(*run, head, stride, count);
  while (run->steps() < head + 2) ASSERT_FALSE(run->advance_to(head + 2));
  const SampleRows rest = rows_of(*run, end, stride, count);
  History whole(StateStride(2, 1, state_bytes)), beginning = whole;
  whole.append(first, 0);
  beginning.append(first, 0);
  whole.append(rest, 0);

  std::vector<std::int64_t> steps;
  std::vector<double> times;
  for (std::size_t i = 0; i < first.size(); ++i) {
    steps.push_back(first.steps[i]);
    times.push_back(first.sample(i, 0)[Quantity::time]);
  }
  for (const std::size_t thinned : {1, 2}) {
    SCOPED_TRACE(thinned);
    History later = History::missing(steps, times, run->system(), StateStride(2, 1, state_bytes));
    EXPECT_EQ(later.first(), steps.size());
    later.append(rest, 0);
    ASSERT_EQ(later.size(), whole.size());
    EXPECT_TRUE(std::isnan(later.sample(3)[Quantity::total_energy]));
    History wanted = whole;
    if (thinned > 1) {
      later.thin(thinned);
      wanted.thin(thinned);
    }
    ASSERT_TRUE(later.give_beginning(beginning));
    EXPECT_EQ(later.first(), 0u);
    ASSERT_EQ(later.size(), wanted.size());
    EXPECT_EQ(later.state_count(), wanted.state_count());
    EXPECT_EQ(later.state_stride().stride(), wanted.state_stride().stride());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      ASSERT_EQ(later.sample(i).values, wanted.sample(i).values) << i;
      ASSERT_EQ(later.steps()[i], wanted.steps()[i]);
      ASSERT_EQ(later.state_at(i).q, wanted.state_at(i).q) << i;
    }
    const Signal signal = *Signal::parse("q0_x");
    const SignalView a = later.view(signal), b = wanted.view(signal);
    EXPECT_EQ(a.values->values(), b.values->values());
  }
  History none = History::missing(steps, times, run->system(), StateStride(2, 1, state_bytes));
  History elsewhere;
  for (int i = 0; i < 1600; ++i) elsewhere.append(3 * i, sample_of(i, 1));
  EXPECT_FALSE(none.give_beginning(elsewhere)) << "of other steps";
}

}  // namespace
}  // namespace twosphere::history_test
