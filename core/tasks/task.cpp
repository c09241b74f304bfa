// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/task.h"

#include <algorithm>

#include "core/base/json/json_members.h"
#include "core/base/numbers/random_stream.h"
#include "core/base/options/entry_table.h"
#include "core/base/options/field_builder.h"

namespace fathom {

namespace {

constexpr const char* kTaskKey = "task";
constexpr const char* kVocabularyFact = "vocabulary";
constexpr const char* kPiecesMember = "pieces";
// {"rows": …, "pieces": …} among what a run keeps.
constexpr const char* kTokenTableFile = "token_table.json";

}  // namespace

void Task::setTokenRows(std::int64_t rows) {
  const auto facts = sizes();
  const auto pieces = facts.find(kVocabularyFact);
  m_tokenRows = pieces != facts.end() && rows > pieces->second ? rows : 0;
}

std::map<std::string, std::int64_t> Task::modelSizes() const {
  auto facts = sizes();
  if (m_tokenRows > 0) facts[kVocabularyFact] = m_tokenRows;
  return facts;
}

std::map<std::string, std::string> Task::keptFiles() const {
  auto kept = artifacts();
  if (m_tokenRows > 0)
    kept[kTokenTableFile] =
        Json{{"rows", m_tokenRows}, {kPiecesMember, sizes().at(kVocabularyFact)}}.dump() + "\n";
  return kept;
}

std::int64_t keptTokenRows(const std::map<std::string, std::string>& artifacts) {
  const auto found = artifacts.find(kTokenTableFile);
  if (found == artifacts.end()) return 0;
  const auto kept = parseJson(found->second, found->first);
  return kept.ok() ? memberInteger(*kept, "rows") : 0;
}

HostBatch Task::makeTrainBatch(std::int64_t, std::int64_t batch) const {
  return makeBatch(DataSplit::Train, batch);
}

std::int64_t Task::fileRow(DataSplit, ExampleId example) const {
  return example.value;
}

std::vector<std::int64_t> Task::epochOrder(std::uint64_t seed, std::int64_t epoch) const {
  return RandomStream(streamSeed(seed, "data.order", {epoch})).permutation(batchCount(DataSplit::Train));
}

std::vector<ExampleId> Task::batchedExamples(DataSplit) const {
  return {};
}

std::vector<std::vector<ExampleId>> Task::planExamples(DataSplit, const std::vector<ExampleId>&) const {
  return {};
}

HostBatch Task::makeBatchOf(DataSplit split, std::span<const ExampleId>) const {
  throw Failure(internalError(std::string("a task without single examples was asked for some of ") +
                              dataSplitName(split)));
}

TokenRows Task::pieces(const HostBatch&, std::int64_t) const {
  return {};
}

Result<std::map<std::string, std::string>> Task::submission(DataSplit, const std::vector<Prediction>&) const {
  return std::map<std::string, std::string>();
}

Result<RequestBatches> Task::batchesFromRequests(std::span<const Json> items) const {
  RequestBatches made;
  std::vector<std::string> lines;
  for (const Json& item : items) {
    if (!item.is_string())
      return dataError(Phrase::tr("item %1 is no text")(lines.size()),
                       Phrase::tr("this task takes lines of text"));
    lines.push_back(item.get<std::string>());
    made.inputs.push_back({{"line", lines.back()}});
  }
  FATHOM_TRY(made.batches, batchesFromText(lines, &made.findings));
  return made;
}

const TaskEntry* findTask(std::string_view id) {
  return findEntry(taskEntries(), id);
}

const TaskEntry* taskOf(const OptionValues& values) {
  return findTask(values.schema().find(kTaskKey) ? values.text(kTaskKey) : taskEntries().front().id);
}

const TaskEntry* taskOf(const Json& options) {
  const auto named = options.find(kTaskKey);
  if (named == options.end()) return &taskEntries().front();
  return named->is_string() ? findTask(named->get<std::string>()) : nullptr;
}

std::vector<OptionField> taskOptionFields() {
  return joinedFields(
      {{choiceField(kTaskKey, "Task", "What is learned; decides which data, batches and scores there are.",
                    entryChoices(taskEntries()))
            .group("Data")},
       entryFields(taskEntries(), kTaskKey, [](const TaskEntry& entry) { return entry.fields; })});
}

std::vector<OptionRule> taskOptionRules() {
  return entryRules(taskEntries(), kTaskKey, [](const TaskEntry& entry) { return entry.rules; });
}

}  // namespace fathom
