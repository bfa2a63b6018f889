// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/base/edit_distance.h"
#include "core/base/excerpt.h"
#include "core/custom/checker.h"
#include "core/custom/custom_gyroscopic.h"
#include "core/custom/definition_keys.h"
#include "core/custom/lagrangian.h"
#include "core/custom/model.h"
#include "core/custom/sum_terms.h"
#include "core/language/evaluate.h"
#include "core/language/lexer.h"

namespace twosphere::custom {

namespace {

using Form = Definition::Parameter::Form;

constexpr Dimension kilogram{1, 0, 0, 0}, inertia_unit{1, 2, 0, 0}, joule{1, 2, -2, 0},
    metre{0, 1, 0, 0}, damping_unit{1, 2, -1, 0}, rate_unit{0, 0, -1, 0};

class Reader {
 public:
  explicit Reader(Definition definition) : model_(std::make_shared<Model>()) {
    model_->definition = std::move(definition);
    // Programs see the definition through these alone.
    model_->bodies = model_->definition.bodies;
    for (const Definition::Parameter& p : model_->definition.parameters)
      model_->parameters.push_back({p.key, &p.value});
  }

  std::shared_ptr<const Model> read() {
    const Definition& d = model_->definition;
    if (d.bodies < 1 || d.bodies > Limits::bodies)
      Source{"bodies", ""}.fail(0, fmt::format("is {}, must be 1 to {}", d.bodies, Limits::bodies));
    if (const std::size_t all = characters(d); all > Limits::characters)
      Source{"", ""}.fail(
          0, fmt::format("has {} characters, at most {} are allowed", all, Limits::characters));
    // In the order in which texts read one another: parameters, definitions, then all others.
    parameters();
    for (std::size_t k = 0; k < d.define.size(); ++k)
      define(source(fmt::format("define[{}]", k), d.define[k]));
    mechanics();
    for (std::size_t k = 0; k < d.force.size(); ++k)
      force(source(fmt::format("force[{}]", k), d.force[k]));
    for (std::size_t k = 0; k < d.torque.size(); ++k)
      force(source(fmt::format("torque[{}]", k), d.torque[k]));
    for (std::size_t k = 0; k < d.figure.size(); ++k)
      figure(source(fmt::format("figure[{}]", k), d.figure[k]));
    for (const auto& [name, text] : d.plots) plot(source("plots." + name, text));
    for (const auto& [name, text] : d.color) color(source("color." + name, text));
    // Strict units make the first warning an error.
    if (d.strict_units && !model_->warnings.empty()) throw TextException(model_->warnings.front());
    return model_;
  }

 private:
  const Source& source(std::string location, std::string text) {
    model_->sources.push_back(
        std::make_unique<Source>(Source{std::move(location), std::move(text)}));
    return *model_->sources.back();
  }

  Parser parser(const Source& s) const {
    return Parser(s, [this](const std::string& name) { return model_->knows(name); });
  }

  /// Values are in SI units: those of a parameter have no factor, as cm, g and degrees have.
  static void check_factor(const Definition::Parameter& p) {
    const auto unit = p.unit.empty() ? std::nullopt : read_unit(p.unit);
    if (!unit || unit->si() == 1) return;
    const std::string si = unit->is_number() ? "1" : twosphere::name(unit->dimension);
    Source{"parameters." + p.key + ".unit", p.unit}.fail(
        1, fmt::format("\"{}\" is {} {}; write {} here, and the value with its unit, as in "
                       "\"value\": \"57 {}\"",
                       p.unit, unit->si(), unit->is_number() ? "rad" : si, si, p.unit));
  }

