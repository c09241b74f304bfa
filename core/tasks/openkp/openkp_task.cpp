// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/openkp/openkp_task.h"

#include <algorithm>
#include <limits>

#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"
#include "core/base/text/text_list.h"
#include "core/tasks/openkp/made_openkp.h"

namespace fathom {

namespace {

constexpr std::int64_t kFreeBlocks = -1;
constexpr std::size_t kVisual = 8;

std::vector<OptionField> openKpFields() {
  return joinedFields(
      {encodedRecordFields(),
       fromPaper("ETC §4.2",
                 joinedFields(
                     {longLengthFields("openkp", {4096, 512}, "OpenKP"),
                      inGroup("Data", {integerField("openkp.max_phrase", "Longest key phrase",
                                                    "Words; longer ones are not learned.", 5)
                                           .between(1, 16)
                                           .unit("words"),
                                       positionsField(
                                           "openkp.positions", "Places that share the smoothed target",
                                           "The released code pads every page to its full length and spreads "
                                           "a ten-thousandth of the target over padding too.",
                                           false)})}))});
}

Result<OpenKpOptions> openKpOptionsFrom(const OptionValues& values, bool inputOnly) {
  if (!inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  OpenKpOptions options;
  options.data = encodedTextOptions(values);
  const LongLengths lengths = longLengths(values, "openkp");
  options.limits = {lengths.longs, lengths.globals, values.integer("openkp.max_phrase")};
  options.padsAll = countsPadding(values, "openkp.positions");
  return options;
}

// Blocks with tabs between, or a record ('{' …).
Result<OpenKpRecord> freePage(const std::string& line) {
  if (trimmed(line).starts_with('{')) {
    FATHOM_TRY(const Json json, parseJson(line));
    return openKpRecord(json, "page", false);
  }
  OpenKpRecord record;
  for (const std::string_view block : splitAt(line, '\t'))
    record.blocks.push_back({std::string(block), std::vector<double>(20, 0)});
  return record;
}

HostRagged labelsOf(const std::vector<OpenKpExample>& pages) {
  std::vector<std::int64_t> all;
  HostRagged labels;
  labels.offsets = HostArray(HostDtype::I64, {static_cast<std::int64_t>(pages.size()) + 1});
  for (std::size_t p = 0; p < pages.size(); ++p) {
    for (const auto& [phrase, place] : pages[p].labels) {
      all.push_back(place.second);
      all.push_back(place.first);
    }
    labels.offsets.values<std::int64_t>()[p + 1] = static_cast<std::int64_t>(all.size() / 2);
  }
  labels.values = HostArray(HostDtype::I64, {static_cast<std::int64_t>(all.size() / 2), 2});
  std::copy(all.begin(), all.end(), labels.values.values<std::int64_t>().begin());
  return labels;
}

}  // namespace

TaskEntry openkpTaskEntry() {
  return {.id = "openkp",
          .title = "Key phrases of a page (OpenKP)",
          .paper = "OpenKP; ETC §4.2; RealFormer §4.3",
          .fields = openKpFields(),
          .rules = encodedTextRules(),
          .metrics = openKpMetrics(),
          .create = OpenKpTask::create,
          .texts = {{"page", "Page", TextField::Role::Input},
                    {"phrases", "Key phrases", TextField::Role::Reference},
                    {"url", "Address", TextField::Role::Other}},
          .statistics = openKpStatistics(),
          .data = {"data.train", "data.validation", ""},
          .batch = {{"batch.examples", "openkp.max_length"}},
          .madeData = {madeOpenKpFiles, writeMadeOpenKp},
          .inputExample = "Velmora ferry\tThe ferry runs at high tide.",
          .inputForm = "text of a block TAB text of a block …; or a record as JSON",
          .review = reviewOfParts("phrases"),
          .encoderOptions = [](const Json& vocabulary) { return textEncoderOptions("openkp", vocabulary); }};
}

OpenKpTask::OpenKpTask(const OpenKpOptions& options, TextEncoding encoding, std::uint64_t seed)
    : LongTextTask(std::move(encoding), options.data.examples, seed), m_options(options) {}

Result<std::unique_ptr<Task>> OpenKpTask::create(const OptionValues& values, const TaskSetup& setup) {
  FATHOM_TRY(const OpenKpOptions options, openKpOptionsFrom(values, setup.inputOnly));
  FATHOM_TRY(TextEncoding encoding, TextEncoding::make(values, setup));
  std::unique_ptr<OpenKpTask> task(new OpenKpTask(options, std::move(encoding), setup.seed));
  if (!setup.inputOnly) FATHOM_CHECK(task->read(setup));
  return std::unique_ptr<Task>(std::move(task));
}

void OpenKpTask::keepApart() {
  OpenKpPart &train = m_parts[0], &apart = m_parts[1];
  const auto chosen = groupsKeptApart(static_cast<std::int64_t>(train.pages.size()),
                                      m_options.data.validationShare, m_options.data.splitSeed);
  std::vector<OpenKpRecord> rest;
  for (std::size_t p = 0; p < train.pages.size(); ++p)
    (chosen[p] ? apart.pages : rest).push_back(std::move(train.pages[p]));
  train.pages = std::move(rest);
  apart.labelled = train.labelled;
}

Status OpenKpTask::read(const TaskSetup& setup) {
  const EncodedTextOptions& data = m_options.data;
  for (const DataSplit split : kEverySplit) {
    const auto at = static_cast<std::size_t>(split);
    const std::string& path = fileOfPart(data, split);
    if (path.empty()) continue;
    OpenKpTaker taker(m_parts[at], split != DataSplit::Test);
    FATHOM_TRY(const RecordFile file,
               readPart(split, path, data.skipBadLines, setup,
                        [&](const Json& json, const std::string& place) { return taker.take(json, place); }));
    m_parts[at].left = file.left;
  }
  if (data.validation.empty()) keepApart();
  for (const DataSplit split : kEverySplit) {
    OpenKpPart& part = m_parts[static_cast<std::size_t>(split)];
    if (part.pages.empty()) continue;
    std::vector<std::int32_t> widths;
    FATHOM_TRY(
        m_statistics[dataSplitName(split)],
        prepareOpenKpPart(part, split == DataSplit::Train, longPieces(), m_options.limits, setup, widths));
    noteCounts(split, openKpStatistics(),
               {"cut_blocks", "cut_pages", "without_input", "missing", "without_phrases", "leftovers"});
    setPart(split, std::move(widths));
  }
  if (exampleCount(DataSplit::Train) == 0)
    return dataErrorAt(data.train, 0,
                       Phrase::tr("no page of the training file has a key phrase in its input"));
  return {};
}

std::map<std::string, std::int64_t> OpenKpTask::sizes() const {
  auto sizes = LongTextTask::sizes();
  if (m_options.padsAll) sizes["longest"] = m_options.limits.longLength;
  sizes["longest_phrase"] = m_options.limits.maxPhrase;
  sizes["real_positions"] = m_options.padsAll ? 0 : 1;
  return sizes;
}

const OpenKpRecord& OpenKpTask::pageOf(DataSplit split, ExampleId example) const {
  const OpenKpPart& from = part(split);
  return from.pages[static_cast<std::size_t>(from.examples[static_cast<std::size_t>(example.value)])];
}

HostBatch OpenKpTask::batchOfPages(std::span<const ExampleId> examples,
                                   const std::vector<OpenKpExample>& pages, std::int64_t part,
                                   bool labelled) const {
  LongRowRules rules;
  if (m_options.padsAll) rules.length = m_options.limits.longLength;
  std::vector<const LongLayout*> layouts;
  for (const OpenKpExample& page : pages) {
    layouts.push_back(&page.layout);
    // Words without pieces count, so that there may be more words than pieces.
    rules.length = std::max(rules.length, static_cast<std::int64_t>(page.words.size()));
  }
  HostBatch batch = longBatch(examples, layouts, rules);
  const auto rows = static_cast<std::int64_t>(pages.size());
  const std::int64_t width = batch.array("tokens").size(1), globals = batch.array("global_tokens").size(1);
  HostArray words(HostDtype::I64, {rows, width}), counts(HostDtype::I64, {rows}),
      parts(HostDtype::I64, {rows});
  HostArray visual(HostDtype::F32, {rows, globals, static_cast<std::int64_t>(kVisual)});
  std::fill(words.values<std::int64_t>().begin(), words.values<std::int64_t>().end(), -1);
  std::fill(parts.values<std::int64_t>().begin(), parts.values<std::int64_t>().end(), part);
  for (std::size_t p = 0; p < pages.size(); ++p) {
    const auto row = static_cast<std::ptrdiff_t>(p);
    std::copy(pages[p].layout.word.begin(), pages[p].layout.word.end(),
              words.values<std::int64_t>().begin() + row * width);
    counts.values<std::int64_t>()[p] = static_cast<std::int64_t>(pages[p].words.size());
    auto to = visual.values<float>().begin() + row * globals * static_cast<std::ptrdiff_t>(kVisual);
    for (const auto& one : pages[p].visual)
      for (const double value : one) *to++ = static_cast<float>(value);
  }
  batch.arrays.emplace("words", std::move(words));
  batch.arrays.emplace("word_counts", std::move(counts));
  batch.arrays.emplace("visual", std::move(visual));
  batch.arrays.emplace("part", std::move(parts));
  if (labelled) batch.raggeds.emplace("labels", labelsOf(pages));
  return batch;
}

HostBatch OpenKpTask::batchOf(DataSplit split, std::span<const ExampleId> examples) const {
  std::vector<OpenKpExample> pages;
  for (const ExampleId example : examples)
    pages.push_back(layOpenKp(pageOf(split, example), longPieces(), m_options.limits));
  return batchOfPages(examples, pages, static_cast<std::int64_t>(split), part(split).labelled);
}

ExampleTexts OpenKpTask::exampleTexts(DataSplit split, ExampleId example) const {
  checkExample(split, example);
  constexpr std::size_t kMostBytes = 4000;
  const OpenKpRecord& record = pageOf(split, example);
  return {{"page", openKpText(record, kMostBytes)},
          {"phrases", phraseList(goldPhrases(record))},
          {"url", record.url}};
}

void OpenKpTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) {
    const Json details = std::move(prediction.details);
    const std::int64_t split = details.at("part").get<std::int64_t>();
    const bool free = split == kFreeBlocks;
    const OpenKpRecord record = free ? freePage(details.at("asked").get<std::string>()).value()
                                     : pageOf(static_cast<DataSplit>(split), prediction.example);
    const OpenKpExample example = layOpenKp(record, longPieces(), m_options.limits);
    OpenKpLimits limits = m_options.limits;
    limits.longLength = details.at("width").get<std::int64_t>();
    std::vector<double> logits(static_cast<std::size_t>(limits.maxPhrase * limits.longLength),
                               -std::numeric_limits<double>::infinity());
    const Json &cells = details.at("cells"), &scores = details.at("scores");
    for (std::size_t c = 0; c < cells.size(); ++c)
      logits[cells[c].get<std::size_t>()] = realFromJson(scores.at(c)).value();
    const std::vector<std::string> phrases = decodeOpenKp(example, logits, limits);
    prediction.text = phraseList(phrases);
    prediction.details = {{"phrases", phrases}};
    if (!free) prediction.details["url"] = record.url;
  }
}

