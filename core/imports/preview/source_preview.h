// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/errors/phrase.h"
#include "core/base/threads/stop_token.h"
#include "core/imports/imported_run.h"
#include "core/imports/preview/table_columns.h"

namespace fathom {

// A run as it would come in.
struct PreviewedRun {
  std::string name;
  std::int64_t metrics = 0, points = 0, options = 0;
  std::string ended;  // name of its state where its source tells one, or ""
};

struct SourcePreview {
  std::string format;  // id of its entry in imports.list
  std::string title;   // of the entry, English
  // A run folder or archive of ours: it is copied as it is, and cannot be followed.
  bool own = false;
  // False: there was more to read than the time allowed, the numbers are of what was read until then.
  bool whole = true;
  std::vector<PreviewedRun> runs;
  std::set<std::string> metrics;  // of all runs
  std::int64_t points = 0;
  std::vector<Phrase> warnings;
  std::vector<SourceColumn> columns;  // of a table
  // Why it cannot be imported as it is; what was found before stands above.
  std::optional<Error> fault;
};

// Looks at what importRuns would bring in, by the same readers; writes nothing. Takes no longer than about
// `seconds`, or until `stop`. Errors are those of the import, with file and line. Memory: what the source's
// scalars take until the time is over. An error only where nothing can be said of it at all, or `stop` came;
// else it stands in `fault`.
Result<SourcePreview> previewSource(const std::string& path, const ImportOptions& options,
                                    const StopToken& stop, double seconds);

}  // namespace fathom
