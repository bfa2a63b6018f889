// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/machine_code.h"

#include <cstring>

namespace twosphere::custom {

namespace {

struct Key {
  std::string bytes;

  template <class X>
  void put(X x) {
    char raw[sizeof x];
    std::memcpy(raw, &x, sizeof x);
    bytes.append(raw, sizeof x);
  }
  void put(const Instruction& in) {
    put(in.code);
    for (const bool active : {in.active, in.a_active, in.b_active, in.c_active}) put(active);
    for (const int x : {in.which, in.d, in.a, in.b, in.c}) put(x);
    put(in.k);
    put(in.k2);
  }
  void put(const Stage& stage) {
    put(stage.kind);
    put(stage.count);
    put(stage.registers);
    put(stage.guarded);
    put(stage.held);
    put(stage.runs.size());
    for (const Stage::HeldSum& sum : stage.held_sums) {
      put(sum.which);
      for (const int x : {sum.array, sum.width}) put(x);
    }
    for (const std::size_t size :
         {stage.tables.size(), stage.columns.size(), stage.code.size(), stage.outputs.size()})
      put(size);
    for (const std::vector<int>& column : stage.columns)
      for (const int element : column) put(element);
    for (const std::vector<Access>& ways : stage.ways) {
      put(ways.size());
      for (const Access way : ways) put(way);
    }
    for (const Instruction& in : stage.code) put(in);
    for (const Stage::Output& out : stage.outputs) {
      for (const int x : {out.array, out.column, out.from, out.width}) put(x);
      put(out.active);
      put(out.scale);
    }
  }
};

}  // namespace

std::string Structure::key() const {
  Key key;
  for (const Stage& stage : stages) key.put(stage);
  for (const char needed : again) key.put(needed);
  for (const Array& array : arrays) {
    key.put(array.element_step);
    key.put(array.component_step);
  }
  for (const bool use : {uses.evaluate, uses.evaluate_along, uses.pull_back, uses.pull_back_along})
    key.put(use);
  return std::move(key.bytes);
}

}  // namespace twosphere::custom
