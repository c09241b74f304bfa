// SPDX-License-Identifier: Apache-2.0
// A CUDA runtime that prints launches instead of running them, or hands their names to who asks for them.
#include <cxxabi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

namespace {

struct Dim3 {
  unsigned x, y, z;
};

void (*launchSeen)(const char* kernel) = nullptr;

std::map<const void*, std::string>& kernelNames() {
  static auto* names = new std::map<const void*, std::string>;
  return *names;
}

std::string demangled(const char* name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  const std::string words = status == 0 ? text : name;
  std::free(text);
  return words;
}

// nvcc puts a hash of the file into names of anonymous namespaces.
std::string withoutHash(std::string name) {
  for (std::size_t at; (at = name.find("_GLOBAL__N__")) != std::string::npos;) {
    const std::size_t end = name.find("::", at);
    name.replace(at, end - at, "(anonymous namespace)");
  }
  return name;
}

}  // namespace

extern "C" {

void cudaFakeLaunchesGoTo(void (*seen)(const char* kernel)) {
  launchSeen = seen;
}

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, void*, void*, void*,
                            void*, int*) {
  kernelNames()[host] = withoutHash(demangled(name));
}
void __cudaRegisterVar(void**, char*, char*, const char*, int, std::size_t, int, int) {}
unsigned __cudaPushCallConfiguration(Dim3, Dim3, std::size_t, void*) {
  return 0;
}
int __cudaPopCallConfiguration(Dim3*, Dim3*, std::size_t*, void*) {
  return 0;
}
int __cudaGetKernel(void** kernel, const void* host) {
  *kernel = const_cast<void*>(host);
  return 0;
}

int cudaLaunchKernel(const void* kernel, Dim3 grid, Dim3 block, void**, std::size_t shared, void*) {
  const auto found = kernelNames().find(kernel);
  const char* name = found == kernelNames().end() ? "of an unknown kernel" : found->second.c_str();
  if (launchSeen != nullptr)
    launchSeen(name);
  else
    std::printf("launch %s grid %u %u block %u shared %zu\n", name, grid.x, grid.y, block.x, shared);
  const char* error = std::getenv("FATHOM_FAKE_CUDART_ERROR");
  return error != nullptr ? std::atoi(error) : 0;
}
int __cudaLaunchKernel(void* kernel, Dim3 grid, Dim3 block, void** arguments, std::size_t shared,
                       void* stream) {
  return cudaLaunchKernel(kernel, grid, block, arguments, shared, stream);
}
int cudaFuncSetAttribute(const void*, int, int) {
  return 0;
}
const char* cudaGetErrorString(int error) {
  return error == 0 ? "no error" : "an error of the fake runtime";
}

}  // extern "C"
