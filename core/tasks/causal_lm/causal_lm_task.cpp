// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/causal_lm/causal_lm_task.h"

#include <algorithm>
#include <cmath>

#include "core/base/errors/error_key.h"
#include "core/base/numbers/random_stream.h"
#include "core/tasks/example_lists.h"
#include "core/tasks/length_statistics.h"
#include "core/tasks/plain_text.h"

namespace fathom {

namespace {

constexpr std::array<DataSplit, 3> kCausalSplits = {DataSplit::Train, DataSplit::Validation, DataSplit::Test};

// Whole documents go to validation and test by a draw from the split's seed.
std::array<CausalText, 3> splitText(CausalText text, const CausalLmOptions& options) {
  const std::int64_t count = text.documents.size();
  const auto share = [&](double part) { return std::llround(static_cast<double>(count) * part); };
  const std::int64_t validation = share(options.validationShare), test = share(options.testShare);
  std::vector<std::size_t> side(static_cast<std::size_t>(count), 0);
  const auto order = RandomStream(streamSeed(options.splitSeed, "data.split")).permutation(count);
  for (std::int64_t i = 0; i < count; ++i)
    side[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = i < validation          ? 1
                                                                         : i < validation + test ? 2
                                                                                                 : 0;
  std::array<CausalText, 3> parts;
  for (std::int64_t i = 0; i < count; ++i)
    parts[side[static_cast<std::size_t>(i)]].documents.add(text.documents[i]);
  parts[0].hashes = std::move(text.hashes);
  parts[0].lines = text.lines;
  parts[0].skippedLines = text.skippedLines;
  return parts;
}

Result<std::array<CausalText, 3>> readParts(const CausalLmOptions& options, const TaskSetup& setup) {
  FATHOM_TRY(CausalText train, readCausalText(options.train, "train", options, setup));
  std::array<CausalText, 3> parts = splitText(std::move(train), options);
  const std::string* files[] = {nullptr, &options.validation, &options.test};
  for (std::size_t i = 1; i < 3; ++i) {
    if (files[i]->empty()) continue;
    FATHOM_TRY(parts[i], readCausalText(*files[i], dataSplitName(kCausalSplits[i]), options, setup));
  }
  if (parts[0].documents.size() == 0)
    return dataErrorAt(options.train, 0, Phrase::tr("no document is left for training"),
                       Phrase::tr("lower causal_lm.validation_share and causal_lm.test_share, or see "
                                  "causal_lm.documents"));
  if (parts[1].documents.size() == 0)
    return dataErrorAt(options.train, 0, Phrase::tr("no document is left for validation"),
                       Phrase::tr("name a validation file, raise causal_lm.validation_share, or see "
                                  "causal_lm.documents"));
  return parts;
}

double unigramEntropy(std::span<const std::int32_t> targets, std::int64_t vocabulary) {
  std::vector<double> counts(static_cast<std::size_t>(vocabulary));
  for (const std::int32_t token : targets) counts[static_cast<std::size_t>(token)] += 1;
  const auto total = static_cast<double>(targets.size());
  double entropy = 0;
  for (const double count : counts)
    if (count > 0) entropy -= count / total * std::log(count / total);
  return entropy;
}

}  // namespace

Result<std::unique_ptr<Task>> CausalLmTask::create(const OptionValues& values, const TaskSetup& setup) {
  FATHOM_TRY(CausalLmOptions options, causalLmOptionsFrom(values, setup));
  std::array<CausalText, 3> texts;
  if (!setup.inputOnly) {
    FATHOM_TRY(texts, readParts(options, setup));
  }
  FATHOM_TRY(CausalVocabulary vocabulary, makeCausalVocabulary(options, &texts[0].documents, setup));
  std::unique_ptr<CausalLmTask> task(new CausalLmTask(std::move(options), std::move(vocabulary)));
  if (!setup.inputOnly) FATHOM_CHECK(task->prepare(texts, setup));
  return std::unique_ptr<Task>(std::move(task));
}

Status CausalLmTask::prepare(const std::array<CausalText, 3>& texts, const TaskSetup& setup) {
  for (const DataSplit split : kCausalSplits) {
    const auto index = static_cast<std::size_t>(split);
    const CausalText& text = texts[index];
    m_hashes.insert(m_hashes.end(), text.hashes.begin(), text.hashes.end());
    if (text.documents.size() == 0) continue;
    const std::string name = dataSplitName(split);
    if (setup.progress != nullptr)
      setup.progress->begin("cutting " + name + " text into tokens", "documents",
                            static_cast<double>(text.documents.size()));
    Tokens& stream = m_streams[index];
    Tokens lengths;  // of documents, the mark counted
    for (std::int64_t i = 0; i < text.documents.size(); ++i) {
      const std::size_t begin = stream.size();
      stream.push_back(static_cast<std::int32_t>(m_vocabulary.mark));
      for (const std::int64_t id : m_vocabulary.tokenizer->encode(text.documents[i]))
        stream.push_back(static_cast<std::int32_t>(id));
      lengths.push_back(static_cast<std::int32_t>(stream.size() - begin));
      if ((i & 0xFF) != 0) continue;
      if (setup.stop.stopRequested()) return interruptedError();
      if (setup.progress != nullptr) setup.progress->report(static_cast<double>(i));
    }
    stream.push_back(static_cast<std::int32_t>(m_vocabulary.mark));
    m_statistics[name] = {{"lines", text.lines},
                          {"skipped_lines", text.skippedLines},
                          {"documents", text.documents.size()},
                          {"examples", exampleCount(split)},
                          {"tokens", stream.size() - 1},
                          {"lengths", lengthStatisticsJson(lengthStatistics(lengths))}};
  }
  m_entropy = unigramEntropy(std::span(stream(DataSplit::Train)).subspan(1), m_vocabulary.size);
  m_statistics["vocabulary"] = {{"size", m_vocabulary.size}};
  m_statistics["target_unigram_entropy"] = m_entropy;
  return {};
}

Json CausalLmTask::statistics() const {
  Json all = m_statistics;
  for (const Phrase& note : m_vocabulary.notes) all["notes"].push_back(note.english());
  return all;
}

std::int64_t CausalLmTask::exampleCount(DataSplit split) const {
  const auto targets = static_cast<std::int64_t>(stream(split).size()) - 1;
  return targets <= 0 ? 0 : (targets + m_options.maxLength - 1) / m_options.maxLength;
}

std::int64_t CausalLmTask::batchCount(DataSplit split) const {
  return (exampleCount(split) + m_options.sequences - 1) / m_options.sequences;
}

std::span<const std::int32_t> CausalLmTask::inputs(DataSplit split, std::int64_t block) const {
  if (block < 0 || block >= exampleCount(split))
    throw Failure(
        internalError("example " + std::to_string(block) + " of " + std::to_string(exampleCount(split))));
  const auto first = static_cast<std::size_t>(block * m_options.maxLength);
  const std::size_t targets = stream(split).size() - 1;
  return std::span(stream(split))
      .subspan(first, std::min(static_cast<std::size_t>(m_options.maxLength), targets - first));
}

std::span<const std::int32_t> CausalLmTask::labels(DataSplit split, std::int64_t block) const {
  const auto before = inputs(split, block);
  return {before.data() + 1, before.size()};
}

HostBatch CausalLmTask::makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const {
  std::size_t width = 0;
  for (const ExampleId example : examples) width = std::max(width, inputs(split, example.value).size());
  const auto rows = static_cast<std::int64_t>(examples.size()), columns = static_cast<std::int64_t>(width);
  HostArray tokens(HostDtype::I64, {rows, columns}), wanted(HostDtype::I64, {rows, columns});
  HostArray lengths(HostDtype::I64, {rows});
  std::ranges::fill(tokens.values<std::int64_t>(), m_vocabulary.pad);
  std::ranges::fill(wanted.values<std::int64_t>(), -1);
  HostBatch batch;
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::int64_t block = examples[static_cast<std::size_t>(row)].value;
    const auto own = inputs(split, block), behind = labels(split, block);
    std::copy(own.begin(), own.end(), tokens.values<std::int64_t>().begin() + row * columns);
    std::copy(behind.begin(), behind.end(), wanted.values<std::int64_t>().begin() + row * columns);
    lengths.values<std::int64_t>()[static_cast<std::size_t>(row)] = static_cast<std::int64_t>(own.size());
    batch.targetUnits += static_cast<std::int64_t>(own.size());
    batch.examples.push_back(examples[static_cast<std::size_t>(row)]);
  }
  batch.paddedUnits = rows * columns;
  batch.arrays.emplace("tokens", std::move(tokens));
  batch.arrays.emplace("lengths", std::move(lengths));
  batch.arrays.emplace("labels", std::move(wanted));
  return batch;
}

namespace {

std::vector<ExampleId> blocksBetween(std::int64_t begin, std::int64_t end) {
  std::vector<ExampleId> blocks;
  for (std::int64_t i = begin; i < end; ++i) blocks.emplace_back(i);
  return blocks;
}

}  // namespace

HostBatch CausalLmTask::makeBatch(DataSplit split, std::int64_t batch) const {
  if (batch < 0 || batch >= batchCount(split))
    throw Failure(
        internalError("batch " + std::to_string(batch) + " of " + std::to_string(batchCount(split))));
  const std::int64_t begin = batch * m_options.sequences;
  return makeBatchOf(split, blocksBetween(begin, std::min(begin + m_options.sequences, exampleCount(split))));
}

std::int64_t CausalLmTask::batchTargetUnits(DataSplit split, std::int64_t batch) const {
  const std::int64_t most = m_options.sequences * m_options.maxLength;
  const auto targets = static_cast<std::int64_t>(stream(split).size()) - 1;
  return std::min(most, targets - batch * most);
}

std::vector<ExampleId> CausalLmTask::batchedExamples(DataSplit split) const {
  return blocksBetween(0, exampleCount(split));
}

std::vector<std::vector<ExampleId>> CausalLmTask::planExamples(DataSplit,
                                                               const std::vector<ExampleId>& chosen) const {
  return batchesOf(chosen, m_options.sequences);
}

std::map<std::string, std::int64_t> CausalLmTask::sizes() const {
  std::int64_t longest = 0;
  for (const Tokens& part : m_streams)
    longest = std::max(longest, std::min(static_cast<std::int64_t>(part.size()) - 1, m_options.maxLength));
  return {{"vocabulary", m_vocabulary.size},
          {"pad_id", m_vocabulary.pad},
          {"eos_id", m_vocabulary.mark},
          {"prefix_blank", 0},
          {"longest", longest}};
}

std::string CausalLmTask::decoded(std::span<const std::int32_t> tokens) const {
  std::vector<std::int64_t> ids;
  for (const std::int32_t token : tokens)
    if (token != m_vocabulary.mark) ids.push_back(token);
  return m_vocabulary.tokenizer->decode(ids);
}

ExampleTexts CausalLmTask::exampleTexts(DataSplit split, ExampleId example) const {
  return {{"text", decoded(inputs(split, example.value))}, {"next", decoded(labels(split, example.value))}};
}

TokenRows CausalLmTask::pieces(const HostBatch& batch, std::int64_t row) const {
  TokenRow tokens;
  for (const std::int64_t id : rowOf(batch.array("tokens"), row))
    tokens.texts.push_back(m_vocabulary.tokenizer->piece(id));
  return {{"decoder", std::move(tokens)}};
}

void CausalLmTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) {
    std::vector<std::int64_t> ids = prediction.ids;
    std::erase(ids, m_vocabulary.mark);
    prediction.text = m_vocabulary.tokenizer->decode(ids);
  }
}

