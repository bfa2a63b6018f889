// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/stage_writer.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace twosphere::custom {

namespace {

bool is_whole(double p) { return p == std::round(p); }
bool is_even(double p) { return is_whole(p / 2); }

constexpr double infinite = std::numeric_limits<double>::infinity();
/// The order of a sum of two that are nowhere negative, which is 0 where both are.
double order_of_sum(double a, double b) {
  const double low = std::min(a, b);
  return low > 0 ? std::max(low, std::isinf(std::max(a, b)) ? infinite : 0) : 0;
}
/// That of xᵖ. Where nothing is known of x, it grows linearly, and xᵖ is real for x ≥ 0 alone.
double order_of_power(double x, double p) { return p > 0 ? p * (x > 0 ? x : 1) : infinite; }

/// Whether even powers of it have derivatives where it has none itself.
bool is_root(Code code) {
  return code == Code::norm || code == Code::angle || code == Code::acos || code == Code::abs;
}

}  // namespace

Value number(double x) { return {Vec3(x, 0, 0), -1, 1, false}; }

Value StageWriter::emit(Instruction in, int width) {
  // An instruction that was written before is not written again: its register has the value.
  std::string key(sizeof(int) * 6 + sizeof(double) * 2, '\0');
  char* next = key.data();
  const auto put = [&](const auto& x) {
    std::memcpy(next, &x, sizeof x);
    next += sizeof x;
  };
  const int code = static_cast<int>(in.code);
  put(code);
  put(in.which);
  put(in.a);
  put(in.b);
  put(in.c);
  put(in.k);
  put(in.k2);
  const auto [known, added] = known_.try_emplace(key, stage.registers, in.active);
  if (added) {
    in.d = stage.registers;
    stage.registers += width;
    origins_.resize(at(stage.registers), stage.code.size());
    growths_.resize(at(stage.registers));
    growths_[at(in.d)] = growth_of(in);
    stage.code.push_back(in);
    if (stage.code.size() > longest_) throw TooLong{};
  }
  return {std::nullopt, known->second.first, 1, known->second.second};
}

int StageWriter::column(const std::vector<int>& elements) {
  auto& columns = stage.columns;
  // Equal columns and tables are one.
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (columns[c] == elements) return static_cast<int>(c);
  columns.push_back(elements);
  return static_cast<int>(columns.size()) - 1;
}

Value StageWriter::table(std::vector<double> numbers) {
  auto& tables = stage.tables;
  std::size_t b = 0;
  while (b < tables.size() && tables[b] != numbers) ++b;
  if (b == tables.size()) tables.push_back(std::move(numbers));
  Instruction in{.code = Code::table};
  in.b = static_cast<int>(b);
  return emit(in, 1);
}

Value StageWriter::constant(double x) {
  Instruction in{.code = Code::constant};
  in.k = x;
  return emit(in, 1);
}

Value StageWriter::plain(const Value& value, bool vector) {
  // A constant becomes a register, a factor an instruction.
  if (value.uniform) {
    const Value x = constant((*value.uniform)[0]);
    if (!vector) return x;
    const Value y = constant((*value.uniform)[1]), z = constant((*value.uniform)[2]);
    return ternary(Code::pack, x, y, z, 3);
  }
  if (value.scale == 1) return value;
  return unary(vector ? Code::scale_vector : Code::affine, value, vector ? 3 : 1, 0, value.scale);
}

Value StageWriter::unscaled(const Value& value, bool vector) {
  if (value.uniform) return plain(value, vector);
  Value out = value;
  out.scale = 1;
  return out;
}

Value StageWriter::unary(Code code, const Value& a, int width, int which, double k, double k2) {
  Instruction in{.code = code};
  in.active = in.a_active = a.active;
  in.a = a.reg;
  in.which = which;
  in.k = k;
  in.k2 = k2;
  return emit(in, width);
}

Value StageWriter::binary(Code code, const Value& a, const Value& b, int width, double k,
                          double k2) {
  Instruction in{.code = code};
  in.a_active = a.active;
  in.b_active = b.active;
  in.active = a.active || b.active;
  in.a = a.reg;
  in.b = b.reg;
  in.k = k;
  in.k2 = k2;
  return emit(in, width);
}

Value StageWriter::ternary(Code code, const Value& a, const Value& b, const Value& c, int width,
                           int which) {
  Instruction in{.code = code};
  in.a_active = a.active;
  in.b_active = b.active;
  in.c_active = c.active;
  in.active = a.active || b.active || c.active;
  in.which = which;
  in.a = a.reg;
  in.b = b.reg;
  in.c = c.reg;
  return emit(in, width);
}

