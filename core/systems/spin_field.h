// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/custom/definition.h"
#include "core/mechanics/parameter.h"
#include "core/mechanics/sphere.h"

namespace twosphere {

/// The field B [J] on spins: constant; rotating about n with B = A (cos(2πνt + φ) u + sin(2πνt + φ)
/// v), u, v and n right-handed and orthonormal, or a pulse A exp(−(t − t₀)²/2w²).
class SpinField {
 public:
  /// From the numbers of spin_field_parameter(); the axis may have any nonzero length.
  explicit SpinField(const std::vector<double>& numbers);

  /// B where it is constant, else 0.
  Vec3 constant() const { return kind_ == Kind::constant ? first_ : Vec3(Vec3::Zero()); }
  /// B(t) where it depends on t, else 0.
  Vec3 driven(double t) const;
  /// Whether driven() can be nonzero.
  bool drives() const { return kind_ != Kind::constant && !first_.isZero(0); }
  /// 1/ν of a rotating field [s]; 0 of others.
  double period() const;
  /// Whether the field is the same a time [s] later, always; a pulse never is.
  bool repeats_after(double time) const;
  /// The axes about which the field is symmetric at all times.
  std::array<bool, 3> symmetric() const;

 private:
  enum class Kind { constant, rotating, pulse };

  Kind kind_;
  Vec3 first_ = Vec3::Zero(), second_ = Vec3::Zero();  // B, A u and A v, or A
  double rate_ = 0, phase_ = 0;                        // 2πν and φ, or w and t₀
};

inline constexpr std::string_view spin_field_key = "field";
/// The parameter with its three forms.
ParameterInfo spin_field_parameter();
/// Fails if the axis of a rotating field has length 0.
Result<void> check_spin_field(const Values& values);

/// Adds the parameters of a field that depends on t to a definition; returns B(t) as text.
std::string add_spin_field(Definition& definition, const std::vector<double>& numbers);

/// The axes along which v has no other component: 0 is along all.
std::array<bool, 3> along_axes(const Vec3& v);

}  // namespace twosphere
