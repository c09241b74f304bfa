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

// Weights from elsewhere, model.safetensors or pytorch_model.bin: names, number formats and shapes are known,
// and can be refused, before the bytes of any tensor are read.
class WeightsFile {
 public:
  struct Head {
    std::string name;
    torch::ScalarType type;
    std::vector<std::int64_t> shape;
  };

  // The weights of a folder, safetensors first. Data error when there are none or their headers are damaged.
  static Result<WeightsFile> open(const std::string& folder);
  const std::string& path() const { return m_path; }
  const std::vector<Head>& heads() const { return m_heads; }
  // The named tensors on the CPU; names of one view in an archive share one tensor. Memory error when they
  // are larger than this machine's memory.
  Result<std::map<std::string, torch::Tensor>> read(const std::set<std::string>& names) const;

 private:
  WeightsFile() = default;
  Status add(const std::string& name, const std::string& dtype, const std::vector<std::int64_t>& shape);
  std::string m_path;
  std::vector<Head> m_heads;
  std::optional<SafetensorsFile> m_safe;
  std::optional<TorchArchive> m_archive;
};

}  // namespace fathom
