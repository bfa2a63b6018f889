// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cmath>

#include "core/program/lowering.h"

namespace twosphere::custom {

namespace {

/// Of an expression that is written out for one tuple, more than most have.
constexpr int parts_per_tuple = 32;

Code code_of(Function function) {
  switch (function) {
#define FUNCTION(name, ...) \
  case Function::name:      \
    return Code::name;
#include "core/language/function_list.h"
  }
  return Code::constant;
}

/// The constant parts of a sum or a product, which together are one value.
class ConstantParts {
 public:
  explicit ConstantParts(const Node& of) : together_(of) {
    together_.parts.clear();
    together_.inverse.clear();
    together_.is_vector = false;
  }
  /// Takes a part if it is constant.
  bool take(const Node& of, std::size_t k) {
    const Ref& part = of.parts[k];
    if (!part->constant()) return false;
    together_.parts.push_back(part);
    together_.inverse.push_back(of.inverse[k]);
    together_.is_vector |= part->is_vector;
    return true;
  }
  bool empty() const { return together_.parts.empty(); }
  const Node& together() {
    complete(together_);
    return together_;
  }

 private:
  Node together_;
};

}  // namespace

Value Lowering::lower(const Node& node, StageWriter& to, const Tuples& tuples) {
  here_ = &node;
  constants_.spend(*node.source, node.column, 1);
  check_straight(++lowered_ / parts_per_tuple);
  if (node.constant()) return fixed(node, to, tuples);
  switch (node.op) {
    case Op::time:
      return to.emit({.code = Code::time}, 1);
    case Op::q:
      return state(node, Program::q, to, tuples);
    case Op::w:
      return state(node, Program::w, to, tuples);
    case Op::v:
      return state(node, Program::v, to, tuples);
    case Op::use:
      return use(node, to, tuples);
    case Op::vector: {
      const Value a = to.plain(lower(*node.parts[0], to, tuples), false);
      const Value b = to.plain(lower(*node.parts[1], to, tuples), false);
      const Value c = to.plain(lower(*node.parts[2], to, tuples), false);
      return to.ternary(Code::pack, a, b, c, 3);
    }
    case Op::sum:
      return sum(node, to, tuples);
    case Op::product:
      return product(node, to, tuples);
    case Op::power:
      return power(node, to, tuples);
    case Op::dot:
      return dot(node, to, tuples);
    case Op::cross: {
      const Value a = lower(*node.parts[0], to, tuples), b = lower(*node.parts[1], to, tuples);
      const double scale = (a.uniform ? 1 : a.scale) * (b.uniform ? 1 : b.scale);
      Value out = to.binary(Code::cross, to.unscaled(a, true), to.unscaled(b, true), 3);
      out.scale = scale;
      return out;
    }
    case Op::norm: {
      const Value a = lower(*node.parts[0], to, tuples);
      Value out = to.unary(Code::norm, to.unscaled(a, true));
      out.scale = std::abs(a.scale);
      return out;
    }
    case Op::angle:
    case Op::atan2:
    case Op::minimum:
    case Op::maximum: {
      const bool vectors = node.op == Op::angle;
      const Value a = to.plain(lower(*node.parts[0], to, tuples), vectors);
      const Value b = to.plain(lower(*node.parts[1], to, tuples), vectors);
      const Code code = node.op == Op::angle     ? Code::angle
                        : node.op == Op::atan2   ? Code::atan2
                        : node.op == Op::minimum ? Code::minimum
                                                 : Code::maximum;
      return to.binary(code, a, b);
    }
    case Op::function: {
      const Value a = to.plain(lower(*node.parts[0], to, tuples), false);
      if (node.function == Function::sqrt) return to.power(a, 0.5);
      return to.unary(code_of(node.function), a);
    }
    case Op::choose:
      return choose(node, to, tuples);
    case Op::total:
      return total(node, to, tuples);
    case Op::total_product:
      return total_product(node, to, tuples);
    default:
      return number(0);  // constants, which were taken above
  }
}

Value Lowering::fixed(const Node& node, StageWriter& to, const Tuples& tuples) {
  // The same for all tuples: a number in the instruction that reads it, not a register.
  if (tuples.count == 1 || node.indices.empty()) {
    if (tuples.is_dead(0) && tuples.count == 1) return {Vec3::Zero().eval(), -1, 1, false};
    tuples.load(indices_, 0);
    return {constants_.value(node, indices_), -1, 1, false};
  }
  const int width = node.is_vector ? 3 : 1;
  std::vector<std::vector<double>> tables(at(width), std::vector<double>(at(tuples.count)));
  bool uniform = true;
  for (int k = 0; k < tuples.count; ++k) {
    if (tuples.is_dead(k)) continue;
    tuples.load(indices_, k);
    const Vec3 x = constants_.value(node, indices_);
    for (int m = 0; m < width; ++m) {
      tables[at(m)][at(k)] = x[m];
      uniform = uniform && x[m] == tables[at(m)][0];
    }
  }
  if (uniform) {
    Vec3 x = Vec3::Zero();
    for (int m = 0; m < width; ++m) x[m] = tables[at(m)][0];
    return {x, -1, 1, false};
  }
  std::array<Value, 3> components;
  for (int m = 0; m < width; ++m) components[at(m)] = to.table(std::move(tables[at(m)]));
  if (width == 1) return components[0];
  return to.ternary(Code::pack, components[0], components[1], components[2], 3);
}

std::vector<int> Lowering::elements(const Node& of, const Tuples& tuples, int size) {
  std::vector<int> out(at(tuples.count), 0);
  for (int k = 0; k < tuples.count; ++k) {
    if (tuples.is_dead(k)) continue;
    tuples.load(indices_, k);
    out[at(k)] = constants_.index(of, *of.parts[0], indices_, size);
  }
  return out;
}

Value Lowering::gather(StageWriter& to, int array, const std::vector<int>& which) {
  const Array& from = arrays_[at(array)];
  Instruction in{.code = from.width == 3 ? Code::gather_vector : Code::gather};
  in.active = from.active;
  in.a = array;
  in.b = to.column(which);
  const Value out = to.emit(in, from.width);
  to.set_growth(out, growths_[array]);
  return out;
}

Value Lowering::state(const Node& node, int array, StageWriter& to, const Tuples& tuples) {
  std::vector<int> which = elements(node, tuples, constants_.bodies());
  if (array == Program::v && velocities_ == Velocities::beside) {
    for (int& k : which) k += constants_.bodies();
    return gather(to, Program::q, which);
  }
  if (array != Program::q) reads_w_ = true;
  const Value out = gather(to, array, which);
  if (array == Program::q) to.set_growth(out, {.bound = 1});
  return out;
}

Value Lowering::use(const Node& node, StageWriter& to, const Tuples& tuples) {
  const Named& named = bindings_.named[at(node.which)];
  const int n = constants_.bodies();
  if (straight_) {
    // Written out once for each element.
    int i = 0;
    Tuples one;
    if (named.variable >= 0) {
      if (tuples.is_dead(0)) return {Vec3::Zero().eval(), -1, 1, false};
      tuples.load(indices_, 0);
      if (node.origin && constants_.index(*node.parts[0], indices_) == -1)
        return {Vec3::Zero().eval(), -1, 1, false};
      i = constants_.index(node, *node.parts[0], indices_, n);
      one.values.emplace_back(named.variable, std::vector<int>{i});
    }
    const std::pair<int, int> key(node.which, i);
    if (const auto known = straight_named_.find(key); known != straight_named_.end())
      return known->second;
    const Value out = lower(*named.body, to, one);
    straight_named_.emplace(key, out);
    return out;
  }
  const int array = named_array(node.which);
  if (named.variable < 0) return gather(to, array, std::vector<int>(at(tuples.count), 0));
  if (!node.origin) return gather(to, array, elements(node, tuples, n));
  // The origin is the element after the last.
  std::vector<int> which(at(tuples.count), 0);
  for (int k = 0; k < tuples.count; ++k) {
    tuples.load(indices_, k);
    const bool origin = constants_.index(*node.parts[0], indices_) == -1;
    which[at(k)] = origin ? n : constants_.index(node, *node.parts[0], indices_, n);
  }
  return gather(to, array, which);
}

Value Lowering::sum(const Node& node, StageWriter& to, const Tuples& tuples) {
  ConstantParts constants(node);
  std::vector<Value> terms;
  for (std::size_t k = 0; k < node.parts.size(); ++k) {
    if (constants.take(node, k)) continue;
    Value term = lower(*node.parts[k], to, tuples);
    if (node.inverse[k]) term = scaled(term, -1);
    terms.push_back(term);
  }
  if (!constants.empty()) terms.push_back(fixed(constants.together(), to, tuples));
  return to.added(terms, node.is_vector);
}

Value Lowering::product(const Node& node, StageWriter& to, const Tuples& tuples) {
  ConstantParts constants(node);
  std::optional<Value> above, below, vector;
  double scale = 1;
  const auto multiply = [&](std::optional<Value>& so_far, const Value& factor) {
    so_far = so_far ? to.multiplied(*so_far, factor) : factor;
  };
  for (std::size_t k = 0; k < node.parts.size(); ++k) {
    const Node& part = *node.parts[k];
    if (constants.take(node, k)) continue;
    const Value factor = lower(part, to, tuples);
    if (factor.uniform) {
      // Nothing is left of what depends on the motion.
      if (part.is_vector)
        vector = factor;
      else
        scale = node.inverse[k] ? scale / (*factor.uniform)[0] : scale * (*factor.uniform)[0];
    } else if (part.is_vector) {
      vector = factor;
    } else {
      multiply(node.inverse[k] ? below : above, factor);
    }
  }
  if (!constants.empty()) {
    const Value fixed_part = fixed(constants.together(), to, tuples);
    if (constants.together().is_vector)
      vector = fixed_part;
    else if (fixed_part.uniform)
      scale *= (*fixed_part.uniform)[0];
    else
      multiply(above, fixed_part);
  }
  std::optional<Value> number_part = above;
  if (below && above) {
    Value out = to.binary(Code::divide, to.unscaled(*above, false), to.unscaled(*below, false));
    out.scale = above->scale / below->scale;
    number_part = out;
  } else if (below) {
    Value out = to.unary(Code::reciprocal, to.unscaled(*below, false));
    out.scale = 1 / below->scale;
    number_part = out;
  }
  if (!node.is_vector) return number_part ? scaled(*number_part, scale) : number(scale);
  if (!number_part) return scaled(*vector, scale);
  const Value direction = to.unscaled(*vector, true);
  Value out = to.binary(Code::multiply_vector, to.unscaled(*number_part, false), direction, 3);
  out.scale = scale * number_part->scale * (vector->uniform ? 1 : vector->scale);
  return out;
}

std::optional<Value> Lowering::even_power(const Node& base, int p, StageWriter& to,
                                          const Tuples& tuples) {
  const auto is_root = [](const Node& node) { return node.op == Op::norm || node.op == Op::angle; };
  const Node* root = is_root(base) ? &base : nullptr;
  bool below = false;
  ConstantParts constants(base);
  if (base.op == Op::product)
    for (std::size_t k = 0; k < base.parts.size(); ++k) {
      if (constants.take(base, k)) continue;
      if (root || !is_root(*base.parts[k])) return {};
      root = base.parts[k].get();
      below = base.inverse[k];
    }
  if (!root) return {};
  const bool is_norm = root->op == Op::norm;
  const Value a = lower(*root->parts[0], to, tuples);
  const int half = below ? -p / 2 : p / 2;
  double scale = is_norm && !a.uniform ? custom::whole_power(a.scale, 2 * half) : 1;
  std::optional<Value> table;
  if (!constants.empty()) {
    const Value factor = fixed(constants.together(), to, tuples);
    if (factor.uniform)
      scale *= custom::whole_power((*factor.uniform)[0], p);
    else
      table = to.power(factor, p);
  }
  if (!std::isnormal(scale)) return {};
  // |v|ᵖ = (v·v)^{p/2}: no root, and a derivative where v = 0. θᵖ = (θ²)^{p/2} has one where θ = 0.
  const Value v = is_norm ? to.unscaled(a, true) : to.plain(a, true);
  const Value square = is_norm ? to.binary(Code::dot, v, v)
                               : to.binary(Code::angle_square, v,
                                           to.plain(lower(*root->parts[1], to, tuples), true));
  const Value out = scaled(to.power(square, half), scale);
  return table ? to.multiplied(out, *table) : out;
}

Value Lowering::power(const Node& node, StageWriter& to, const Tuples& tuples) {
  const Value exponent = lower(*node.parts[1], to, tuples);
  if (exponent.uniform) {
    const double p = (*exponent.uniform)[0] / 2;
    constexpr double max_power = 32;
    if (p == std::round(p) && p != 0 && std::abs(p) <= max_power)
      if (auto out = even_power(*node.parts[0], static_cast<int>(2 * p), to, tuples)) return *out;
  }
  const Value base = lower(*node.parts[0], to, tuples);
  if (base.uniform && exponent.uniform)
    return number(std::pow((*base.uniform)[0], (*exponent.uniform)[0]));
  if (exponent.uniform) {
    const double p = (*exponent.uniform)[0];
    if (p == std::round(p) && std::abs(p) <= StageWriter::max_power) {
      const double scale = custom::whole_power(base.scale, static_cast<int>(p));
      if (std::isnormal(scale)) return scaled(to.power(to.unscaled(base, false), p), scale);
    }
    return to.power(to.plain(base, false), p);
  }
  const Value a = to.plain(base, false);
  const double order = to.growth(a).order;
  return to.binary(Code::power, a, to.plain(exponent, false), 1, std::isfinite(order) ? order : 0);
}

Value Lowering::dot(const Node& node, StageWriter& to, const Tuples& tuples) {
  const Value a = lower(*node.parts[0], to, tuples), b = lower(*node.parts[1], to, tuples);
  if (a.uniform && b.uniform) return number(a.uniform->dot(*b.uniform));
  if (a.uniform || b.uniform) {
    const Vec3& direction = a.uniform ? *a.uniform : *b.uniform;
    const Value& other = a.uniform ? b : a;
    int along = -1, nonzero = 0;
    for (int m = 0; m < 3; ++m)
      if (direction[m] != 0) along = m, ++nonzero;
    if (nonzero == 0) return number(0);
    if (nonzero == 1) {
      Value out = to.unary(Code::component, to.unscaled(other, true), 1, along);
      out.scale = other.scale * direction[along];
      return out;
    }
  }
  const double scale = (a.uniform ? 1 : a.scale) * (b.uniform ? 1 : b.scale);
  Value out = to.binary(Code::dot, to.unscaled(a, true), to.unscaled(b, true));
  out.scale = scale;
  return out;
}

Value Lowering::choose(const Node& node, StageWriter& to, const Tuples& tuples) {
  const bool fixed_condition = node.parts[0]->constant() && node.parts[1]->constant();
  Tuples yes = tuples, no = tuples;
  if (fixed_condition) {
    // Indices out of range matter only where the value is chosen.
    yes.dead.resize(at(tuples.count), 0);
    no.dead.resize(at(tuples.count), 0);
    int chosen = 0, alive = 0;
    for (int k = 0; k < tuples.count; ++k) {
      if (tuples.is_dead(k)) continue;
      tuples.load(indices_, k);
      const bool holds = constants_.holds(node, indices_);
      (holds ? no : yes).dead[at(k)] = 1;
      chosen += holds ? 1 : 0;
      ++alive;
    }
    if (chosen == alive) return lower(*node.parts[2], to, tuples);
    if (chosen == 0) return lower(*node.parts[3], to, tuples);
  }
  const Value left = lower(*node.parts[0], to, tuples), right = lower(*node.parts[1], to, tuples);
  Value condition = to.plain(to.added({left, scaled(right, -1)}, false), false);
  // The choice has no derivative by what it depends on.
  condition.active = false;
  const Value b = to.plain(lower(*node.parts[2], to, yes), node.is_vector);
  const Value c = to.plain(lower(*node.parts[3], to, no), node.is_vector);
  to.stage.guarded = true;
  return to.ternary(node.is_vector ? Code::choose_vector : Code::choose, condition, b, c,
                    node.is_vector ? 3 : 1, static_cast<int>(node.relation));
}

}  // namespace twosphere::custom
