// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <new>
#include <variant>

#include "core/custom/checker.h"
#include "core/custom/custom_system.h"
#include "core/custom/equations.h"
#include "core/custom/finite_check.h"
#include "core/language/source.h"
#include "core/language/units.h"
#include "core/mechanics/random_state.h"

namespace twosphere {

namespace custom {
namespace {

using Form = Definition::Parameter::Form;

/// The form of a parameter in the catalogue's terms. Lists of pairs have none: they are part of the
/// definition.
Shape shape_of(const Definition::Parameter& p, int bodies) {
  if (p.form == Form::number) return Shape::scalar;
  if (static_cast<int>(p.value.size()) == bodies) return Shape::per_body;
  return p.value.size() == 3 ? Shape::vector : Shape::list;
}

Values values_of(const Definition& definition) {
  Values values;
  for (const Definition::Parameter& p : definition.parameters) values[p.key] = p.value;
  return values;
}

Error error_of(const TextError& error) {
  const std::string column = error.column > 0 ? fmt::format(":{}", error.column) : "";
  return {ErrorKind::usage, error.location + column, error.message};
}

/// Whether the differences of f from q along unit tangents d tend to the slope, on each side on
/// which f is a number.
template <class F>
bool tend_to(double slope, const F& f, const Columns& q, const Columns& d) {
  const double here = f(q), rounding = 1e-6 * (std::abs(here) + std::abs(slope));
  for (const double side : {-1.0, 1.0}) {
    const auto error = [&](double h) {
      const Columns there = std::cos(h) * q + side * std::sin(h) * d;
      return std::abs(side * (f(there) - here) / h - slope);
    };
    if (error(1e-7) > std::max(0.8 * error(1e-4), rounding)) return false;
  }
  return true;
}

/// Whether there is a choice in a text or in a definition that it may use.
bool may_choose(const Model& model, const Ref& text) {
  const auto chooses = [](const auto& self, const Ref& node) -> bool {
    return node->op == Op::choose || std::any_of(node->parts.begin(), node->parts.end(),
                                                 [&](const Ref& part) { return self(self, part); });
  };
  return chooses(chooses, text) ||
         std::any_of(model.named.begin(), model.named.end(),
                     [&](const Named& one) { return chooses(chooses, one.body); });
}

class CheckedDefinition final : public CompiledDefinition {
 public:
  explicit CheckedDefinition(std::shared_ptr<const Model> model)
      : model_(std::move(model)), warnings_(model_->warnings) {
    const Values values = values_of(definition());
    // Made once, so that what is wrong with these values is said now and not at the first step.
    const auto system = make_system(model_, values);
    check_symmetry(*model_, values);
    const int n = definition().bodies;
    // An inertia that depends on q is tried at states of many kinds; one decomposition takes O(n³).
    const unsigned samples = n <= 64 ? 20 : 2;
    for (unsigned s = 0; s < samples; ++s) {
      const Columns q = random_directions(n, s);
      check_inertia(*model_, *system, q, state_in_words(q));
    }
    offer_structure(*system);
    describe();
  }

  const Definition& definition() const override { return model_->definition; }
  const SystemInfo& info() const override { return info_; }
  const std::vector<TextError>& warnings() const override { return warnings_; }
  bool knows_unit(std::size_t plot) const override {
    return model_->plots[plot].values[0]->unit.has_value();
  }
  std::optional<TextError> check_start(const State& start, const System& system,
                                       const Values& values) const override {
    return start_error(start, system, *model_, values);
  }
  std::string vanishing_norm(const State& start, const Values& values) const override {
    return custom::vanishing_norm(*model_, values, start, model_->potential);
  }
  std::optional<TextError> check_forces(const State& start, const System& system,
                                        const Values& values) const override {
    try {
      Columns f(3, start.size()), moving(3, start.size());
      // Forces of t and q, and those that depend on ω.
      system.force(start.t, start.q, f);
      system.velocity_force(start.t, start.q, start.w, moving);
      if (f.allFinite() && moving.allFinite()) return {};
      for (const Entry& entry : model_->forces)
        check_finite(*model_, values, start, entry.over.get(), entry.values[0], "a force");
      model_->forces[0].source->fail(1, "a force is not finite at the start");
    } catch (const TextException& failure) {
      return failure.error();
    }
    return {};
  }

 private:
  /// A structured inertia is offered where a matrix was written: a step costs O(n), not O(n³).
  void offer_structure(const System& system) {
    const auto* matrix = std::get_if<DenseInertia>(&system.inertia());
    // That of a Lagrangian has it already.
    const bool written = model_->inertia.kind == InertiaText::Kind::matrix;
    const std::string form = matrix && written ? simpler_form(matrix->matrix) : "";
    if (form.empty() || warnings_.size() >= Limits::warnings) return;
    const Source& source = *model_->inertia.arguments[0].source;
    warnings_.push_back({source.location, 1,
                         fmt::format("this matrix {}; a step takes fewer operations then", form),
                         source.text});
  }

  std::string_view stored(std::string text) { return texts_.emplace_back(std::move(text)); }