  void parameters() {
    const Definition& d = model_->definition;
    std::set<std::string> keys;
    for (const Definition::Parameter& p : d.parameters) {
      const Source at{"parameters." + p.key, p.key};
      if (!is_name(p.key))
        at.fail(0, "a parameter's name is made of letters, digits and _, and begins with a letter");
      if (is_reserved(p.key)) at.fail(0, fmt::format("\"{}\" has a meaning of its own", p.key));
      if (!keys.insert(p.key).second) at.fail(0, "is given twice");
      if (!p.unit.empty() && !read_unit(p.unit))
        Source{at.location + ".unit", p.unit}.fail(
            unit_error(p.unit),
            fmt::format("\"{}\" is no unit; write for instance kg m^2/s or 1", p.unit));
      check_factor(p);
      for (const double x : p.value)
        if (!std::isfinite(x)) Source{at.location + ".value", ""}.fail(0, "must be finite");
      if (p.form == Form::number && p.value.size() != 1)
        Source{at.location + ".value", ""}.fail(0, "must be one number");
      if (p.form == Form::list && p.value.empty())
        Source{at.location + ".value", ""}.fail(0, "must have at least one number");
      // The range of the slider.
      if (p.range && !((*p.range)[0] < (*p.range)[1] && std::isfinite((*p.range)[0]) &&
                       std::isfinite((*p.range)[1])))
        Source{at.location + ".range", ""}.fail(0, "must be two numbers, the lesser first");
      if (p.form == Form::pairs) pairs(p, at.location + ".value");
    }
  }

  void pairs(const Definition::Parameter& p, const std::string& location) const {
    if (p.value.size() % 2 != 0)
      Source{location, ""}.fail(0, "must be pairs of bodies, [[i, j], …]");
    const int n = model_->definition.bodies;
    for (std::size_t k = 0; k < p.value.size(); ++k)
      if (p.value[k] != std::round(p.value[k]) || p.value[k] < 0 || p.value[k] >= n)
        Source{fmt::format("{}[{}][{}]", location, k / 2, k % 2), ""}.fail(
            0, fmt::format("is {}, must be a body from 0 to {}", p.value[k], n - 1));
  }

  /// The column of the first word that is no unit.
  int unit_error(const std::string& unit) const {
    const auto wrong = evaluate(unit, "1");
    return wrong ? 1 : std::max(1, column_of(wrong.error().location));
  }

  void define(const Source& s) {
    Assignment a = parser(s).assignment();
    if (is_reserved(a.name))
      s.fail(a.column, fmt::format("\"{}\" has a meaning of its own", a.name));
    if (model_->find_parameter(a.name))
      s.fail(a.column, fmt::format("\"{}\" is a parameter", a.name));
    if (model_->find_named(a.name))
      s.fail(a.column, fmt::format("\"{}\" is defined twice", a.name));
    // x[i] = … is for all bodies i, c = … one value.
    Checker checker(*model_, s);
    Named named{a.name, -1, nullptr};
    if (!a.index.empty()) {
      if (a.index[0].kind != Syntax::Kind::name)
        s.fail(a.index[0].column, fmt::format("a definition is for all bodies: {}[i] = …", a.name));
      if (a.index[0].name == a.name) s.fail(a.index[0].column, "the index must have another name");
      named.variable = checker.open(a.index[0].name, a.index[0].column)->variables[0];
    } else {
      checker.bind_by("write sum(", fmt::format(": …), or {}[i] = … for all bodies", a.name));
    }
    named.body = checker.any(a.value);
    model_->named.push_back(std::move(named));
  }

