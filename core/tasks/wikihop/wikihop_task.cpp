// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/wikihop/wikihop_task.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"
#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/tasks/long_text/markup_words.h"
#include "core/tasks/wikihop/made_wikihop.h"
#include "core/tasks/wikihop/wikihop_scores.h"

namespace fathom {

namespace {

constexpr std::int64_t kAskedPart = -1;
constexpr LongLengths kWikiHopLengths{4096, 430};

std::vector<OptionField> wikiHopFields() {
  return joinedFields(
      {encodedRecordFields(),
       fromPaper(
           "ETC's code, WikiHop",
           joinedFields({longLengthFields("wikihop", kWikiHopLengths, "WikiHop"),
                         inGroup("Batches", {integerField("wikihop.max_sentences", "Most sentences",
                                                          "Of all documents of an example; the last ones "
                                                          "of the longest documents are left out.",
                                                          200)
                                                 .between(1, 1 << 14)})}))});
}

WikiHopOptions wikiHopOptions(const OptionValues& values) {
  WikiHopOptions options;
  options.data = encodedTextOptions(values);
  const LongLengths lengths = longLengths(values, "wikihop");
  options.limits = {lengths.longs, lengths.globals, values.integer("wikihop.max_sentences")};
  return options;
}

Metrics wikiHopMetrics() {
  return encodedTextMetrics(
      {{"valid.accuracy", "validation accuracy", "accuracy", "%", kHigherIsBetter, 1, 2}});
}

std::vector<StatisticField> wikiHopStatistics() {
  using Kind = StatisticField::Kind;
  std::vector<StatisticField> fields = {{Kind::Number, "examples", "Queries"},
                                        {Kind::Number, "left_out", "Records left out"},
                                        {Kind::Number, "candidates", "Mean candidates", 1, 1},
                                        {Kind::Number, "documents", "Mean documents", 1, 1},
                                        {Kind::Number, "cut", "Queries with documents that were cut"},
                                        {Kind::Number, "cut_sentences", "Sentences left out"},
                                        {Kind::Number, "no_documents", "Queries without documents"},
                                        {Kind::Number, "no_sentences", "Documents without a sentence"},
                                        {Kind::Number, "leftovers", "Words that look like HTML"}};
  const std::vector<StatisticField> both = longStatisticFields();
  fields.insert(fields.end(), both.begin(), both.end());
  return fields;
}

// "query TAB candidate | candidate … TAB document …" as a record.
Result<Json> recordOfLine(const std::string& line, std::size_t number) {
  const auto cells = splitAt(line, '\t');
  if (cells.size() < 3)
    return dataErrorAt(
        "", static_cast<std::int64_t>(number),
        Phrase::tr("a line is: query TAB candidate | candidate … TAB document TAB document …"));
  Json record = {{"id", std::to_string(number)}, {"query", cells[0]}, {"candidates", Json::array()}};
  for (const auto& candidate : splitAt(cells[1], '|'))
    record["candidates"].push_back(std::string(strip(candidate)));
  record["supports"] = std::vector<std::string>(cells.begin() + 2, cells.end());
  return record;
}

std::int64_t sentencesCut(const WikiHopExample& example) {
  std::int64_t cut = 0;
  for (std::size_t d = 0; d < example.sentences.size(); ++d)
    cut += static_cast<std::int64_t>(example.sentences[d].size()) - example.kept[d];
  return cut;
}

}  // namespace

TaskEntry wikihopTaskEntry() {
  return {.id = "wikihop",
          .title = "One of several candidates (WikiHop)",
          .paper = "WikiHop; ETC §4.3; RealFormer §4.3",
          .fields = wikiHopFields(),
          .rules = encodedTextRules(),
          .metrics = wikiHopMetrics(),
          .create = WikiHopTask::create,
          .texts = {{"query", "Query", TextField::Role::Input},
                    {"answer", "Answer", TextField::Role::Reference},
                    {"candidates", "Candidates", TextField::Role::Other},
                    {"documents", "Documents", TextField::Role::Other},
                    {"id", "Record's id", TextField::Role::Other}},
          .statistics = wikiHopStatistics(),
          .data = {"data.train", "data.validation", ""},
          .batch = {{"batch.examples", "wikihop.max_length"}},
          .madeData = {madeWikihopFiles, writeMadeWikihop, "long"},
          .inputExample = "country dartmoor\tengland | france\tDartmoor is a moor. It lies in England.",
          .inputForm = "query TAB candidate | candidate … TAB document TAB document …; or a record as JSON",
          .review = reviewOfParts("choice"),
          .encoderOptions = [](const Json& vocabulary) { return textEncoderOptions("wikihop", vocabulary); }};
}

WikiHopTask::WikiHopTask(const WikiHopOptions& options, TextEncoding encoding, std::uint64_t seed)
    : LongTextTask(std::move(encoding), options.data.examples, seed), m_options(options) {}

Result<std::unique_ptr<Task>> WikiHopTask::create(const OptionValues& values, const TaskSetup& setup) {
  if (!setup.inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  FATHOM_TRY(TextEncoding encoding, TextEncoding::make(values, setup));
  std::unique_ptr<WikiHopTask> task(new WikiHopTask(wikiHopOptions(values), std::move(encoding), setup.seed));
  if (!setup.inputOnly) FATHOM_CHECK(task->read(setup));
  return std::unique_ptr<Task>(std::move(task));
}

Status WikiHopTask::read(const TaskSetup& setup) {
  m_statistics["notes"] = Json::array();
  const EncodedTextOptions& data = m_options.data;
  for (const DataSplit split : kEverySplit)
    if (const std::string& path = fileOfPart(data, split); !path.empty())
      FATHOM_CHECK(readSplit(split, path, setup));
  if (data.validation.empty()) keepApart();
  for (const DataSplit split : kEverySplit) FATHOM_CHECK(measure(split, setup));
  return {};
}

// A record is laid once here, so that one that does not fit is refused where it stands.
Status WikiHopTask::readSplit(DataSplit split, const std::string& path, const TaskSetup& setup) {
  WikiHopPart& part = m_parts[static_cast<std::size_t>(split)];
  std::set<std::string> ids;
  const auto take = [&](const Json& json, const std::string& place) -> Status {
    const bool answered = split != DataSplit::Test || json.contains("answer");
    FATHOM_TRY(WikiHopRecord record, wikiHopRecord(json, place, answered));
    if (!ids.insert(record.id).second)
      return dataError(Phrase::tr("%1: the id '%2' comes twice")(place, record.id));
    if (!part.records.empty() && part.labelled() != answered)
      return dataError(Phrase::tr("%1: some records have an answer and some have none")(place));
    const Result<WikiHopExample> laid = layWikiHop(record, longPieces(), m_options.limits);
    if (!laid.ok()) {
      Error error = laid.error();
      return dataError(Phrase::tr("%1: %2")(place, error.messagePhrase()), error.hintPhrase());
    }
    part.cut.push_back(sentencesCut(*laid));
    part.records.push_back(std::move(record));
    return {};
  };
  FATHOM_TRY(const RecordFile file, readPart(split, path, m_options.data.skipBadLines, setup, take));
  m_statistics[dataSplitName(split)] = {{"left_out", file.left}};
  return {};
}

void WikiHopTask::keepApart() {
  WikiHopPart &train = m_parts[0], &apart = m_parts[1], rest;
  const auto chosen = groupsKeptApart(static_cast<std::int64_t>(train.records.size()),
                                      m_options.data.validationShare, m_options.data.splitSeed);
  for (std::size_t i = 0; i < train.records.size(); ++i) {
    WikiHopPart& to = chosen[i] ? apart : rest;
    to.records.push_back(std::move(train.records[i]));
    to.cut.push_back(train.cut[i]);
  }
  train = std::move(rest);
}

Status WikiHopTask::measure(DataSplit split, const TaskSetup& setup) {
  const WikiHopPart& part = m_parts[static_cast<std::size_t>(split)];
  const auto count = static_cast<double>(part.records.size());
  if (part.records.empty()) return {};
  CuttingTexts cutting(setup, "records", count);
  LongStatistics lengths;
  std::int64_t candidates = 0, documents = 0, bare = 0, empty = 0, leftovers = 0;
  for (std::size_t i = 0; i < part.records.size(); ++i) {
    FATHOM_CHECK(cutting.next());
    const WikiHopRecord& record = part.records[i];
    const WikiHopExample laid = layWikiHop(record, longPieces(), m_options.limits).value();
    lengths.add(laid.layout);
    candidates += static_cast<std::int64_t>(record.candidates.size());
    documents += static_cast<std::int64_t>(record.supports.size());
    bare += record.supports.empty() ? 1 : 0;
    for (const auto& sentences : laid.sentences) empty += sentences.empty() ? 1 : 0;
    leftovers += markupWords(record.query) + markupWords(record.candidates) + markupWords(record.supports);
  }
  Json& json = m_statistics[dataSplitName(split)];
  json["examples"] = part.records.size();
  json["candidates"] = static_cast<double>(candidates) / count;
  json["documents"] = static_cast<double>(documents) / count;
  json["no_documents"] = bare;
  json["no_sentences"] = empty;
  json["leftovers"] = leftovers;
  json["cut"] = std::count_if(part.cut.begin(), part.cut.end(), [](std::int64_t cut) { return cut > 0; });
  json["cut_sentences"] = std::accumulate(part.cut.begin(), part.cut.end(), std::int64_t{0});
  lengths.write(json);
  noteCounts(split, wikiHopStatistics(),
             {"cut", "cut_sentences", "no_documents", "no_sentences", "leftovers"});
  setPart(split, lengths.longs());
  return {};
}

HostBatch WikiHopTask::batchFrom(const std::vector<const WikiHopRecord*>& records,
                                 std::span<const ExampleId> examples, std::int64_t part) const {
  std::vector<WikiHopExample> laid;
  for (const WikiHopRecord* record : records)
    laid.push_back(layWikiHop(*record, longPieces(), m_options.limits).value());
  std::vector<const LongLayout*> rows;
  for (const WikiHopExample& one : laid) rows.push_back(&one.layout);
  HostBatch batch = longBatch(examples, rows, {.everything = {GlobalKind::Candidate, GlobalKind::Question}});
  const auto count = static_cast<std::int64_t>(laid.size());
  const std::int64_t globals = batch.array("global_tokens").size(1);
  HostArray candidates(HostDtype::U8, {count, globals}), labels(HostDtype::I64, {count}),
      parts(HostDtype::I64, {count});
  bool labelled = true;
  for (std::size_t i = 0; i < laid.size(); ++i) {
    const auto row = candidates.values<std::uint8_t>().subspan(i * static_cast<std::size_t>(globals));
    std::fill_n(row.begin(), records[i]->candidates.size(), std::uint8_t{1});
    labels.values<std::int64_t>()[i] = laid[i].label;
    parts.values<std::int64_t>()[i] = part;
    labelled = labelled && laid[i].label >= 0;
  }
  batch.arrays.emplace("candidates", std::move(candidates));
  batch.arrays.emplace("part", std::move(parts));
  if (labelled) batch.arrays.emplace("labels", std::move(labels));
  return batch;
}

HostBatch WikiHopTask::batchOf(DataSplit split, std::span<const ExampleId> examples) const {
  std::vector<const WikiHopRecord*> records;
  for (const ExampleId example : examples)
    records.push_back(&part(split).records[static_cast<std::size_t>(example.value)]);
  return batchFrom(records, examples, static_cast<std::int64_t>(split));
}

ExampleTexts WikiHopTask::exampleTexts(DataSplit split, ExampleId example) const {
  checkExample(split, example);
  const WikiHopRecord& record = part(split).records[static_cast<std::size_t>(example.value)];
  const auto same = [](const std::string& text) { return text; };
  return {{"query", record.query},
          {"answer", record.answer},
          {"candidates", joined(record.candidates, "\n", same)},
          {"documents", joined(record.supports, "\n", same)},
          {"id", record.id}};
}

void WikiHopTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) {
    const std::int64_t from = prediction.details.at("part").get<std::int64_t>();
    const auto chosen = static_cast<std::size_t>(prediction.ids.at(0));
    if (from == kAskedPart) {
      const Json candidates = Json::parse(prediction.details.at("asked").get<std::string>());
      prediction.text = candidates.at(chosen).get<std::string>();
    } else {
      const auto& records = m_parts[static_cast<std::size_t>(from)].records;
      const WikiHopRecord& record = records.at(static_cast<std::size_t>(prediction.example.value));
      prediction.text = record.candidates.at(chosen);
      prediction.details["id"] = record.id;
    }
    prediction.details.erase("part");
    prediction.details.erase("asked");
  }
}

