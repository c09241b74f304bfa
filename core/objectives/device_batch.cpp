// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/device_batch.h"

#include "core/base/errors/error.h"

namespace fathom {

namespace {

torch::ScalarType scalarTypeOf(HostDtype dtype) {
  switch (dtype) {
    case HostDtype::U8:
      return torch::kUInt8;
    case HostDtype::I32:
      return torch::kInt32;
    case HostDtype::I64:
      return torch::kInt64;
    case HostDtype::F32:
      return torch::kFloat32;
    case HostDtype::F64:
      return torch::kFloat64;
  }
  return torch::kInt64;
}

torch::Tensor wrap(const HostArray& array, const torch::Device& device) {
  const auto options = torch::TensorOptions().dtype(scalarTypeOf(array.dtype()));
  // The deleter keeps the host buffer alive as long as the tensor.
  torch::Tensor onHost = torch::from_blob(
      array.storage().get(), array.shape(), [keep = array.storage()](void*) {}, options);
  return device.is_cpu() ? onHost : onHost.to(device);
}

}  // namespace

const torch::Tensor& DeviceBatch::array(std::string_view name) const {
  const auto found = arrays.find(name);
  if (found == arrays.end()) throw Failure(internalError("batch without array '" + std::string(name) + "'"));
  return found->second;
}

DeviceBatch toDevice(const HostBatch& batch, const torch::Device& device) {
  DeviceBatch result;
  for (const auto& [name, array] : batch.arrays) result.arrays.emplace(name, wrap(array, device));
  for (const auto& [name, ragged] : batch.raggeds) {
    result.raggeds.emplace(name,
                           DeviceBatch::Ragged{wrap(ragged.values, device), wrap(ragged.offsets, device)});
  }
  result.examples = batch.examples;
  result.targetUnits = batch.targetUnits;
  result.paddedUnits = batch.paddedUnits;
  return result;
}

}  // namespace fathom
