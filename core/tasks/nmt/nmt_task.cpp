// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/nmt/nmt_task.h"

#include <algorithm>
#include <numeric>

#include "core/base/numbers/random_stream.h"
#include "core/tasks/example_lists.h"
#include "core/tasks/made_sentences.h"
#include "core/tasks/nmt/parallel_statistics.h"
#include "core/text/bleu.h"
#include "core/text/bootstrap_test.h"

namespace fathom {

namespace {

constexpr std::array<DataSplit, 3> kSplits = {DataSplit::Train, DataSplit::Validation, DataSplit::Test};

// Everything read from the files, before tokens.
struct NmtText {
  std::array<NmtPart, 3> parts;
  std::vector<DataHash> hashes;
  Json statistics = Json::object();  // "split", "read"
};

Json readStatistics(const ParallelText& text) {
  return {{"lines", text.linesRead}, {"pairs", text.size()}, {"skipped", text.skipped.toJson()}};
}

Status readExtraPart(const ParallelFiles& files, DataSplit split, const TaskSetup& setup, NmtText& text) {
  if (files.path.empty()) return {};
  const std::string name = dataSplitName(split);
  FATHOM_TRY(ParallelText read, readParallel(files, name, setup.progress, setup.stop));
  text.statistics["read"][name] = readStatistics(read);
  text.hashes.insert(text.hashes.end(), read.hashes.begin(), read.hashes.end());
  text.parts[static_cast<std::size_t>(split)] = partOf(std::move(read));
  return {};
}

Result<NmtText> readText(const NmtOptions& options, const TaskSetup& setup) {
  NmtText text;
  FATHOM_TRY(ParallelText read, readParallel(options.train, "train", setup.progress, setup.stop));
  text.statistics["read"]["train"] = readStatistics(read);
  text.hashes = read.hashes;
  if (options.split.validation > 0 || options.split.test > 0) {
    const PairGroups groups = groupPairs(read.source, read.target);
    const PairSplit split = splitPairs(groups, options.split, options.splitSeed);
    text.statistics["split"] = {
        {"groups", groups.sizes.size()}, {"largest_group", groups.largest()}, {"seed", options.splitSeed}};
    text.parts = {partOf(read, split.train), partOf(read, split.validation), partOf(read, split.test)};
  } else {
    text.parts[0] = partOf(std::move(read));
  }
  FATHOM_CHECK(readExtraPart(options.validation, DataSplit::Validation, setup, text));
  FATHOM_CHECK(readExtraPart(options.test, DataSplit::Test, setup, text));
  if (text.parts[0].size() > 0) return text;
  return dataErrorAt(options.train.path, 0,
                     Phrase::tr("no pair is left for training beside %1 for validation and %2 for test")(
                         text.parts[1].size(), text.parts[2].size()),
                     Phrase::tr("lower data.validation_size and data.test_size"));
}

Json overlapStatistics(const std::array<NmtPart, 3>& parts) {
  Json json = Json::object();
  const auto add = [&](std::size_t first, std::size_t second) {
    const SplitOverlap overlap =
        overlapOf(parts[first].source, parts[first].target, parts[second].source, parts[second].target);
    json[std::string(dataSplitName(kSplits[first])) + "_" + dataSplitName(kSplits[second])] = {
        {"source", overlap.source}, {"target", overlap.target}, {"pair", overlap.pair}};
  };
  add(0, 1);
  add(0, 2);
  add(1, 2);
  return json;
}

double entropyOf(const NmtPart& part, std::int64_t vocabularySize) {
  std::vector<std::int64_t> counts(static_cast<std::size_t>(vocabularySize));
  for (const auto& batch : part.plan.batches)
    for (const std::int64_t pair : batch)
      for (const std::int32_t id : part.targetIds[pair]) ++counts[static_cast<std::size_t>(id)];
  return unigramEntropy(counts);
}

std::vector<std::int64_t> inOrder(std::int64_t count) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

// Batches for evaluation hold every pair, however long.
TokenBatching evaluationBatching(const NmtOptions& options) {
  TokenBatching batching = options.batching;
  batching.maxTokens = std::max(options.evaluationMaxTokens, options.batching.maxLength);
  return batching;
}

TaskScore bleuScore(std::string id, std::string title, const BleuScore& bleu, std::string line,
                    Json signature) {
  TaskScore score;
  score.id = std::move(id);
  score.title = std::move(title);
  score.value = bleu.score;
  score.details = {{"precisions", bleu.precisions},
                   {"brevity_penalty", bleu.brevityPenalty},
                   {"system_length", bleu.counts.systemLength},
                   {"reference_length", bleu.counts.referenceLength},
                   {"line", std::move(line)},
                   {"signature", std::move(signature)}};
  return score;
}

// NmtObjective::evaluate and NmtTask::score; "test." is what other programs report of the test set.
Metrics nmtMetrics() {
  return {{"valid.nll2", "validation nll", "validation nll (bits)", "bits per token", kLowerIsBetter, 0, 3},
          {"valid.ppl2", "validation perplexity (base 2)", "perplexity (base 2)", "", kLowerIsBetter, 0, 2},
          {"valid.bleu", "validation BLEU", "BLEU", "", kHigherIsBetter, 1, 2},
          {"valid.bleu_tokens", "validation BLEU of tokens", "BLEU (tokens)", "", kHigherIsBetter, 0, 2},
          {"test.bleu", "test BLEU", "", "", kHigherIsBetter, 0, 2}};
}

}  // namespace

Result<std::unique_ptr<Task>> NmtTask::create(const OptionValues& values, const TaskSetup& setup) {
  FATHOM_TRY(NmtOptions options, nmtOptionsFrom(values, setup.inputOnly));
  NmtText text;
  if (!setup.inputOnly) {
    FATHOM_TRY(text, readText(options, setup));
  }
  const NmtPart& train = text.parts[0];
  FATHOM_TRY(NmtVocabulary vocabulary, makeNmtVocabulary(options, &train.source, &train.target, setup));
  std::unique_ptr<NmtTask> task(new NmtTask(std::move(options), std::move(vocabulary)));
  task->m_hashes = std::move(text.hashes);
  task->m_statistics = std::move(text.statistics);
  if (!setup.inputOnly) FATHOM_CHECK(task->encode(std::move(text.parts), setup));
  return std::unique_ptr<Task>(std::move(task));
}

Status NmtTask::encode(std::array<NmtPart, 3> parts, const TaskSetup& setup) {
  m_parts = std::move(parts);
  for (const DataSplit split : kSplits) {
    NmtPart& one = m_parts[static_cast<std::size_t>(split)];
    const bool train = split == DataSplit::Train;
    FATHOM_CHECK(
        encodePart(one, m_vocabulary, m_options.batching.maxLength, !train, dataSplitName(split), setup));
    batchPart(one, batchingOf(split),
              train ? RandomStream(streamSeed(setup.seed, "data.batches")).permutation(one.size())
                    : inOrder(one.size()));
    m_statistics[dataSplitName(split)] = partStatistics(one, m_vocabulary);
  }
  if (batchCount(DataSplit::Train) == 0)
    return dataErrorAt(m_options.train.path, 0,
                       Phrase::tr("every training pair is longer than %1 tokens (data.max_length) or than a "
                                  "batch (batch.max_tokens)")(m_options.batching.maxLength),
                       Phrase::tr("raise them"));
  m_entropy = entropyOf(part(DataSplit::Train), m_vocabulary.target->vocabularySize());
  m_statistics["overlap"] = overlapStatistics(m_parts);
  m_statistics["vocabulary"] = {{"source_size", m_vocabulary.source->vocabularySize()},
                                {"target_size", m_vocabulary.target->vocabularySize()},
                                {"joined", m_vocabulary.joined},
                                {"training_sentences", m_vocabulary.sentences},
                                {"training_sentences_too_long", m_vocabulary.tooLong}};
  m_statistics["target_unigram_entropy"] = m_entropy;
  return {};
}

std::int64_t NmtTask::batchCount(DataSplit split) const {
  return static_cast<std::int64_t>(part(split).plan.batches.size());
}

const std::vector<std::int64_t>& NmtTask::batchPairs(DataSplit split, std::int64_t batch) const {
  if (batch < 0 || batch >= batchCount(split))
    throw Failure(
        internalError("batch " + std::to_string(batch) + " of " + std::to_string(batchCount(split))));
  return part(split).plan.batches[static_cast<std::size_t>(batch)];
}

std::int64_t NmtTask::batchTargetUnits(DataSplit split, std::int64_t batch) const {
  batchPairs(split, batch);
  return part(split).targetTokens[static_cast<std::size_t>(batch)];
}

TokenBatching NmtTask::batchingOf(DataSplit split) const {
  return split == DataSplit::Train ? m_options.batching : evaluationBatching(m_options);
}

HostBatch NmtTask::batchOfPairs(DataSplit split, const std::vector<std::int64_t>& pairs) const {
  const NmtPart& one = part(split);
  return makeNmtBatch(one.sourceIds, &one.targetIds, pairs, m_vocabulary.source->special(),
                      m_vocabulary.target->special());
}

HostBatch NmtTask::makeBatch(DataSplit split, std::int64_t batch) const {
  return batchOfPairs(split, batchPairs(split, batch));
}

std::vector<ExampleId> NmtTask::batchedExamples(DataSplit split) const {
  std::vector<ExampleId> examples;
  for (const auto& batch : part(split).plan.batches)
    for (const std::int64_t pair : batch) examples.emplace_back(pair);
  std::sort(examples.begin(), examples.end());
  return examples;
}

std::vector<std::vector<ExampleId>> NmtTask::planExamples(DataSplit split,
                                                          const std::vector<ExampleId>& examples) const {
  const NmtPart& one = part(split);
  std::vector<std::int64_t> pairs;
  for (const ExampleId example : examples) pairs.push_back(example.value);
  const BatchPlan plan =
      planBatches(one.sourceIds.lengths(), one.targetIds.lengths(), pairs, batchingOf(split));
  std::vector<std::vector<ExampleId>> batches;
  for (const auto& batch : plan.batches) {
    batches.emplace_back();
    for (const std::int64_t pair : batch) batches.back().emplace_back(pair);
  }
  return batches;
}

HostBatch NmtTask::makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const {
  std::vector<std::int64_t> pairs;
  for (const ExampleId example : examples) {
    if (example.value < 0 || example.value >= exampleCount(split))
      throw Failure(internalError("example " + std::to_string(example.value) + " of " +
                                  std::to_string(exampleCount(split))));
    pairs.push_back(example.value);
  }
  return batchOfPairs(split, pairs);
}

TokenRows NmtTask::pieces(const HostBatch& batch, std::int64_t row) const {
  TokenRows pieces;
  const auto read = [&](const char* stack, const char* array, const Tokenizer& tokenizer) {
    const HostArray& ids = batch.array(array);
    for (const std::int64_t id : rowOf(ids, row)) pieces[stack].texts.push_back(tokenizer.piece(id));
  };
  read("encoder", "source", *m_vocabulary.source);
  if (batch.arrays.contains("prev_target")) read("decoder", "prev_target", *m_vocabulary.target);
  return pieces;
}

std::map<std::string, std::int64_t> NmtTask::sizes() const {
  const SpecialIds source = m_vocabulary.source->special(), target = m_vocabulary.target->special();
  std::map<std::string, std::int64_t> result = {{"source_vocabulary", m_vocabulary.source->vocabularySize()},
                                                {"target_vocabulary", m_vocabulary.target->vocabularySize()},
                                                {"joined_vocabulary", m_vocabulary.joined ? 1 : 0},
                                                {"pad_id", target.pad},
                                                {"bos_id", target.bos},
                                                {"eos_id", target.eos},
                                                {"unk_id", target.unk},
                                                {"source_pad_id", source.pad},
                                                {"source_eos_id", source.eos},
                                                {"longest_source", 0},
                                                {"longest_target", 0}};
  for (const NmtPart& one : m_parts) {
    for (const auto& batch : one.plan.batches) {
      for (const std::int64_t pair : batch) {
        auto& longestSource = result["longest_source"];
        auto& longestTarget = result["longest_target"];
        longestSource = std::max(longestSource, static_cast<std::int64_t>(one.sourceIds[pair].size()));
        longestTarget = std::max(longestTarget, static_cast<std::int64_t>(one.targetIds[pair].size()));
      }
    }
  }
  return result;
}

ExampleTexts NmtTask::exampleTexts(DataSplit split, ExampleId example) const {
  const NmtPart& one = part(split);
  if (example.value < 0 || example.value >= one.size())
    throw Failure(
        internalError("example " + std::to_string(example.value) + " of " + std::to_string(one.size())));
  return {{"source", std::string(one.source[example.value])},
          {"reference", std::string(one.target[example.value])}};
}

std::int64_t NmtTask::fileRow(DataSplit split, ExampleId example) const {
  const std::int64_t line = part(split).lines.at(static_cast<std::size_t>(example.value));
  return line - (m_options.train.header ? 2 : 1);
}

void NmtTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) prediction.text = m_vocabulary.target->decode(prediction.ids);
}

