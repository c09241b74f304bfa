// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/record/formats/inert_pickle.h"
#include "core/record/formats/stored_zip.h"

namespace fathom {

// A `pytorch_model.bin` (torch.save, the zip form and that of before torch 1.6) opened for its tensors: no
// pickle is executed, every view is checked against its storage, every storage against its record.
// TorchScript archives are refused with advice. The old form has no checksums. One owner thread.
class TorchArchive {
 public:
  // Reads names and shapes; the bytes of a storage stay unread. A stride of 0 lets a small storage stand for
  // any number of elements, so the different views together may be no larger than the file (and 1 MiB).
  static Result<TorchArchive> open(const std::string& path);
  const std::vector<PickledTensor>& tensors() const { return m_tensors; }

  // Reads tensors of this archive, storage by storage and each storage once, and compares its checksum before
  // anything of it is given. `take` gets each view once, with every asked tensor that is this view, and its
  // elements in row-major order, little endian: shape product × element size bytes. Memory: the largest
  // storage among them, beside what `take` keeps.
  using Take = std::function<Status(const std::vector<const PickledTensor*>& same, std::string bytes)>;
  Status read(const std::vector<const PickledTensor*>& wanted, const Take& take) const;
  Result<std::string> read(const PickledTensor& tensor) const;

  TorchArchive(TorchArchive&&) noexcept;
  TorchArchive& operator=(TorchArchive&&) noexcept;
  ~TorchArchive();

 private:
  TorchArchive() = default;
  // The bytes of a storage in the file.
  struct Record {
    std::uint64_t begin = 0, size = 0;
    std::optional<ZipMember> zipped;  // with its checksum; the old form has none
  };
  Status load();
  Status loadLegacy();
  Status checkMembers(const ZipMember** pickle);
  Status checkTensors() const;
  const ZipMember* member(const std::string& name) const;
  std::optional<Record> record(const std::string& storage) const;
  Status stream(const Record& record, const ZipPiece& take) const;
  int m_fd = -1;
  std::uint64_t m_size = 0;  // of the file
  std::string m_path, m_prefix;
  std::map<std::string, ZipMember> m_members;
  std::map<std::string, Record> m_records;  // of the old form
  std::vector<PickledTensor> m_tensors;
};

}  // namespace fathom
