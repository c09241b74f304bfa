// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/weights_file.h"
#include "core/base/files/path_facts.h"

#include <cstring>

#include "core/nn/pretrained/tensor_file.h"

namespace fathom {

Status WeightsFile::add(const std::string& name, const std::string& dtype,
                        const std::vector<std::int64_t>& shape) {
  const auto type = scalarTypeOf(dtype);
  if (!type)
    return dataErrorAt(m_path, 0, Phrase::tr("tensor '%1' has the unknown number format %2")(name, dtype));
  m_heads.push_back({name, *type, shape});
  return {};
}

Result<WeightsFile> WeightsFile::open(const std::string& folder) {
  const std::string safe = folder + "/model.safetensors", archive = folder + "/pytorch_model.bin";
  WeightsFile file;
  if (fileExists(safe)) {
    file.m_path = safe;
    FATHOM_TRY(file.m_safe, SafetensorsFile::open(safe));
    for (const TensorEntry& entry : file.m_safe->entries())
      FATHOM_CHECK(file.add(entry.name, entry.dtype, entry.shape));
    return file;
  }
  if (!fileExists(archive))
    return dataError(Phrase::tr("%1 holds neither model.safetensors nor pytorch_model.bin")(folder),
                     Phrase::tr("name the folder of a Hugging Face BERT or RoBERTa"));
  file.m_path = archive;
  FATHOM_TRY(file.m_archive, TorchArchive::open(archive));
  for (const PickledTensor& tensor : file.m_archive->tensors())
    FATHOM_CHECK(file.add(tensor.name, tensor.dtype, tensor.shape));
  return file;
}

Result<std::map<std::string, torch::Tensor>> WeightsFile::read(const std::set<std::string>& names) const {
  std::map<std::string, torch::Tensor> tensors;
  std::uint64_t bytes = 0;
  for (const Head& head : m_heads) {
    if (!names.contains(head.name)) continue;
    std::uint64_t size = c10::elementSize(head.type);
    for (const std::int64_t extent : head.shape) size *= static_cast<std::uint64_t>(extent);
    bytes += size;
  }
  FATHOM_CHECK(checkRoom(m_path, bytes));
  if (m_safe) {
    for (const TensorEntry& entry : m_safe->entries()) {
      if (!names.contains(entry.name)) continue;
      torch::Tensor tensor = torch::empty(entry.shape, *scalarTypeOf(entry.dtype));
      FATHOM_CHECK(m_safe->read(entry, tensor.data_ptr()));
      tensors.emplace(entry.name, std::move(tensor));
    }
    return tensors;
  }
  std::vector<const PickledTensor*> wanted;
  for (const PickledTensor& tensor : m_archive->tensors())
    if (names.contains(tensor.name)) wanted.push_back(&tensor);
  FATHOM_CHECK(m_archive->read(
      wanted, [&](const std::vector<const PickledTensor*>& same, const std::string& data) -> Status {
        const torch::Tensor tensor = torch::empty(same.front()->shape, *scalarTypeOf(same.front()->dtype));
        std::memcpy(tensor.data_ptr(), data.data(), data.size());
        for (const PickledTensor* name : same) tensors.emplace(name->name, tensor);
        return {};
      }));
  return tensors;
}

}  // namespace fathom