  /// The energies and what else belongs to the order of the equations.
  void mechanics() {
    const Definition& d = model_->definition;
    const auto refuse = [](std::string_view key, const std::string& text, std::string_view why) {
      if (!text.empty()) Source{std::string(key), text}.fail(1, std::string(why));
    };
    if (!d.first_order) {
      constexpr std::string_view why = "belongs to systems of first order, which have heat baths";
      refuse("temperature", d.temperature, why);
      if (d.seed != 0) Source{"seed", ""}.fail(0, std::string(why));
    }
    if (!is_blank(d.lagrangian)) {
      for (const auto& [key, text] : {std::pair{"inertia", &d.inertia},
                                      {"potential", &d.potential},
                                      {"strength", &d.strength},
                                      {"frame_rotation", &d.frame_rotation},
                                      {"gyroscopic", &d.gyroscopic},
                                      {"hamiltonian", &d.hamiltonian},
                                      {"damping", &d.damping}})
        refuse(key, *text, "is part of \"lagrangian\" and cannot stand beside it");
      const Source& s = source("lagrangian", d.lagrangian);
      if (d.first_order)
        s.fail(1, "systems of first order have none; write \"strength\" and \"hamiltonian\"");
      lagrangian(s);
      return;
    }
    if (!d.first_order) {
      constexpr std::string_view why =
          "belongs to systems of first order; with it goes \"dynamics\": \"first_order\", and "
          "\"hamiltonian\" in place of \"inertia\" and \"potential\"";
      if (d.inertia.empty()) refuse("strength", d.strength, why);
      refuse("hamiltonian", d.hamiltonian, why);
      refuse("damping", d.damping,
             "belongs to systems of first order; damping is torque[i] = -c*w[i] here");
      potential(source("potential", d.potential));
      inertia(source("inertia", d.inertia));
      linear_terms();
      return;
    }
    refuse("frame_rotation", d.frame_rotation,
           "systems of first order have none; a rotation with Omega adds -kappa*Omega.q[i] to the "
           "Hamiltonian");
    refuse("gyroscopic", d.gyroscopic,
           "systems of first order have none; what is linear in their velocities is the strength");
    refuse("inertia", d.inertia,
           "systems of first order have no inertia; write \"strength\" and \"hamiltonian\"");
    refuse("potential", d.potential,
           "the energy of systems of first order is written in \"hamiltonian\"");
    potential(source("hamiltonian", d.hamiltonian));
    const Source& strength = source("strength", d.strength);
    if (is_blank(d.strength))
      strength.fail(1, "is empty; a number for all bodies, a list or i: … is expected");
    model_->strength = body_values(strength, "J s");
    if (!is_blank(d.damping)) model_->damping = body_values(source("damping", d.damping), "N m s");
    if (!is_blank(d.temperature)) {
      const Source& s = source("temperature", d.temperature);
      Checker checker(*model_, s);
      model_->temperature = checker.number(parser(s).expression());
      constant_only(*model_->temperature, s.location);
      checker.expect_unit(*model_->temperature, {joule}, "J");
    }
  }

  /// What is linear in velocities, beside an inertia.
  void linear_terms() {
    const Definition& d = model_->definition;
    const Node& inertia = *model_->inertia.arguments[0].values[0];
    if (!is_blank(d.strength)) {
      const Source& strength = source("strength", d.strength);
      if (model_->inertia.kind != InertiaText::Kind::diagonal || inertia.reads_q)
        strength.fail(1,
                      "strengths are those of uncoupled bodies, whose inertia is diag(…) and does "
                      "not depend on q");
      model_->strength = body_values(strength, "J s");
    }
    if (!is_blank(d.frame_rotation)) {
      const Source& s = source("frame_rotation", d.frame_rotation);
      if (inertia.reads_q)
        s.fail(1, "axes may rotate only with an inertia that does not depend on q");
      Checker checker(*model_, s);
      model_->frame_rotation = checker.vector(parser(s).expression());
      constant_only(*model_->frame_rotation, s.location);
      checker.expect_unit(*model_->frame_rotation, {rate_unit}, "rad/s");
    }
    if (!is_blank(d.gyroscopic)) gyroscopic(source("gyroscopic", d.gyroscopic));
  }

  /// A number Σ A_i(q)·v_i.
  void gyroscopic(const Source& s) {
    if (model_->frame_rotation)
      s.fail(1,
             "goes with axes at rest; those that rotate with Omega add "
             "sum(i, j: M[i,j]*Omega.cross(q[j], v[i])) here, and "
             "-sum(i, j: M[i,j]/2*cross(Omega, q[i]).cross(Omega, q[j])) to the potential");
    expect_matrix_fits(s);
    Checker checker(*model_, s);
    model_->gyroscopic = checker.number(parser(s).expression());
    const Node& number = *model_->gyroscopic;
    reads_only(number, false, true, "\"gyroscopic\" may not");
    check_linear(*model_, number);
    checker.expect_unit(number, {joule}, "J");
  }

