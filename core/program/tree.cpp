// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/tree.h"

#include <algorithm>

namespace twosphere::custom {

namespace {

void read(Node& node, const Node& part) {
  node.reads_q = node.reads_q || part.reads_q;
  node.reads_t = node.reads_t || part.reads_t;
  node.reads_w = node.reads_w || part.reads_w;
  node.depth = std::max(node.depth, part.depth + 1);
  for (const int variable : part.indices) node.indices.push_back(variable);
}

int degree(const Node& node, const Node* body) {
  const auto of = [&](std::size_t i) { return node.parts[i]->degree; };
  int max_degree = 0, sum = 0;
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    max_degree = std::max(max_degree, of(i));
    // A division by what depends on q is not linear.
    const bool divides = node.op == Op::product && node.inverse[i];
    sum += divides && of(i) > 0 ? 2 : of(i);
  }
  switch (node.op) {
    case Op::q:
      return 1;
    case Op::use:
      return body ? body->degree : 0;
    case Op::vector:
    case Op::sum:
    case Op::total:
      return max_degree;
    case Op::product:
    case Op::dot:
    case Op::cross:
      return std::min(sum, 2);
    case Op::choose:
      return std::max(of(0), of(1)) > 0 ? 2 : max_degree;
    default:
      return max_degree > 0 ? 2 : 0;
  }
}

/// Whether the value is that of a function whose values are angles.
bool is_angle(const Node& node) {
  if (node.op == Op::function)
    return node.function == Function::asin || node.function == Function::acos ||
           node.function == Function::atan;
  return node.op == Op::angle || node.op == Op::atan2;
}

}  // namespace

std::string unit_name(const Node& node) {
  if (is_angle(node)) return "rad";
  if (!node.unit || is_plain(*node.unit)) return "1";
  Dimension shown = *node.unit;
  // Beside other units the radian of an angular velocity is left out: J s and m/s, not rad J s.
  auto& [kg, m, s, ampere, rad, cycle] = shown;
  if (kg != 0 || m != 0 || ampere != 0) rad = 0;
  return shown_unit(twosphere::name(shown));
}

void complete(Node& node, const Node* body) {
  node.reads_q = node.op == Op::q;
  node.reads_t = node.op == Op::time;
  node.reads_w = node.op == Op::w || node.op == Op::v;
  node.depth = 1;
  node.indices.clear();
  for (const Ref& part : node.parts) read(node, *part);
  if (body) {
    // Its variable is bound by the use.
    const std::vector<int> free = node.indices;
    read(node, *body);
    node.indices = free;
  }
  if (node.op == Op::index) node.indices.push_back(node.which);
  if (node.over)
    for (const Range::Condition& c : node.over->conditions) {
      read(node, *c.left);
      read(node, *c.right);
    }
  std::sort(node.indices.begin(), node.indices.end());
  node.indices.erase(std::unique(node.indices.begin(), node.indices.end()), node.indices.end());
  if (node.over)
    for (const int bound : node.over->variables)
      node.indices.erase(std::remove(node.indices.begin(), node.indices.end(), bound),
                         node.indices.end());
  node.degree = degree(node, body);
}

}  // namespace twosphere::custom
