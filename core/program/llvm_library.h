// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "core/base/result.h"

namespace twosphere::custom {

// The functions of LLVM that are called, without "LLVM" in front.
// clang-format off
#define TWOSPHERE_LLVM_FUNCTIONS(X)                                                                \
  X(AddCallSiteAttribute)                                                                          \
  X(AddIncoming) X(BuildAlloca)                                                                    \
  X(AppendBasicBlockInContext)                                                                     \
  X(BuildAdd)                                                                                      \
  X(BuildBr)                                                                                       \
  X(BuildCall2)                                                                                    \
  X(BuildCondBr)                                                                                   \
  X(BuildExtractElement)                                                                           \
  X(BuildFAdd) X(BuildFCmp) X(BuildFDiv) X(BuildFMul) X(BuildFNeg) X(BuildFSub) X(BuildGEP2)       \
      X(BuildICmp) X(BuildInsertElement) X(BuildLoad2) X(BuildMul) X(BuildPhi) X(BuildRetVoid) X(  \
          BuildSExt) X(BuildSelect) X(BuildShuffleVector) X(BuildStore) X(BuildSwitch) X(AddCase)  \
          X(BuildAnd) X(BuildOr) X(ConstInt) X(ConstIntToPtr) X(ConstReal) X(ConstVector)          \
              X(AddFunction) X(CreateBuilderInContext) X(DisposeBuilder) X(CreateEnumAttribute) X( \
                  AddAttributeAtIndex) X(CreatePassBuilderOptions) X(DisposePassBuilderOptions)    \
                  X(CreateTargetMachine) X(DisposeMessage) X(DisposeErrorMessage) X(               \
                      DoubleTypeInContext) X(FunctionType) X(GetDefaultTargetTriple)               \
                      X(GetEnumAttributeKindForName) X(GetErrorMessage) X(GetInsertBlock) X(       \
                          GetIntrinsicDeclaration) X(GetParam) X(GetTargetFromTriple) X(GetUndef)  \
                          X(IntTypeInContext) X(IntrinsicGetType) X(LookupIntrinsicID)             \
                              X(ModuleCreateWithNameInContext) X(OrcCreateLLJIT) X(                \
                                  OrcCreateLLJITBuilder) X(OrcCreateNewThreadSafeContext)          \
                                  X(OrcCreateNewThreadSafeModule) X(OrcDisposeLLJIT) X(            \
                                      OrcDisposeThreadSafeContext)                                 \
                                      X(OrcJITTargetMachineBuilderCreateFromTargetMachine) X(      \
                                          OrcLLJITAddLLVMIRModule)                                 \
                                          X(OrcLLJITBuilderSetJITTargetMachineBuilder) X(          \
                                              OrcLLJITGetDataLayoutStr) X(OrcLLJITGetMainJITDylib) \
                                              X(OrcLLJITGetTripleString) X(OrcLLJITLookup)         \
                                                  X(OrcThreadSafeContextGetContext)                \
                                                      X(PointerTypeInContext)                      \
                                                          X(PositionBuilderAtEnd) X(RunPasses)     \
                                                              X(SetAlignment) X(SetDataLayout)     \
                                                                  X(SetTarget) X(VectorType)       \
                                                                      X(VoidTypeInContext)         \
                                                                          X(DisposeTargetMachine)
// clang-format on

/// LLVM's C interface, loaded when it is first needed: starting the program with the library linked
/// to it would cost 13 ms more.
struct LlvmLibrary {
  // NOLINTNEXTLINE(bugprone-macro-parentheses): a declaration
#define TWOSPHERE_LLVM_MEMBER(name) decltype(&::LLVM##name) name = nullptr;
  TWOSPHERE_LLVM_FUNCTIONS(TWOSPHERE_LLVM_MEMBER)
#undef TWOSPHERE_LLVM_MEMBER

  /// The library; an error if this machine has none that fits.
  static const Result<LlvmLibrary>& get();
  /// Whether its file is in a folder of the loader; loads nothing.
  static bool is_found();
};

}  // namespace twosphere::custom
