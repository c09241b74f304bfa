// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/threads/stop_token.h"
#include "core/imports/imported_run.h"

namespace fathom {

// What is known of a source before anybody reads it.
struct SourceLook {
  std::string path;
  bool folder = false;
  std::string head;  // of a file the first 8,192 bytes, unpacked where it is packed
};

// How sure an entry is that a source is its own; the surest entry has it, of equal ones the first. Lacking:
// there is nothing of its own in it, but it says what is missing where no other claims it.
enum class Claim { No, Lacking, Perhaps, Yes };

// What a source says when everything that it has now is read: it goes on, or has come to its end.
enum class SourceState { Later, End };

// An open source. It gives runs; one that goes on (SourceState::Later) is asked again when it may have grown,
// and then gives what came since: runs of the same names, with the points that are new. It never writes to
// its files, and holds no lock on them between two calls.
class ImportSource {
 public:
  virtual ~ImportSource() = default;
  // Errors name the file. `take` hears of one run after the other; its error ends the reading.
  virtual Result<SourceState> read(const StopToken& stop, const ImportSink& take) = 0;
  // Nothing more will come: what was waited for (half a record, half a line) is given or said to be missing.
  virtual Status close(const ImportSink& take) {
    (void)take;
    return {};
  }
  // What it needs to go on in another process (ImportOptions::state); null for a source that is always read
  // from its beginning.
  virtual Json state() const { return {}; }
};

// One entry of imports.list: a format that runs of other programs come in.
struct ImportEntry {
  std::string id;     // what `--format` calls it
  std::string title;  // in choices, English
  std::function<Claim(const SourceLook& look)> claims;
  // Null for a run of our own, which is copied as it is.
  std::function<Result<std::unique_ptr<ImportSource>>(const std::string& path, const ImportOptions& options)>
      open;
};

const std::vector<ImportEntry>& importEntries();
// Null when no entry has the id.
const ImportEntry* findImport(std::string_view id);
// The entry that the source at `path` belongs to, by what is there; null where none finds its
// own in it.
Result<const ImportEntry*> claimedImport(const std::string& path);
// The same, or one that says what is missing; a data error that names it when none claims it.
Result<const ImportEntry*> recognisedImport(const std::string& path);

// Opens a source of an entry that has readers; what it lacks may stand in a file beside it (sidecar.h).
Result<std::unique_ptr<ImportSource>> openSource(const ImportEntry& entry, const std::string& path,
                                                 const ImportOptions& options);
// All that a source has now, one run after the other, each once.
Status readWhole(ImportSource& source, const StopToken& stop, const ImportSink& take);

}  // namespace fathom
