// SPDX-License-Identifier: Apache-2.0
#include "core/record/import/import_entry.h"

#include <algorithm>
#include <cerrno>

#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/record/formats/compressed_file.h"

namespace fathom {

namespace {

constexpr std::size_t kHeadBytes = 8192;

Result<std::string> headOf(const std::string& path) {
  FATHOM_TRY(const auto in, PackedReader::open(path));
  std::string head(kHeadBytes, '\0');
  std::size_t filled = 0;
  while (filled < head.size()) {
    FATHOM_TRY(const std::size_t count, in->read(head.data() + filled, head.size() - filled));
    if (count == 0) break;
    filled += count;
  }
  head.resize(filled);
  return head;
}

Result<SourceLook> lookAt(const std::string& path) {
  FATHOM_TRY(const bool there, isThere(path));
  if (!there) return inputError(Phrase::tr("cannot open"), path, ENOENT);
  SourceLook look{path, folderExists(path), {}};
  if (!look.folder) {
    FATHOM_TRY(look.head, headOf(path));
  }
  return look;
}

class WholeSource : public ImportSource {
 public:
  explicit WholeSource(std::function<Status(const StopToken&, const ImportSink&)> read)
      : m_read(std::move(read)) {}
  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    FATHOM_CHECK(m_read(stop, take));
    return SourceState::End;
  }

 private:
  std::function<Status(const StopToken&, const ImportSink&)> m_read;
};

}  // namespace

const ImportEntry* findImport(std::string_view id) {
  for (const ImportEntry& entry : importEntries())
    if (entry.id == id) return &entry;
  return nullptr;
}

Result<const ImportEntry*> recognisedImport(const std::string& path) {
  FATHOM_TRY(const SourceLook look, lookAt(path));
  const ImportEntry* best = nullptr;
  Claim surest = Claim::No;
  for (const ImportEntry& entry : importEntries()) {
    const Claim claim = entry.claims(look);
    if (claim > surest) best = &entry;
    surest = std::max(surest, claim);
  }
  if (best != nullptr) return best;
  return dataErrorAt(path, 0, Phrase::tr("neither a run, a TensorBoard event file nor a text file"),
                     Phrase::tr("name its format with the option format"));
}

std::unique_ptr<ImportSource> wholeSource(
    std::function<Status(const StopToken& stop, const ImportSink& take)> read) {
  return std::make_unique<WholeSource>(std::move(read));
}

}  // namespace fathom
