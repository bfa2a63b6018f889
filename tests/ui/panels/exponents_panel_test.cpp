// SPDX-License-Identifier: GPL-3.0-or-later
// The Lyapunov exponents in the left column.
#include <gtest/gtest.h>

#include <string>

#include "tests/ui/desk.h"

namespace twosphere::exponents_panel_test {
namespace {

using namespace ui;
using namespace ui_test;

/// What a note says; empty: there is none.
std::string said(Desk& desk, const std::string& id) {
  desk.frames(2);
  return desk.spoken(id).name;
}

TEST(ExponentsPanel, SaysWhetherTheRunIsLongEnough) {
  SpokenDesk desk;
  auto& chaos = desk.snapshot.lanes[0].chaos.emplace();
  chaos.spectrum = {{0.6, 0.4}, {-0.6, 0.4}};
  chaos.elapsed = 10;
  EXPECT_EQ(said(desk, "exponent/advice"), "Run longer: 10 s is 6 times 1/λ₁.");
  EXPECT_TRUE(said(desk, "exponent/error").starts_with("±: half the range"));
  chaos.spectrum[0].error = 0.7;
  EXPECT_EQ(said(desk, "exponent/advice"), "λ₁ is not told from 0 over 10 s: run longer.");
  chaos = {.spectrum = {{0.6, 0.02}, {-0.6, 0.02}}, .elapsed = 200};
  EXPECT_EQ(said(desk, "exponent/advice"), "");
}

TEST(ExponentsPanel, SaysWhichExponentsMustBeZeroAndWhy) {
  SpokenDesk desk;
  auto& chaos = desk.snapshot.lanes[0].chaos.emplace();
  chaos.spectrum.assign(8, {0.0, 0.1});
  chaos.elapsed = 10;
  EXPECT_EQ(said(desk, "exponent/expected"), "4 exponents must be 0 (energy, J₃)");
  EXPECT_EQ(zero_causes(**find_system("n_body")->create(
                3, read_scenario(find_preset("three_body")->text, "preset")->parameters)),
            "energy, |J|, J₃");
}

}  // namespace
}  // namespace twosphere::exponents_panel_test
