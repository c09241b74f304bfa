// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/formats/torch_archive.h"

namespace fathom {

// Weights from elsewhere: model.safetensors or pytorch_model.bin, or the parts that an index file names.
// Names, number formats and shapes are known, and can be refused, before the bytes of any tensor are read.
class WeightsFile {
 public:
  struct Head {
    std::string name;
    torch::ScalarType type;
    std::vector<std::int64_t> shape;
    std::size_t part = 0;  // the file it lies in
  };

  // The weights of a folder, safetensors first. Data error when there are none, their headers are damaged, or
  // an index names what is not there.
  static Result<WeightsFile> open(const std::string& folder);
  // The file that was found: the weights, or the index of their parts.
  const std::string& path() const { return m_path; }
  const std::string& path(const Head& head) const { return m_parts[head.part].path; }
  std::vector<std::string> files() const;
  const std::vector<Head>& heads() const { return m_heads; }
  // Tensors of parts that the index does not name.
  const std::vector<std::string>& unnamed() const { return m_unnamed; }
  // The named tensors on the CPU; names of one view in an archive share one tensor. Memory error when they
  // are larger than this machine's memory.
  Result<std::map<std::string, torch::Tensor>> read(const std::set<std::string>& names) const;

 private:
  struct Part {
    std::string path;
    std::optional<SafetensorsFile> safe;
    std::optional<TorchArchive> archive;
  };
  // The file each name is to lie in; nothing: all names of the file.
  using Index = std::map<std::string, std::string>;
  WeightsFile() = default;
  Status openIndexed(const std::string& folder);
  Status openPart(const std::string& path, const Index* index);
  Status add(const Part& part, const std::string& name, const std::string& dtype,
             const std::vector<std::int64_t>& shape, const Index* index);
  Status readPart(std::size_t part, const std::set<std::string>& names,
                  std::map<std::string, torch::Tensor>& into) const;
  std::string m_path;
  std::vector<Part> m_parts;
  std::vector<Head> m_heads;
  std::set<std::string> m_names;
  std::vector<std::string> m_unnamed;
};

}  // namespace fathom
