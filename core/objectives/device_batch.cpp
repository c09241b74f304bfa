// SPDX-License-Identifier: Apache-2.0
#include "core/objectives/device_batch.h"

#include "core/base/errors/error.h"
#include "core/nn/device_upload.h"

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

// The deleter keeps the host buffer alive as long as the tensor.
torch::Tensor wrap(const HostArray& array) {
  const auto options = torch::TensorOptions().dtype(scalarTypeOf(array.dtype()));
  return torch::from_blob(
      array.storage().get(), array.shape(), [keep = array.storage()](void*) {}, options);
}

const torch::Tensor& found(const std::map<std::string, torch::Tensor, std::less<>>& arrays,
                           std::string_view name) {
  const auto place = arrays.find(name);
  if (place == arrays.end()) throw Failure(internalError("batch without array '" + std::string(name) + "'"));
  return place->second;
}

}  // namespace

const torch::Tensor& DeviceBatch::array(std::string_view name) const {
  return found(arrays, name);
}

// A batch that somebody made by hand on the processor has its arrays there alone.
const torch::Tensor& DeviceBatch::host(std::string_view name) const {
  return onHost.empty() ? found(arrays, name) : found(onHost, name);
}

DeviceBatch toDevice(const HostBatch& batch, const torch::Device& device, bool ahead) {
  DeviceBatch result;
  for (const auto& [name, array] : batch.arrays) result.onHost.emplace(name, wrap(array));
  DeviceUpload upload(device, ahead);
  for (const auto& [name, tensor] : result.onHost) result.arrays.emplace(name, upload.add(tensor));
  upload.send();
  for (const auto& [name, ragged] : batch.raggeds)
    result.raggeds.emplace(name, DeviceBatch::Ragged{wrap(ragged.values), wrap(ragged.offsets)});
  result.examples = batch.examples;
  result.targetUnits = batch.targetUnits;
  result.paddedUnits = batch.paddedUnits;
  return result;
}

std::string DeviceBatch::text(std::string_view name, std::size_t row) const {
  const auto found = raggeds.find(name);
  if (found == raggeds.end())
    throw Failure(internalError("no texts '" + std::string(name) + "' in the batch"));
  const torch::Tensor bytes = found->second.values.contiguous();
  const torch::Tensor offsets = found->second.offsets.contiguous();
  const auto* place = offsets.const_data_ptr<std::int64_t>() + row;
  const auto* text = reinterpret_cast<const char*>(bytes.const_data_ptr<std::uint8_t>());
  return {text + place[0], text + place[1]};
}

}  // namespace fathom