Result<std::vector<TaskScore>> CausalLmTask::score(DataSplit split,
                                                   const std::vector<Prediction>& predictions) const {
  FATHOM_TRY(const auto ordered, inExampleOrder(predictions, exampleCount(split)));
  std::int64_t right = 0, all = 0;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const auto wanted = labels(split, static_cast<std::int64_t>(i));
    if (ordered[i]->ids.size() != wanted.size())
      return dataError(Phrase::tr("prediction for example %1 has %2 values, %3 are expected")(
          i, ordered[i]->ids.size(), wanted.size()));
    for (std::size_t t = 0; t < wanted.size(); ++t) right += ordered[i]->ids[t] == wanted[t] ? 1 : 0;
    all += static_cast<std::int64_t>(wanted.size());
  }
  TaskScore score;
  score.id = "token_accuracy";
  score.title = "Accuracy of the next token (%)";
  score.value = all == 0 ? 0 : 100.0 * static_cast<double>(right) / static_cast<double>(all);
  score.details = {{"right", right}, {"all", all}};
  return std::vector<TaskScore>{score};
}

// A text begins behind the mark, and its last tokens are those that a block has room for.
Result<std::vector<HostBatch>> CausalLmTask::batchesFromText(std::span<const std::string> lines,
                                                             TextFindings* findings) const {
  TextFindings found;
  found.lengthKey = "causal_lm.max_length";
  const auto most = static_cast<std::size_t>(m_options.maxLength);
  std::vector<HostBatch> batches;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::vector<std::int64_t> ids = m_vocabulary.tokenizer->encode(lines[i]);
    ids.insert(ids.begin(), m_vocabulary.mark);
    if (ids.size() > most) {
      ids.erase(ids.begin(), ids.end() - static_cast<std::ptrdiff_t>(most));
      ++found.cut;
    }
    const auto length = static_cast<std::int64_t>(ids.size());
    HostArray tokens(HostDtype::I64, {1, length}), lengths(HostDtype::I64, {1});
    std::ranges::copy(ids, tokens.values<std::int64_t>().begin());
    lengths.values<std::int64_t>()[0] = length;
    HostBatch batch;
    batch.examples.emplace_back(static_cast<std::int64_t>(i));
    batch.paddedUnits = length;
    batch.arrays.emplace("tokens", std::move(tokens));
    batch.arrays.emplace("lengths", std::move(lengths));
    batches.push_back(std::move(batch));
  }
  if (findings != nullptr) *findings = std::move(found);
  return batches;
}