  void describe() {
    for (std::size_t k = 0; k < model_->plots.size(); ++k)
      info_.own_quantities.push_back(
          {definition().plots[k].first, stored(unit_name(*model_->plots[k].values[0]))});
    info_.key = custom_system().key;
    info_.title = "Custom system";
    info_.description = "A system that is defined by the texts of its scenario.";
    info_.equations = stored(fmt::format("{}", fmt::join(equations(definition()), ",  ")));
    // Which of them are conserved depends on the parameters, and may change during a run.
    info_.momentum_columns = {true, true, true};
    info_.first_order = definition().first_order;
    for (const Definition::Parameter& p : definition().parameters)
      if (p.form != Form::pairs) describe(p);
    // The record makes systems with other values of the parameters, of the same number of bodies.
    info_.create = [model = model_](int n,
                                    const Values& values) -> Result<std::unique_ptr<const System>> {
      const int bodies = model->definition.bodies;
      if (n != bodies)
        return Error{ErrorKind::usage, "bodies",
                     fmt::format("{} bodies, but the definition is for {}", n, bodies)};
      try {
        return std::unique_ptr<const System>(make_system(model, values));
      } catch (const TextException& failure) {
        return error_of(failure.error());
      }
    };
    info_.check_start = [model = model_](const Columns& q, const Values& values) -> Result<void> {
      const auto error = start_error({0, q, Columns::Zero(3, q.cols())},
                                     *make_system(model, values), *model, values);
      if (error) return error_of(*error);
      return {};
    };
  }

  /// The first error of a start, apart from those of the forces.
  static std::optional<TextError> start_error(const State& start, const System& system,
                                              const Model& model, const Values& values) {
    try {
      const Source& potential = *model.potential->source;
      const std::string energy = model.definition.first_order ? "H" : "V";
      // V, its gradient and M at the start: the first part that is not finite is named.
      if (const double v = system.potential(start.q); !std::isfinite(v)) {
        check_finite(model, values, start, nullptr, model.potential, energy);
        potential.fail(
            1, fmt::format("{} is {} at the start; it must be finite", energy, in_words(v)));
      }
      Columns g(3, start.size());
      system.gradient(start.q, g);
      for (Eigen::Index i = 0; i < g.cols(); ++i) {
        if (g.col(i).allFinite()) continue;
        check_smooth(model, values, start, model.potential, energy);
        potential.fail(
            1, fmt::format("the derivative of {} by q[{}] is not finite at the start", energy, i));
      }
      // Beside a choice, what multiplies 0 counts as not chosen, even if it is infinite.
      const auto v = [&](const Columns& q) { return system.potential(q); };
      const Columns d = random_tangents(start.q, 0);
      if (may_choose(model, model.potential) && !tend_to(g.cwiseProduct(d).sum(), v, start.q, d))
        check_smooth(model, values, start, model.potential, energy);
      check_inertia(model, system, start.q, "at the start");
      check_gyroscopic(start, system, model, values);
    } catch (const TextException& failure) {
      return failure.error();
    }
    return {};
  }

  /// Throws unless A and its derivative are finite at the start.
  static void check_gyroscopic(const State& start, const System& system, const Model& model,
                               const Values& values) {
    const GyroscopicField* field = system.gyroscopic();
    if (!field) return;
    constexpr const char* what = "A of terms A(q).v";
    Columns a(3, start.size()), slope = Columns::Zero(3, start.size());
    field->evaluate(start.q, a);
    if (!a.allFinite()) {
      check_finite(model, values, start, nullptr, model.gyroscopic, what);
      model.gyroscopic->source->fail(1, "A of terms A(q).v is not finite at the start");
    }
    const Columns d = random_tangents(start.q, 0);
    field->slopes(start.q, d, slope);
    const auto along_d = [&](const Columns& q) {
      field->evaluate(q, a);
      return a.cwiseProduct(d).sum();
    };
    if (slope.allFinite() && (!may_choose(model, model.gyroscopic) ||
                              tend_to(slope.cwiseProduct(d).sum(), along_d, start.q, d)))
      return;
    check_smooth(model, values, start, model.gyroscopic, what);
    if (slope.allFinite()) return;
    model.gyroscopic->source->fail(1, "A of terms A(q).v has no finite derivative at the start");
  }

  void describe(const Definition::Parameter& p) {
    const auto [low, high] = range(p);
    const Shape shape = shape_of(p, definition().bodies);
    info_.parameters.push_back(
        {.key = p.key,
         .symbol = p.key,
         .label = p.key,
         .unit = p.unit.empty() ? std::string_view("1") : stored(shown_unit(p.unit)),
         .help = p.help.empty() ? stored(fmt::format("\"{}\" of the definition.", p.key))
                                : std::string_view(p.help),
         .shape = shape,
         .default_value = p.value.empty() ? 0 : p.value[0],
         .default_vector = shape == Shape::scalar ? std::vector<double>() : p.value,
         .low = low,
         .high = high});
  }

  /// The range offered for dragging: as given, or twice the largest value to either side of 0 on
  /// which there are values.
  static std::array<double, 2> range(const Definition::Parameter& p) {
    if (p.range) return *p.range;
    double low = 0, high = 0;
    for (const double x : p.value) {
      low = std::min(low, 2 * x);
      high = std::max(high, 2 * x);
    }
    if (low == high) return {-1, 1};
    return {std::max(low, -1e300), std::min(high, 1e300)};
  }

  std::shared_ptr<const Model> model_;
  std::vector<TextError> warnings_;
  SystemInfo info_;
  std::deque<std::string> texts_;
};

}  // namespace
}  // namespace custom

CompileResult translate(Definition definition) {
  try {
    return {std::make_shared<custom::CheckedDefinition>(custom::check(std::move(definition))), {}};
  } catch (const custom::TextException& failure) {
    return {nullptr, failure.error()};
  } catch (const std::bad_alloc&) {
    return {nullptr, {"", 0, "needs more memory than there is", ""}};
  }
}

long operations_for_definitions() { return custom::Constants::counted(); }

}  // namespace twosphere
