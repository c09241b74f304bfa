// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/mlm/mlm_task.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors/error_key.h"
#include "core/base/numbers/random_stream.h"
#include "core/base/text/text_list.h"
#include "core/tasks/example_lists.h"
#include "core/tasks/length_statistics.h"
#include "core/tasks/plain_text.h"

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

constexpr std::array<DataSplit, 3> kSplits = {DataSplit::Train, DataSplit::Validation, DataSplit::Test};

void appendDocument(const MlmText& from, std::int64_t document, MlmText& to) {
  to.documents.push_back(to.sentences.size());
  for (std::int64_t i = from.documents[static_cast<std::size_t>(document)]; i < from.documentEnd(document);
       ++i)
    to.sentences.add(from.sentences[i]);
}

// Whole documents go to validation and test by a draw from the split's seed.
std::array<MlmText, 3> splitDocuments(const MlmText& text, const MlmOptions& options) {
  const auto count = static_cast<double>(text.documentCount());
  const auto validation = static_cast<std::size_t>(std::llround(count * options.validationShare));
  const auto test = static_cast<std::size_t>(std::llround(count * options.testShare));
  std::vector<std::size_t> side(static_cast<std::size_t>(text.documentCount()), 0);
  const auto order =
      RandomStream(streamSeed(options.splitSeed, "data.split")).permutation(text.documentCount());
  for (std::size_t i = 0; i < order.size(); ++i)
    side[static_cast<std::size_t>(order[i])] = i < validation ? 1 : i < validation + test ? 2 : 0;
  std::array<MlmText, 3> parts;
  for (std::int64_t document = 0; document < text.documentCount(); ++document)
    appendDocument(text, document, parts[side[static_cast<std::size_t>(document)]]);
  parts[0].hashes = text.hashes;
  parts[0].lines = text.lines;
  parts[0].skippedLines = text.skippedLines;
  return parts;
}

Result<std::array<MlmText, 3>> readTexts(const MlmOptions& options, const TaskSetup& setup) {
  FATHOM_TRY(const MlmText train, readDocuments(options.train, "train", options, setup));
  std::array<MlmText, 3> parts = splitDocuments(train, options);
  const std::string* files[] = {nullptr, &options.validation, &options.test};
  for (std::size_t i = 1; i < 3; ++i) {
    if (files[i]->empty()) continue;
    FATHOM_TRY(parts[i], readDocuments(*files[i], dataSplitName(kSplits[i]), options, setup));
  }
  const bool pairs = options.examples.randomNext > 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const bool wanted = i == 0 || parts[i].documentCount() > 0;
    if (wanted && parts[i].documentCount() == 0)
      return dataErrorAt(options.train, 0, Phrase::tr("no document is left for training"),
                         Phrase::tr("lower mlm.validation_share and mlm.test_share, or see mlm.documents"));
    if (pairs && wanted && parts[i].documentCount() < 2)
      return dataErrorAt(
          options.train, 0,
          Phrase::tr("the %1 part has one document, two are needed")(dataSplitName(kSplits[i])),
          Phrase::tr("the second sentence of a pair comes from another document: see "
                     "mlm.documents, or set mlm.random_next=0"));
  }
  return parts;
}

Result<MlmDocumentTokens> tokensOf(const MlmText& text, const MlmVocabulary& vocabulary,
                                   const std::string& name, const TaskSetup& setup) {
  if (setup.progress != nullptr)
    setup.progress->begin("cutting " + name + " text into tokens", "sentences",
                          static_cast<double>(text.sentences.size()));
  MlmDocumentTokens documents;
  documents.begins.push_back(0);
  for (std::int64_t document = 0; document < text.documentCount(); ++document) {
    for (std::int64_t i = text.documents[static_cast<std::size_t>(document)]; i < text.documentEnd(document);
         ++i) {
      const auto ids = vocabulary.tokenizer->encode(text.sentences[i]);
      if (!ids.empty()) documents.sentences.add(std::vector<std::int32_t>(ids.begin(), ids.end()));
      if ((i & 0x3FF) != 0) continue;
      if (setup.stop.stopRequested()) return interruptedError();
      if (setup.progress != nullptr) setup.progress->report(static_cast<double>(i));
    }
    if (documents.sentences.size() > documents.begins.back())
      documents.begins.push_back(documents.sentences.size());
  }
  return documents;
}

