// SPDX-License-Identifier: GPL-3.0-or-later
// A power spectrum is that of the motion, whatever the rows of the run are.
#include "ui/plot/spectrum_samples.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "core/record/history.h"
#include "tests/runs.h"
#include "ui/plot/lane_lines.h"
#include "ui/plot/lane_spectrum.h"

namespace twosphere::ui::spectrum_samples_test {
namespace {

/// A run with a row every few steps.
struct Recorded {
  Recorded(std::int64_t steps, std::int64_t every) : run(test::start(test::preset())) {
    history.append(0, run.sample(0));
    while (run.steps() < steps) {
      test::march(run, every);
      history.append(run.steps(), run.sample(0));
    }
  }
  SampledQuantity wanted(const Signal& quantity) const {
    return {
        std::make_shared<const Scenario>(run.record()), run.steps(), quantity, {0, run.time()}, 0};
  }
  std::vector<Curve> curves() const { return {{0, &history, {0, history.size()}, {}}}; }

  Simulation run;
  History history;
};

const Signal kinetic(Quantity::kinetic_energy);

TEST(SpectrumSamples, TheRowsDecideNothing) {
  const PlotSpec spec = spectrum_of(kinetic);
  const Recorded each(4000, 1), few(4000, 80);
  const Interval time{0, each.run.time()};
  EXPECT_FALSE(needs_own_samples(kinetic, each.curves(), time));
  ASSERT_TRUE(needs_own_samples(kinetic, few.curves(), time));
  EXPECT_FALSE(needs_own_samples(Signal::distance(), few.curves(), time)) << "no copy takes it";
  const SharedSamples own = samples_of(few.wanted(kinetic));
  ASSERT_TRUE(own->complete);
  const auto expected = spectra_of(spec, each.curves(), time),
             found = spectra_of(spec, few.curves(), time, own);
  ASSERT_EQ(found[0].problem, "");
  EXPECT_EQ(found[0].spectrum.samples, expected[0].spectrum.samples);
  EXPECT_EQ(found[0].spectrum.density, expected[0].spectrum.density);
  EXPECT_NEAR(found[0].spectrum.interval, 0.01, 1e-12);
  const auto lines = lines_of(spec, each.curves(), each.run.record(), time),
             own_lines = lines_of(spec, few.curves(), few.run.record(), time, own);
  ASSERT_FALSE(lines[0].lines.empty());
  ASSERT_EQ(own_lines[0].lines.size(), lines[0].lines.size());
  for (std::size_t k = 0; k < lines[0].lines.size(); ++k)
    EXPECT_EQ(own_lines[0].lines[k].frequency, lines[0].lines[k].frequency);
}

TEST(SpectrumSamples, AreTakenBesideTheRun) {
  Recorded few(4000, 80);
  SpectrumSampler sampler;
  const auto finish = [&sampler](const SampledQuantity& wanted) {
    for (int k = 0; k < 5000 && !sampler.update(wanted); ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ASSERT_TRUE(sampler.update(wanted));
  };
  EXPECT_FALSE(sampler.update(few.wanted(kinetic))) << "it does not wait";
  ASSERT_NE(sampler.taken(), nullptr);
  const SampledQuantity wanted = few.wanted(kinetic);
  finish(wanted);
  ASSERT_EQ(sampler.taken()->lanes.size(), 1u);
  EXPECT_EQ(sampler.taken()->lanes[0].whole.samples.size(), 4001u);
  EXPECT_TRUE(sampler.taken()->lanes[0].notes.empty());
  // It continues with the run, through a change of the motion.
  ASSERT_TRUE(few.run.set({{"system.gravity", 5.0}}));
  test::march(few.run, 1000);
  finish(few.wanted(kinetic));
  EXPECT_EQ(sampler.taken()->lanes[0].whole.samples.size(), 5001u);
  EXPECT_EQ(sampler.taken()->lanes[0].of_motion.samples.size(), 1000u);
  EXPECT_TRUE(sampler.taken()->lanes[0].of_motion.after_change);
  // Those of another run are not taken for those of this one.
  SampledQuantity other = Recorded(400, 80).wanted(kinetic);
  other.generation = 1;
  EXPECT_FALSE(sampler.update(other));
  EXPECT_TRUE(sampler.taken()->lanes.empty());
  finish(other);
  EXPECT_EQ(sampler.taken()->lanes[0].whole.samples.size(), 401u);
}

TEST(SpectrumSamples, ThatAreNotWantedAnyMoreAreLeft) {
  const Recorded few(4000, 80);
  SampledQuantity wanted = few.wanted(kinetic);
  wanted.steps = 1'000'000'000;
  wanted.time.high = 1e9;
  auto sampler = std::make_unique<SpectrumSampler>();
  for (int k = 0; k < 10; ++k) EXPECT_FALSE(sampler->update(wanted));
  sampler.reset();  // not after hours
}

TEST(SpectrumSamples, SayWhatIsMissing) {
  const Recorded few(4000, 80);
  const Interval time{0, few.run.time()};
  SpectrumSamples none;
  const auto problem = [&] {
    const auto own = std::make_shared<const SpectrumSamples>(none);
    return spectra_of(spectrum_of(kinetic), few.curves(), time, own)[0].problem;
  };
  EXPECT_EQ(problem(), "A copy of the run takes its samples");
  none.complete = true;
  none.problem = "there is no such body";
  EXPECT_EQ(problem(), "there is no such body");
}

}  // namespace
}  // namespace twosphere::ui::spectrum_samples_test
