// SPDX-License-Identifier: Apache-2.0
#include "core/review/kept_executions.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/files/temporary_file.h"
#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"

namespace fathom {

namespace {

namespace fs = std::filesystem;

// Counted up whenever the same queries may be told something else: rules of comparison, words of evidence.
constexpr int kKeptFormat = 1;
constexpr std::size_t kKeyLength = 32;

// Size and time of change; "-" for what is not there.
std::string stampOf(const std::string& path) {
  std::error_code code;
  const auto time = fs::last_write_time(path, code);
  if (code) return "-";
  return std::to_string(fileBytes(path)) + ":" + std::to_string(time.time_since_epoch().count());
}

// Parts with their lengths, so that no two lists of parts are one text.
class KeyHash {
 public:
  void add(const std::string& part) {
    m_hash.update(std::to_string(part.size()) + ":");
    m_hash.update(part);
  }
  std::string hex() { return m_hash.hex().substr(0, kKeyLength); }

 private:
  Sha256 m_hash;
};

Json evidenceJson(const ExecutionEvidence& evidence) {
  return {{"comparable", evidence.comparable},
          {"equal", evidence.equal},
          {"refused", evidence.refused},
          {"distinct_ignored", evidence.distinctIgnored},
          {"words", phraseToJson(evidence.words)}};
}

ExecutionEvidence evidenceFromJson(const Json& json) {
  ExecutionEvidence out;
  out.comparable = memberFlag(json, "comparable", false);
  out.equal = memberFlag(json, "equal", false);
  out.refused = memberFlag(json, "refused", false);
  out.distinctIgnored = memberFlag(json, "distinct_ignored", false);
  if (const auto words = json.find("words"); words != json.end()) out.words = phraseFromJson(*words);
  return out;
}

Json bodyOf(const KeptExecution& execution) {
  Json json = {{"facts", Json::object()}, {"notes", execution.facts.notes}, {"evidence", Json::array()}};
  for (const auto& [database, facts] : execution.facts.declared) json["facts"][database] = facts;
  for (const ExecutionEvidence& evidence : execution.evidence)
    json["evidence"].push_back(evidenceJson(evidence));
  return json;
}

// The first line says what the rest must be: the key against a file that was renamed, the sum against bytes
// that changed.
std::string headOf(const std::string& key, std::string_view body) {
  return Json({{"format", kKeptFormat}, {"key", key}, {"crc32c", crc32c(body)}}).dump() + "\n";
}

Result<KeptExecution> readKept(const std::string& path, const std::string& key, std::size_t pairs) {
  FATHOM_TRY(const std::string text, readFile(path, KeptExecutions::kMostBytes));
  const std::string_view body = std::string_view(text).substr(std::min(text.find('\n'), text.size() - 1) + 1);
  if (!text.starts_with(headOf(key, body))) return dataErrorAt(path, 1, Phrase::tr("its bytes were changed"));
  FATHOM_TRY(const Json json, parseJson(body, path));
  KeptExecution out;
  for (const auto& [database, facts] : memberObject(json, "facts").items())
    out.facts.declared.emplace(database, facts);
  for (const Json& note : memberList(json, "notes")) out.facts.notes.push_back(asText(note));
  for (const Json& evidence : memberList(json, "evidence"))
    out.evidence.push_back(evidenceFromJson(evidence));
  if (out.evidence.size() != pairs)
    return dataErrorAt(path, 2, Phrase::tr("%1 examples instead of %2")(out.evidence.size(), pairs));
  return out;
}

}  // namespace

std::string KeptExecutions::key(const std::vector<SpiderPair>& pairs, const std::string& tables,
                                const ExecutionOptions& options, const SqlRunLimits& limits) {
  const auto schemas = sha256OfFile(tables);
  const std::string sandbox = findSqlRunProgram();
  if (!schemas || sandbox.empty()) return {};
  KeyHash hash;
  hash.add(std::to_string(kKeptFormat));
  hash.add(*schemas);
  hash.add(absolutePath(sandbox) + " " + stampOf(sandbox));
  hash.add(Json({int(options.rule), options.plugValues, options.keepDistinct, options.plugSeconds,
                 limits.seconds, limits.rows, limits.bytes})
               .dump());
  std::set<std::string> databases;
  for (const SpiderPair& pair : pairs) {
    for (const std::string& part : {pair.dbId, pair.gold, pair.predicted}) hash.add(part);
    databases.insert(pair.dbId);
  }
  for (const std::string& id : databases) {
    const std::string path = absolutePath(databasePath(options.databases, id));
    // Pages that a database in use has not taken into its file yet are read, too.
    hash.add(path + " " + stampOf(path) + " " + stampOf(path + "-wal"));
  }
  return hash.hex();
}

std::optional<KeptExecution> KeptExecutions::find(const std::string& key, std::size_t pairs,
                                                  std::vector<Phrase>& notes) const {
  if (m_folder.empty() || key.empty() || !fileExists(path(key))) return {};
  auto read = readKept(path(key), key, pairs);
  std::error_code code;  // what cannot be touched is only older than it could be
  if (read.ok()) {
    if (m_writable) fs::last_write_time(path(key), fs::file_time_type::clock::now(), code);
    return std::move(read).value();
  }
  notes.push_back(
      Phrase::tr("What executed queries gave is damaged and was computed again: %1")(read.error().phrase()));
  if (m_writable) fs::remove(path(key), code);
  return {};
}

void KeptExecutions::keep(const std::string& key, const KeptExecution& execution,
                          std::vector<Phrase>& notes) const {
  if (m_folder.empty() || !m_writable || key.empty()) return;
  const std::string body = bodyOf(execution).dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  if (body.size() > kMostBytes / 4) return;  // one review must not put all others out
  Status kept = makeFolders(m_folder);
  if (kept.ok()) kept = writeFileAtomically(path(key), headOf(key, body) + body);
  if (!kept.ok())
    notes.push_back(Phrase::tr("What executed queries gave cannot be kept: %1")(kept.error().phrase()));
  makeRoom();
}

void KeptExecutions::makeRoom() const {
  struct File {
    fs::file_time_type used;
    fs::path path;
  };
  std::vector<File> files;
  for (const fs::directory_entry& entry : seenIn(m_folder)) {
    std::error_code code;
    const auto used = fs::last_write_time(entry.path(), code);
    if (!code && entry.path().extension() == ".json") files.push_back({used, entry.path()});
  }
  std::sort(files.begin(), files.end(), [](const File& a, const File& b) { return a.used > b.used; });
  std::uintmax_t bytes = 0;
  for (std::size_t i = 0; i < files.size(); ++i) {
    bytes += fileBytes(files[i].path.string());
    std::error_code code;
    if (i >= kMostFiles || bytes > kMostBytes) fs::remove(files[i].path, code);
  }
  sweepTemporaries(m_folder, TemporaryOwner::Unknown);
}

}  // namespace fathom