  /// T, V and what is linear in v, of a polynomial in v.
  void lagrangian(const Source& s) {
    expect_matrix_fits(s);
    Checker checker(*model_, s);
    const Ref whole = checker.number(parser(s).expression());
    reads_only(*whole, false, true, "the Lagrangian may not");
    checker.expect_unit(*whole, {joule}, "J");
    const VelocityParts parts = split_by_velocity(*model_, whole);
    if (!parts.quadratic)
      s.fail(1, "has no kinetic energy: a term with two velocities v, such as m/2*norm(v[0])^2");
    auto zero = std::make_shared<Node>();
    zero->source = &s;
    complete(*zero);
    model_->potential = parts.constant ? sum_of({{parts.constant, true}}) : Ref(zero);
    model_->gyroscopic = parts.linear;
    model_->inertia.kind = InertiaText::Kind::lagrangian;
    Entry kinetic;
    kinetic.name = s.location;
    kinetic.source = &s;
    kinetic.values = {parts.quadratic};
    model_->inertia.arguments = {kinetic};
  }

  /// Steps with such terms need matrices of all bodies.
  void expect_matrix_fits(const Source& s) const {
    const int n = model_->definition.bodies;
    if (n > Limits::matrix_bodies)
      s.fail(1, fmt::format("is for at most {} bodies, not {}", Limits::matrix_bodies, n));
  }

  static bool is_blank(const std::string& text) {
    return text.find_first_not_of(" \t\r\n") == text.npos;
  }

  /// A constant for each body in the unit of an angular momentum: "kappa", "1", "i: kappa[i]".
  Entry body_values(const Source& s, const std::string& unit) {
    const IndexedValue read = parser(s).indexed_value();
    Checker checker(*model_, s);
    checker.bind_by("write ", ": …");
    Entry entry;
    entry.name = s.location;
    entry.column = read.value.column;
    entry.source = &s;
    if (read.over) {
      entry.over = checker.open(*read.over);
      if (entry.over->variables.size() != 1 || !entry.over->conditions.empty() ||
          entry.over->list >= 0)
        s.fail(read.over->column,
               fmt::format("\"{}\" takes one index for all bodies, as in i: …", s.location));
    }
    entry.values.push_back(entry.over ? checker.number(read.value)
                                      : per_body(checker, read.value, entry));
    const Node& value = *entry.values[0];
    constant_only(value, s.location);
    checker.expect_unit(value, {damping_unit}, unit);
    return entry;
  }

  /// Refuses q, t, w and v.
  static void constant_only(const Node& node, const std::string& what) {
    if (node.constant()) return;
    const Op op = node.op;
    if (op == Op::q || op == Op::time || op == Op::w || op == Op::v || op == Op::use)
      node.source->fail(node.column,
                        fmt::format("\"{}\" is constant; it may not depend on {}{}", what,
                                    node.reads_q   ? "q"
                                    : node.reads_t ? "t"
                                                   : "velocities w or v",
                                    op == Op::use ? ", as this definition does" : ""));
    for (const Ref& part : node.parts) constant_only(*part, what);
  }

  /// Refuses what may not be read.
  static void reads_only(const Node& node, bool time, bool velocity, const std::string& what) {
    if ((!node.reads_t || time) && (!node.reads_w || velocity)) return;
    const bool is_time = node.reads_t && !time;
    const Op op = node.op;
    // At the part that reads it, as deep in the expression as it is.
    if (op == Op::time || op == Op::w || op == Op::v || op == Op::use)
      node.source->fail(node.column, fmt::format("{} depend on {}{}", what,
                                                 is_time ? "t; write a force" : "velocities w or v",
                                                 op == Op::use ? ", as this definition does" : ""));
    for (const Ref& part : node.parts) reads_only(*part, time, velocity, what);
  }

