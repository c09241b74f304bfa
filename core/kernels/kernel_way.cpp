// SPDX-License-Identifier: Apache-2.0
#include "core/kernels/kernel_way.h"

#include <ATen/autocast_mode.h>

#include "core/kernels/kernel_plugin.h"
#include "core/kernels/vector_processor.h"

namespace fathom {

namespace {

bool agrees(MixedPrecision allowed, const torch::Device& device, torch::ScalarType rows) {
  const auto products = allowed == MixedPrecision::Any ? std::nullopt : mixedFormat(device);
  if (!products) return true;
  if (allowed == MixedPrecision::NarrowRowsApart) return rows != torch::kBFloat16 && rows != torch::kHalf;
  return allowed == MixedPrecision::HalfApart && *products != torch::kHalf;
}

bool fits(const KernelNeeds& needs, const torch::Device& device, torch::ScalarType format,
          const KernelShape& shape) {
  return needs.formats.has(format) && (!needs.vectors || vectorLanesRun()) &&
         shape.width % needs.widthUnit == 0 && shape.width <= needs.widest &&
         shape.longest <= needs.longest && shape.types <= needs.mostTypes &&
         agrees(needs.mixed, device, format);
}

}  // namespace

KernelWay wayOf(const KernelWays& pass, const torch::TensorOptions& tensors, const KernelShape& shape) {
  const torch::Device device = tensors.device();
  const torch::ScalarType format = c10::typeMetaToScalarType(tensors.dtype());
  if (device.is_cpu())
    return pass.lanes && fits(*pass.lanes, device, format, shape) ? KernelWay::Lanes : KernelWay::Aten;
  const bool loaded = pass.plugin && device.is_cuda() && kernelPlugin().table != nullptr;
  return loaded && fits(*pass.plugin, device, format, shape) ? KernelWay::Plugin : KernelWay::Aten;
}

std::optional<torch::ScalarType> mixedFormat(const torch::Device& device) {
  if (!at::autocast::is_autocast_enabled(device.type())) return std::nullopt;
  return at::autocast::get_autocast_dtype(device.type());
}

}  // namespace fathom
