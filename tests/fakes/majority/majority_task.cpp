// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/majority/majority_task.h"

#include <algorithm>
#include <sstream>

#include "core/base/numbers/random_stream.h"
#include "core/tasks/length_statistics.h"

namespace fathom {

namespace {

constexpr DataSplit kSplits[] = {DataSplit::Train, DataSplit::Validation, DataSplit::Test};
constexpr std::int64_t kPad = 0, kStart = 1, kFirstLetter = 2;  // ids of tokens

std::string letter(std::int64_t index) {
  return std::string(1, static_cast<char>('a' + index));
}

OptionField number(const char* key, std::int64_t value, double from, double to, const char* title,
                   const char* help) {
  OptionField field;
  field.key = key;
  field.type = OptionType::Integer;
  field.defaultValue = value;
  field.minimum = from;
  field.maximum = to;
  field.title = title;
  field.help = help;
  field.group = "Data";
  return field;
}

std::int64_t majorityOf(const std::vector<std::int64_t>& letters, std::int64_t kinds) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(kinds));
  for (const std::int64_t one : letters) ++counts[static_cast<std::size_t>(one)];
  return std::max_element(counts.begin(), counts.end()) - counts.begin();
}

// Share of the resamples in which the second system names more right letters.
Result<PairedOutcome> accuracyTest(const PairedTexts& texts, std::int64_t resamples, const StopToken& stop) {
  const std::size_t count = texts.references.size();
  const auto right = [&](std::span<const std::string> texts_, std::size_t i) {
    return texts_[i] == texts.references[i] ? 100.0 / static_cast<double>(count) : 0.0;
  };
  PairedOutcome outcome;
  for (std::size_t i = 0; i < count; ++i) {
    outcome.first += right(texts.first, i);
    outcome.second += right(texts.second, i);
  }
  outcome.difference = outcome.second - outcome.first;
  RandomStream random(streamSeed(1, "majority.bootstrap"));
  std::vector<double> differences;
  for (std::int64_t draw = 0; draw < resamples; ++draw) {
    if (stop.stopRequested()) return interruptedError();
    double difference = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(random.below(count));
      difference += right(texts.second, at) - right(texts.first, at);
    }
    outcome.secondWins += difference > 0 ? 1.0 / static_cast<double>(resamples) : 0;
    differences.push_back(difference);
  }
  std::sort(differences.begin(), differences.end());
  outcome.low = differences[differences.size() / 40];
  outcome.high = differences[differences.size() - 1 - differences.size() / 40];
  outcome.pValue = 2 * std::min(outcome.secondWins, 1 - outcome.secondWins);
  return outcome;
}

}  // namespace

MajorityTask::MajorityTask(const OptionValues& options)
    : m_letters(options.integer("majority.letters")),
      m_longest(options.integer("majority.longest")),
      m_batch(options.integer("majority.batch")) {}

Result<std::unique_ptr<Task>> MajorityTask::create(const OptionValues& options, const TaskSetup& setup) {
  std::unique_ptr<MajorityTask> task(new MajorityTask(options));
  if (setup.inputOnly) return std::unique_ptr<Task>(std::move(task));
  const auto seed = static_cast<std::uint64_t>(options.integer("majority.seed"));
  const std::int64_t examples = options.integer("majority.examples");
  for (const DataSplit split : kSplits) {
    RandomStream random(streamSeed(seed, dataSplitName(split)));
    auto& words = task->m_words[static_cast<std::size_t>(split)];
    for (std::int64_t left = split == DataSplit::Train ? examples : examples / 8; left > 0; --left) {
      Word word;
      const auto shortest = static_cast<std::uint64_t>((task->m_longest + 1) / 2);
      const std::uint64_t length =
          shortest + random.below(static_cast<std::uint64_t>(task->m_longest) - shortest + 1);
      for (std::uint64_t i = 0; i < length; ++i)
        word.letters.push_back(
            static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(task->m_letters))));
      word.label = majorityOf(word.letters, task->m_letters);
      words.push_back(std::move(word));
    }
  }
  return std::unique_ptr<Task>(std::move(task));
}

std::int64_t MajorityTask::exampleCount(DataSplit split) const {
  return static_cast<std::int64_t>(words(split).size());
}