namespace {

Result<MadeData> writeMadeCausal(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  return writeMadeText(folder, seed, size,
                       {{"causal_lm.documents", "blank_line"},
                        {"causal_lm.vocabulary.kind", "bpe"},
                        {"causal_lm.vocabulary.size", kMadeTextPieces}});
}

// Under the names of the options. Blocks are no longer than the texts that the weights have places for.
Json causalEncoderOptions(const Json& vocabulary) {
  constexpr std::int64_t kUsualLength = 128;
  Json options = {{"task", "causal_lm"}};
  for (const char* name : {"kind", "file", "merges"})
    if (vocabulary.contains(name)) options[std::string("causal_lm.vocabulary.") + name] = vocabulary[name];
  if (const auto longest = vocabulary.value("longest", kUsualLength); longest < kUsualLength)
    options["causal_lm.max_length"] = longest;
  return options;
}

}  // namespace

TaskEntry causalLmTaskEntry() {
  using Kind = StatisticField::Kind;
  return {.id = "causal_lm",
          .title = "Causal language model",
          .paper = "Radford et al. 2019",
          .fields = causalLmOptionFields(),
          .rules = causalLmOptionRules(),
          .metrics = {{"valid.token_accuracy", "validation accuracy of the next token", "next-token accuracy",
                       "%", kHigherIsBetter, 0, 2}},
          .create = CausalLmTask::create,
          .texts = {{"text", "Text", TextField::Role::Input}, {"next", "Next", TextField::Role::Reference}},
          .statistics = {{Kind::Number, "lines", "Lines"},
                         {Kind::Number, "skipped_lines", "Skipped lines"},
                         {Kind::Number, "documents", "Documents"},
                         {Kind::Number, "examples", "Blocks"},
                         {Kind::Number, "tokens", "Tokens"},
                         {Kind::Lengths, "lengths", "Lengths"}},
          .batch = {{"causal_lm.sequences", "causal_lm.max_length"}},
          .madeData = {madeTextFiles, writeMadeCausal},
          .inputExample = "two hundred and",
          .inputForm = "text that is written on",
          .encoderOptions = causalEncoderOptions};
}

}  // namespace fathom
