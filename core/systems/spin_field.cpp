// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/systems/spin_field.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "core/systems/texts.h"

namespace twosphere {

SpinField::SpinField(const std::vector<double>& numbers)
    : kind_(static_cast<Kind>(static_cast<int>(numbers[0]))) {
  switch (kind_) {
    case Kind::constant:
      first_ = Eigen::Map<const Vec3>(&numbers[1]);
      break;
    case Kind::rotating: {
      const auto basis = tangent_basis(Eigen::Map<const Vec3>(&numbers[2]));
      first_ = numbers[1] * basis.col(0);
      second_ = numbers[1] * basis.col(1);
      rate_ = 2 * std::numbers::pi * numbers[5];
      phase_ = numbers[6];
      break;
    }
    case Kind::pulse:
      first_ = Eigen::Map<const Vec3>(&numbers[1]);
      phase_ = numbers[4];
      rate_ = numbers[5];
      break;
  }
}

Vec3 SpinField::driven(double t) const {
  switch (kind_) {
    case Kind::constant:
      break;
    case Kind::rotating: {
      const double angle = rate_ * t + phase_;
      return std::cos(angle) * first_ + std::sin(angle) * second_;
    }
    case Kind::pulse: {
      const double late = (t - phase_) / rate_;
      return std::exp(-late * late / 2) * first_;
    }
  }
  return Vec3::Zero();
}

double SpinField::period() const {
  return kind_ == Kind::rotating && rate_ != 0 ? 2 * std::numbers::pi / std::abs(rate_) : 0;
}

bool SpinField::repeats_after(double time) const {
  constexpr double small = 1e-9;
  const double turns = rate_ * time / (2 * std::numbers::pi);
  return !drives() || (kind_ == Kind::rotating && std::abs(turns - std::round(turns)) <= small);
}

std::array<bool, 3> SpinField::symmetric() const {
  if (kind_ == Kind::rotating && drives()) return {false, false, false};
  return along_axes(first_);
}

ParameterInfo spin_field_parameter() {
  const auto field = [](std::string_view key, std::string_view symbol, std::string_view label,
                        std::string_view unit, std::string_view help) {
    return ParameterInfo{.key = key,
                         .symbol = symbol,
                         .label = label,
                         .unit = unit,
                         .help = help,
                         .low = -2,
                         .high = 2};
  };
  ParameterInfo constant =
      field("field", "B", "field", "J", "Energy of a spin along the field is −B.");
  constant.shape = Shape::vector;
  ParameterInfo amplitude = field("amplitude", "A", "field amplitude", "J",
                                  "Largest field, as the energy of a spin against it.");
  amplitude.required = true;
  amplitude.default_value = 0.1;
  ParameterInfo axis = field("axis", "n_B", "field axis", "1",
                             "Axis about which the field rotates; of any nonzero length.");
  axis.shape = Shape::vector;
  axis.default_vector = {0, 0, 1};
  axis.low = -1;
  axis.high = 1;
  ParameterInfo frequency = field("frequency", "ν", "field frequency", "Hz",
                                  "Turns per second about the axis, negative for the other way.");
  frequency.required = true;
  frequency.default_value = 0.1;
  ParameterInfo phase = field("phase", "φ", "field phase", "rad", "Angle of the field at t = 0.");
  phase.low = -3.2;
  phase.high = 3.2;
  ParameterInfo peak = amplitude;
  peak.help = "Field at the peak of the pulse.";
  peak.shape = Shape::vector;
  peak.default_vector = {0.1, 0, 0};
  ParameterInfo time = field("time", "t₀", "pulse time", "s", "Time of the peak.");
  time.required = true;
  time.default_value = 10;
  time.low = 0;
  time.high = 100;
  ParameterInfo width = field("width", "w", "pulse width", "s", "Standard deviation of the pulse.");
  width.domain = Domain::positive;
  width.required = true;
  width.default_value = 1;
  width.low = 0.01;
  width.high = 100;
  width.logarithmic = true;

  ParameterInfo info = field(spin_field_key, "B", "field", "J",
                             "Field on every spin: constant, rotating about an axis, or a pulse.");
  info.shape = Shape::form;
  info.forms = {
      {.key = "constant",
       .label = "Constant",
       .help = "B constant, part of the energy.",
       .fields = {std::move(constant)}},
      {.key = "rotating",
       .label = "Rotating",
       .help = "|B| = A, at right angles to the axis; its work is counted.",
       .fields = {std::move(amplitude), std::move(axis), std::move(frequency), std::move(phase)}},
      {.key = "pulse",
       .label = "Pulse",
       .help = "B = A exp(−(t − t₀)²/2w²), where t is the time of the run; its work is "
               "counted.",
       .fields = {std::move(peak), std::move(time), std::move(width)}}};
  return info;
}

Result<void> check_spin_field(const Values& values) {
  const std::vector<double>& numbers = numbers_of(values, spin_field_key);
  if (numbers[0] == 1 && Eigen::Map<const Vec3>(&numbers[2]).isZero(0))
    return Error{ErrorKind::usage, "field.axis", "must not be the zero vector"};
  return {};
}

std::string add_spin_field(Definition& definition, const std::vector<double>& numbers) {
  const ParameterInfo info = spin_field_parameter();
  const std::vector<ParameterInfo>& fields =
      info.forms[static_cast<std::size_t>(numbers[0])].fields;
  const auto add = [&](std::string name, const ParameterInfo& field, std::vector<double> value) {
    definition.parameters.push_back(parameter_text(std::move(name), field, std::move(value)));
  };
  if (numbers[0] == 2) {
    add("A", fields[0], {numbers[1], numbers[2], numbers[3]});
    add("t0", fields[1], {numbers[4]});
    add("width", fields[2], {numbers[5]});
    return "exp(-((t - t0)/width)^2/2)*A";
  }
  // Two directions at right angles to the axis.
  ParameterInfo side = fields[1];
  side.help = "The field turns from the first to the second of two directions.";
  const auto basis = tangent_basis(Eigen::Map<const Vec3>(&numbers[2]));
  add("A", fields[0], {numbers[1]});
  add("first", side, {basis(0, 0), basis(1, 0), basis(2, 0)});
  add("second", side, {basis(0, 1), basis(1, 1), basis(2, 1)});
  add("nu", fields[2], {numbers[5]});
  add("phi", fields[3], {numbers[6]});
  return "A*(cos(2*pi*nu*t + phi)*first + sin(2*pi*nu*t + phi)*second)";
}

std::array<bool, 3> along_axes(const Vec3& v) {
  const bool x = v.x() == 0, y = v.y() == 0, z = v.z() == 0;
  return {y && z, x && z, x && y};
}

}  // namespace twosphere