Result<std::vector<TaskScore>> NmtTask::score(DataSplit split,
                                              const std::vector<Prediction>& predictions) const {
  const NmtPart& one = part(split);
  FATHOM_TRY(const auto ordered, inExampleOrder(predictions, one.size()));
  std::vector<std::string> hypotheses, references;
  for (std::int64_t i = 0; i < one.size(); ++i) {
    hypotheses.push_back(ordered[static_cast<std::size_t>(i)]->text);
    references.emplace_back(one.target[i]);
  }
  FATHOM_TRY(const BleuScore plain, corpusBleu(hypotheses, references, m_options.bleu));
  std::vector<TaskScore> scores{
      bleuScore("bleu", "BLEU (13a)", plain, bleuLine(plain), bleuSignature(m_options.bleu))};
  if (!m_vocabulary.words) return scores;
  FATHOM_TRY(const BleuScore tokens, tokenisedBleu(hypotheses, references));
  scores.insert(scores.begin(),
                bleuScore("bleu_tokens", "BLEU (tokens)", tokens, tokenisedBleuLine(tokens), Json()));
  return scores;
}

Result<std::vector<HostBatch>> NmtTask::batchesFromText(std::span<const std::string> lines,
                                                        TextFindings* findings) const {
  ParallelText text;
  for (const std::string& line : lines) {
    text.source.add(line);
    text.target.add("");
    text.lines.push_back(text.size());
  }
  NmtPart input = partOf(std::move(text));
  FATHOM_CHECK(encodePart(input, m_vocabulary, m_options.batching.maxLength, true, "input", {}));
  batchPart(input, evaluationBatching(m_options), inOrder(input.size()));
  if (findings != nullptr) {
    findings->lengthKey = "data.max_length";
    findings->cut = input.cutSource;
    findings->leftOut = static_cast<std::int64_t>(input.plan.dropped.size());
  }
  std::vector<HostBatch> batches;
  for (const auto& pairs : input.plan.batches)
    batches.push_back(makeNmtBatch(input.sourceIds, nullptr, pairs, m_vocabulary.source->special(),
                                   m_vocabulary.target->special()));
  return batches;
}

