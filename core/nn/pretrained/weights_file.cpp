// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/weights_file.h"

#include <cstring>
#include <filesystem>

#include "core/base/files/path_facts.h"
#include "core/base/json/json.h"
#include "core/nn/pretrained/tensor_file.h"

namespace fathom {

namespace {

constexpr const char* kWhole[] = {"model.safetensors", "pytorch_model.bin"};
constexpr const char* kIndexEnd = ".index.json";
constexpr std::size_t kMostParts = 1000;

bool isSafetensors(const std::string& path) {
  return path.ends_with(".safetensors");
}

}  // namespace

Status WeightsFile::add(const Part& part, const std::string& name, const std::string& dtype,
                        const std::vector<std::int64_t>& shape, const Index* index) {
  if (index != nullptr) {
    const auto found = index->find(name);
    if (found == index->end()) {
      m_unnamed.push_back(name);
      return {};
    }
    // transformers takes it from where it is; two copies could differ.
    if (found->second != std::filesystem::path(part.path).filename())
      return dataErrorAt(
          m_path, 0,
          Phrase::tr("tensor '%1' is to be in %2, but lies in %3")(name, found->second, part.path));
  }
  const auto type = scalarTypeOf(dtype);
  if (!type)
    return dataErrorAt(part.path, 0, Phrase::tr("tensor '%1' has the unknown number format %2")(name, dtype));
  m_names.insert(name);
  m_heads.push_back({name, *type, shape, m_parts.size()});
  return {};
}

Status WeightsFile::openPart(const std::string& path, const Index* index) {
  Part part;
  part.path = path;
  if (isSafetensors(path)) {
    FATHOM_TRY(part.safe, SafetensorsFile::open(path));
    for (const TensorEntry& entry : part.safe->entries())
      FATHOM_CHECK(add(part, entry.name, entry.dtype, entry.shape, index));
  } else {
    FATHOM_TRY(part.archive, TorchArchive::open(path));
    for (const PickledTensor& tensor : part.archive->tensors())
      FATHOM_CHECK(add(part, tensor.name, tensor.dtype, tensor.shape, index));
  }
  m_parts.push_back(std::move(part));
  return {};
}

// {"weight_map": {name: file in the same folder}}
Status WeightsFile::openIndexed(const std::string& folder) {
  FATHOM_TRY(const Json json, readJsonFile(m_path));
  const auto bad = [&](const Phrase& what) {
    return dataErrorAt(m_path, 0, Phrase::tr("member '%1' %2")("weight_map", what),
                       Phrase::tr("the index that transformers writes beside the parts is expected"));
  };
  if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object())
    return bad(Phrase::tr("must be an object"));
  Index index;
  std::set<std::string> files;
  for (const auto& [name, file] : json["weight_map"].items()) {
    if (!file.is_string()) return bad(Phrase::tr("gives tensor '%1' no file")(name));
    const std::string text = file.get<std::string>();
    if (text.empty() || text.find('/') != std::string::npos || text.starts_with('.'))
      return bad(Phrase::tr("names '%1', which is no file of this folder")(text));
    index[name] = text;
    files.insert(text);
  }
  if (files.empty() || files.size() > kMostParts) return bad(Phrase::tr("names %1 files")(files.size()));
  for (const std::string& file : files) {
    const std::string path = folder + "/" + file;
    if (!fileExists(path))
      return dataErrorAt(m_path, 0, Phrase::tr("%1 is missing, a part of the weights")(path),
                         Phrase::tr("copy every file of the model"));
    FATHOM_CHECK(openPart(path, &index));
  }
  for (const auto& [name, file] : index)
    if (!m_names.contains(name))
      return dataErrorAt(m_path, 0,
                         Phrase::tr("tensor '%1' is to be in %2, but is not")(name, folder + "/" + file));
  return {};
}

Result<WeightsFile> WeightsFile::open(const std::string& folder) {
  WeightsFile file;
  for (const char* name : kWhole) {
    file.m_path = folder + "/" + name;
    if (fileExists(file.m_path)) {
      FATHOM_CHECK(file.openPart(file.m_path, nullptr));
      return file;
    }
    file.m_path += kIndexEnd;
    if (!fileExists(file.m_path)) continue;
    FATHOM_CHECK(file.openIndexed(folder));
    return file;
  }
  return dataError(Phrase::tr("%1 holds neither model.safetensors nor pytorch_model.bin")(folder),
                   Phrase::tr("name the folder of a Hugging Face BERT, RoBERTa or GPT-2"));
}

std::vector<std::string> WeightsFile::files() const {
  std::vector<std::string> files;
  for (const Part& part : m_parts) files.push_back(part.path);
  return files;
}

Status WeightsFile::readPart(std::size_t part, const std::set<std::string>& names,
                             std::map<std::string, torch::Tensor>& into) const {
  const Part& from = m_parts[part];
  if (from.safe) {
    for (const TensorEntry& entry : from.safe->entries()) {
      if (!names.contains(entry.name)) continue;
      torch::Tensor tensor = torch::empty(entry.shape, *scalarTypeOf(entry.dtype));
      FATHOM_CHECK(from.safe->read(entry, tensor.data_ptr()));
      into.emplace(entry.name, std::move(tensor));
    }
    return {};
  }
  std::vector<const PickledTensor*> wanted;
  for (const PickledTensor& tensor : from.archive->tensors())
    if (names.contains(tensor.name)) wanted.push_back(&tensor);
  return from.archive->read(
      wanted, [&](const std::vector<const PickledTensor*>& same, const std::string& data) -> Status {
        const torch::Tensor tensor = torch::empty(same.front()->shape, *scalarTypeOf(same.front()->dtype));
        std::memcpy(tensor.data_ptr(), data.data(), data.size());
        for (const PickledTensor* name : same) into.emplace(name->name, tensor);
        return {};
      });
}

Result<std::map<std::string, torch::Tensor>> WeightsFile::read(const std::set<std::string>& names) const {
  std::map<std::string, torch::Tensor> tensors;
  std::map<std::size_t, std::set<std::string>> byPart;
  std::uint64_t bytes = 0;
  for (const Head& head : m_heads) {
    if (!names.contains(head.name)) continue;
    std::uint64_t size = c10::elementSize(head.type);
    for (const std::int64_t extent : head.shape) size *= static_cast<std::uint64_t>(extent);
    bytes += size;
    byPart[head.part].insert(head.name);
  }
  FATHOM_CHECK(checkRoom(m_path, bytes));
  for (const auto& [part, own] : byPart) FATHOM_CHECK(readPart(part, own, tensors));
  return tensors;
}

}  // namespace fathom
