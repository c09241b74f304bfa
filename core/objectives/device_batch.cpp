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

std::string DeviceBatch::text(std::string_view name, std::size_t row) const {
  const auto found = raggeds.find(name);
  if (found == raggeds.end())
    throw Failure(internalError("no texts '" + std::string(name) + "' in the batch"));
  const torch::Tensor bytes = found->second.values.to(torch::kCPU).contiguous();
  const torch::Tensor offsets = found->second.offsets.to(torch::kCPU).contiguous();
  const auto* place = offsets.const_data_ptr<std::int64_t>() + row;
  const auto* text = reinterpret_cast<const char*>(bytes.const_data_ptr<std::uint8_t>());
  return {text + place[0], text + place[1]};
}

}  // namespace fathom
