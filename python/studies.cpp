// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/exceptions.h"
#include "core/base/json.h"
#include "core/base/simd_level.h"
#include "core/base/thread_pool.h"
#include "core/output/csv.h"
#include "core/scenario/branches.h"
#include "core/scenario/document.h"
#include "core/scenario/setting_unit.h"
#include "core/scenario/writer.h"
#include "core/studies/cloud_study.h"
#include "core/studies/equilibria_table.h"
#include "core/studies/orbit_family_table.h"
#include "core/studies/orbit_problem.h"
#include "core/studies/order_plan.h"
#include "core/studies/order_table.h"
#include "core/studies/relative_equilibria.h"
#include "core/studies/section_study.h"
#include "core/studies/sweep_collect.h"
#include "core/studies/sweep_folder.h"
#include "core/studies/sweep_plan.h"
#include "core/studies/sweep_run.h"
#include "core/studies/task_orbit.h"
#include "python/bindings.h"
#include "python/watch.h"

namespace twosphere::python {

namespace {

SweepAxis axis_of(const std::string& path, py::handle values) {
  if (py::isinstance<py::str>(values)) {
    auto parsed = parse_axis(path + '=' + values.cast<std::string>());
    if (!parsed) raise({parsed.error().kind, "axis", parsed.error().text()});
    return std::move(*parsed);
  }
  SweepAxis axis{path, to_node(values, path).items};
  if (!axis.path.valid()) raise({ErrorKind::usage, "axis", axis.path.problem()});
  if (axis.values.empty()) raise({ErrorKind::usage, "axis", path + ": there is no value"});
  for (json::Node& value : axis.values) {
    value.integer = false;
    if ((value.kind != json::Kind::number && value.kind != json::Kind::string) ||
        value.kind != axis.values.front().kind)
      raise({ErrorKind::usage, "axis", path + ": values must be all numbers or all words"});
  }
  return axis;
}

constexpr int max_members = 1'000'000;  // of the file of a sweep

/// The starts that a sweep or a study takes of a scenario.
Sweep starts_of(const Scenario& scenario, const py::dict& axes, py::handle members,
                py::handle spread, py::handle seed) {
  Sweep sweep = sweep_of(main_record(scenario));
  sweep.members = to_int(members, "members", 1, max_members);
  sweep.spread = to_number(spread, "spread");
  sweep.seed = static_cast<std::uint64_t>(to_whole(seed, "seed", 0));
  for (const auto& [path, values] : axes)
    sweep.axes.push_back(axis_of(py::str(path).cast<std::string>(), values));
  return sweep;
}

/// How the orbits of the tasks are found: a dictionary as sweep.json has it.
OrbitPlan orbit_plan_of(py::handle orbit) {
  const json::Node node = to_node(orbit, "orbit");
  try {
    return read_orbit_plan(document::Value(document::Origin{""}, node, "orbit"));
  } catch (const Failure& failure) {
    raise(failure.error());
  }
}

/// Calls a Python function about 20 times a second, and handles signals; false once one raises.
class Progress {
 public:
  explicit Progress(py::object function) : function_(std::move(function)) {}

  template <class... Numbers>
  bool operator()(Numbers... numbers) {
    const py::gil_scoped_acquire acquire;
    try {
      watch_.check();
      if (!function_.is_none()) function_(numbers...);
      return true;
    } catch (py::error_already_set&) {
      Calls::keep();
      return false;
    }
  }