Value StageWriter::added(const std::vector<Value>& terms, bool vector) {
  // Constants are added up here; the factors of the terms go into the additions.
  Vec3 rest = Vec3::Zero();
  std::optional<Value> sum;
  for (const Value& term : terms) {
    if (term.uniform) {
      rest += *term.uniform;
    } else if (!sum) {
      sum = term;
    } else {
      sum = binary(vector ? Code::linear_vector : Code::linear, *sum, term, vector ? 3 : 1,
                   sum->scale, term.scale);
    }
  }
  if (!sum) return {rest, -1, 1, false};
  if (rest.isZero(0)) return *sum;
  if (vector)
    return binary(Code::linear_vector, *sum, plain({rest, -1, 1, false}, true), 3, sum->scale, 1);
  Instruction in{.code = Code::affine};
  in.active = in.a_active = sum->active;
  in.a = sum->reg;
  in.k = sum->scale;
  in.k2 = rest[0];
  return emit(in, 1);
}

Value StageWriter::multiplied(const Value& a, const Value& b) {
  // (s a)(t b) = st · ab: the factors stay outside.
  const Value x = unscaled(a, false), y = unscaled(b, false);
  const auto [u, i] = as_power(x);
  const auto [v, j] = as_power(y);
  // uⁱ uʲ = u^{i+j}: of √u the derivative is infinite at u = 0, that of u √u is not.
  const bool roots =
      u.reg == v.reg && std::min(i, j) > 0 && !(is_whole(i) && is_whole(j)) && i + j <= max_power;
  const Value out = roots            ? real_power(u, i + j)
                    : x.reg == y.reg ? power(x, 2)
                                     : binary(Code::multiply, x, y);
  return scaled(out, a.scale * b.scale);
}

StageWriter::Power StageWriter::as_power(const Value& x) const {
  const Instruction& in = origin(x.reg);
  const Value base{std::nullopt, in.a, 1, in.a_active};
  switch (in.code) {
    case Code::sqrt:
      return {base, 0.5};
    case Code::square:
      return {base, 2};
    case Code::whole_power:
      return {base, static_cast<double>(in.which)};
    case Code::half_power:
      return {base, 0.5 * in.which};
    case Code::real_power:
    case Code::flat_power:
      return {base, in.k};
    default:
      return {x};
  }
}

std::optional<Value> StageWriter::square_of_root(const Value& x) {
  const Instruction in = origin(x.reg);
  const Value a{std::nullopt, in.a, 1, in.a_active}, b{std::nullopt, in.b, 1, in.b_active};
  switch (in.code) {
    case Code::norm:
      return binary(Code::dot, a, a);
    case Code::angle:
      return binary(Code::angle_square, a, b);
    case Code::acos:
      return unary(Code::acos_square, a);
    case Code::abs:
      return power(a, 2);
    default:
      return {};
  }
}

Growth StageWriter::growth_of(const Instruction& in) const {
  const auto order = [this](int reg) { return growths_[at(reg)].order; };
  const auto bound = [this](int reg) { return growths_[at(reg)].bound; };
  switch (in.code) {
    case Code::constant:
      return {in.k > 0 ? infinite : 0, std::abs(in.k)};
    case Code::table: {
      const auto& table = stage.tables[at(in.b)];
      const auto [low, high] = std::minmax_element(table.begin(), table.end());
      return {*low > 0 ? infinite : 0, std::max(-*low, *high)};
    }
    case Code::linear:
    case Code::linear_vector:
      return {in.k > 0 && in.k2 > 0 ? order_of_sum(order(in.a), order(in.b)) : 0,
              std::abs(in.k) * bound(in.a) + std::abs(in.k2) * bound(in.b)};
    case Code::affine: {
      // 1 − e3.q, of which the bound is that of e3.q, is a square near where it is 0.
      const double reach = std::abs(in.k) * bound(in.a);
      double power = in.k2 > reach ? infinite : in.k2 == reach ? 2 : 0;
      if (in.k > 0 && in.k2 >= 0 && order(in.a) > 0) power = in.k2 > 0 ? infinite : order(in.a);
      return {power, reach + std::abs(in.k2)};
    }
    case Code::multiply:
      return {std::min(order(in.a), order(in.b)), bound(in.a) * bound(in.b)};
    case Code::square:
      return {order_of_power(order(in.a), 2), bound(in.a) * bound(in.a)};
    case Code::whole_power:
      return {in.which % 2 == 0 || order(in.a) > 0 ? order_of_power(order(in.a), in.which) : 0,
              in.which > 0 ? std::pow(bound(in.a), in.which) : infinite};
    case Code::half_power:
      return {order_of_power(order(in.a), 0.5 * in.which)};
    case Code::real_power:
    case Code::flat_power:
      return {order_of_power(order(in.a), in.k)};
    case Code::sqrt:
      return {order_of_power(order(in.a), 0.5)};
    case Code::abs:
      return {order_of_power(order(in.a), 1), bound(in.a)};
    case Code::norm:
      return {1, bound(in.a)};
    case Code::angle:
      return {1};
    case Code::angle_square:
      return {2};
    case Code::acos_square:
      return {bound(in.a) <= 1 ? 2.0 : 0};
    case Code::minimum:
    case Code::maximum:
      return {std::min(order(in.a), order(in.b)), std::max(bound(in.a), bound(in.b))};
    case Code::exp:
    case Code::cosh:
      return {infinite};
    case Code::sin:
    case Code::cos:
      return {0, 1};
    case Code::dot:
      return {in.a == in.b ? 2.0 : 0, bound(in.a) * bound(in.b)};
    case Code::component:
      return {0, bound(in.a)};
    default:
      return {};
  }
}

