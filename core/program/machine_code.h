// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/program/stage.h"

/// Stages of programs as machine code; see core/program/program.h.
namespace twosphere::custom {

/// For which functions of a Program there is to be machine code.
struct Uses {
  bool evaluate = false, evaluate_along = false, pull_back = false, pull_back_along = false;
};

/// What machine code is made from: stages whose constants are NaN where they are data. What has the
/// same structure has the same code.
struct Structure {
  std::vector<Stage> stages;
  std::vector<char> again;    ///< by stage: whether the reverse sweep needs its outputs
  std::vector<Array> arrays;  ///< of which the steps matter
  Uses uses;

  /// Two structures with the same key are the same.
  std::string key() const;
};
/// A constant that is written into the code, because it is the identity of an operation.
constexpr bool is_literal(double k) { return k == 0 || k == 1 || k == -1; }

/// Does a stage's part of an evaluation. `constants`: k and k2 of the instruction whose result is
/// in register d at 2 d and 2 d + 1, then the scales of the outputs. `lists`: the tables, the
/// columns, their accesses, Stage::valid, Stage::runs. `arrays` and `bars` are pointers to the
/// arrays and their adjoints, of double, or of Dual for derivatives along a direction.
using StageFunction = void (*)(const void* arrays, const void* bars, const double* constants,
                               const void* const* lists, double t);

/// Functions that are not asked for are null.
struct StageCode {
  StageFunction forward = nullptr, forward_along = nullptr, backward = nullptr,
                backward_along = nullptr;
};
struct MachineCode {
  std::vector<StageCode> stages;
  std::shared_ptr<void> memory;  ///< keeps the code
};

/// Machine code for the instruction set level in use: the same operations in the same order as the
/// tape's, eight tuples at a time, so that results are equal bit for bit. Errors: LLVM is not
/// there, memory may not be made executable.
Result<MachineCode> compile(const Structure& structure);
/// With what: "LLVM 15.0.6"; empty if the program was built without.
std::string_view compiler_name();
/// Whether compile() can succeed here: an error says why not.
Result<void> can_compile();
/// Whether LLVM is in a folder in which the loader looks, without loading it. False says nothing:
/// it also knows folders by its cache.
bool finds_compiler();

}  // namespace twosphere::custom