Result<std::vector<TaskScore>> WikiHopTask::scoresOf(DataSplit split, const Ordered& ordered) const {
  const WikiHopPart& from = part(split);
  std::map<std::string, std::string> gold, own;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    gold[from.records[i].id] = from.records[i].answer;
    own[from.records[i].id] = ordered[i]->text;
  }
  TaskScore score;
  score.id = "accuracy";
  score.title = "Accuracy (%)";
  score.value = 100 * wikiHopAccuracy(gold, own);
  score.details = {{"all", gold.size()}};
  return std::vector<TaskScore>{score};
}

std::map<std::string, std::string> WikiHopTask::filesOf(DataSplit split, const Ordered& ordered) const {
  Json answers = Json::object();
  for (std::size_t i = 0; i < ordered.size(); ++i) answers[part(split).records[i].id] = ordered[i]->text;
  return {{"predictions.json", answers.dump(1) + "\n"}};
}

Result<RequestBatches> WikiHopTask::batchesFromRequests(std::span<const Json> items) const {
  RequestBatches made;
  made.findings.lengthKey = "wikihop.max_length";
  std::vector<WikiHopRecord> records;
  std::vector<std::int32_t> widths;
  for (std::size_t i = 0; i < items.size(); ++i) {
    FATHOM_TRY(Json item, freeRecord(items[i], i + 1, recordOfLine));
    const std::string place = "line " + std::to_string(i + 1);
    FATHOM_TRY(WikiHopRecord record, wikiHopRecord(item, place, false));
    FATHOM_TRY(const WikiHopExample laid, layWikiHop(record, longPieces(), m_options.limits));
    made.findings.cut += sentencesCut(laid) > 0 ? 1 : 0;
    widths.push_back(static_cast<std::int32_t>(laid.layout.length()));
    records.push_back(std::move(record));
    made.inputs.push_back(std::move(item));
  }
  for (const std::vector<ExampleId>& places : planFree(widths)) {
    std::vector<const WikiHopRecord*> some;
    std::vector<std::string> asked;
    for (const ExampleId place : places) {
      some.push_back(&records[static_cast<std::size_t>(place.value)]);
      asked.push_back(Json(some.back()->candidates).dump());
    }
    made.batches.push_back(batchFrom(some, places, kAskedPart));
    made.batches.back().raggeds.emplace("asked", raggedOfTexts(asked));
  }
  return made;
}

}  // namespace fathom
