// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/tensor_file.h"

#include <unistd.h>

#include <algorithm>

#include "core/base/errors/error_key.h"

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

Result<std::map<std::string, torch::Tensor>> readTensors(const std::string& path, const TensorCheck& check) {
  FATHOM_TRY(const SafetensorsFile file, SafetensorsFile::open(path));
  std::uint64_t bytes = 0;
  for (const TensorEntry& entry : file.entries()) {
    if (!scalarTypeOf(entry.dtype))
      return dataErrorAt(path, 0,
                         Phrase::tr("tensor '%1' has the unknown number format %2")(entry.name, entry.dtype));
    if (check) FATHOM_CHECK(check(entry));
    bytes += entry.end - entry.begin;
  }
  FATHOM_CHECK(checkRoom(path, bytes));
  std::map<std::string, torch::Tensor> tensors;
  for (const TensorEntry& entry : file.entries()) {
    torch::Tensor tensor = torch::empty(entry.shape, *scalarTypeOf(entry.dtype));
    FATHOM_CHECK(file.read(entry, tensor.data_ptr()));
    tensors.emplace(entry.name, std::move(tensor));
  }
  return tensors;
}

std::optional<torch::ScalarType> scalarTypeOf(const std::string& dtype) {
  for (const auto& [type, word] : kDtypes)
    if (dtype == word) return type;
  return std::nullopt;
}

Status checkRoom(const std::string& path, std::uint64_t bytes) {
  const long pages = ::sysconf(_SC_PHYS_PAGES), size = ::sysconf(_SC_PAGESIZE);
  if (pages <= 0 || size <= 0) return {};
  const std::uint64_t memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
  if (bytes <= memory) return {};
  return aboutFile(path,
                   memoryError(Phrase::tr("the tensors of %1 have %2 MiB, this machine has %3 MiB of memory")(
                       path, bytes >> 20, memory >> 20)));
}

}  // namespace fathom
