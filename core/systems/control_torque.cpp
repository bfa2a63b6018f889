// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/systems/control_torque.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "core/systems/texts.h"

namespace twosphere {

ControlTorque::ControlTorque(const std::vector<double>& numbers) : form_(DrivenVector(numbers)) {
  // In the order of the parameter's forms and their fields.
  const Vec3 v = Eigen::Map<const Vec3>(&numbers[1]);
  if (numbers[0] >= 2) form_ = Pd{v.stableNormalized(), numbers[4], numbers[5], numbers[0] == 3};
}

bool ControlTorque::on_every_link() const {
  const auto* pd = std::get_if<Pd>(&form_);
  return pd && pd->every_link;
}

Vec3 ControlTorque::torque(double t) const {
  const auto* driven = std::get_if<DrivenVector>(&form_);
  return driven ? driven->at(t) : Vec3::Zero();
}

Vec3 ControlTorque::force(double t, const Vec3& q) const {
  // PD control: f = k_p q_d; the derivative term is part of damping().
  if (const auto* pd = std::get_if<Pd>(&form_)) return pd->kp * pd->target;
  // f = τ × q, so that q × f is the tangential part of τ.
  return torque(t).cross(q);
}

Vec3 ControlTorque::force_slope(double t, const Vec3& v) const { return torque(t).cross(v); }

bool ControlTorque::acts() const {
  const auto* pd = std::get_if<Pd>(&form_);
  return pd ? pd->kp != 0 : std::get<DrivenVector>(form_).acts();
}

bool ControlTorque::time_dependent() const {
  const auto* driven = std::get_if<DrivenVector>(&form_);
  return driven && driven->time_dependent();
}

double ControlTorque::period() const {
  const auto* driven = std::get_if<DrivenVector>(&form_);
  return driven ? driven->period() : 0;
}

double ControlTorque::damping() const {
  const auto* pd = std::get_if<Pd>(&form_);
  return pd ? pd->kd : 0;
}

std::array<bool, 3> ControlTorque::symmetric() const {
  if (!acts()) return {true, true, true};
  const auto* pd = std::get_if<Pd>(&form_);
  if (!pd) return {false, false, false};
  // Axes along which the target points.
  const auto zero = (pd->target.array() == 0).eval();
  return {zero[1] && zero[2], zero[0] && zero[2], zero[0] && zero[1]};
}

ParameterInfo control_torque_parameter() {
  const auto field = [](std::string_view key, std::string_view symbol, std::string_view label,
                        std::string_view unit, std::string_view help) {
    return ParameterInfo{
        .key = key, .symbol = symbol, .label = label, .unit = unit, .help = help, .low = 0};
  };
  ParameterInfo target =
      field("target_q", "q_d", "target direction", "1",
            "Target direction of the first link; a vector of any nonzero length.");
  target.shape = Shape::vector;
  target.required = true;
  target.default_vector = {0, 0, -1};
  target.low = -1;
  ParameterInfo kp =
      field("kp", "k_p", "proportional gain", "N m", "Torque per sine of the angle to the target.");
  kp.domain = Domain::non_negative;
  kp.required = true;
  kp.default_value = 10;
  kp.high = 1000;
  ParameterInfo kd = field("kd", "k_d", "derivative gain", "N m s",
                           "Torque per unit angular velocity, opposing the motion.");
  kd.domain = Domain::non_negative;
  kd.required = true;
  kd.default_value = 1;
  kd.high = 100;

  ParameterInfo info = field(
      control_torque_key, "τ", "control torque", "N m",
      "Torque on the base joint: constant, a sine of time, or PD control of the first link; or "
      "PD control of every link.");
  info.shape = Shape::form;
  info.low = -20;
  info.high = 20;
  ParameterInfo every_target = target;
  every_target.help = "Direction in which every link is held; a vector of any nonzero length.";
  std::vector<ParameterInfo> of_first{std::move(target), kp, kd};
  info.forms = driven_forms(
      "torque", {.symbol = "τ",
                 .unit = "N m",
                 .constant_label = "constant torque",
                 .constant_help = "Torque on the base.",
                 .constant_form_help = "τ constant.",
                 .amplitude_label = "torque amplitude",
                 .amplitude_help = "Amplitude of the torque on the base joint, as a "
                                   "vector along its axis.",
                 .frequency_label = "torque frequency",
                 .frequency_help = "Frequency of the torque.",
                 .phase_label = "torque phase",
                 .sine_form_help = "τ = A sin(2π ν t + φ), where t is the time of the run."});
  info.forms.push_back(
      {.key = "pd",
       .label = "PD control",
       .help = "τ = k_p q₁ × q_d − k_d ω₁: turns the first link towards q_d and damps its motion.",
       .fields = std::move(of_first)});
  info.forms.push_back(
      {.key = "hold",
       .label = "Held pose",
       .help = "PD control of every link: τᵢ = k_p qᵢ × q_d − k_d ωᵢ. It holds the chain straight "
               "along q_d, against gravity if k_p is larger than g lᵢ (mᵢ + … + mₙ) for every link "
               "i.",
       .fields = {std::move(every_target), std::move(kp), std::move(kd)}});
  return info;
}

void add_control_torque(Definition& definition, const Values& values) {
  const std::vector<double>& numbers = numbers_of(values, control_torque_key);
  const ControlTorque torque(numbers);
  const ParameterInfo info = control_torque_parameter();
  if (numbers[0] < 2) {
    if (torque.acts())
      definition.torque.push_back(
          "torque[0] = " + add_driven_vector(definition, info, numbers, {"tau", "A", "nu", "phi"}));
    return;
  }
  const std::vector<ParameterInfo>& fields =
      info.forms[static_cast<std::size_t>(numbers[0])].fields;
  const auto add = [&](std::string name, std::size_t field, std::vector<double> value) {
    definition.parameters.push_back(
        parameter_text(std::move(name), fields[field], std::move(value)));
  };
  const std::string links = torque.on_every_link() ? "i" : "0";
  if (torque.acts()) {
    add("q_d", 0, {numbers[1], numbers[2], numbers[3]});
    add("k_p", 1, {numbers[4]});
    definition.force.push_back(fmt::format("f[{}] = k_p*q_d/norm(q_d)", links));
  }
  if (torque.damping() != 0) {
    add("k_d", 2, {numbers[5]});
    definition.torque.push_back(fmt::format("torque[{0}] = -k_d*w[{0}]", links));
  }
}

Result<void> check_control_torque(const Values& values) {
  const std::vector<double>& numbers = numbers_of(values, control_torque_key);
  if (numbers[0] >= 2 && Eigen::Map<const Vec3>(&numbers[1]).isZero(0))
    return Error{ErrorKind::usage, "control_torque.target_q", "must not be the zero vector"};
  return {};
}

}  // namespace twosphere