// Entropy of the tokens that are predicted.
double labelEntropy(const std::vector<MlmExample>& examples, std::int64_t vocabularySize) {
  std::vector<double> counts(static_cast<std::size_t>(vocabularySize));
  double total = 0;
  for (const MlmExample& example : examples) {
    for (const std::int32_t label : example.labels) counts[static_cast<std::size_t>(label)] += 1;
    total += static_cast<double>(example.labels.size());
  }
  double entropy = 0;
  for (const double count : counts)
    if (count > 0) entropy -= count / total * std::log(count / total);
  return entropy;
}

Json statisticsOf(const MlmText& text, const MlmDocumentTokens& documents,
                  const std::vector<MlmExample>& examples) {
  std::int64_t tokens = 0, masked = 0, randomNext = 0;
  std::vector<std::int32_t> lengths;
  lengths.reserve(examples.size());
  for (const MlmExample& example : examples) {
    tokens += static_cast<std::int64_t>(example.tokens.size());
    lengths.push_back(static_cast<std::int32_t>(example.tokens.size()));
    masked += static_cast<std::int64_t>(example.labels.size());
    randomNext += example.randomNext ? 1 : 0;
  }
  return {{"lines", text.lines},
          {"skipped_lines", text.skippedLines},
          {"documents", documents.count()},
          {"sentences", documents.sentences.size()},
          {"examples", examples.size()},
          {"tokens", tokens},
          {"masked", masked},
          {"random_next", randomNext},
          {"lengths", lengthStatisticsJson(lengthStatistics(lengths))}};
}

