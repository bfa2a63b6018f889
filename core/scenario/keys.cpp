// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/keys.h"

#include <algorithm>
#include <map>

#include "core/custom/definition.h"
#include "core/mechanics/system.h"
#include "core/scenario/complex_signal.h"
#include "core/scenario/document.h"
#include "core/scenario/file_limits.h"
#include "core/scenario/poincare_section.h"
#include "core/systems/site_lattice.h"

namespace twosphere {

namespace {

std::vector<std::string_view> keys_of_lattices() {
  std::vector<std::string_view> keys;
  for (const LatticeKind& kind : lattice_kinds()) keys.push_back(kind.key);
  return keys;
}

/// All objects but those of events, branches, "generator" and "view".
std::vector<ObjectInfo> objects_of_runs() {
  using K = KeyKind;
  constexpr auto max_branch_number = static_cast<double>(max_branches);
  return {
      {.name = "scenario",
       .keys =
           {{.key = "twosphere",
             .kind = K::whole,
             .help = "the version of this format: 1",
             .required = true,
             .plain = true,
             .low = 1,
             .high = 1},
            {.key = "title", .kind = K::text, .help = "text, at most 1000 bytes", .high = 1000},
            {.key = "description",
             .kind = K::text,
             .help = "text, at most 20 000 bytes",
             .high = 20'000},
            {.key = "system",
             .kind = K::special,
             .help = "`type` is one of [the systems](#systems); the other keys are its parameters, "
                     "or [the texts](custom.md) of a `custom` one",
             .required = true},
            {.key = "initial",
             .kind = K::object,
             .help = "the initial state, see below",
             .required = true,
             .object = "initial"},
            {.key = "integrator",
             .kind = K::special,
             .help = "`type` is one of [the integrators](#integrators), `step` its step h [s]; the "
                     "other keys are its parameters",
             .excludes = {"lanes"}},
            {.key = "lanes",
             .kind = K::special,
             .help = "a list of integrators in place of `integrator`: see [Lanes](#lanes)"},
            {.key = "duration",
             .kind = K::number,
             .help = "T [s]. The run takes N = T/h steps, rounded up unless T/h is a whole number "
                     "within a relative 1e-9",
             .unit = "s",
             .required = true,
             .positive = true},
            {.key = "every",
             .kind = K::whole,
             .help = "K: a sample every K steps; by default the smallest K that gives at most "
                     "10 001 samples",
             .low = 1},
            {.key = "stop",
             .kind = K::objects,
             .help = "conditions that end the run: see [Stop conditions](#stop-conditions)",
             .object = "stop_condition"},
            {.key = "section",
             .kind = K::object,
             .help = "the section whose points are recorded on request: see [Section](#section); "
                     "without effect on the run",
             .object = "section"},
            {.key = "signal",
             .kind = K::object,
             .help = "the signal whose frequencies are measured on request: see [Signal](#signal); "
                     "without effect on the run",
             .object = "signal"},
            {.key = "plots",
             .kind = K::special,
             .help = "numbers of the state that are plotted, and columns of tables on request: see "
                     "[Plots](#plots); without effect on the run"},
            {.key = "events",
             .kind = K::objects,
             .help = "changes during the run: see [Events](#events)",
             .object = "event"},
            {.key = "branches",
             .kind = K::objects,
             .help = "alternative continuations of the run: see [Branches](#branches)",
             .high = max_branch_number,
             .object = "branch"},
            {.key = "orbit",
             .kind = K::object,
             .help = "the periodic orbit that the start is on: see [Orbit](#orbit); without effect "
                     "on the run",
             .object = "orbit"},
            {.key = "view",
             .kind = K::object,
             .help = "how the window shows the run: see [View](#view); without effect on the run",
             .object = "view"},
            {.key = "$schema",
             .kind = K::text,
             .help = "the address of the [JSON Schema](#json-schema), for editors; ignored, and "
                     "kept in files that are written"}},
       .one_of = {{"integrator", "lanes"}}},
      {.name = "lane_state",
       .keys = {{.key = "time_origin",
                 .kind = K::number,
                 .help = "the time at which the clock began [s]: t = time_origin + step_index·H",
                 .unit = "s",
                 .plain = true},
                {.key = "step_index",
                 .kind = K::whole,
                 .help = "the number of steps of the clock; negative after steps backwards",
                 .plain = true},
                {.key = "energy_reference",
                 .kind = K::number,
                 .help = "E₀ [J]",
                 .unit = "J",
                 .plain = true},
                {.key = "work", .kind = K::number, .help = "W [J]", .unit = "J", .plain = true},
                {.key = "integrator_state",
                 .kind = K::special,
                 .help =
                     "the internal variables of the method: momenta, multipliers, inner steps, "
                     "compensations of sums; the tangent vectors that follow the run, their "
                     "norm (`tangent_metric`: each mᵢ, then ω₀²) and their sums; the number of "
                     "the next crossing of the section; X and dX/dt of a base that flies "
                     "(`centre_of_mass`); the first two axes of space, seen from each body that "
                     "has an attitude (`attitude`)"}}},
      {.name = "run_state",
       .keys = {{.key = "reversed",
                 .kind = K::only_true,
                 .help = "true if the run goes backwards in time; otherwise omitted"},
                {.key = "pulls",
                 .kind = K::objects,
                 .help = "the active pulls with their remaining numbers of steps; omitted if there "
                         "are none",
                 .object = "pull"},
                {.key = "program",
                 .kind = K::text,
                 .help = "the version, revision and compiler of the program that wrote it; ignored "
                         "when it is read"}}},
      {.name = "later_lane_state",
       .keys = {{.key = "initial",
                 .kind = K::object,
                 .help = "the state of the lane; by default that of the first one",
                 .object = "initial"}}},
      {.name = "initial",
       .keys = {{.key = "q",
                 .kind = K::vectors,
                 .help = "the n directions",
                 .unit = "1",
                 .excludes = {"generator", "angles"}},
                {.key = "omega",
                 .kind = K::vectors,
                 .help = "the angular velocities [rad/s]; in a system of first order they follow "
                         "from q and can be left out, and with a generator they are 0 without it",
                 .unit = "rad/s",
                 .excludes = {"velocity", "rates", "q_next"}},
                {.key = "velocity",
                 .kind = K::special,
                 .help = "the velocities dq/dt [1/s], or two vortices",
                 .unit = "rad/s",
                 .excludes = {"rates", "q_next"}},
                {.key = "q_next",
                 .kind = K::vectors,
                 .help =
                     "the n directions one step after `q`, in place of velocities: for a single "
                     "lane of the method `variational`",
                 .unit = "1"},
                {.key = "angles",
                 .kind = K::pairs,
                 .help = "the spherical angles [θ, φ] of each body, from e3 and about it [rad]",
                 .unit = "rad",
                 .excludes = {"q_next"}},
                {.key = "rates",
                 .kind = K::pairs,
                 .help = "the rates of the angles [rad/s]",
                 .unit = "rad/s"},
                {.key = "generator",
                 .kind = K::special,
                 .help = "directions that are generated: an object with a `type`, or a list of "
                         "these, of which each later one turns those before",
                 .excludes = {"angles", "q_next"}},
                {.key = "base",
                 .kind = K::object,
                 .help = "of a base that flies: where it starts, and how fast; at the origin and "
                         "at rest without it",
                 .object = "base"}},
       .one_of = {{"q", "generator", "angles"}}},
      {.name = "base",
       .keys =
           {{.key = "position",
             .kind = K::vector,
             .help = "the place x₀ of the base [m]",
             .unit = "m"},
            {.key = "velocity", .kind = K::vector, .help = "its velocity [m/s]", .unit = "m/s"}}},
      {.name = "vortices",
       .keys = {{.key = "type",
                 .kind = K::choice,
                 .help = "two vortices that rotate in opposite directions",
                 .required = true,
                 .choices = {"two_vortices"}},
                {.key = "amplitude",
                 .kind = K::number,
                 .help = "the amplitude of the vortices [rad/s]",
                 .unit = "rad/s",
                 .required = true},
                {.key = "separation",
                 .kind = K::number,
                 .help = "the angle between them [°]",
                 .unit = "deg",
                 .required = true},
                {.key = "width",
                 .kind = K::number,
                 .help = "the width of the vortices [°]",
                 .unit = "deg",
                 .required = true,
                 .high = 180,
                 .positive = true}}},
      {.name = "integrator",
       .keys = {{.key = "type", .kind = K::special, .help = "the method", .required = true},
                {.key = "step", .kind = K::special, .help = "the step h [s]", .required = true}}},
      {.name = "lane",
       .keys = {{.key = "name",
                 .kind = K::name,
                 .help = "the name of the lane, which columns and files have"}}},
      {.name = "added_lane",
       .keys = {{.key = "from",
                 .kind = K::whole,
                 .help =
                     "the lane with whose state it begins, counted from 0; by default the first",
                 .low = 0}}},
      {.name = "lattice",
       .keys = {{.key = "rows",
                 .kind = K::whole,
                 .help = "the number of rows, along e2",
                 .required = true,
                 .low = 1},
                {.key = "columns",
                 .kind = K::whole,
                 .help = "the number of columns, along e1",
                 .required = true,
                 .low = 1},
                {.key = "spacing",
                 .kind = K::number,
                 .help = "the distance of neighbours [m]",
                 .unit = "m",
                 .required = true,
                 .positive = true}}},
      {.name = "sites",
       .keys = {{.key = "type",
                 .kind = K::choice,
                 .help = "the kind of lattice; `hexagonal` is the honeycomb, with two sites a cell",
                 .required = true,
                 .choices = keys_of_lattices()},
                {.key = "size",
                 .kind = K::wholes,
                 .help = "the numbers of cells along a₁, a₂ and a₃: one of a chain, three of a "
                         "cubic lattice, two of the others; of a periodic one 3 or more",
                 .required = true,
                 .low = 1},
                {.key = "spacing",
                 .kind = K::number,
                 .help = "the length of a₁, the distance of neighbouring cells [m]; 1 by default",
                 .unit = "m",
                 .positive = true},
                {.key = "periodic",
                 .kind = K::flag,
                 .help = "whether opposite ends are joined; false by default"}}},
      {.name = "spring",
       .keys = {{.key = "between",
                 .kind = K::special,
                 .help = "the two bodies, counted from 0",
                 .required = true},
                {.key = "stiffness",
                 .kind = K::number,
                 .help = "the stiffness κ [N/m]",
                 .unit = "N/m",
                 .required = true,
                 .low = 0}}},
      {.name = "definition",
       .keys = {{.key = "type",
                 .kind = K::choice,
                 .help = "`\"custom\"`",
                 .required = true,
                 .choices = {custom_system().key}},
                {.key = "bodies",
                 .kind = K::whole,
                 .help = "the number n of bodies; optional, because the start has it, with which "
                         "it must agree",
                 .low = 1},
                {.key = "dynamics",
                 .kind = K::choice,
                 .help = "`\"first_order\"`: a system [without kinetic energy](#first-order), of "
                         "spins or vortices for instance; `\"second_order\"`, the default: one "
                         "with an inertia",
                 .choices = {"second_order", "first_order"}},
                {.key = "parameters",
                 .kind = K::special,
                 .help = "numbers and lists with names: see [Parameters](#parameters)"},
                {.key = "define",
                 .kind = K::lines,
                 .help = "a list of names for expressions, each of which may use those before it: "
                         "`\"x[i] = sum(j <= i: l[j]*q[j])\"`, `\"E = k/2\"`"},
                {.key = "inertia",
                 .kind = K::text,
                 .help =
                     "one of [four forms](#inertia); required, except beside a `lagrangian` and "
                     "of first order, where there is none",
                 .low = 1,
                 .excludes = {"hamiltonian"}},
                {.key = "potential",
                 .kind = K::text,
                 .help = "V [J], an expression of q; 0 if it is left out",
                 .low = 1,
                 .excludes = {"hamiltonian"}},
                {.key = "strength",
                 .kind = K::special,
                 .help = "κ [J s], a number for all bodies, a list by its name, or `i: …`; of any "
                         "sign. Required for [first order](#first-order); beside `diag(…)` a "
                         "[spin or a monopole](#spins-and-rotating-axes), 0 if it is left out"},
                {.key = "hamiltonian",
                 .kind = K::text,
                 .help = "of first order, required: H [J], an expression of q",
                 .low = 1},
                {.key = "damping",
                 .kind = K::special,
                 .help = "of first order: c ≥ 0 [N m s], written as `strength`; 0 if it is left "
                         "out"},
                {.key = "temperature",
                 .kind = K::special,
                 .help = "of first order with a damping: k_BT ≥ 0 [J] of a [heat "
                         "bath](numerics.md#systems-of-first-order), a constant number; 0, "
                         "without one, if it is left out"},
                {.key = "seed",
                 .kind = K::whole,
                 .help = "of a heat bath: a whole number ≥ 0, 0 if it is left out; the same seed "
                         "gives the same noise",
                 .low = 0},
                {.key = "frame_rotation",
                 .kind = K::text,
                 .help = "Ω [rad/s], a constant vector: the axes [rotate]"
                         "(#spins-and-rotating-axes); 0 if it is left out",
                 .low = 1,
                 .excludes = {"hamiltonian"}},
                {.key = "gyroscopic",
                 .kind = K::text,
                 .help = "a number [J] that is linear in the velocities v, added to the "
                         "Lagrangian: [gyroscopic terms](#gyroscopic-terms); 0 if it is left out",
                 .low = 1,
                 .excludes = {"hamiltonian", "frame_rotation"}},
                {.key = "lagrangian",
                 .kind = K::text,
                 .help = "L [J], a [polynomial of degree 2](#the-lagrangian-as-one-text) in the "
                         "velocities v, in place of `inertia`, `potential` and what is linear in "
                         "velocities",
                 .low = 1,
                 .excludes = {"inertia", "potential", "strength", "hamiltonian", "damping",
                              "temperature", "frame_rotation", "gyroscopic"}},
                {.key = "force",
                 .kind = K::lines,
                 .help = "a text, or a list of texts: see [Forces and "
                         "torques](#forces-and-torques)"},
                {.key = "torque",
                 .kind = K::lines,
                 .help = "a text, or a list of texts: see [Forces and "
                         "torques](#forces-and-torques)"},
                {.key = "figure",
                 .kind = K::lines,
                 .help = "what is drawn, a list: see [Figures](#figures)"},
                {.key = "plots",
                 .kind = K::named_texts,
                 .help = "quantities by name: `{\"height of the last bob\": \"-e3.x[n-1]\"}`; each "
                         "is a plot in the window, and can be drawn over any other quantity; `run "
                         "--plots` adds them to the table of `--csv`, as `plots.NAME`; "
                         "`plots.NAME.max` and the like are [measures](studies.md#measures) of "
                         "sweeps. More of them, of any system, are [`plots` of the "
                         "scenario](scenario-format.md#plots), which *Add plot…* makes"},
                {.key = "color",
                 .kind = K::named_texts,
                 .help = "the quantity that colours the bodies, by its name, with the index of the "
                         "body: `{\"height\": \"-e3.x[i]\"}`"},
                {.key = "units",
                 .kind = K::choice,
                 .help = "`\"strict\"`: errors of units are errors; `\"warnings\"`, the default: "
                         "they are warnings",
                 .choices = {"warnings", "strict"}}},
       .one_of = {{"inertia", "hamiltonian", "lagrangian"}}},
      {.name = "parameter",
       .keys = {{.key = "value",
                 .kind = K::special,
                 .help = "a number, a list of numbers, or a list of pairs of bodies",
                 .required = true},
                {.key = "unit", .kind = K::text, .help = "the unit of the value"},
                {.key = "range", .kind = K::pair, .help = "the range of the slider in the window"},
                {.key = "help", .kind = K::text, .help = "an explanation"}}},
      {.name = "stop_condition",
       .keys = {{.key = "time",
                 .kind = K::number,
                 .help = "the time at which the run stops [s]",
                 .unit = "s",
                 .excludes = {"quantity", "expression", "above", "below", "at"}},
                {.key = "quantity",
                 .kind = K::special,
                 .help = "a sampled quantity, or an indicator of chaos",
                 .excludes = {"expression"}},
                {.key = "expression",
                 .kind = K::text,
                 .help = "a number of the state, as text",
                 .low = 1},
                {.key = "above",
                 .kind = K::number,
                 .help = "the run stops above this bound",
                 .excludes = {"below"}},
                {.key = "below", .kind = K::number, .help = "the run stops below this bound"},
                {.key = "at",
                 .kind = K::choice,
                 .help =
                     "whether the time at which the bound is crossed within the step is located",
                 .choices = {"step", "crossing"}}},
       .one_of = {{"time", "quantity", "expression"}, {"time", "above", "below"}}},
      {.name = "section",
       .keys =
           {{.key = "expression",
             .kind = K::text,
             .help = "g, a number as in [stop conditions](#stop-conditions); the section is g = 0",
             .low = 1,
             .excludes = {"period", "phase"}},
            {.key = "direction",
             .kind = K::choice,
             .help = "`rising` (default), `falling` or `both`: whether g increases or decreases "
                     "along the run",
             .choices = {PoincareSection::directions.begin(), PoincareSection::directions.end()}},
            {.key = "period",
             .kind = K::number,
             .help = "instead of an expression: the section is the times phase + j·period for all "
                     "whole j; a number [s], or an expression of the parameters; at least 1/100 of "
                     "the step",
             .unit = "s",
             .positive = true,
             .excludes = {"direction"}},
            {.key = "phase", .kind = K::number, .help = "of a period [s] (0)", .unit = "s"},
            {.key = "coordinates",
             .kind = K::named_texts,
             .help = "what is written of each point: names with expressions; without it q and ω of "
                     "all bodies",
             .low = 1}},
       .one_of = {{"expression", "period"}}},
      {.name = "signal",
       .keys = {{.key = "real",
                 .kind = K::text,
                 .help = "the real part, a number of the state, as text",
                 .required = true,
                 .low = 1},
                {.key = "imaginary",
                 .kind = K::text,
                 .help = "the imaginary part, likewise; without it the signal is real",
                 .low = 1},
                {.key = "window",
                 .kind = K::whole,
                 .help = "the power of the Hann window (1)",
                 .low = 0,
                 .high = ComplexSignal::max_window}}},
      {.name = "orbit",
       .keys =
           {{.key = "period",
             .kind = K::number,
             .help = "after which the run closes [s]",
             .unit = "s",
             .required = true,
             .positive = true},
            {.key = "steps",
             .kind = K::whole,
             .help = "how many steps a period has",
             .required = true,
             .low = 1},
            {.key = "axis",
             .kind = K::vector,
             .help = "of the rotation after which a relative orbit closes"},
            {.key = "rotation",
             .kind = K::number,
             .help = "the angle of the rotation [rad]",
             .unit = "rad"},
            {.key = "relabel",
             .kind = K::wholes,
             .help =
                 "for each body, where which body began it is after a part of the period: 1/3 of "
                 "it for [1, 2, 0], which is the identity after 3 times"},
            {.key = "kind",
             .kind = K::text,
             .help = "`linearly stable`, `unstable`, `attracting`, `saddle` or `repelling`"}}},
      {.name = "plot",
       .keys = {{.key = "expression",
                 .kind = K::text,
                 .help = "a number of the state, as text",
                 .required = true,
                 .low = 1},
                {.key = "unit", .kind = K::text, .help = "the unit of its axis and its column"}}},
  };
}

}  // namespace

const std::vector<ObjectInfo>& file_objects() {
  static const std::vector<ObjectInfo> all = [] {
    std::vector<ObjectInfo> list = objects_of_runs();
    for (const auto& more : {event_objects(), generator_objects(), view_objects()})
      list.insert(list.end(), more.begin(), more.end());
    return list;
  }();
  return all;
}

const ObjectInfo& file_object(std::string_view name) {
  const auto& all = file_objects();
  return *std::find_if(all.begin(), all.end(),
                       [name](const ObjectInfo& object) { return object.name == name; });
}

const std::vector<std::string>& key_names(std::string_view object) {
  static const auto names = [] {
    std::map<std::string_view, std::vector<std::string>> lists;
    for (const ObjectInfo& one : file_objects())
      for (const KeyInfo& key : one.keys) lists[one.name].emplace_back(key.key);
    return lists;
  }();
  return names.at(object);
}

std::vector<std::string> key_names_of(std::initializer_list<std::string_view> objects) {
  std::vector<std::string> names;
  for (const std::string_view object : objects) {
    const auto& own = key_names(object);
    names.insert(names.end(), own.begin(), own.end());
  }
  return names;
}

}  // namespace twosphere