  void potential(const Source& s) {
    // No potential is V = 0, a number.
    if (is_blank(s.text)) {
      if (model_->definition.first_order)
        s.fail(1, "is empty; an expression of q is expected, 0 if there is none");
      auto zero = std::make_shared<Node>();
      zero->source = &s;
      complete(*zero);
      model_->potential = zero;
      return;
    }
    Checker checker(*model_, s);
    model_->potential = checker.number(parser(s).expression());
    reads_only(
        *model_->potential, false, false,
        model_->definition.first_order ? "the Hamiltonian may not" : "the potential may not");
    checker.expect_unit(*model_->potential, {joule}, "J");
  }

  void inertia(const Source& s) {
    const Syntax call = parser(s).call(
        fmt::format("the inertia is written diag(…), chain(m, l), rod(mu, l, D) or "
                    "matrix(i, j: …); for the same of every body diag({})",
                    s.text.size() < 40 && s.text.find('(') == s.text.npos ? s.text : "m*l^2"));
    struct MatrixForm {
      std::string_view name;
      InertiaText::Kind kind;
      std::size_t arguments;
      std::string_view example;
      std::size_t optional = 0;  // arguments more
    };
    constexpr std::array<MatrixForm, 4> forms{
        {{"diag", InertiaText::Kind::diagonal, 1, "diag(m) or diag(i: m[i]*l[i]^2)"},
         {"chain", InertiaText::Kind::chain, 2, "chain(m, l) or, with a free base, chain(m, l, m0)",
          1},
         {"rod", InertiaText::Kind::rod, 3, "rod(mu, l, D) or, with a free base, rod(mu, l, D, m0)",
          1},
         {"matrix", InertiaText::Kind::matrix, 1, "matrix(i, j: …)"}}};
    const auto form = std::find_if(forms.begin(), forms.end(),
                                   [&](const MatrixForm& f) { return f.name == call.name; });
    if (form == forms.end()) {
      const std::string near = nearest(call.name, {"diag", "chain", "rod", "matrix"});
      s.fail(call.column,
             fmt::format("\"{}\" is no inertia; {}allowed are diag(m), chain(m, l), "
                         "rod(mu, l, D) and matrix(i, j: …)",
                         call.name, near.empty() ? "" : fmt::format("did you mean {}? ", near)));
    }
    if (call.parts.size() < form->arguments || call.parts.size() > form->arguments + form->optional)
      s.fail(call.column,
             fmt::format(
                 "\"{}\" takes {}{} value{}, as in {}", call.name, form->arguments,
                 form->optional > 0 ? fmt::format(" or {}", form->arguments + form->optional) : "",
                 form->arguments == 1 ? "" : "s", form->example));
    model_->inertia.kind = form->kind;
    const bool matrix = form->kind == InertiaText::Kind::matrix;
    Checker checker(*model_, s);
    if (!matrix) checker.bind_by(fmt::format("write {}(", call.name), ": …)");
    std::shared_ptr<const Range> over;
    // The index of the body, or both of a matrix, run over all bodies without conditions.
    if (call.over) {
      over = checker.open(*call.over);
      if (over->variables.size() != (matrix ? 2U : 1U) || !over->conditions.empty() ||
          over->list >= 0)
        s.fail(call.over->column,
               fmt::format("\"{}\" takes {}, as in {}", call.name,
                           matrix ? "two indices" : "one index for all bodies", form->example));
    } else if (matrix) {
      s.fail(call.column, "\"matrix\" needs two indices and a colon, as in matrix(i, j: …)");
    }
    for (std::size_t k = 0; k < call.parts.size(); ++k) {
      Entry entry;
      entry.name = call.name;
      entry.column = call.parts[k].column;
      entry.source = &s;
      entry.over = over;
      // The mass of a free base is one number.
      const bool base = k == form->arguments;
      entry.values.push_back(over || base ? checker.number(call.parts[k])
                                          : per_body(checker, call.parts[k], entry));
      reads_only(*entry.values[0], false, false, "the inertia may not");
      // Chains and rods are solved in O(n), which needs constant masses and lengths.
      if (entry.values[0]->reads_q && form->kind != InertiaText::Kind::diagonal && !matrix)
        s.fail(call.parts[k].column,
               fmt::format("the values of \"{}\" may not depend on q; write matrix(i, j: …)",
                           call.name));
      // Units: the masses or inertias, the lengths, the rotary inertia, the mass of the base.
      if (k == 0)
        checker.expect_unit(
            *entry.values[0],
            form->arguments > 1 ? std::vector{kilogram} : std::vector{inertia_unit, kilogram},
            form->arguments > 1 ? "kg" : "kg m^2, or kg on the unit sphere");
      if (k == 1) checker.expect_unit(*entry.values[0], {metre}, "m");
      if (k == 2 && !base) checker.expect_unit(*entry.values[0], {inertia_unit}, "kg m^2");
      if (base) checker.expect_unit(*entry.values[0], {kilogram}, "kg");
      model_->inertia.arguments.push_back(std::move(entry));
    }
  }

