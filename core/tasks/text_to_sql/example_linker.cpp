// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/text_to_sql/example_linker.h"

#include <filesystem>
#include <mutex>

#include "core/spider/grammar/sql_tree.h"
#include "core/spider/linking/question_tokens.h"
#include "core/spider/linking/schema_linker.h"
#include "core/tasks/kept_files.h"
#include "core/tasks/text_to_sql/text_to_sql_vocabulary.h"

namespace fathom {

namespace {

constexpr const char* kNoLinking = "none";
constexpr const char* kLinkingFile = "linking.json";

std::string fileName(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// Record of a run's linking: what it asked for, what was there, and the names of its files.
Json linkingRecord(const TextToSqlOptions& options, const std::string& used) {
  return {{"format", 1},
          {"asked", options.linking},
          {"used", used},
          {"links", fileName(options.links)},
          {"concepts", fileName(options.concepts)}};
}

// The record that the run kept, where it is about these options; else null.
Result<Json> keptRecord(const TextToSqlOptions& options, const TaskSetup& setup) {
  const auto kept = setup.artifacts.find(kLinkingFile);
  if (kept == setup.artifacts.end()) return Json();
  const std::string path = std::string("artifacts/") + kLinkingFile;
  FATHOM_TRY(Json record, parseJson(kept->second, path));
  for (const char* key : {"asked", "used", "links", "concepts"}) {
    if (!record.is_object() || !record.value(key, Json()).is_string())
      return dataErrorAt(path, 0, Phrase::tr("no text \"%1\"")(key));
  }
  const bool ofThese = record["asked"] == options.linking && record["links"] == fileName(options.links) &&
                       record["concepts"] == fileName(options.concepts);
  return ofThese ? record : Json();
}

// No word means a name: what the relations are worth without links.
class NoLinks : public ExampleLinker {
 public:
  Result<SchemaLinks> links(const SpiderExample& example, const SpiderSchema& schema) const override {
    return SchemaLinks(static_cast<int>(questionWords(example.questionTokens).size()), expandedCount(schema),
                       static_cast<int>(schema.tables.size()) + 1);
  }
};

// A linker keeps what it made of a schema: one question at a time.
class SharedLinker : public ExampleLinker {
 public:
  Status open(const std::string& linking, LinkingSources sources, StoredValues values) {
    m_values = std::move(values);
    sources.values = m_values.empty() ? nullptr : &m_values;
    FATHOM_TRY(m_opened, openSchemaLinker(linking, sources));
    return {};
  }
  Result<SchemaLinks> links(const SpiderExample& example, const SpiderSchema& schema) const override {
    FATHOM_TRY(LinkedQuestion found, linked(example, schema));
    return std::move(found.links);
  }
  Result<LinkedQuestion> linked(const SpiderExample& example, const SpiderSchema&) const override {
    const std::lock_guard lock(m_mutex);
    return m_opened.linker->link(example.dbId, example.questionTokens);
  }
  const OpenedLinker& opened() const { return m_opened; }

 private:
  mutable std::mutex m_mutex;
  StoredValues m_values;
  OpenedLinker m_opened;
};

}  // namespace

Result<LinkedQuestion> ExampleLinker::linked(const SpiderExample& example, const SpiderSchema& schema) const {
  LinkedQuestion found;
  FATHOM_TRY(found.links, links(example, schema));
  for (const std::string& word : questionWords(example.questionTokens)) found.tokens.push_back({word, word});
  return found;
}

std::vector<OptionChoice> exampleLinkings() {
  std::vector<OptionChoice> choices = schemaLinkings();
  choices.push_back({kNoLinking, "No links"});
  return choices;
}

Result<OpenedExampleLinker> openExampleLinker(const TextToSqlOptions& options, const SpiderSchemas& schemas,
                                              const TaskSetup& setup) {
  OpenedExampleLinker opened;
  opened.used = options.linking;
  if (options.linking == kNoLinking) {
    opened.linker = std::make_unique<NoLinks>();
    return opened;
  }
  StoredValues values;
  if (!options.values.empty() && options.linking != "file") {
    FATHOM_TRY(opened.artifacts["values.jsonl"], keptFile("values.jsonl", options.values, setup));
    SpiderDatabaseIds ids;
    for (const auto& [id, schema] : schemas) ids.insert(id);
    FATHOM_TRY(values, parseStoredValues(opened.artifacts["values.jsonl"], options.values, ids));
    opened.valueNotes = storedValueNotes(values, ids);
  }
  FATHOM_TRY(const Json record, keptRecord(options, setup));
  LinkingSources sources;
  sources.schemas = &schemas;
  sources.wordnet = options.wordnet;
  sources.links = options.links;
  sources.concepts = options.concepts;
  sources.kept = record.is_null() ? nullptr : &setup.artifacts;
  sources.mayReplace = setup.artifacts.empty();
  sources.keep = true;
  const std::string linking = record.is_null() ? options.linking : record["used"].get<std::string>();
  auto linker = std::make_unique<SharedLinker>();
  FATHOM_CHECK(linker->open(linking, sources, std::move(values)));
  opened.used = linker->opened().used;
  opened.artifacts.insert(linker->opened().kept.begin(), linker->opened().kept.end());
  opened.artifacts[kLinkingFile] = linkingRecord(options, opened.used).dump() + "\n";
  opened.note = linker->opened().note;
  opened.linker = std::move(linker);
  return opened;
}

}  // namespace fathom
