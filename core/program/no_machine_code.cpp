// SPDX-License-Identifier: GPL-3.0-or-later
// Instead of the files llvm_*.cpp, where the program is built without LLVM.
#include "core/program/machine_code.h"

namespace twosphere::custom {

Result<MachineCode> compile(const Structure&) { return can_compile().error(); }

std::string_view compiler_name() { return {}; }

Result<void> can_compile() {
  return Error{ErrorKind::internal, "", "the program was built without LLVM"};
}

bool finds_compiler() { return false; }

}  // namespace twosphere::custom