  /// The list of numbers whose name this is; null if it is none.
  const Definition::Parameter* list_of(const Syntax& s) const {
    const Definition::Parameter* p =
        s.kind == Syntax::Kind::name ? model_->find_parameter(s.name) : nullptr;
    return p && p->form == Form::list ? p : nullptr;
  }

  /// The name of a list means its entries, one per body; a number is for all bodies.
  Ref per_body(Checker& checker, const Syntax& value, Entry& entry) {
    const Definition::Parameter* list = list_of(value);
    const Named* named =
        value.kind == Syntax::Kind::name ? model_->find_named(value.name) : nullptr;
    if (!list && (!named || named->variable < 0)) {
      lists_in(value, *entry.source);
      return checker.number(value);
    }
    if (list && static_cast<int>(list->value.size()) != model_->bodies)
      entry.source->fail(
          value.column,
          fmt::format("\"{}\" has {} numbers, must have one for each of the {} bodies", value.name,
                      list->value.size(), model_->bodies));
    // m is read as i: m[i].
    entry.over = checker.open(" i", value.column);
    Syntax element;
    element.kind = Syntax::Kind::element;
    element.name = value.name;
    element.column = value.column;
    element.begin = value.begin;
    element.end = value.end;
    element.parts.emplace_back();
    element.parts[0].kind = Syntax::Kind::name;
    element.parts[0].name = " i";
    Ref out = checker.number(element);
    checker.close();
    return out;
  }

  /// Lists within an expression take an index.
  void lists_in(const Syntax& s, const Source& source) const {
    if (list_of(s))
      source.fail(s.column, fmt::format("\"{}\" is a list; write i: and {}[i]", s.name, s.name));
    if (s.kind == Syntax::Kind::call && s.over) return;
    for (const Syntax& part : s.parts) lists_in(part, source);
  }

  void force(const Source& s) {
    const Assignment a =
        parser(s).assignment(s.location.starts_with("torque") ? "torque[i] = …" : "f[i] = …");
    const bool torque = a.name == "torque";
    if (!torque && a.name != "f")
      s.fail(a.column, "a force is f[i] = … and a torque is torque[i] = …");
    if (a.index.empty())
      s.fail(a.column, fmt::format("\"{}\" needs a body, as in {}[0] = … or {}[i] = … for all",
                                   a.name, a.name, a.name));
    Checker checker(*model_, s);
    Entry entry;
    entry.name = a.name;
    entry.column = a.column;
    entry.source = &s;
    entry.torque = torque;
    checker.bind_by("write sum(", fmt::format(": …), or {}[i] = … for all bodies", a.name));
    // f[i] is for all bodies; any other index is that of one.
    if (a.index[0].kind == Syntax::Kind::name && a.index[0].name != "n")
      entry.over = checker.open(a.index[0].name, a.index[0].column);
    entry.index = checker.index(a.index[0]);
    entry.values.push_back(checker.vector(a.value));
    if (model_->definition.first_order)
      reads_only(*entry.values[0], true, false,
                 "forces of systems of first order, whose velocities follow from them, may not");
    checker.expect_unit(*entry.values[0], {joule}, "N m");
    model_->forces.push_back(std::move(entry));
  }

