// SPDX-License-Identifier: Apache-2.0
#include "core/train/tensor_file.h"

#include <algorithm>

#include "core/record/safetensors_file.h"

namespace fathom {

namespace {

constexpr std::pair<torch::ScalarType, const char*> kDtypes[] = {
    {torch::kFloat64, "F64"}, {torch::kFloat32, "F32"}, {torch::kHalf, "F16"},  {torch::kBFloat16, "BF16"},
    {torch::kInt64, "I64"},   {torch::kInt32, "I32"},   {torch::kInt16, "I16"}, {torch::kInt8, "I8"},
    {torch::kUInt8, "U8"},    {torch::kBool, "BOOL"}};

}  // namespace

Result<std::string> writeTensors(const std::string& path,
                                 const std::vector<std::pair<std::string, torch::Tensor>>& tensors,
                                 const std::map<std::string, std::string>& metadata) {
  std::vector<torch::Tensor> kept;
  std::vector<TensorView> views;
  for (const auto& [name, tensor] : tensors) {
    kept.push_back(tensor.detach().to(torch::kCPU).contiguous());
    TensorView view;
    view.name = name;
    view.shape = kept.back().sizes().vec();
    view.data = kept.back().data_ptr();
    for (const auto& [type, word] : kDtypes) {
      if (type == kept.back().scalar_type()) view.dtype = word;
    }
    if (view.dtype.empty()) return internalError("tensor '" + name + "' has a dtype that cannot be written");
    views.push_back(std::move(view));
  }
  return writeSafetensors(path, views, metadata);
}

Result<std::map<std::string, torch::Tensor>> readTensors(const std::string& path) {
  FATHOM_TRY(const SafetensorsFile file, SafetensorsFile::open(path));
  std::map<std::string, torch::Tensor> tensors;
  for (const TensorEntry& entry : file.entries()) {
    const auto* found = std::find_if(std::begin(kDtypes), std::end(kDtypes),
                                     [&](const auto& pair) { return entry.dtype == pair.second; });
    if (found == std::end(kDtypes)) {
      return dataErrorAt(path, 0, "tensor '" + entry.name + "' has the unknown number format " + entry.dtype);
    }
    torch::Tensor tensor = torch::empty(entry.shape, found->first);
    FATHOM_CHECK(file.read(entry, tensor.data_ptr()));
    tensors.emplace(entry.name, std::move(tensor));
  }
  return tensors;
}

}  // namespace fathom
