// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/record/inert_pickle.h"
#include "core/record/stored_zip.h"

namespace fathom {

// A `pytorch_model.bin` (zip form of torch.save) opened for its tensors: no pickle is executed, every view is
// checked against its storage, every storage against its record. Old non-zip files and TorchScript archives
// are refused with advice. One owner thread.
class TorchArchive {
 public:
  static Result<TorchArchive> open(const std::string& path);
  const std::vector<PickledTensor>& tensors() const { return m_tensors; }
  const PickledTensor* find(const std::string& name) const;
  // The elements in row-major order, little endian, shape product × element size bytes.
  Result<std::string> read(const PickledTensor& tensor) const;

  TorchArchive(TorchArchive&&) noexcept;
  TorchArchive& operator=(TorchArchive&&) noexcept;
  ~TorchArchive();

 private:
  TorchArchive() = default;
  Status load();
  const ZipMember* member(const std::string& name) const;
  int m_fd = -1;
  std::string m_path, m_prefix;
  std::vector<ZipMember> m_members;
  std::vector<PickledTensor> m_tensors;
};

}  // namespace fathom
