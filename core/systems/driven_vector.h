// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/custom/definition.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

/// A vector that is constant, or a sine of the time t of the run [s]:
///   A   or   A sin(2π ν t + φ)
/// It has the unit of A; ν [Hz], φ [rad].
class DrivenVector {
 public:
  /// From the numbers of a parameter whose first two forms are driven_forms().
  explicit DrivenVector(const std::vector<double>& numbers);

  Vec3 at(double t) const;
  const Vec3& amplitude() const { return amplitude_; }
  /// Whether it can be nonzero.
  bool acts() const { return !amplitude_.isZero(0); }
  /// Whether it depends explicitly on t.
  bool time_dependent() const { return sine_ && acts() && frequency_ != 0; }
  /// 1/ν [s]; 0 where it does not depend on t.
  double period() const { return time_dependent() ? 1 / std::abs(frequency_) : 0; }

 private:
  bool sine_;
  Vec3 amplitude_;
  double frequency_ = 0, phase_ = 0;
};

/// The texts of both forms in the record of a parameter.
struct DrivenTexts {
  std::string_view symbol, unit;
  /// Label and help of the constant vector; help of the form.
  std::string_view constant_label, constant_help, constant_form_help;
  /// Label and help of the sine, with those of its amplitude, frequency and phase.
  std::string_view amplitude_label, amplitude_help, frequency_label, frequency_help, phase_label,
      sine_form_help;
};
/// The forms "constant", with one field `constant_key`, and "sine", with "amplitude", "frequency"
/// and "phase". Vectors are dragged from −20 to 20.
std::vector<ParameterForm> driven_forms(std::string_view constant_key, const DrivenTexts& texts);

/// The names in a definition of a vector that is constant, or of A, ν and φ.
struct DrivenNames {
  std::string_view constant, amplitude, frequency, phase;
};
/// Adds the parameters of the present form, one of the first two of `info`, to a definition, and
/// returns the vector as text.
std::string add_driven_vector(Definition& definition, const ParameterInfo& info,
                              const std::vector<double>& numbers, const DrivenNames& names);

}  // namespace twosphere
