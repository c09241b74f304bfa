// SPDX-License-Identifier: Apache-2.0
#include "core/review/spider_values.h"

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/execution/spider_execution.h"
#include "core/sqlrun/column_values.h"

namespace fathom {

namespace {

// Databases of `ids` that are in the folder.
std::vector<std::string> databaseFiles(const std::string& folder, const SpiderDatabaseIds& ids) {
  std::vector<std::string> files;
  for (const auto& id : ids) {
    if (const std::string path = databasePath(folder, id); fileExists(path)) files.push_back(path);
  }
  return files;
}

bool isOfTheseFiles(const StoredValues& values, const std::string& folder, const SpiderDatabaseIds& ids) {
  for (const auto& id : ids) {
    const std::string path = databasePath(folder, id);
    if (!fileExists(path)) continue;
    const auto stored = values.find(id);
    if (stored == values.end()) return false;
    // An unreadable file has no hash: it is tried again.
    const auto hash = sha256OfFile(path);
    if (!hash || *hash != stored->second.sha256) return false;
  }
  return true;
}

void addMissing(const ValueSources& sources, const SpiderDatabaseIds& ids, SpiderValues& out) {
  std::vector<std::string> missing;
  for (const auto& id : ids) {
    if (!out.values.contains(id)) missing.push_back(id);
  }
  if (missing.empty()) return;
  const std::string place = sources.databases.empty() ? sources.file : sources.databases;
  out.notes.push_back(std::to_string(missing.size()) + " of " + std::to_string(ids.size()) +
                      " databases are not in " + place +
                      " and are linked without values (first: " + missing.front() + ")");
}

Result<SpiderValues> withNotes(const ValueSources& sources, const SpiderDatabaseIds& ids, SpiderValues out) {
  out.notes = storedValueNotes(out.values);
  addMissing(sources, ids, out);
  return out;
}

}  // namespace

Result<SpiderValues> spiderValues(const ValueSources& sources, const SpiderDatabaseIds& ids,
                                  const SpiderDatabaseIds& all, const SqlRunPoolOptions& options,
                                  Progress& progress, const StopToken& stop) {
  SpiderValues out;
  if (sources.databases.empty() && sources.file.empty()) {
    out.notes.emplace_back("no databases are named: linked without values");
    return out;
  }
  FATHOM_TRY(const bool there, isThere(sources.databases));
  if (!sources.databases.empty() && !(there && folderExists(sources.databases)))
    return unavailableError(Phrase::tr("there is no folder %1")(sources.databases),
                            Phrase::tr("name the folder of the databases"));
  if (!sources.file.empty() && (sources.databases.empty() || fileExists(sources.file))) {
    FATHOM_TRY(out.values, readStoredValues(sources.file, ids));
    if (sources.databases.empty() || isOfTheseFiles(out.values, sources.databases, ids))
      return withNotes(sources, ids, std::move(out));
  }
  if (!sources.file.empty()) FATHOM_CHECK(prepareNamedFile(sources.file));
  const auto files = databaseFiles(sources.databases, sources.file.empty() ? ids : all);
  FATHOM_TRY(const auto read, readColumnValues(options, files, {}, progress, stop));
  const std::string text = valuesFileText(read);
  if (!sources.file.empty()) {
    FATHOM_CHECK(writeNamedFile(sources.file, text));
    out.made = true;
  }
  FATHOM_TRY(out.values, parseStoredValues(text, "the values of " + sources.databases, ids));
  return withNotes(sources, ids, std::move(out));
}

}  // namespace fathom