 private:
  py::object function_;
  Watch watch_;
};

/// The result of body(report), which computes without the GIL and reports how far it is.
template <class Body>
auto computed(py::object progress, Body&& body) {
  Calls calls;
  Progress report(std::move(progress));
  auto result = [&] {
    const py::gil_scoped_release release;
    return body(report);
  }();
  calls.raise_kept();
  return result;
}

void new_sweep(const std::string& folder, const Scenario& scenario, const py::dict& axes,
               const std::vector<std::string>& measures, py::handle members, py::handle spread,
               py::handle seed, bool same_energy, py::handle orbit) {
  Sweep sweep = starts_of(scenario, axes, members, spread, seed);
  sweep.same_energy = same_energy;
  if (!orbit.is_none()) sweep.orbit = orbit_plan_of(orbit);
  for (const std::string& list : measures) {
    const auto some = parse_measures(list, sweep.scenario);
    if (!some) raise({some.error().kind, "measure", some.error().message});
    sweep.measures.insert(sweep.measures.end(), some->begin(), some->end());
  }
  const bool complete = take(computed(py::none(), [&](Progress& report) {
    return complete_sweep(sweep, processors(),
                          [&](std::size_t done, std::size_t all) { return report(done, all); });
  }));
  if (!complete) raise({ErrorKind::check, "", "the search for equilibria was interrupted"});
  take(make_sweep(folder, sweep));
}

bool run_sweep_part(const std::string& path, py::handle jobs_given, py::handle index_given,
                    py::handle count_given, py::handle save_every_given, bool retry,
                    py::object progress) {
  const int jobs = to_int(jobs_given, "jobs", 1, max_threads),
            count = to_int(count_given, "part", 1), index = to_int(index_given, "part", 1, count);
  const double save_every = to_number(save_every_given, "save_every");
  if (save_every <= 0)
    raise(
        {ErrorKind::usage, "save_every", fmt::format("must be above 0 s, not {:g} s", save_every)});
  const SweepFolder folder = take(open_sweep(path));
  take(check_version(folder));
  if (folder.sweep.isa != isa_level())
    raise({ErrorKind::usage, folder.inside(sweep_file),
           fmt::format("was made at the instruction set level {}, and this is {}; set "
                       "TWOSPHERE_ISA={} before Python starts",
                       folder.sweep.isa, isa_level(), folder.sweep.isa)});
  return take(computed(std::move(progress), [&](Progress& report) {
    return run_sweep(
        folder, {{index, count}, jobs, save_every, retry},
        [&](const SweepProgress& now) { return report(now.done, now.all, now.failed); });
  }));
}

py::dict sweep_results(const std::string& path) {
  using namespace py::literals;
  const SweepFolder folder = take(open_sweep(path));
  const Sweep& sweep = folder.sweep;
  const std::vector<SweepRow> rows = take(read_rows(folder));
  py::list axes, measures, statuses;
  const std::vector<std::string> variables = axis_names(sweep);
  for (std::size_t k = 0; k < sweep.axes.size(); ++k) {
    const SweepAxis& axis = sweep.axes[k];
    py::list values;
    for (const json::Node& value : axis.values) values.append(from_node(value));
    axes.append(py::dict("path"_a = axis.path.text(), "name"_a = variables[k],
                         "unit"_a = setting_unit(sweep.scenario, axis.path), "values"_a = values));
  }
  const std::vector<std::string> names = measure_names(sweep);
  for (std::size_t m = 0; m < sweep.measures.size(); ++m) {
    std::vector<double> values;
    values.reserve(rows.size());
    for (const SweepRow& row : rows)
      values.push_back(m < row.values.size() ? row.values[m] : std::nan(""));
    const auto size = static_cast<py::ssize_t>(values.size());
    measures.append(py::dict("key"_a = sweep.measures[m].key(), "name"_a = names[m],
                             "unit"_a = std::string(sweep.measures[m].unit()),
                             "values"_a = adopt(std::move(values), {size})));
  }
  for (const SweepRow& row : rows) statuses.append(std::string(name(row.status)));
  py::dict results("name"_a = folder.name, "shape"_a = sweep.shape(), "members"_a = sweep.members,
                   "axes"_a = axes, "measures"_a = measures, "status"_a = statuses,
                   "scenario"_a = write_sweep(sweep), "attributes"_a = py::dict());
  if (sweep.equilibria.empty()) return results;
  const UncertainFraction mixed = basins_uncertainty(sweep, rows);
  results["attributes"]["uncertain_fraction"] = mixed.text();
  py::list fractions;
  for (const UncertainFraction::Apart& one : mixed.list) fractions.append(one.fraction);
  results["attributes"]["uncertain_fractions"] = fractions;
  if (mixed.exponent) {
    results["attributes"]["uncertainty_exponent"] = mixed.exponent->first;
    results["attributes"]["uncertainty_exponent_error"] = mixed.exponent->second;
  }
  return results;
}

void collect(const std::string& path, const std::string& file) {
  const SweepFolder folder = take(open_sweep(path));
  take(write_results(folder, take(read_rows(folder)), file));
}

/// The rows as CSV.
py::bytes collected(const std::string& path) {
  const SweepFolder folder = take(open_sweep(path));
  return sweep_table(folder, take(read_rows(folder)));
}

py::dict study(const Scenario& scenario, std::vector<std::string> integrators, py::handle steps,
               py::handle tolerances, std::string reference, py::handle reference_step,
               py::handle threads_given, py::object progress) {
  using namespace py::literals;
  const int threads = to_int(threads_given, "threads", 1, max_threads);
  OrderChoice choice{std::move(integrators),
                     to_list(steps, "steps"),
                     to_list(tolerances, "tolerances"),
                     std::move(reference),
                     {}};
  choice.reference_step = to_optional_number(reference_step, "reference_step");
  if (choice.reference_step && *choice.reference_step <= 0)
    raise({ErrorKind::usage, "reference_step",
           fmt::format("must be above 0 s, not {:g} s", *choice.reference_step)});
  const OrderStudy plan =
      take_called([&] { return plan_order_study(main_record(scenario), choice); });
  const std::optional<OrderStudyResult> result =
      take(computed(std::move(progress), [&](Progress& report) {
        return run_order_study(plan, threads, {.proceed = [&](std::size_t ready, std::size_t of) {
                                 return report(ready, of);
                               }});
      }));
  if (!result || !result->complete()) raise({ErrorKind::check, "", "the study was interrupted"});
  py::dict orders;
  for (std::size_t m = 0; m < plan.methods.size(); ++m)
    if (const auto order = order_of(plan, *result, m))
      orders[py::str(plan.methods[m].type)] = py::make_tuple(order->order, order->deviation);
  return py::dict("table"_a = py::bytes(order_table(plan, *result)),
                  "text"_a = order_text(plan, *result), "orders"_a = orders,
                  "reference"_a = plan.reference.type, "reference_step"_a = plan.reference.step,
                  "least_error"_a = result->min_error());
}

/// `study section`: the table of the points, its description, and how each orbit ended.
py::dict study_section(const Scenario& scenario, const py::dict& axes, py::handle members,
                       py::handle spread, py::handle seed, bool same_energy,
                       py::handle threads_given, py::object progress) {
  using namespace py::literals;
  const int threads = to_int(threads_given, "threads", 1, max_threads);
  Sweep starts = starts_of(scenario, axes, members, spread, seed);
  starts.same_energy = same_energy;
  if (!starts.scenario.section)
    raise({ErrorKind::usage, "section",
           "is missing; give section, stroboscopic, or the key section of the scenario"});
  take_called([&] { return check_starts(starts); });
  const auto surface = take_called(
      [&] { return SectionSurface::create(*starts.scenario.section, starts.scenario); });
  std::string table = section_header(*surface, true);
  const std::vector<SectionOrbit> orbits = computed(std::move(progress), [&](Progress& report) {
    return run_section_study(
        starts, threads, [&](std::string_view rows) { table += rows; },
        [&](std::size_t done, std::size_t all) { return report(done, all); });
  });
  py::list statuses, reasons;
  bool any = false;
  for (const SectionOrbit& orbit : orbits) {
    statuses.append(std::string(name(orbit.status)));
    reasons.append(orbit.why);
    any = any || orbit.why.empty();
  }
  if (!any) raise({ErrorKind::numerical, "", "no start has an orbit: " + orbits.front().why});
  py::list list;
  const std::vector<std::string> variables = axis_names(starts);
  for (std::size_t a = 0; a < starts.axes.size(); ++a) {
    const SweepAxis& axis = starts.axes[a];
    py::list values;
    for (std::size_t k = 0; k < orbits.size(); ++k)
      values.append(from_node(axis.values[starts.point(k)[a]]));
    list.append(py::dict("path"_a = axis.path.text(), "name"_a = variables[a],
                         "unit"_a = setting_unit(starts.scenario, axis.path), "values"_a = values));
  }
  return py::dict("table"_a = py::bytes(table), "description"_a = py::bytes(write_sweep(starts)),
                  "axes"_a = list, "members"_a = starts.members, "status"_a = statuses,
                  "why"_a = reasons);
}

/// `study cloud`: the table of the distances, its description, and the rate of their growth.
py::dict study_cloud(const Scenario& scenario, py::handle members, py::handle spread,
                     py::handle seed, py::object progress) {
  using namespace py::literals;
  const CloudSpec spec{.members = to_int(members, "members", 1, CloudSpec::max_members),
                       .spread = to_number(spread, "spread"),
                       .seed = static_cast<std::uint64_t>(to_whole(seed, "seed", 0))};
  take(check(spec));
  // The plan of a sweep whose member 0 is the orbit itself.
  Sweep starts = sweep_of(main_record(scenario));
  starts.members = spec.members + 1;
  starts.spread = spec.spread;
  starts.seed = spec.seed;
  take_called([&] { return check_starts(starts); });
  if (!starts.scenario.events.empty())
    raise({ErrorKind::usage, "scenario", "has events, which a cloud cannot have"});
  Simulation run = take_called([&] { return Simulation::create(starts.scenario); });
  const CloudStudy study = computed(std::move(progress), [&](Progress& report) {
    return run_cloud_study(run, spec, [&] { return report(run.time(), run.end_time()); });
  });
  if (study.failure) raise({ErrorKind::numerical, "", *study.failure});
  const GrowthRate& rate = study.growth;
  return py::dict("table"_a = py::bytes(cloud_table(study)),
                  "description"_a = py::bytes(write_sweep(starts)), "lost"_a = study.lost,
                  "rate"_a = rate.rate, "rate_error"_a = rate.error, "rows_fitted"_a = rate.rows);
}

/// A system with the configuration from which equilibria or orbits are looked for: its
/// system_at_rest(), or its orbit_system().
struct Resting {
  explicit Resting(const Scenario& scenario, decltype(&system_at_rest) examined = system_at_rest)
      : run(take_called([&] { return Simulation::create(main_record(scenario)); })),
        rest(take(examined(run.system(), run.state(0).t, run.state(0).q))) {}