  void figure(const Source& s) {
    const Syntax call = parser(s).call(
        "what is drawn is written ball(x[i]), rod(x[i-1], x[i]), arrow(a, b), spring(a, b) or "
        "sphere()");
    struct FigureForm {
      std::string_view name;
      std::size_t vectors, numbers;  // the numbers may be left out
      std::string_view example;
    };
    constexpr std::array<FigureForm, 5> forms{
        {{"ball", 1, 1, "ball(x[i]) or ball(x[i], m[i])"},
         {"rod", 2, 0, "rod(x[i-1], x[i])"},
         {"arrow", 2, 0, "arrow(a, b)"},
         {"spring", 2, 2, "spring(a, b) or spring(a, b, length)"},
         {"sphere", 0, 0, "sphere()"}}};
    const auto form = std::find_if(forms.begin(), forms.end(),
                                   [&](const FigureForm& f) { return f.name == call.name; });
    if (form == forms.end()) {
      const std::string near = nearest(call.name, {"ball", "rod", "arrow", "spring", "sphere"});
      s.fail(
          call.column,
          fmt::format("\"{}\" cannot be drawn; {}allowed are ball, rod, arrow, spring and sphere",
                      call.name, near.empty() ? "" : fmt::format("did you mean {}? ", near)));
    }
    if (call.parts.size() < form->vectors || call.parts.size() > form->vectors + form->numbers)
      s.fail(call.column, fmt::format("\"{}\" is written {}", call.name, form->example));
    Checker checker(*model_, s, true, true);
    checker.bind_by(fmt::format("write {}(", call.name), ": …)");
    Entry entry;
    entry.name = call.name;
    entry.column = call.column;
    entry.source = &s;
    if (call.over) entry.over = checker.open(*call.over, true);
    for (std::size_t k = 0; k < call.parts.size(); ++k) {
      // First the points, then numbers such as a mass or a relaxed length.
      entry.values.push_back(k < form->vectors ? checker.vector(call.parts[k])
                                               : checker.number(call.parts[k]));
      reads_only(*entry.values.back(), false, false, "a figure may not");
    }
    // ball(x[i]) is drawn for every body i.
    if (const auto implied = checker.implied()) {
      if (call.over)
        s.fail(call.over->column, "all indices of this figure must stand before the colon");
      entry.over = implied;
    }
    model_->figure.push_back(std::move(entry));
  }

  void plot(const Source& s) {
    Checker checker(*model_, s);
    Entry entry;
    entry.name = s.location;
    entry.source = &s;
    entry.values.push_back(checker.number(parser(s).expression()));
    model_->plots.push_back(std::move(entry));
  }

  void color(const Source& s) {
    if (!model_->color.empty()) s.fail(1, "is a second quantity; bodies are coloured by one");
    Checker checker(*model_, s, true, true);
    checker.bind_by("define c[", "] = …, and write c[i] here");
    Entry entry;
    entry.name = s.location;
    entry.source = &s;
    entry.values.push_back(checker.number(parser(s).expression()));
    entry.over = checker.implied();
    // A colour is a quantity of each body, so that one index is its own.
    const auto all = static_cast<std::size_t>(entry.over ? entry.over->variables.size() : 0);
    if (all != 1)
      s.fail(1, fmt::format("has {} indices, must have one for the body, as in -e3.q[i]", all));
    model_->color.push_back(std::move(entry));
  }

  std::shared_ptr<Model> model_;
};

}  // namespace

std::shared_ptr<const Model> check(Definition definition) {
  return Reader(std::move(definition)).read();
}

}  // namespace twosphere::custom
