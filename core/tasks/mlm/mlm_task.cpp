// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/mlm/mlm_task.h"

#include <algorithm>

#include "core/base/atomic_file.h"
#include "core/tasks/sample_sentences.h"

namespace fathom {

namespace {

TaskScore accuracy(const std::string& id, const std::string& title, std::int64_t right, std::int64_t all) {
  TaskScore score;
  score.id = id;
  score.title = title;
  score.value = all == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(all);
  score.details = {{"right", right}, {"all", all}};
  return score;
}

}  // namespace

std::int64_t MlmTask::exampleCount(DataSplit split) const {
  return static_cast<std::int64_t>(examples(split).size());
}

std::int64_t MlmTask::batchCount(DataSplit split) const {
  return (exampleCount(split) + m_options.sequences - 1) / m_options.sequences;
}

std::map<std::string, std::int64_t> MlmTask::sizes() const {
  std::size_t longest = 0;
  for (const auto& part : m_examples)
    for (const MlmExample& example : part) longest = std::max(longest, example.tokens.size());
  return {{"vocabulary", m_vocabulary.size},
          {"pad_id", m_vocabulary.pad},
          {"cls_id", m_vocabulary.cls},
          {"sep_id", m_vocabulary.sep},
          {"mask_id", m_vocabulary.mask},
          {"unk_id", m_vocabulary.unk},
          {"segments", 2},
          {"lower_case", m_options.lowerCase ? 1 : 0},
          {"longest", static_cast<std::int64_t>(longest)}};
}

ExampleTexts MlmTask::exampleTexts(DataSplit split, ExampleId example) const {
  if (example.value < 0 || example.value >= exampleCount(split))
    throw Failure(internalError("example " + std::to_string(example.value) + " of " +
                                std::to_string(exampleCount(split))));
  const MlmExample& one = examples(split)[static_cast<std::size_t>(example.value)];
  std::vector<std::int32_t> original = one.tokens;
  for (std::size_t m = 0; m < one.positions.size(); ++m)
    original[static_cast<std::size_t>(one.positions[m])] = one.labels[m];
  const auto joined = [&](const std::vector<std::int32_t>& tokens) {
    std::string text;
    for (const std::int32_t token : tokens) text += (text.empty() ? "" : " ") + m_vocabulary.piece(token);
    return text;
  };
  return {{"masked", joined(one.tokens)}, {"text", joined(original)}};
}

std::map<std::string, std::vector<std::string>> MlmTask::pieces(const HostBatch& batch,
                                                                std::int64_t row) const {
  std::vector<std::string> tokens;
  for (const std::int64_t id : rowOf(batch.array("tokens"), row)) tokens.push_back(m_vocabulary.piece(id));
  return {{"encoder", std::move(tokens)}};
}

void MlmTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) {
    prediction.text.clear();
    for (std::size_t i = 0; i + 1 < prediction.ids.size(); ++i)
      prediction.text += (i == 0 ? "" : " ") + m_vocabulary.piece(prediction.ids[i]);
  }
}

Result<std::vector<TaskScore>> MlmTask::score(DataSplit split,
                                              const std::vector<Prediction>& predictions) const {
  std::vector<bool> seen(static_cast<std::size_t>(exampleCount(split)));
  std::int64_t right = 0, masked = 0, nextRight = 0;
  for (const Prediction& prediction : predictions) {
    const std::int64_t id = prediction.example.value;
    if (id < 0 || id >= exampleCount(split) || seen[static_cast<std::size_t>(id)])
      return dataError("prediction for example " + std::to_string(id) + " is one too many");
    seen[static_cast<std::size_t>(id)] = true;
    const MlmExample& example = examples(split)[static_cast<std::size_t>(id)];
    if (prediction.ids.size() != example.labels.size() + 1)
      return dataError("prediction for example " + std::to_string(id) + " has " +
                       std::to_string(prediction.ids.size()) + " values, " +
                       std::to_string(example.labels.size() + 1) + " are expected");
    for (std::size_t m = 0; m < example.labels.size(); ++m)
      right += prediction.ids[m] == example.labels[m] ? 1 : 0;
    masked += static_cast<std::int64_t>(example.labels.size());
    nextRight += prediction.ids.back() == (example.randomNext ? 1 : 0) ? 1 : 0;
  }
  if (const auto missing = std::find(seen.begin(), seen.end(), false); missing != seen.end())
    return dataError("no prediction for example " + std::to_string(missing - seen.begin()));
  return std::vector<TaskScore>{
      accuracy("masked_accuracy", "Masked-token accuracy (%)", right, masked),
      accuracy("next_accuracy", "Next-sentence accuracy (%)", nextRight, exampleCount(split))};
}

