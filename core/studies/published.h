// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/mechanics/diagnostics.h"
#include "core/scenario/scenario.h"

/// The numbers that the paper prints of its examples, and the runs that give them. They are read
/// from resources/published/lee_leok_mcclamroch_2009.json, the one table of them.
/// [P1] is Lee, Leok, McClamroch, IJNME 79 (2009) 1147-1174.
namespace twosphere {

/// In what the paper gives energies of an example.
enum class EnergyUnit {
  joule,
  m_g_l,  ///< of the first link
};
/// "J", "m g l"
std::string_view label(EnergyUnit unit);
/// One of the unit in joules, for this scenario's parameters.
double joules(EnergyUnit unit, const Scenario& scenario);

/// What is varied to see how far a number depends on what the paper does not say.
struct SensitivitySweep {
  enum class Of {
    nothing,
    rows,      ///< means over every row, every second, … up to every `high`-th
    duration,  ///< means up to every row from t = `low` to `high` [s]
    start,  ///< `members` starts, every component of q and ω moved by up to `low`, then projected
  };
  Of of = Of::nothing;
  double low = 0, high = 0;
  int members = 0;
};

/// How a printed number is compared with ours.
enum class AcceptanceRule {
  digits,   ///< ours is to be within half a unit of its last digit
  spread,   ///< it is to lie within the spread of ours under the run's variation
  at_most,  ///< ours is not to be larger: an error of rounding
  open,     ///< not compared: figure only, or an input that decides it is not printed
};

/// Where the inputs of such a comparison come from.
enum class Inputs {
  printed,  ///< in the paper
  fitted,   ///< chosen so that the number comes out, as the paper prints none, or others
};

/// The mean of a quantity's magnitude over a run, as printed.
struct PublishedMean {
  Quantity quantity;
  std::string printed;  ///< "2.1641e-5"; empty if it is in a figure only
  AcceptanceRule rule;
  std::string reason;  ///< what one has to know to get it, or why it is open; a sentence
  Inputs inputs = Inputs::printed;

  std::optional<double> value() const;
  /// Half a unit of the last printed digit.
  double half_unit() const;
};

/// A run behind such numbers: a preset with another method or other settings.
struct PublishedRun {
  int example = 0;     ///< of [P1], from 1
  std::string preset;  ///< key in the catalogue
  std::string integrator;
  std::vector<std::pair<std::string, double>> settings;  ///< as "integrator.step"
  EnergyUnit unit = EnergyUnit::joule;
  SensitivitySweep variation{};
  std::vector<PublishedMean> means;

  /// The scenario; every row is sampled.
  Result<Scenario> scenario() const;
};

/// "rk45, h = 0.01 s, 100 s, relative tolerance 1e-04": method, step, duration and the method's own
/// parameters of a run, as far as it sets them.
std::string conditions(const PublishedRun& run);

/// What the runs of a preset with a method set that method's own parameter to,
/// "relative_tolerance", by the first that does; nothing where none does.
std::optional<double> published_setting(std::string_view preset, std::string_view integrator,
                                        std::string_view key);

/// Label and key of what a printed mean is the mean of: "unit-length error" whether it was first
/// taken over the bodies or not.
std::string_view label_of_mean(Quantity quantity);
std::string_view key_of_mean(Quantity quantity);

inline constexpr int example_count = 6;
/// In the order of the examples.
std::span<const PublishedRun> published_runs();

/// A figure of [P1]: the runs of a preset side by side, or their means against the step.
struct PaperFigure {
  std::string number;  ///< "3.1"
  std::string preset;
  std::string title;
  std::vector<Quantity> plots;  ///< one below the other
  std::vector<double> steps{};  ///< h [s] of the means; none: the plots are over time
  std::string note;             ///< what is wrong or missing in print, as far as it matters here
  std::string errata;           ///< the rest of it, in sentences

  /// The published runs that it shows, one of each integrator.
  std::vector<const PublishedRun*> lanes() const;
  /// The runs of all steps, lane by lane; not compared.
  std::vector<PublishedRun> step_runs() const;
};
/// Figures 3.1 to 3.6, in order.
std::span<const PaperFigure> paper_figures();

/// Figure 3.7: the kinetic energy field of the molecules (SurfaceField) at some instants.
struct PaperField {
  std::string number;  ///< "3.7"
  std::string preset;
  std::string title;
  std::vector<double> times;  ///< [s]
  std::string note;
  std::string errata;
};
const PaperField& paper_field();

/// Everything that is printed in one paper.
struct PublishedPaper {
  std::vector<PublishedRun> runs;
  std::vector<PaperFigure> figures;
  PaperField field;
};
/// Reads such a table. An error names the line: a key, preset, integrator or quantity that there is
/// not, or a printed number that is not of the form 1.2345e-6.
Result<PublishedPaper> read_published(std::string_view text, std::string_view source);

/// The order p of y ∝ x^p, fitted to the logarithms of two or more positive values each.
double fitted_order(std::span<const double> x, std::span<const double> y);

}  // namespace twosphere