namespace {

std::vector<StatisticField> nmtStatistics() {
  using Kind = StatisticField::Kind;
  return {{Kind::Number, "pairs", "Pairs"},
          {Kind::Number, "source_lengths.mean", "Mean source length (tokens)", 1, 1},
          {Kind::Number, "target_lengths.mean", "Mean target length (tokens)", 1, 1},
          {Kind::Number, "source_lengths.longest", "Longest source"},
          {Kind::Number, "target_lengths.longest", "Longest target"},
          {Kind::Number, "dropped_too_long", "Dropped: too long"},
          {Kind::Number, "cut_source", "Source cut to the longest length"},
          {Kind::Number, "cut_target", "Target cut to the longest length"},
          {Kind::Number, "unknown_source", "Unknown tokens, source", 100, 2, "%"},
          {Kind::Number, "unknown_target", "Unknown tokens, target", 100, 2, "%"},
          {Kind::Number, "batches.count", "Batches"},
          {Kind::Number, "batches.mean_target_tokens", "Target tokens a batch"},
          {Kind::Lengths, "source_lengths", "Source lengths"},
          {Kind::Lengths, "target_lengths", "Target lengths"},
          {Kind::Overlap, "source", "source"},
          {Kind::Overlap, "target", "target"},
          {Kind::Overlap, "pair", "pair"}};
}

Json madeNmtFiles(const std::string& folder) {
  Json files = Json::object();
  for (const auto& split : kDataSplits)
    files[std::string("data.") + split.word] = folder + "/" + split.word + ".tsv";
  return files;
}

Result<MadeData> writeMadeNmt(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  const bool check = size == MadeDataSize::Check;
  FATHOM_CHECK(
      writeMadeSentences(folder, seed, check ? MadeSentenceCounts{2000, 100, 100} : MadeSentenceCounts{}));
  MadeData made;
  made.pieces = 300;
  made.options = {{"data.format", "tsv"},
                  {"data.header", false},
                  {"data.source_column", 1},
                  {"data.target_column", 2},
                  {"data.max_pairs", 0},
                  {"data.vocabulary.kind", "bpe"},
                  {"data.vocabulary.size", made.pieces}};
  for (const auto& split : kDataSplits) made.options[std::string("data.") + split.word + "_target"] = "";
  made.options.update(madeNmtFiles(folder));
  return made;
}

Result<PairedOutcome> bleuTest(const PairedTexts& texts, std::int64_t resamples, const StopToken& stop) {
  FATHOM_TRY(const auto first, bleuSegmentCounts(texts.first, texts.references));
  FATHOM_TRY(const auto second, bleuSegmentCounts(texts.second, texts.references));
  BootstrapOptions options;
  options.resamples = resamples;
  FATHOM_TRY(const BleuBootstrap result, pairedBootstrap(first, second, {}, options, stop));
  return PairedOutcome{result.first,
                       result.second,
                       result.difference,
                       result.differenceInterval.low,
                       result.differenceInterval.high,
                       result.secondWins,
                       result.pValue};
}

}  // namespace

TaskEntry nmtTaskEntry() {
  return {.id = "nmt",
          .title = "Translation",
          .paper = "Transformer §5; batches and scores as in fairseq",
          .fields = nmtOptionFields(),
          .rules = nmtOptionRules(),
          .metrics = nmtMetrics(),
          .create = NmtTask::create,
          .texts = {{"source", "Source", TextField::Role::Input},
                    {"reference", "Target", TextField::Role::Reference}},
          .statistics = nmtStatistics(),
          .batch = {{"batch.max_tokens", ""}},
          .madeData = {madeNmtFiles, writeMadeNmt},
          .inputExample = "zweihundertdreizehn",
          .inputForm = "sentence",
          .pairedTest = {"bleu", "BLEU", bleuTest},
          .review = {.kind = "translation"}};
}

}  // namespace fathom