namespace {

std::vector<StatisticField> mlmStatistics() {
  using Kind = StatisticField::Kind;
  return {{Kind::Number, "lines", "Lines"},
          {Kind::Number, "skipped_lines", "Skipped lines"},
          {Kind::Number, "documents", "Documents"},
          {Kind::Number, "sentences", "Sentences"},
          {Kind::Number, "examples", "Examples"},
          {Kind::Number, "tokens", "Tokens"},
          {Kind::Number, "masked", "Masked tokens"},
          {Kind::Number, "random_next", "Pairs with a random second sentence"},
          {Kind::Number, "lengths.mean", "Mean length (tokens)", 1, 1},
          {Kind::Number, "lengths.longest", "Longest example"},
          {Kind::Lengths, "lengths", "Lengths"}};
}

Json sampleFiles(const std::string& folder) {
  Json files = Json::object();
  for (const std::string part : {"train", "validation", "test"})
    files["data." + part] = folder + "/" + part + ".txt";
  return files;
}

// The English sentences, some of them a document.
Result<TaskSample> writeSample(const std::string& folder, std::uint64_t seed, SampleSize size) {
  constexpr std::size_t kSentencesOfDocument = 25;
  const bool check = size == SampleSize::Check;
  FATHOM_TRY(const SampleSentences made,
             makeSampleSentences(seed, check ? SampleSizes{600, 60, 60} : SampleSizes{}));
  TaskSample sample;
  sample.pieces = 300;
  sample.options = {{"mlm.documents", "blank_line"},
                    {"mlm.sentences", "line"},
                    {"mlm.vocabulary.kind", "bpe"},
                    {"mlm.vocabulary.size", sample.pieces},
                    {"mlm.duplicates", 1}};
  const std::pair<const char*, const SampleSentences::Pairs*> parts[] = {
      {"train", &made.train}, {"validation", &made.validation}, {"test", &made.test}};
  const Json files = sampleFiles(folder);
  FATHOM_CHECK(makeFolders(folder));
  for (const auto& [part, pairs] : parts) {
    std::string text;
    std::size_t sentences = 0;
    for (const auto& [german, english] : *pairs)
      text += english + (++sentences % kSentencesOfDocument == 0 ? "\n\n" : "\n");
    FATHOM_CHECK(writeFileAtomically(files[std::string("data.") + part].get<std::string>(), text));
  }
  sample.options.update(files);
  return sample;
}

// Under the names of the options.
Json encoderOptions(const Json& vocabulary) {
  Json options = {{"task", "mlm"}};
  for (const char* name : {"kind", "file", "merges", "lower_case"})
    if (vocabulary.contains(name)) options[std::string("mlm.vocabulary.") + name] = vocabulary[name];
  if (!vocabulary.value("next_sentence", true)) options["mlm.random_next"] = 0;
  return options;
}

}  // namespace

TaskEntry mlmTaskEntry() {
  TaskEntry entry;
  entry.id = "mlm";
  entry.title = "Masked language model";
  entry.paper = "BERT §3.1; RealFormer §4.1";
  entry.fields = mlmOptionFields();
  entry.rules = mlmOptionRules();
  entry.create = MlmTask::create;
  entry.texts = {{"masked", "Masked", TextField::Role::Input}, {"text", "Text", TextField::Role::Reference}};
  entry.statistics = mlmStatistics();
  entry.batch = {{"batch.sequences", "mlm.max_length"}};
  entry.sample = {sampleFiles, writeSample};
  entry.inputExample = "two hundred and [MASK]";
  entry.encoderOptions = encoderOptions;
  return entry;
}

}  // namespace fathom