// MlmObjective and MlmTask::score.
Metrics mlmMetrics() {
  return {{"next_nll", "training nll of next sentences", "", "nats per pair", kLowerIsBetter, 0, 3},
          {"valid.next_nll", "validation nll of next sentences", "", "nats per pair", kLowerIsBetter, 0, 3},
          {"valid.masked_accuracy", "validation accuracy of masked tokens", "masked-token accuracy", "%",
           kHigherIsBetter, 0, 2},
          {"valid.next_accuracy", "validation accuracy of next sentences", "next-sentence accuracy", "%",
           kHigherIsBetter, 0, 2}};
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
  const bool ownWords =
      m_options.vocabulary == MlmVocabularyKind::WordPiece && m_options.variant != WordPieceVariant::HfFast;
  return {{"vocabulary", m_vocabulary.size},
          {"pad_id", m_vocabulary.pad},
          {"cls_id", m_vocabulary.cls},
          {"sep_id", m_vocabulary.sep},
          {"mask_id", m_vocabulary.mask},
          {"unk_id", m_vocabulary.unk},
          {"segments", 2},
          {"lower_case", m_options.lowerCase ? 1 : 0},
          {"prefix_blank", m_options.vocabulary == MlmVocabularyKind::ByteBpe ? 1 : 0},
          {"own_words", ownWords ? 1 : 0},
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
  const auto textOf = [&](const std::vector<std::int32_t>& tokens) {
    return joined(tokens, " ", [&](std::int32_t token) { return m_vocabulary.piece(token); });
  };
  return {{"masked", textOf(one.tokens)}, {"text", textOf(original)}};
}

TokenRows MlmTask::pieces(const HostBatch& batch, std::int64_t row) const {
  TokenRow tokens;
  for (const std::int64_t id : rowOf(batch.array("tokens"), row))
    tokens.texts.push_back(m_vocabulary.piece(id));
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
  FATHOM_TRY(const auto ordered, inExampleOrder(predictions, exampleCount(split)));
  std::int64_t right = 0, masked = 0, nextRight = 0;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const Prediction& prediction = *ordered[i];
    const MlmExample& example = examples(split)[i];
    if (prediction.ids.size() != example.labels.size() + 1)
      return dataError(Phrase::tr("prediction for example %1 has %2 values, %3 are expected")(
          i, prediction.ids.size(), example.labels.size() + 1));
    for (std::size_t m = 0; m < example.labels.size(); ++m)
      right += prediction.ids[m] == example.labels[m] ? 1 : 0;
    masked += static_cast<std::int64_t>(example.labels.size());
    nextRight += prediction.ids.back() == (example.randomNext ? 1 : 0) ? 1 : 0;
  }
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

Result<MadeData> writeMadeMlm(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  return writeMadeText(folder, seed, size,
                       {{"mlm.documents", "blank_line"},
                        {"mlm.sentences", "line"},
                        {"mlm.vocabulary.kind", "bpe"},
                        {"mlm.vocabulary.size", kMadeTextPieces},
                        {"mlm.duplicates", 1}});
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
  return {
      .id = "mlm",
      .title = "Masked language model",
      .paper = "BERT §3.1; RealFormer §4.1",
      .fields = mlmOptionFields(),
      .rules = mlmOptionRules(),
      .metrics = mlmMetrics(),
      .create = MlmTask::create,
      .texts = {{"masked", "Masked", TextField::Role::Input}, {"text", "Text", TextField::Role::Reference}},
      .statistics = mlmStatistics(),
      .batch = {{"batch.sequences", "mlm.max_length"}},
      .madeData = {madeTextFiles, writeMadeMlm},
      .inputExample = "two hundred and [MASK]",
      .inputForm = "text with [MASK] where words are to be filled in",
      .encoderOptions = encoderOptions};
}

Result<std::unique_ptr<Task>> MlmTask::create(const OptionValues& values, const TaskSetup& setup) {
  FATHOM_TRY(MlmOptions options, mlmOptionsFrom(values, setup));
  std::array<MlmText, 3> texts;
  if (!setup.inputOnly) {
    FATHOM_TRY(texts, readTexts(options, setup));
  }
  FATHOM_TRY(MlmVocabulary vocabulary, makeMlmVocabulary(options, &texts[0].sentences, setup));
  const std::int64_t least = 4 + vocabulary.separators;  // [CLS] a [SEP] b [SEP]
  if (options.examples.maxLength < least) {
    return aboutKey("mlm.max_length",
                    usageError(Phrase::tr("mlm.max_length=%1 leaves no room for a pair: %2 is the least")(
                        options.examples.maxLength, least)));
  }
  std::unique_ptr<MlmTask> task(new MlmTask(std::move(options), std::move(vocabulary)));
  if (!setup.inputOnly) FATHOM_CHECK(task->prepare(texts, setup));
  return std::unique_ptr<Task>(std::move(task));
}

Json MlmTask::statistics() const {
  Json all = m_statistics;
  for (const Phrase& note : m_vocabulary.notes) all["notes"].push_back(note.english());
  return all;
}

Status MlmTask::prepare(const std::array<MlmText, 3>& texts, const TaskSetup& setup) {
  for (const DataSplit split : kSplits) {
    const auto index = static_cast<std::size_t>(split);
    m_hashes.insert(m_hashes.end(), texts[index].hashes.begin(), texts[index].hashes.end());
    if (texts[index].documentCount() == 0) continue;
    const std::string name = dataSplitName(split);
    FATHOM_TRY(const auto documents, tokensOf(texts[index], m_vocabulary, name, setup));
    if (documents.count() < (m_options.examples.randomNext > 0 ? 2 : 1))
      return dataError(Phrase::tr("the %1 part has too few documents with tokens")(name),
                       Phrase::tr("two are needed, or one with mlm.random_next=0"));
    MlmExampleOptions how = m_options.examples;
    if (split != DataSplit::Train) how.duplicates = 1;
    // Evaluation is masked alike whatever the run's seed, so that runs can be compared.
    const std::uint64_t seed = split == DataSplit::Train ? setup.seed : streamSeed(m_options.splitSeed, name);
    FATHOM_TRY(m_examples[index], makeMlmExamples(documents, m_vocabulary, how, seed, setup));
    m_statistics[name] = statisticsOf(texts[index], documents, m_examples[index]);
  }
  m_entropy = labelEntropy(examples(DataSplit::Train), m_vocabulary.size);
  m_statistics["vocabulary"] = {{"size", m_vocabulary.size}};
  m_statistics["target_unigram_entropy"] = m_entropy;
  return {};
}

}  // namespace fathom
