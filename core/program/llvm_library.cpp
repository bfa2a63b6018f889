// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/program/llvm_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <unistd.h>

#include <vector>

namespace twosphere::custom {

namespace {

#define TWOSPHERE_TEXT(name) #name
#define TWOSPHERE_TEXT_OF(name) TWOSPHERE_TEXT(name)
constexpr const char* llvm_file = "libLLVM-" TWOSPHERE_TEXT_OF(LLVM_VERSION_MAJOR) ".so.1";

template <class F>
bool find(void* library, const char* name, F& function) {
  function = reinterpret_cast<F>(dlsym(library, name));
  return function != nullptr;
}

Result<LlvmLibrary> load() {
  // It stays loaded until the end: other libraries may use it, too.
  void* library = dlopen(llvm_file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    const char* reason = dlerror();
    return Error{ErrorKind::internal, "",
                 reason ? reason : fmt::format("{} cannot be loaded", llvm_file)};
  }
  LlvmLibrary llvm;
  const char* missing = nullptr;
#define TWOSPHERE_LLVM_FIND(name) \
  if (!find(library, "LLVM" #name, llvm.name)) missing = #name;
  TWOSPHERE_LLVM_FUNCTIONS(TWOSPHERE_LLVM_FIND)
#undef TWOSPHERE_LLVM_FIND
  for (const char* part :
       {TWOSPHERE_TEXT_OF(LLVM_NATIVE_TARGETINFO), TWOSPHERE_TEXT_OF(LLVM_NATIVE_TARGET),
        TWOSPHERE_TEXT_OF(LLVM_NATIVE_TARGETMC), TWOSPHERE_TEXT_OF(LLVM_NATIVE_ASMPRINTER)}) {
    void (*initialise)() = nullptr;
    if (find(library, part, initialise))
      initialise();
    else
      missing = part;
  }
  if (missing)
    return Error{ErrorKind::internal, "", fmt::format("{} lacks {}", llvm_file, missing)};
  return llvm;
}

#undef TWOSPHERE_TEXT_OF
#undef TWOSPHERE_TEXT

}  // namespace

const Result<LlvmLibrary>& LlvmLibrary::get() {
  static const Result<LlvmLibrary> library = load();
  return library;
}

bool LlvmLibrary::is_found() {
  void* const program = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size{};
  if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return false;
  // In units of the structure, so that it is aligned.
  std::vector<Dl_serinfo> folders(size.dls_size / sizeof(Dl_serinfo) + 1);
  folders[0] = size;
  if (dlinfo(program, RTLD_DI_SERINFO, folders.data()) != 0) return false;
  for (unsigned i = 0; i < size.dls_cnt; ++i)
    if (::access(fmt::format("{}/{}", folders[0].dls_serpath[i].dls_name, llvm_file).c_str(),
                 R_OK) == 0)
      return true;
  return false;
}

}  // namespace twosphere::custom