Result<std::vector<TaskScore>> OpenKpTask::scoresOf(DataSplit split, const Ordered& ordered) const {
  std::vector<std::vector<std::string>> gold, predicted;
  for (const Prediction* prediction : ordered) {
    gold.push_back(goldPhrases(pageOf(split, prediction->example)));
    predicted.push_back(prediction->details.at("phrases").get<std::vector<std::string>>());
  }
  return openKpScores(gold, predicted);
}

std::map<std::string, std::string> OpenKpTask::filesOf(DataSplit split, const Ordered& ordered) const {
  std::string lines;
  for (const Prediction* prediction : ordered) {
    Json phrases = Json::array();
    for (const Json& phrase : prediction->details.at("phrases")) {
      Json words = Json::array();
      const std::string text = phrase.get<std::string>();
      for (const std::string_view word : splitAt(text, ' ')) words.push_back(word);
      phrases.push_back(std::move(words));
    }
    lines += Json{{"url", prediction->details.at("url")}, {"KeyPhrases", std::move(phrases)}}.dump() + "\n";
  }
  return {{"predictions.jsonl", std::move(lines)}};
}

Result<std::vector<HostBatch>> OpenKpTask::batchesFromText(std::span<const std::string> lines,
                                                           TextFindings* findings) const {
  std::vector<OpenKpExample> pages;
  std::vector<std::int32_t> widths;
  TextFindings found;
  found.lengthKey = "openkp.max_length";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Result<OpenKpRecord> record = freePage(lines[i]);
    if (!record.ok())
      return dataErrorAt("", static_cast<std::int64_t>(i) + 1, record.error().messagePhrase());
    pages.push_back(layOpenKp(*record, longPieces(), m_options.limits));
    found.cut += pages.back().blocks < static_cast<std::int64_t>(record->blocks.size()) ? 1 : 0;
    widths.push_back(static_cast<std::int32_t>(pages.back().layout.length()));
  }
  std::vector<HostBatch> batches;
  for (const std::vector<ExampleId>& places : planFree(widths)) {
    std::vector<OpenKpExample> some;
    std::vector<std::string> texts;
    for (const ExampleId place : places) {
      some.push_back(pages[static_cast<std::size_t>(place.value)]);
      texts.push_back(lines[static_cast<std::size_t>(place.value)]);
    }
    batches.push_back(batchOfPages(places, some, kFreeBlocks, false));
    batches.back().raggeds.emplace("asked", raggedOfTexts(texts));
  }
  if (findings != nullptr) *findings = found;
  return batches;
}

}  // namespace fathom
