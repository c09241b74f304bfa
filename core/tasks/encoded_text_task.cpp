// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/encoded_text_task.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/base/errors/phrase.h"
#include "core/base/json/json_members.h"
#include "core/base/numbers/random_stream.h"
#include "core/base/options/field_builder.h"
#include "core/tasks/example_lists.h"

namespace fathom {

namespace {

enum class Positions { Real, All };
constexpr EnumWord<Positions> kPositions[] = {{Positions::Real, "real", "Without the padding"},
                                              {Positions::All, "all", "All, padding too (released code)"}};

}  // namespace

std::vector<OptionField> encodedTextFields() {
  return joinedFields(
      {{trainFileField(), validationFileField(), testFileField(), badLinesField(), maxLineBytesField(),
        splitSeedField()},
       inGroup("Data", {realField("text.validation_share", "Share kept apart",
                                  "Share of the training data kept apart when no validation file is named; "
                                  "what belongs to one text stays together.",
                                  .1)
                            .between(0, .9)
                            .when("data.validation", {""})}),
       textEncodingFields(),
       {batchExamplesField()}});
}

std::vector<OptionField> encodedRecordFields() {
  std::vector<OptionField> fields = encodedTextFields();
  std::erase_if(fields, [](const OptionField& field) { return field.key == "data.max_line_bytes"; });
  return fields;
}

std::vector<OptionRule> encodedTextRules() {
  return {{.when = {{"text.validation_share", OptionClause::Test::In, {0}}},
           .reason = kNoValidation,
           .keys = {"text.validation_share"}}};
}

EncodedTextOptions encodedTextOptions(const OptionValues& values) {
  EncodedTextOptions options{dataFiles(values)};
  options.validationShare = options.validation.empty() ? values.real("text.validation_share") : 0;
  options.examples = values.integer("batch.examples");
  return options;
}

const std::string& fileOfPart(const DataFiles& files, DataSplit split) {
  if (split == DataSplit::Train) return files.train;
  return split == DataSplit::Validation ? files.validation : files.test;
}

Metrics encodedTextMetrics(const Metrics& own) {
  constexpr const char* kExample = "per example";
  Metrics metrics = {
      {"loss", "training loss", "", kExample, kLowerIsBetter, 3, 3},
      {"nll", "training nll", "", kExample, kLowerIsBetter, 0, 3},
      {"valid.loss", "validation loss", "", kExample, kLowerIsBetter, 0, 3},
      {"valid.nll", "validation nll", "", kExample, kLowerIsBetter, 2, 3},
      {"epoch.loss", "training loss of an epoch", "", kExample, kLowerIsBetter, 0, 3},
      {"tokens_per_s", "training examples per second", "examples/s", "", kHigherIsBetter, 6, 2}};
  metrics.insert(metrics.end(), own.begin(), own.end());
  return metrics;
}

TaskReview reviewOfParts(const char* kind) {
  return {.kind = kind,
          .files = {{"gold.validation", "data.validation"}, {"gold.test", "data.test"}},
          .ofValidations = true};
}

OptionField positionsField(const std::string& key, const std::string& title, const std::string& help,
                           bool countsPadding) {
  std::vector<OptionChoice> choices = choicesOf(kPositions);
  if (countsPadding) std::swap(choices[0], choices[1]);
  return choiceField(key, title, help, choices);
}

bool countsPadding(const OptionValues& values, const std::string& key) {
  return valueOf(kPositions, values.text(key)) == Positions::All;
}

CuttingTexts::CuttingTexts(const TaskSetup& setup, const char* unit, std::size_t count) : m_setup(setup) {
  if (setup.progress != nullptr && count > 0)
    setup.progress->begin(Phrase::tr("cutting texts into pieces").english, unit, static_cast<double>(count));
}

Status CuttingTexts::next() {
  if (m_setup.stop.stopRequested()) return interruptedError();
  if (m_setup.progress != nullptr) m_setup.progress->report(static_cast<double>(++m_done));
  return {};
}

std::vector<bool> groupsKeptApart(std::int64_t groups, double share, std::uint64_t splitSeed) {
  std::vector<bool> apart(static_cast<std::size_t>(groups), false);
  if (groups < 2 || share <= 0) return apart;
  const auto wanted = static_cast<std::int64_t>(std::llround(static_cast<double>(groups) * share));
  const std::int64_t count = std::clamp<std::int64_t>(wanted, 1, groups - 1);
  const auto order = RandomStream(streamSeed(splitSeed, "data.split")).permutation(groups);
  for (std::int64_t i = 0; i < count; ++i)
    apart[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = true;
  return apart;
}

EncodedTextTask::EncodedTextTask(TextEncoding encoding, std::int64_t examples, std::uint64_t seed)
    : m_encoding(std::move(encoding)), m_examples(examples), m_seed(seed) {}

void EncodedTextTask::setPart(DataSplit split, std::vector<std::int32_t> widths) {
  const auto at = static_cast<std::size_t>(split);
  m_widths[at] = std::move(widths);
  if (split == DataSplit::Train) return;
  Order order(m_widths[at].size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
    return m_widths[at][static_cast<std::size_t>(a)] < m_widths[at][static_cast<std::size_t>(b)];
  });
  m_sorted[at] = std::make_shared<const Order>(std::move(order));
}

std::int64_t EncodedTextTask::exampleCount(DataSplit split) const {
  return static_cast<std::int64_t>(m_widths[static_cast<std::size_t>(split)].size());
}

std::int64_t EncodedTextTask::batchCount(DataSplit split) const {
  return (exampleCount(split) + m_examples - 1) / m_examples;
}

std::int64_t EncodedTextTask::batchTargetUnits(DataSplit split, std::int64_t batch) const {
  if (batch < 0 || batch >= batchCount(split))
    throw Failure(
        internalError("batch " + std::to_string(batch) + " of " + std::to_string(batchCount(split))));
  return std::min(m_examples, exampleCount(split) - batch * m_examples);
}

std::shared_ptr<const EncodedTextTask::Order> EncodedTextTask::orderOf(DataSplit split,
                                                                       std::int64_t epoch) const {
  if (split != DataSplit::Train) return m_sorted[static_cast<std::size_t>(split)];
  const std::lock_guard<std::mutex> lock(m_lock);
  if (m_epochOrder == nullptr || m_epoch != epoch) {
    RandomStream stream(streamSeed(m_seed, "text.examples", {epoch}));
    m_epochOrder = std::make_shared<const Order>(stream.permutation(exampleCount(split)));
    m_epoch = epoch;
  }
  return m_epochOrder;
}

HostBatch EncodedTextTask::batchIn(DataSplit split, std::int64_t epoch, std::int64_t batch) const {
  const std::int64_t count = batchTargetUnits(split, batch), first = batch * m_examples;
  const std::shared_ptr<const Order> order = orderOf(split, epoch);
  std::vector<ExampleId> examples;
  for (std::int64_t i = first; i < first + count; ++i)
    examples.emplace_back((*order)[static_cast<std::size_t>(i)]);
  return batchOf(split, examples);
}

HostBatch EncodedTextTask::makeBatch(DataSplit split, std::int64_t batch) const {
  return batchIn(split, 0, batch);
}

HostBatch EncodedTextTask::makeTrainBatch(std::int64_t epoch, std::int64_t batch) const {
  return batchIn(DataSplit::Train, epoch, batch);
}

std::vector<std::int64_t> EncodedTextTask::epochOrder(std::uint64_t, std::int64_t) const {
  std::vector<std::int64_t> order(static_cast<std::size_t>(batchCount(DataSplit::Train)));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<ExampleId> EncodedTextTask::batchedExamples(DataSplit split) const {
  std::vector<ExampleId> examples;
  for (std::int64_t i = 0; i < exampleCount(split); ++i) examples.emplace_back(i);
  return examples;
}

std::vector<std::vector<ExampleId>> EncodedTextTask::planExamples(
    DataSplit, const std::vector<ExampleId>& examples) const {
  return batchesOf(examples, m_examples);
}

std::vector<std::vector<ExampleId>> EncodedTextTask::planFree(const std::vector<std::int32_t>& widths) const {
  std::vector<ExampleId> places;
  for (std::size_t i = 0; i < widths.size(); ++i) places.emplace_back(static_cast<std::int64_t>(i));
  std::stable_sort(places.begin(), places.end(), [&](ExampleId a, ExampleId b) {
    return widths[static_cast<std::size_t>(a.value)] < widths[static_cast<std::size_t>(b.value)];
  });
  return batchesOf(places, m_examples);
}

void EncodedTextTask::tookFile(DataSplit split, DataHash hash, const LeftOut& left) {
  Json& notes = m_statistics["notes"];
  if (notes.is_null()) notes = Json::array();
  if (left.count > 0)
    notes.push_back(hash.path + ": " + std::to_string(left.count) + " " + left.what +
                    " are left out (first: " + left.why + ")");
  hash.role = dataSplitName(split);
  m_hashes.push_back(std::move(hash));
}

void EncodedTextTask::noteCounts(DataSplit split, const std::vector<StatisticField>& fields,
                                 std::initializer_list<std::string_view> counts) {
  const Json part = m_statistics.value(dataSplitName(split), Json::object());
  for (const StatisticField& field : fields) {
    if (std::find(counts.begin(), counts.end(), field.path) == counts.end()) continue;
    const std::int64_t count = memberInteger(part, field.path.c_str());
    if (count > 0)
      m_statistics["notes"].push_back(std::string(dataSplitName(split)) + " part: " + field.title + ": " +
                                      std::to_string(count));
  }
}

Json EncodedTextTask::statistics() const {
  Json all = m_statistics;
  for (const Phrase& note : m_encoding.notes()) all["notes"].push_back(note.english());
  return all;
}

void EncodedTextTask::checkExample(DataSplit split, ExampleId example) const {
  if (example.value < 0 || example.value >= exampleCount(split))
    throw Failure(internalError("example " + std::to_string(example.value) + " of " +
                                std::to_string(exampleCount(split))));
}

HostBatch EncodedTextTask::makeBatchOf(DataSplit split, std::span<const ExampleId> examples) const {
  for (const ExampleId example : examples) checkExample(split, example);
  return batchOf(split, examples);
}

std::map<std::string, std::int64_t> EncodedTextTask::sizes() const {
  std::map<std::string, std::int64_t> sizes = m_encoding.sizes();
  std::int32_t longest = 0;
  for (const auto& part : m_widths)
    for (const std::int32_t width : part) longest = std::max(longest, width);
  sizes["longest"] = longest;
  return sizes;
}

TokenRows EncodedTextTask::pieces(const HostBatch& batch, std::int64_t row) const {
  return {{"encoder", pieceTexts(batch, row, m_encoding)}};
}

Result<std::vector<TaskScore>> EncodedTextTask::score(DataSplit split,
                                                      const std::vector<Prediction>& predictions) const {
  FATHOM_TRY(const Ordered ordered, inExampleOrder(predictions, exampleCount(split)));
  if (!labelled(split))
    return dataError(Phrase::tr("the %1 part has no answers to compare with")(dataSplitName(split)),
                     Phrase::tr("its predictions can be written for the benchmark: --submission"));
  return scoresOf(split, ordered);
}

Result<std::map<std::string, std::string>> EncodedTextTask::submission(
    DataSplit split, const std::vector<Prediction>& predictions) const {
  FATHOM_TRY(const Ordered ordered, inExampleOrder(predictions, exampleCount(split)));
  return filesOf(split, ordered);
}

Result<std::vector<HostBatch>> EncodedTextTask::batchesFromText(std::span<const std::string> lines,
                                                                TextFindings* findings) const {
  const std::vector<Json> items(lines.begin(), lines.end());
  FATHOM_TRY(RequestBatches made, batchesFromRequests(items));
  if (findings != nullptr) *findings = made.findings;
  return std::move(made.batches);
}

}  // namespace fathom
