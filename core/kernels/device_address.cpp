// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/device_address.h"

#include <c10/core/impl/VirtualGuardImpl.h>
#include <dlfcn.h>

#include "core/base/errors/error.h"
#include "core/base/errors/phrase.h"
#include "core/kernels/kernel_plugin.h"

namespace fathom {

namespace {

// Functions that a stand-in device has beside CUDA's.
template <typename Function>
Function standInFunction(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

}  // namespace

bool deviceStandsIn() {
  return standInFunction<const char* (*)()>("fathomStandInDevice") != nullptr;
}

void* deviceAddress(const torch::Tensor& tensor) {
  if (!tensor.defined()) return nullptr;
  void* shown = const_cast<void*>(tensor.const_data_ptr());
  static const auto readable = standInFunction<void* (*)(void*)>("fathomReadableAddress");
  return readable != nullptr ? readable(shown) : shown;
}

void* deviceStream(const torch::Device& device) {
  if (kernelPlugin().table->onHost != 0) return nullptr;
  return c10::impl::VirtualGuardImpl(device.type()).getStream(device).native_handle();
}

std::optional<NumberFormat> numberFormatOf(torch::ScalarType type) {
  if (type == torch::kFloat32) return NumberFormat::Float32;
  if (type == torch::kBFloat16) return NumberFormat::BFloat16;
  if (type == torch::kFloat64) return NumberFormat::Float64;
  return std::nullopt;
}

void putOnStream(const char* name, const std::function<int()>& launch) {
  using Launched = void (*)(const char*, const std::function<int()>&);
  static const auto launched = standInFunction<Launched>("fathomKernelLaunched");
  const int error = launch();
  if (launched != nullptr) launched(name, launch);
  if (error == 0) return;
  const char* words = kernelPlugin().table->errorText(error);
  throw Failure(
      deviceFaultError(Phrase::tr("kernel %1 cannot be launched: %2 (CUDA error %3)")(name, words, error),
                       Phrase::tr("start again; FATHOM_KERNELS=off goes on without our kernels")));
}

}  // namespace fathom
