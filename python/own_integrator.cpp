// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <cmath>

#include "core/catalog.h"
#include "core/mechanics/diagnostics.h"
#include "core/mechanics/dynamics.h"
#include "python/bindings.h"
#include "python/own.h"
#include "python/system_view.h"

namespace twosphere::python {

namespace {

/// How far a method that keeps the sphere may leave it in a step.
constexpr double sphere_tolerance = 1e-9;

State state_of(const System& system, py::handle q, py::handle omega, double t) {
  return {t, to_columns(q, system.size(), "q"), to_columns(omega, system.size(), "omega")};
}

py::array_t<double> acceleration(const SystemView& view, py::handle time, py::handle q,
                                 py::handle omega) {
  const System& system = view.system();
  const double t = to_number(time, "t");
  const State state = state_of(system, q, omega, t);
  EquationsOfMotion equations(system, Formulation::omega);
  Columns qdot(3, system.size()), rate(3, system.size());
  Calls calls;
  equations.evaluate(system, t, state.q, state.w, qdot, rate);
  calls.raise_kept();
  return frozen(rate);
}

template <class Evaluate>
auto at(const SystemView& view, py::handle q, Evaluate&& evaluate) {
  const System& system = view.system();
  const Columns columns = to_columns(q, system.size(), "q");
  Calls calls;
  auto result = evaluate(system, columns);
  calls.raise_kept();
  return result;
}

/// A step that is a Python function of (system, t, h, q, ω).
class OwnIntegrator final : public Integrator {
 public:
  OwnIntegrator(py::handle step, std::string key, bool keeps_sphere, const NumberList& numbers)
      : step_(step), key_(std::move(key)), keeps_sphere_(keeps_sphere), numbers_(numbers) {}

  void prepare(const System&, const State&) override {}

  StepReport advance(const System& system, double h, State& state) override {
    const py::gil_scoped_acquire acquire;
    StepReport report;
    try {
      const auto view = std::make_shared<SystemView>(system);
      const Lent lent{*view};
      const py::object out =
          step_(view, state.t, h, frozen(state.q), frozen(state.w), **numbers_.arguments());
      const py::tuple parts = py::tuple(out);
      if (parts.size() != 2 && parts.size() != 3)
        raise({ErrorKind::usage, key_, "a step must return (q, omega) or (q, omega, work)"});
      const Columns q = to_columns(parts[0], state.size(), key_ + ": q"),
                    w = to_columns(parts[1], state.size(), key_ + ": omega");
      const double work = parts.size() == 3 ? to_double(parts[2], key_ + ": work") : 0;
      for (Eigen::Index i = 0; i < q.cols(); ++i) {
        report.body = static_cast<int>(i);
        if (!q.col(i).allFinite() || !w.col(i).allFinite() || !std::isfinite(work)) {
          report.status = StepStatus::not_finite;
          return report;
        }
        if (keeps_sphere_ && unit_length_error(q.col(i)) > sphere_tolerance)
          raise({ErrorKind::numerical, key_,
                 fmt::format("a step left the sphere by {:.2g} at body {}, though keeps_sphere "
                             "was given",
                             unit_length_error(q.col(i)), i)});
      }
      report.body = 0;
      report.work = work;
      state.q = q;
      state.w = w;
    } catch (...) {
      Calls::keep();
      report.status = StepStatus::not_finite;
    }
    return report;
  }

 private:
  struct Lent {
    SystemView& view;
    ~Lent() { view.close(); }
  };

