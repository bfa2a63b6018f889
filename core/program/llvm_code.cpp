// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>

#include "core/base/simd_level.h"
#include "core/program/llvm_emission.h"
#include "core/program/machine_code.h"

namespace twosphere::custom {

namespace {

/// What processor is compiled for: a fixed set of instructions for each level, whatever else the
/// processor can do.
const char* processor(std::string_view level) {
  if (level == "avx512") return "x86-64-v4";
  if (level == "avx2") return "x86-64-v3";
  if (level == "sse4") return "x86-64-v2";
  if (level == "sse2") return "x86-64";
  return "generic";
}

/// Takes the error away.
Error error_of(const LlvmLibrary& llvm, LLVMErrorRef error) {
  char* text = llvm.GetErrorMessage(error);
  Error out{ErrorKind::internal, "", text};
  llvm.DisposeErrorMessage(text);
  return out;
}

Result<LLVMTargetMachineRef> target_machine(const LlvmLibrary& llvm) {
  // The machine this runs on, with the instructions of the level that is in use.
  char* triple = llvm.GetDefaultTargetTriple();
  LLVMTargetRef target = nullptr;
  char* wrong = nullptr;
  if (llvm.GetTargetFromTriple(triple, &target, &wrong)) {
    Error error{ErrorKind::internal, "", wrong};
    llvm.DisposeMessage(wrong);
    llvm.DisposeMessage(triple);
    return error;
  }
  const LLVMTargetMachineRef machine =
      llvm.CreateTargetMachine(target, triple, processor(isa_level()), "", LLVMCodeGenLevelDefault,
                               LLVMRelocPIC, LLVMCodeModelDefault);
  llvm.DisposeMessage(triple);
  if (!machine) return Error{ErrorKind::internal, "", "LLVM has no code for this machine"};
  return machine;
}

template <class T>
void write_forward(const LlvmLibrary& llvm, LLVMContextRef context, LLVMModuleRef module_,
                   const Structure& structure, std::size_t s, const std::string& name) {
  const Stage& stage = structure.stages[s];
  LlvmEmission<T>(llvm, context, module_, structure, s, name).write([&](auto& machine) {
    machine.forward(stage.code);
    machine.store(stage);
  });
}

template <class T>
void write_backward(const LlvmLibrary& llvm, LLVMContextRef context, LLVMModuleRef module_,
                    const Structure& structure, std::size_t s, const std::string& name) {
  const Stage& stage = structure.stages[s];
  LlvmEmission<T>(llvm, context, module_, structure, s, name).write([&](auto& machine) {
    machine.forward(stage.again);
    if (stage.guarded)
      machine.template backward<true>(stage);
    else
      machine.template backward<false>(stage);
  });
}

/// The functions of a stage: which are needed, their names, where they are kept.
struct StageEntry {
  void (*write)(const LlvmLibrary&, LLVMContextRef, LLVMModuleRef, const Structure&, std::size_t,
                const std::string&);
  std::string name;
  std::size_t stage;
  StageFunction StageCode::*to;
};

std::vector<StageEntry> entries_of(const Structure& structure) {
  std::vector<StageEntry> out;
  const Uses& uses = structure.uses;
  for (std::size_t s = 0; s < structure.stages.size(); ++s) {
    const Stage& stage = structure.stages[s];
    if (stage.kind != Stage::Kind::body) continue;
    const auto add = [&](bool is, auto* write, const char* name, StageFunction StageCode::*to) {
      if (is) out.push_back({write, fmt::format("{}{}", name, s), s, to});
    };
    // A reverse sweep needs the values of its stages, and runs where something depends on q.
    const bool again = structure.again[s] != 0, back = !stage.gathers.empty();
    add(uses.evaluate || (uses.pull_back && again), &write_forward<Symbol>, "forward",
        &StageCode::forward);
    add(uses.evaluate_along || (uses.pull_back_along && again), &write_forward<DualOf<Symbol>>,
        "forward_along", &StageCode::forward_along);
    add(uses.pull_back && back, &write_backward<Symbol>, "backward", &StageCode::backward);
    add(uses.pull_back_along && back, &write_backward<DualOf<Symbol>>, "backward_along",
        &StageCode::backward_along);
  }
  return out;
}

/// What LLVM does to the code before it selects instructions. None of it changes a result.
constexpr const char* passes = "function(mem2reg,instcombine,early-cse)";

}  // namespace

Result<MachineCode> compile(const Structure& structure) {
  const auto& library = LlvmLibrary::get();
  if (!library) return library.error();
  const LlvmLibrary& llvm = *library;

  // The compiler takes its machine over; the passes need another.
  const auto machine = target_machine(llvm), for_passes = target_machine(llvm);
  if (!machine) return machine.error();
  const LLVMOrcLLJITBuilderRef builder = llvm.OrcCreateLLJITBuilder();
  llvm.OrcLLJITBuilderSetJITTargetMachineBuilder(
      builder, llvm.OrcJITTargetMachineBuilderCreateFromTargetMachine(*machine));
  LLVMOrcLLJITRef jit = nullptr;
  if (LLVMErrorRef error = llvm.OrcCreateLLJIT(&jit, builder)) return error_of(llvm, error);
  MachineCode out;
  // The code lives as long as the last system that runs it.
  out.memory = std::shared_ptr<void>(jit, [dispose = llvm.OrcDisposeLLJIT](void* code) {
    dispose(static_cast<LLVMOrcLLJITRef>(code));
  });

  // All functions of all stages are one module.
  const LLVMOrcThreadSafeContextRef threads = llvm.OrcCreateNewThreadSafeContext();
  const LLVMContextRef context = llvm.OrcThreadSafeContextGetContext(threads);
  const LLVMModuleRef module_ = llvm.ModuleCreateWithNameInContext("stages", context);
  llvm.SetDataLayout(module_, llvm.OrcLLJITGetDataLayoutStr(jit));
  llvm.SetTarget(module_, llvm.OrcLLJITGetTripleString(jit));
  const std::vector<StageEntry> all = entries_of(structure);
  for (const StageEntry& w : all) w.write(llvm, context, module_, structure, w.stage, w.name);

  // It is optimised, handed over and compiled; then the addresses are known.
  const LLVMPassBuilderOptionsRef options = llvm.CreatePassBuilderOptions();
  LLVMErrorRef error = llvm.RunPasses(module_, passes, *for_passes, options);
  llvm.DisposePassBuilderOptions(options);
  llvm.DisposeTargetMachine(*for_passes);
  const LLVMOrcThreadSafeModuleRef held = llvm.OrcCreateNewThreadSafeModule(module_, threads);
  llvm.OrcDisposeThreadSafeContext(threads);
  const LLVMErrorRef added =
      llvm.OrcLLJITAddLLVMIRModule(jit, llvm.OrcLLJITGetMainJITDylib(jit), held);
  if (!error) error = added;
  if (error) return error_of(llvm, error);

  out.stages.resize(structure.stages.size());
  for (const StageEntry& w : all) {
    LLVMOrcExecutorAddress address = 0;
    if (LLVMErrorRef missing = llvm.OrcLLJITLookup(jit, &address, w.name.c_str()))
      return error_of(llvm, missing);
    out.stages[w.stage].*w.to = reinterpret_cast<StageFunction>(address);
  }
  return out;
}

std::string_view compiler_name() { return "LLVM " LLVM_VERSION_STRING; }

Result<void> can_compile() {
  if (const auto& library = LlvmLibrary::get(); !library) return library.error();
  return {};
}

bool finds_compiler() { return LlvmLibrary::is_found(); }

}  // namespace twosphere::custom