std::int64_t MajorityTask::batchCount(DataSplit split) const {
  return (exampleCount(split) + m_batch - 1) / m_batch;
}

std::int64_t MajorityTask::batchTargetUnits(DataSplit split, std::int64_t batch) const {
  return std::min(m_batch, exampleCount(split) - batch * m_batch);
}

HostBatch MajorityTask::batchOf(const std::vector<const Word*>& words,
                                std::vector<ExampleId> examples) const {
  std::size_t width = 0;
  for (const Word* word : words) width = std::max(width, word->letters.size() + 1);
  const auto rows = static_cast<std::int64_t>(words.size());
  HostArray tokens(HostDtype::I64, {rows, static_cast<std::int64_t>(width)});
  HostArray lengths(HostDtype::I64, {rows}), labels(HostDtype::I64, {rows});
  for (std::size_t row = 0; row < words.size(); ++row) {
    auto to = tokens.values<std::int64_t>().subspan(row * width, width);
    std::fill(to.begin(), to.end(), kPad);
    to[0] = kStart;
    for (std::size_t i = 0; i < words[row]->letters.size(); ++i)
      to[i + 1] = kFirstLetter + words[row]->letters[i];
    lengths.values<std::int64_t>()[row] = static_cast<std::int64_t>(words[row]->letters.size()) + 1;
    labels.values<std::int64_t>()[row] = words[row]->label;
  }
  HostBatch batch;
  batch.arrays = {{"tokens", tokens}, {"lengths", lengths}, {"labels", labels}};
  batch.examples = std::move(examples);
  batch.targetUnits = rows;
  batch.paddedUnits = rows * static_cast<std::int64_t>(width);
  return batch;
}

HostBatch MajorityTask::makeBatch(DataSplit split, std::int64_t batch) const {
  std::vector<ExampleId> examples;
  for (std::int64_t i = 0; i < batchTargetUnits(split, batch); ++i)
    examples.emplace_back(batch * m_batch + i);
  return makeBatchOf(split, examples);
}

std::vector<ExampleId> MajorityTask::batchedExamples(DataSplit split) const {
  std::vector<ExampleId> examples;
  for (std::int64_t i = 0; i < exampleCount(split); ++i) examples.emplace_back(i);
  return examples;
}

std::vector<std::vector<ExampleId>> MajorityTask::planExamples(DataSplit,
                                                               const std::vector<ExampleId>& examples) const {
  std::vector<std::vector<ExampleId>> batches;
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (i % static_cast<std::size_t>(m_batch) == 0) batches.emplace_back();
    batches.back().push_back(examples[i]);
  }
  return batches;
}

HostBatch MajorityTask::makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const {
  std::vector<const Word*> chosen;
  for (const ExampleId example : examples)
    chosen.push_back(&words(split).at(static_cast<std::size_t>(example.value)));
  return batchOf(chosen, {examples.begin(), examples.end()});
}

std::map<std::string, std::int64_t> MajorityTask::sizes() const {
  return {{"vocabulary", kFirstLetter + m_letters},
          {"pad_id", kPad},
          {"labels", m_letters},
          {"longest", m_longest + 1}};
}

Json MajorityTask::statistics() const {
  Json statistics = Json::object();
  for (const DataSplit split : kSplits) {
    std::vector<std::int32_t> lengths;
    Json labels = Json::object();
    for (std::int64_t i = 0; i < m_letters; ++i) labels[letter(i)] = 0;
    for (const Word& word : words(split)) {
      lengths.push_back(static_cast<std::int32_t>(word.letters.size()));
      labels[letter(word.label)] = labels[letter(word.label)].get<int>() + 1;
    }
    const LengthStatistics measured = lengthStatistics(lengths);
    statistics[dataSplitName(split)] = {
        {"words", words(split).size()}, {"lengths", lengthStatisticsJson(measured)}, {"labels", labels}};
  }
  return statistics;
}

ExampleTexts MajorityTask::exampleTexts(DataSplit split, ExampleId example) const {
  const Word& word = words(split).at(static_cast<std::size_t>(example.value));
  std::string text;
  for (const std::int64_t one : word.letters) text += (text.empty() ? "" : " ") + letter(one);
  return {{"word", text}, {"majority", letter(word.label)}};
}

