// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/llvm_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>

#include <string>

namespace twosphere::custom {

namespace {

constexpr int major_version = LLVM_VERSION_MAJOR;

template <class F>
bool find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

Result<LlvmLibrary> load() {
  const std::string file = fmt::format("libLLVM-{}.so.1", major_version);
  // It stays loaded until the end: other libraries may use it, too.
  void* library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    const char* reason = dlerror();
    return Error{ErrorKind::internal, "", reason ? reason : file + " cannot be loaded"};
  }
  LlvmLibrary llvm;
  const char* missing = nullptr;
#define TWOSPHERE_LLVM_FIND(name) \
  if (!find(library, "LLVM" #name, llvm.name)) missing = #name;
  TWOSPHERE_LLVM_FUNCTIONS(TWOSPHERE_LLVM_FIND)
#undef TWOSPHERE_LLVM_FIND
#define TWOSPHERE_TEXT(name) #name
#define TWOSPHERE_TEXT_OF(name) TWOSPHERE_TEXT(name)
  for (const char* part :
       {TWOSPHERE_TEXT_OF(LLVM_NATIVE_TARGETINFO), TWOSPHERE_TEXT_OF(LLVM_NATIVE_TARGET),
        TWOSPHERE_TEXT_OF(LLVM_NATIVE_TARGETMC), TWOSPHERE_TEXT_OF(LLVM_NATIVE_ASMPRINTER)}) {
    void (*initialise)() = nullptr;
    if (find(library, part, initialise))
      initialise();
    else
      missing = part;
  }
#undef TWOSPHERE_TEXT_OF
#undef TWOSPHERE_TEXT
  if (missing) return Error{ErrorKind::internal, "", fmt::format("{} lacks {}", file, missing)};
  return llvm;
}

}  // namespace

const Result<LlvmLibrary>& LlvmLibrary::get() {
  static const Result<LlvmLibrary> library = load();
  return library;
}

}  // namespace twosphere::custom