Value StageWriter::real_power(const Value& base, double p) {
  // Half powers are made of a root and products, without pow(). Exponents that were multiplied have
  // been rounded.
  const double n = std::round(2 * p);
  constexpr double rounding = 1e-15;
  const bool half = std::abs(p) <= max_power && std::abs(2 * p - n) <= rounding * std::abs(n);
  const int which = half ? static_cast<int>(n) : 0;
  if (is_flat(base, p))
    return unary(Code::flat_power, base, 1, which, p, p * growth(base).order > 2 ? 0 : infinite);
  if (which == 1) return unary(Code::sqrt, base);
  return half ? unary(Code::half_power, base, 1, which) : unary(Code::real_power, base, 1, 0, p);
}

bool StageWriter::is_flat(const Value& base, double p) const {
  const double order = p * growth(base).order;
  return std::isfinite(order) && order > 1 && (p < 1 || (order <= 2 && !is_whole(p)));
}

bool StageWriter::reaches_inside(const Value& base, double p) const {
  const Code code = origin(base.reg).code;
  if (p > 1 && (code == Code::acos || (is_even(p) && is_root(code)))) return true;
  return p > 0 && !is_whole(p) && as_power(base).p != 1;
}

Value StageWriter::power(const Value& base, double p) {
  if (p == 0) return number(1);
  if (p == 1) return base;
  if (base.scale != 1) return power(plain(base, false), p);
  if (p == -1) return unary(Code::reciprocal, base);
  const Instruction in = origin(base.reg);
  const Value a{std::nullopt, in.a, 1, in.a_active}, b{std::nullopt, in.b, 1, in.b_active};
  // (c u)ᵖ = cᵖ uᵖ of a positive c.
  if (in.code == Code::affine && in.k > 0 && in.k2 == 0 && reaches_inside(a, p))
    if (const double factor = std::pow(in.k, p); std::isnormal(factor))
      return scaled(power(a, p), factor);
  // (u v)ᵖ = uᵖ vᵖ of a positive u, or of a v that is nowhere negative where u has any sign.
  const bool flat = is_flat(base, p);
  const auto apart = [&](const Value& u, const Value& v) {
    return (std::isinf(growth(u).order) && reaches_inside(v, p)) || (!flat && is_flat(v, p));
  };
  if (in.code == Code::multiply && (apart(a, b) || apart(b, a)))
    return multiplied(power(a, p), power(b, p));
  if (in.code == Code::divide && is_flat(a, p)) return multiplied(power(a, p), power(b, -p));
  if (p > 1 && (is_even(p) || in.code == Code::acos))
    if (const auto square = square_of_root(base)) return power(*square, p / 2);
  const auto [u, inner] = as_power(base);
  if (is_even(inner) && in.code != Code::half_power) {
    // (u⁴)ᵖ = u⁴ᵖ of u ≥ 0, and (u²)²ᵖ of any sign of u.
    if (!is_whole(p) && growth(u).order > 0) return power(u, inner * p);
    if (inner > 2 && !is_whole(p)) return power(power(u, 2), inner * p / 2);
  } else if (inner > 0 && !(is_whole(inner) && is_whole(p)) && std::abs(inner * p) <= max_power) {
    return real_power(u, inner * p);
  }
  if (!is_whole(p) || std::abs(p) > max_power) return real_power(base, p);
  if (p == 2) return unary(Code::square, base);
  return unary(Code::whole_power, base, 1, static_cast<int>(p));
}

Value scaled(Value value, double factor) {
  if (value.uniform)
    *value.uniform *= factor;
  else
    value.scale *= factor;
  return value;
}

}  // namespace twosphere::custom