TokenRows MajorityTask::pieces(const HostBatch& batch, std::int64_t row) const {
  TokenRow pieces;
  for (const std::int64_t id : rowOf(batch.array("tokens"), row))
    pieces.texts.push_back(id == kPad ? "-" : id == kStart ? "^" : letter(id - kFirstLetter));
  return {{"encoder", std::move(pieces)}};
}

void MajorityTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) prediction.text = letter(prediction.ids.at(0));
}

Result<std::vector<TaskScore>> MajorityTask::score(DataSplit split,
                                                   const std::vector<Prediction>& predictions) const {
  if (static_cast<std::int64_t>(predictions.size()) != exampleCount(split))
    return dataError(std::to_string(predictions.size()) + " predictions for " +
                     std::to_string(exampleCount(split)) + " words");
  double right = 0, ranks = 0;
  for (const Prediction& prediction : predictions) {
    const std::int64_t label = words(split).at(static_cast<std::size_t>(prediction.example.value)).label;
    const auto at = std::find(prediction.ids.begin(), prediction.ids.end(), label);
    ranks += static_cast<double>(at - prediction.ids.begin()) + 1;
    right += at == prediction.ids.begin() ? 1 : 0;
  }
  const auto count = static_cast<double>(predictions.size());
  TaskScore accuracy, rank;
  accuracy.id = "accuracy";
  accuracy.title = "Accuracy (%)";
  accuracy.value = 100 * right / count;
  rank.id = "mean_rank";
  rank.title = "Mean rank";
  rank.value = ranks / count;
  return std::vector<TaskScore>{accuracy, rank};
}

Result<std::vector<HostBatch>> MajorityTask::batchesFromText(std::span<const std::string> lines,
                                                             TextFindings* findings) const {
  if (findings != nullptr) findings->lengthKey = "majority.longest";
  std::vector<Word> words(lines.size());
  std::vector<HostBatch> batches;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::istringstream text(lines[i]);
    for (std::string one; text >> one;) {
      if (one.size() != 1 || one[0] < 'a' || one[0] >= 'a' + m_letters)
        return dataErrorAt("", static_cast<std::int64_t>(i) + 1, "'" + one + "' is no letter of the task");
      words[i].letters.push_back(one[0] - 'a');
    }
    if (static_cast<std::int64_t>(words[i].letters.size()) > m_longest) {
      words[i].letters.resize(static_cast<std::size_t>(m_longest));
      if (findings != nullptr) ++findings->cut;
    }
    batches.push_back(batchOf({&words[i]}, {ExampleId(static_cast<std::int64_t>(i))}));
  }
  return batches;
}

TaskEntry majorityTaskEntry() {
  using Kind = StatisticField::Kind;
  return {.id = "majority",
          .title = "Most frequent letter",
          .paper = "made for tests",
          .fields = {number("majority.letters", 3, 2, 20, "Letters", "How many different ones there are."),
                     number("majority.longest", 9, 2, 500, "Longest word", "In letters."),
                     number("majority.examples", 256, 8, 1e6, "Words",
                            "For training; an eighth of it besides "
                            "for validation and for test."),
                     number("majority.batch", 32, 1, 1e5, "Words of a batch", "All of an update."),
                     number("majority.seed", 1, 0, 1e9, "Other words", "Seed of the data.")},
          .metrics = {{"valid.accuracy", "validation accuracy", "accuracy", "%", kHigherIsBetter, 1, 1},
                      {"valid.mean_rank", "validation mean rank", "mean rank", "", kLowerIsBetter, 0, 2}},
          .create = MajorityTask::create,
          .texts = {{"word", "Word", TextField::Role::Input},
                    {"majority", "Majority", TextField::Role::Reference}},
          .statistics = {{Kind::Number, "words", "Made words"},
                         {Kind::Number, "lengths.mean", "Mean letters of a word", 1, 2},
                         {Kind::Lengths, "lengths", "Letters of a word"},
                         {Kind::Counts, "labels", "Majorities"}},
          .data = {"", "", ""},
          .batch = {{"majority.batch", "majority.longest"}},
          .inputExample = "a b a",
          .inputForm = "words with blanks between",
          .pairedTest = {"accuracy", "Accuracy", accuracyTest}};
}

}  // namespace fathom