  py::handle step_;  // never released, see add_own_integrator()
  std::string key_;
  bool keeps_sphere_;
  NumberList numbers_;
};

void add_own_integrator(const std::string& key, const py::object& step, py::handle order,
                        bool explicit_method, bool symplectic, bool reversible, bool keeps_sphere,
                        const std::string& title, const std::string& description,
                        const std::string& formula, const std::string& reference,
                        const py::dict& parameters) {
  IntegratorInfo info{.key = keep(key),
                      .title = keep(title.empty() ? key : title),
                      .description = keep(description),
                      .formula = keep(formula),
                      .reference = keep(reference),
                      .order = to_int(order, "order", 1),
                      .explicit_method = explicit_method,
                      .symplectic = symplectic,
                      .reversible = reversible,
                      .keeps_sphere = keeps_sphere,
                      .parameters = own_parameters(parameters)};
  // Records are there until the process ends, after the interpreter.
  const py::handle held = py::object(step).release();
  info.create = [held, key, keeps_sphere,
                 list = info.parameters](const Values& values) -> std::unique_ptr<Integrator> {
    return std::make_unique<OwnIntegrator>(held, key, keeps_sphere, NumberList(list, values));
  };
  const auto added = add_integrator(std::move(info));
  if (!added) raise({added.error().kind, "name", added.error().message});
}

}  // namespace

const System& SystemView::system() const {
  if (!system_)
    raise({ErrorKind::usage, "",
           "this system was lent to a step, which is over; use that of a "
           "simulation: Simulation.system"});
  return *system_;
}

void bind_own_integrator(py::module_& module) {
  py::class_<SystemView, std::shared_ptr<SystemView>>(
      module, "System", "A system with its parameters, to be evaluated. q and omega are (n, 3).")
      .def_property_readonly(
          "bodies", [](const SystemView& v) { return v.system().size(); }, "Number n of bodies.")
      .def(
          "potential",
          [](const SystemView& v, const py::object& q) {
            return at(v, q, [](const System& s, const Columns& c) { return s.potential(c); });
          },
          py::arg("q"), "V(q) [J].")
      .def(
          "gradient",
          [](const SystemView& v, const py::object& q) {
            return at(v, q, [](const System& s, const Columns& c) {
              Columns g(3, c.cols());
              s.gradient(c, g);
              return frozen(g);
            });
          },
          py::arg("q"), "∂V/∂q_i in R³ [J], (n, 3); a part along q_i may be left out.")
      .def(
          "hessian_times",
          [](const SystemView& v, const py::object& q, const py::object& direction) {
            const Columns along = to_columns(direction, v.system().size(), "v");
            return at(v, q, [&](const System& s, const Columns& c) {
              Columns h(3, c.cols());
              s.hessian_times(c, along, h);
              return frozen(h);
            });
          },
          py::arg("q"), py::arg("v"), "Σ_j ∂²V/∂q_i∂q_j v_j for v_i ⟂ q_i [J], (n, 3).")
      .def(
          "force",
          [](const SystemView& v, const py::object& time, const py::object& q,
             const py::object& omega) {
            const double t = to_number(time, "t");
            const Columns w = to_columns(omega, v.system().size(), "omega");
            return at(v, q, [&](const System& s, const Columns& c) {
              Columns f(3, c.cols()), more(3, c.cols());
              s.force(t, c, f);
              s.velocity_force(t, c, w, more);
              f += more;
              if (const Eigen::VectorXd& d = s.damping(); d.size() > 0)
                for (Eigen::Index i = 0; i < c.cols(); ++i)
                  f.col(i) -= d[i] * w.col(i).cross(c.col(i));
              return frozen(f);
            });
          },
          py::arg("t"), py::arg("q"), py::arg("omega"),
          "External forces f_i on q_i with those of velocities and damping [N m], (n, 3).")
      .def(
          "inertia",
          [](const SystemView& v, const py::object& q) {
            return at(v, q, [](const System& s, const Columns& c) {
              const Eigen::MatrixXd m = dense(s.inertia(), c);
              return adopt({m.data(), m.data() + m.size()}, {m.rows(), m.cols()});
            });
          },
          py::arg("q"), "M(q) [kg m²], (n, n).")
      .def("acceleration", &acceleration, py::arg("t"), py::arg("q"), py::arg("omega"),
           "The angular accelerations by the equations of motion [rad/s²], (n, 3).")
      .def(
          "energy",
          [](const SystemView& v, const py::object& q, const py::object& omega) {
            const State state = state_of(v.system(), q, omega, 0);
            return at(v, q,
                      [&](const System& s, const Columns&) { return total_energy(s, state); });
          },
          py::arg("q"), py::arg("omega"), "E = T + V [J].");
  module.def("add_integrator", &add_own_integrator, py::arg("name"), py::arg("step"),
             py::arg("order"), py::arg("explicit_method"), py::arg("symplectic"),
             py::arg("reversible"), py::arg("keeps_sphere"), py::arg("title"),
             py::arg("description"), py::arg("formula"), py::arg("reference"),
             py::arg("parameters"),
             "Adds an integrator whose step is a Python function to those of this process.");
}

}  // namespace twosphere::python