  Simulation run;
  std::shared_ptr<const System> rest;
};

/// `orbits equilibria`: its JSON, the table and its description.
py::dict equilibria(const Scenario& scenario, py::handle tries, py::handle seed, bool merge_equal,
                    py::handle threads_given, py::object progress) {
  using namespace py::literals;
  const EquilibriumSearch search{.tries = to_int(tries, "tries", 0, EquilibriumSearch::max_tries),
                                 .seed = static_cast<std::uint64_t>(to_whole(seed, "seed", 0)),
                                 .merge_equal = merge_equal};
  const int threads = to_int(threads_given, "threads", 1, max_threads);
  Resting resting(scenario);
  const Equilibria found = computed(std::move(progress), [&](Progress& report) {
    return find_equilibria(*resting.rest, resting.run.state(0).q, search, threads,
                           [&](std::size_t done, std::size_t all) { return report(done, all); });
  });
  if (found.list.empty())
    raise({ErrorKind::check, "", no_equilibrium(found) + "; try more tries or another seed"});
  return py::dict("found"_a = from_node(to_json(found)), "starts"_a = found.starts,
                  "converged"_a = found.converged, "table"_a = py::bytes(equilibria_table(found)),
                  "description"_a = py::bytes(equilibria_companion(resting.run.present(), search)));
}

/// `orbits relative`: its JSON, the table and its description. None of `rate` and `momentum`: the
/// momentum of the start.
py::dict relative_equilibria(const Scenario& scenario, const std::string& axis_name,
                             py::handle rate_given, py::handle momenta_given, py::handle tries,
                             py::handle seed, bool merge_equal, py::handle threads_given,
                             py::object progress) {
  using namespace py::literals;
  const EquilibriumSearch search{.tries = to_int(tries, "tries", 0, EquilibriumSearch::max_tries),
                                 .seed = static_cast<std::uint64_t>(to_whole(seed, "seed", 0)),
                                 .merge_equal = merge_equal};
  const int threads = to_int(threads_given, "threads", 1, max_threads);
  const std::optional<double> rate = to_optional_number(rate_given, "rate");
  std::vector<double> momenta;
  if (!momenta_given.is_none()) momenta = to_list(momenta_given, "momentum");
  if (rate && !momenta.empty())
    raise({ErrorKind::usage, "rate", "cannot be combined with momentum"});
  Resting resting(scenario);
  const State& start = resting.run.state(0);
  const auto about = read_turning_axis(axis_name, *resting.rest, start);
  if (!about) raise({about.error().kind, "axis", about.error().message});
  const TurningSystem turning{resting.run.system(), resting.rest, about->axis};
  take(check_turning(turning));
  if (!rate && momenta.empty()) {
    momenta = {(about->to * orbit_momentum(*turning.system, start))[turning.axis]};
    if (momenta[0] == 0)
      raise({ErrorKind::usage, "momentum",
             "is missing, because the start has none about " + axis_name + "; give it or rate"});
  }
  const Columns q = about->to * start.q;
  RelativeEquilibria found = take(computed(std::move(progress), [&](Progress& report) {
    const SearchProgress proceed = [&](std::size_t done, std::size_t all) {
      return report(done, all);
    };
    return rate ? relative_equilibria_of_rate(turning, q, *rate, search, threads, proceed)
                : relative_equilibria_of_momenta(turning, q, momenta, search, threads, proceed);
  }));
  if (found.curves.empty())
    raise({ErrorKind::check, "",
           fmt::format("no relative equilibrium was found from {} starts", found.starts)});
  about->turn_back(found);
  return py::dict(
      "found"_a = from_node(to_json(found)), "starts"_a = found.starts,
      "converged"_a = found.converged, "table"_a = py::bytes(relative_table(found)),
      "description"_a = py::bytes(relative_companion(resting.run.present(), search, found)));
}

/// `modes`: its JSON, the table and its description.
py::dict modes(const Scenario& scenario, const std::string& at, py::handle threads_given,
               py::object progress) {
  using namespace py::literals;
  const int threads = to_int(threads_given, "threads", 1, max_threads);
  const EquilibriumChoice choice = take(parse_equilibrium_choice(at));
  Resting resting(scenario);
  const auto found = take(computed(std::move(progress), [&](Progress& report) {
    return chosen_equilibrium(*resting.rest, resting.run.state(0).q, choice, threads,
                              [&](std::size_t done, std::size_t all) { return report(done, all); });
  }));
  if (!found) raise({ErrorKind::check, "", "the search was interrupted"});
  const Modes all = take(modes_at(*resting.run.system(), *resting.rest, *found));
  const ModeTable table{resting.run.present(), *found, all, all.list.size()};
  return py::dict("found"_a = from_node(table.document()),
                  "potential_energy"_a = found->potential_energy, "index"_a = found->index,
                  "nullity"_a = found->nullity, "kind"_a = std::string(name(found->kind())),
                  "table"_a = py::bytes(table.csv()),
                  "description"_a = py::bytes(table.companion()));
}

/// `orbits find`: its JSON, the scenario of one period, and what has to be said of it.
py::dict orbit(const Scenario& scenario, const std::string& start, const std::string& at,
               const std::string& relative, const std::string& relabel,
               const std::string& integrator, py::handle period, const std::string& energy,
               py::handle momentum, py::handle steps, py::handle threads_given) {
  using namespace py::literals;
  Resting resting(scenario, orbit_system);
  const System& system = *resting.run.system();
  const State& now = resting.run.state(0);
  OrbitRequest request;
  request.start = {0, now.q, now.w};
  request.duration = scenario.duration;
  request.threads = to_int(threads_given, "threads", 1, max_threads);
  if (!take(read_from(start, request)))
    raise({ErrorKind::usage, "start",
           "must be mode:K, start, return or rest, not " + json::quote(start)});
  if (!at.empty()) request.at = take(parse_equilibrium_choice(at));
  request.period = to_optional_number(period, "period");
  request.momentum = to_optional_number(momentum, "momentum");
  if (!energy.empty()) {
    const AskedEnergy asked = take(read_energy(energy));
    request.energy = asked.value;
    request.above_rest = asked.above_rest;
  }
  if (!steps.is_none()) request.steps = to_int(steps, "steps", 8, max_orbit_steps / 2);
  if (!relabel.empty()) take(read_relabel(relabel, request));
  if (!relative.empty()) request.closure.axis = take(read_axis(relative, system, request.start));
  if (start == "start" && !request.period) take_closed_orbit(scenario, request);
  if (request.momentum && !request.closure.relative())
    raise({ErrorKind::usage, "momentum", "needs relative: only relative orbits hold J"});
  const IntegratorInfo* method =
      integrator.empty() ? &orbit_method(system) : find_integrator(integrator);
  if (!method) raise({ErrorKind::usage, "integrator", json::quote(integrator) + " is not known"});
  const auto found = take(computed(py::none(), [&](Progress& report) {
    return search_orbit(system, *resting.rest, *method, request, [&] { return report(); });
  }));
  if (!found) raise({ErrorKind::check, "", "the search was interrupted"});
  return py::dict("found"_a = from_node(found->document()),
                  "scenario"_a = write_scenario(found->scenario(resting.run.present())),
                  "notes"_a = found->notes);
}

/// `orbits continue`: its JSON, the table and its description.
py::dict family(const Scenario& scenario, const std::string& over, const std::string& to,
                const std::string& bifurcate, py::handle count, py::handle threads_given,
                py::object progress) {
  using namespace py::literals;
  Resting resting(scenario, orbit_system);
  FamilyRequest request;
  const Scenario present = resting.run.present();
  take(read_over(over, present, request));
  take(read_to(to, present, request));
  if (!bifurcate.empty()) take(read_branch(bifurcate, request));
  request.count = static_cast<std::size_t>(to_int(count, "count", 2));
  request.threads = to_int(threads_given, "threads", 1, max_threads);
  const auto found = take(computed(std::move(progress), [&](Progress& report) {
    return continued_family(*resting.run.system(), *resting.rest, present, request,
                            [&](std::size_t members) { return report(members); });
  }));
  return py::dict("found"_a = from_node(found.document()), "reached"_a = found.reached,
                  "closed"_a = found.closed, "end"_a = found.end,
                  "table"_a = py::bytes(found.csv()),
                  "description"_a = py::bytes(found.companion(present)));
}

}  // namespace

void bind_studies(py::module_& module) {
  module.def("new_sweep", &new_sweep, py::arg("folder"), py::arg("scenario"), py::arg("axes"),
             py::arg("measures"), py::arg("members"), py::arg("spread"), py::arg("seed"),
             py::arg("same_energy"), py::arg("orbit") = py::none(),
             "Writes the plan of a sweep to a folder, as `twosphere sweep new`.");
  module.def(
      "run_sweep", &run_sweep_part, py::arg("folder"), py::arg("jobs"), py::arg("index"),
      py::arg("count"), py::arg("save_every"), py::arg("retry"), py::arg("progress"),
      "Runs the tasks of part `index` of `count` that have no row yet; whether all are done.");
  module.def("sweep_results", &sweep_results, py::arg("folder"),
             "The rows of a sweep, by task, with axes, units and statuses.");
  module.def("collected_sweep", &collected, py::arg("folder"), "The rows of a sweep as CSV.");
  module.def("collect_sweep", &collect, py::arg("folder"), py::arg("file"),
             "Writes the rows as .csv, .nc or .zarr, as `twosphere sweep collect`.");
  module.def("has_netcdf", &has_netcdf, "Whether .nc and .zarr can be written.");
  module.def("study", &study, py::arg("scenario"), py::arg("integrators"), py::arg("steps"),
             py::arg("tolerances"), py::arg("reference"), py::arg("reference_step"),
             py::arg("threads"), py::arg("progress"),
             "Runs an order study, as `twosphere study order`.");
  module.def("study_section", &study_section, py::arg("scenario"), py::arg("axes"),
             py::arg("members"), py::arg("spread"), py::arg("seed"), py::arg("same_energy"),
             py::arg("threads"), py::arg("progress"),
             "Follows orbits from several starts, as `twosphere study section`.");
  module.def("study_cloud", &study_cloud, py::arg("scenario"), py::arg("members"),
             py::arg("spread"), py::arg("seed"), py::arg("progress"),
             "Follows a cloud of nearby orbits, as `twosphere study cloud`.");
  module.def("equilibria", &equilibria, py::arg("scenario"), py::arg("tries"), py::arg("seed"),
             py::arg("merge_equal"), py::arg("threads"), py::arg("progress"),
             "Finds where a system rests, as `twosphere orbits equilibria`.");
  module.def("relative_equilibria", &relative_equilibria, py::arg("scenario"), py::arg("axis"),
             py::arg("rate"), py::arg("momentum"), py::arg("tries"), py::arg("seed"),
             py::arg("merge_equal"), py::arg("threads"), py::arg("progress"),
             "Finds steady rotations, as `twosphere orbits relative`.");
  module.def("modes", &modes, py::arg("scenario"), py::arg("at"), py::arg("threads"),
             py::arg("progress"), "Small motions about an equilibrium, as `twosphere modes`.");
  module.def("orbit", &orbit, py::arg("scenario"), py::arg("start"), py::arg("at"),
             py::arg("relative"), py::arg("relabel"), py::arg("integrator"), py::arg("period"),
             py::arg("energy"), py::arg("momentum"), py::arg("steps"), py::arg("threads"),
             "Finds a periodic orbit, as `twosphere orbits find`.");
  module.def("family", &family, py::arg("scenario"), py::arg("over"), py::arg("to"),
             py::arg("bifurcate"), py::arg("count"), py::arg("threads"), py::arg("progress"),
             "Follows a family of orbits, as `twosphere orbits continue`.");
}

}  // namespace twosphere::python
