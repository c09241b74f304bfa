// SPDX-License-Identifier: Apache-2.0
#include "core/record/results/prediction_set.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/files/one_folder.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/path_look.h"
#include "core/base/json/json_members.h"
#include "core/base/lines/line_source.h"
#include "core/record/runs/run_folder.h"

namespace fathom {

namespace {

constexpr int kSetFormat = 1;
// A line that is no prediction any more.
constexpr LineLimits kSetLimits = {.maxBytes = std::size_t{1} << 20};
constexpr const char* kEnding = ".jsonl";

}  // namespace

Json PredictionSet::toJson() const {
  return {{"format", kSetFormat}, {"uuid", uuid},    {"run_uuid", run},
          {"task", task},         {"split", split},  {"checkpoint", checkpoint},
          {"chosen", chosen},     {"input", input},  {"created", created},
          {"decoding", decoding}, {"fields", fields}};
}

Result<PredictionSet> readPredictionSet(const std::string& path) {
  FATHOM_TRY(LineSource lines, LineSource::open(path, kSetLimits));
  std::string first;
  FATHOM_TRY(const bool any, lines.next(first));
  if (!any) return dataErrorAt(path, 1, Phrase::tr("is empty"));
  FATHOM_TRY(const Json head, parseJson(first, path));
  if (!head.is_object() || !head.contains("split"))
    return dataErrorAt(path, 1, Phrase::tr("is not the head of a prediction set"),
                       Phrase::tr("it says which split was predicted"));
  PredictionSet set;
  set.path = path;
  set.uuid = memberText(head, "uuid");
  set.run = memberText(head, "run_uuid");
  set.task = memberText(head, "task");
  set.checkpoint = memberText(head, "checkpoint");
  set.chosen = head.contains("chosen") && head["chosen"] == true;
  set.split = memberText(head, "split");
  set.input = memberText(head, "input");
  set.created = memberText(head, "created");
  set.decoding = memberObject(head, "decoding");
  set.fields = memberObject(head, "fields");
  return set;
}

Result<std::vector<PredictionSet>> predictionSets(const std::string& runPath) {
  std::vector<std::pair<std::filesystem::file_time_type, PredictionSet>> found;
  FATHOM_TRY(const auto items, entriesIn(RunFolder(runPath).predictionsPath()));
  for (const auto& item : items) {
    if (item.path().extension() != kEnding) continue;
    std::error_code code;
    if (auto set = readPredictionSet(item.path().string()); set.ok())
      found.emplace_back(item.last_write_time(code), std::move(set).value());
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<PredictionSet> sets;
  for (auto& [time, set] : found) sets.push_back(std::move(set));
  return sets;
}

Result<PredictedTexts> readPredictedTexts(const PredictionSet& set) {
  const std::string named = memberText(set.fields, "reference");
  const std::string reference = named.empty() ? "reference" : named;
  FATHOM_TRY(LineSource lines, LineSource::open(set.path, kSetLimits));
  std::map<std::int64_t, std::pair<std::string, std::string>> byExample;
  std::string line;
  FATHOM_TRY(const bool head, lines.next(line));
  for (std::int64_t number = 2; head; ++number) {
    FATHOM_TRY(const bool more, lines.next(line));
    if (!more) break;
    FATHOM_TRY(const Json json, parseJson(line, set.path));
    const auto holds = [&](const std::string& key) {
      return json.is_object() && json.contains(key) && json[key].is_string();
    };
    if (!holds("prediction") || !holds(reference) || !json.contains("example") ||
        !json["example"].is_number_integer())
      return dataErrorAt(set.path, number,
                         Phrase::tr("a prediction needs example, prediction and %1")(reference));
    byExample[json["example"].get<std::int64_t>()] = {json["prediction"].get<std::string>(),
                                                      json[reference].get<std::string>()};
  }
  PredictedTexts texts;
  for (auto& [example, pair] : byExample) {
    texts.predictions.push_back(std::move(pair.first));
    texts.references.push_back(std::move(pair.second));
  }
  return texts;
}

Result<Json> readPredictionDetails(const std::string& path, std::int64_t example) {
  FATHOM_TRY(LineSource lines, LineSource::open(path, kSetLimits));
  const std::string begin = "{\"example\":" + std::to_string(example) + ",";
  std::string line;
  for (std::int64_t number = 1;; ++number) {
    FATHOM_TRY(const bool more, lines.next(line));
    if (!more) return Json();
    if (!line.starts_with(begin)) continue;  // as the writer puts it: only one line is parsed
    const auto json = parseJson(line, path);
    if (!json.ok()) return dataErrorAt(path, number, json.error().messagePhrase());
    const auto details = json->find("details");
    return details != json->end() && details->is_object() ? *details : Json();
  }
}

PredictionSetWriter::PredictionSetWriter() = default;
PredictionSetWriter::PredictionSetWriter(PredictionSetWriter&&) noexcept = default;
PredictionSetWriter& PredictionSetWriter::operator=(PredictionSetWriter&&) noexcept = default;
PredictionSetWriter::~PredictionSetWriter() = default;

Result<PredictionSetWriter> PredictionSetWriter::create(const std::string& runPath, PredictionSet set) {
  const RunFolder folder(runPath);
  set.uuid = makeUuid();
  set.created = isoTimeNow();
  if (set.path.empty()) {
    FATHOM_CHECK(makeOneFolder(folder.predictionsPath()));
    set.path = folder.predictionsPath() + "/" + set.uuid + kEnding;
  } else {
    FATHOM_CHECK(prepareNamedFile(set.path));
  }
  PredictionSetWriter writer;
  FATHOM_TRY(writer.m_file, PackedWriter::create(set.path));
  Json head = set.toJson();
  head["run"] = runPath;
  FATHOM_CHECK(writer.m_file->write(head.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"));
  writer.m_set = std::move(set);
  return writer;
}

Status PredictionSetWriter::add(const Json& line) {
  return m_file->write(line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

Status PredictionSetWriter::finish() {
  return m_file->finish();
}

}  // namespace fathom
