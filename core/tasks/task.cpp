// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/task.h"

#include "core/base/random_stream.h"

namespace fathom {

namespace {

constexpr const char* kTaskKey = "task";

OptionClause onlyUnder(std::vector<Json> taskIds) {
  return {kTaskKey, OptionClause::Test::In, std::move(taskIds)};
}

OptionField taskField() {
  OptionField field;
  field.key = kTaskKey;
  field.type = OptionType::Choice;
  field.title = "Task";
  field.help = "What is learned; decides which data, batches and scores there are.";
  field.group = "Data";
  for (const TaskEntry& entry : taskEntries()) field.choices.push_back({entry.id, entry.title});
  if (!field.choices.empty()) field.defaultValue = field.choices.front().id;
  return field;
}

}  // namespace

const char* dataSplitName(DataSplit split) {
  switch (split) {
    case DataSplit::Train:
      return "train";
    case DataSplit::Validation:
      return "validation";
    case DataSplit::Test:
      return "test";
  }
  return "?";
}

std::vector<std::int64_t> Task::epochOrder(std::uint64_t seed, std::int64_t epoch) const {
  return RandomStream(streamSeed(seed, "data.order", {epoch})).permutation(batchCount(DataSplit::Train));
}

HostBatch Task::makeTrainBatch(std::int64_t, std::int64_t batch) const {
  return makeBatch(DataSplit::Train, batch);
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

std::map<std::string, std::vector<std::string>> Task::pieces(const HostBatch&, std::int64_t) const {
  return {};
}

const TaskEntry* findTask(std::string_view id) {
  for (const TaskEntry& entry : taskEntries())
    if (entry.id == id) return &entry;
  return nullptr;
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
  std::vector<OptionField> fields{taskField()};
  std::map<std::string, std::size_t> position;
  std::map<std::string, std::vector<Json>> users;
  for (const TaskEntry& entry : taskEntries()) {
    for (const OptionField& field : entry.fields) {
      if (position.try_emplace(field.key, fields.size()).second) fields.push_back(field);
      users[field.key].push_back(entry.id);
    }
  }
  for (auto& [key, index] : position) fields[index].enabledWhen.push_back(onlyUnder(users[key]));
  return fields;
}

std::vector<OptionRule> taskOptionRules() {
  std::vector<OptionRule> rules;
  for (const TaskEntry& entry : taskEntries()) {
    for (OptionRule rule : entry.rules) {
      rule.when.push_back(onlyUnder({entry.id}));
      rules.push_back(std::move(rule));
    }
  }
  return rules;
}

}  // namespace fathom
