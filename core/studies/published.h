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

/// The numbers that the paper prints for its examples, and the runs that reproduce them. They are
/// read from resources/published/lee_leok_mcclamroch_2009.json. [P1] is Lee, Leok, McClamroch,
/// IJNME 79 (2009) 1147-1174.
namespace twosphere {

/// The unit of energy that the paper uses for an example.
enum class EnergyUnit {
  joule,
  m_g_l,  ///< m, g and l of the first link
};
/// "J", "m g l"
std::string_view label(EnergyUnit unit);
/// The unit in joules for the parameters of this scenario.
double joules(EnergyUnit unit, const Scenario& scenario);

/// A variation of conditions that the paper does not state, to measure how much a number depends on
/// them.
struct SensitivitySweep {
  enum class Of {
    nothing,
    rows,      ///< means over every k-th row, k = 1 … `high`
    duration,  ///< means up to every row from t = `low` to `high` [s]
    start,  ///< `members` starts, every component of q and ω moved by up to `low`, then projected
  };
  Of of = Of::nothing;
  double low = 0, high = 0;
  int members = 0;
};

/// How a printed number is compared with ours.
enum class AcceptanceRule {
  digits,   ///< our number must agree within half a unit of the last printed digit
  spread,   ///< it must lie within the range of our numbers under the variation of the run
  at_most,  ///< our number must not be larger: a rounding error
  open,     ///< not compared: shown in a figure only, or a required input is not printed
};

/// The origin of the inputs of a comparison.
enum class Inputs {
  printed,  ///< printed in the paper
  fitted,   ///< chosen to match the number, because the paper prints none or different ones
};

/// The printed mean of the magnitude of a quantity over a run.
struct PublishedMean {
  Quantity quantity;
  std::string printed;  ///< "2.1641e-5"; empty if it is in a figure only
  AcceptanceRule rule;
  std::string reason;  ///< a sentence: how to obtain the number, or why it is not compared
  Inputs inputs = Inputs::printed;

  std::optional<double> value() const;
  /// Half a unit of the last printed digit.
  double half_unit() const;
};

/// A run that gives such numbers: a preset with some settings changed.
struct PublishedRun {
  int example = 0;     ///< of [P1], from 1
  std::string preset;  ///< key in the catalogue
  std::string integrator;
  std::vector<std::pair<std::string, double>> settings;  ///< as "integrator.step"
  EnergyUnit unit = EnergyUnit::joule;
  SensitivitySweep variation{};
  std::vector<PublishedMean> means;

  /// The scenario, with a sample after every step.
  Result<Scenario> scenario() const;
};

/// "rk45, h = 0.01 s, 100 s, relative tolerance 1e-04": method, step, duration and the parameters
/// of the method that the run sets.
std::string conditions(const PublishedRun& run);

/// The value of a parameter of the method, such as "relative_tolerance", in the first published run
/// of this preset and integrator that sets it; none if no run does.
std::optional<double> published_setting(std::string_view preset, std::string_view integrator,
                                        std::string_view key);

/// Label and key of the quantity whose mean is printed: "unit-length error" for both the maximum
/// and the mean over the bodies.
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
  std::string note;             ///< errors and omissions of the paper that matter for the figure
  std::string errata;           ///< other errors and omissions, in sentences

  /// The published runs that it shows, one per integrator.
  std::vector<const PublishedRun*> lanes() const;
  /// The runs of all lanes at all steps, ordered by lane; not compared.
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

/// The published numbers and figures of one paper.
struct PublishedPaper {
  std::vector<PublishedRun> runs;
  std::vector<PaperFigure> figures;
  PaperField field;
};
/// Reads the table of a paper. Fails, with the line, for an unknown key, preset, integrator or
/// quantity, and for a printed number that does not have the form 1.2345e-6.
Result<PublishedPaper> read_published(std::string_view text, std::string_view source);

/// The order p of y ∝ x^p, fitted to the logarithms of at least two points with positive values.
double fitted_order(std::span<const double> x, std::span<const double> y);

}  // namespace twosphere
