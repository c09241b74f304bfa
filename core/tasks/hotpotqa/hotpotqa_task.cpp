// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/hotpotqa/hotpotqa_task.h"

#include <algorithm>
#include <set>

#include "core/base/errors/phrase.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"
#include "core/base/text/text_list.h"
#include "core/tasks/hotpotqa/hotpotqa_report.h"
#include "core/tasks/hotpotqa/made_hotpotqa.h"
#include "core/tasks/long_text/simple_sentences.h"

namespace fathom {

namespace {

constexpr std::int64_t kAskedHere = -1, kNoType = -1;
constexpr LongLengths kHotpotqaLengths{4096, 256};

constexpr EnumWord<HotpotAnswer> kAnswerTypes[] = {
    {HotpotAnswer::Span, "span"}, {HotpotAnswer::Yes, "yes"}, {HotpotAnswer::No, "no"}};

std::vector<OptionField> hotpotqaFields() {
  return joinedFields(
      {encodedRecordFields(),
       fromPaper(
           "ETC's code, HotpotQA",
           joinedFields(
               {longLengthFields("hotpotqa", kHotpotqaLengths, "HotpotQA"),
                inGroup("Batches",
                        {positionsField("hotpotqa.positions", "Places of answers and facts",
                                        "The released code pads both streams to their full length and has "
                                        "padding in its losses.",
                                        true)}),
                inGroup("Data",
                        {integerField("hotpotqa.max_answer", "Longest answer (HotpotQA)", "Pieces of it.", 30)
                             .between(1, 1 << 12)
                             .unit("tokens")})}))});
}

HotpotqaOptions hotpotqaOptions(const OptionValues& values) {
  HotpotqaOptions options;
  options.data = encodedTextOptions(values);
  const LongLengths lengths = longLengths(values, "hotpotqa");
  options.limits = {lengths.longs, lengths.globals};
  options.maxAnswer = values.integer("hotpotqa.max_answer");
  options.padsAll = countsPadding(values, "hotpotqa.positions");
  return options;
}

// "question TAB title TAB text …" as a record.
Result<Json> recordOfQuestion(const std::string& line, std::size_t number) {
  const auto cells = splitAt(line, '\t');
  if (cells.size() < 3 || cells.size() % 2 == 0)
    return dataErrorAt("", static_cast<std::int64_t>(number),
                       Phrase::tr("a line is: question TAB title TAB text TAB title TAB text …"));
  Json context = Json::array();
  for (std::size_t i = 1; i + 1 < cells.size(); i += 2)
    context.push_back({std::string(cells[i]), simpleSentences(cells[i + 1])});
  return Json{{"_id", std::to_string(number)}, {"question", cells[0]}, {"context", std::move(context)}};
}

Json recordJson(const HotpotRecord& record) {
  Json context = Json::array();
  for (const auto& paragraph : record.paragraphs) context.push_back({paragraph.title, paragraph.sentences});
  return {{"_id", record.id}, {"question", record.question}, {"context", std::move(context)}};
}

}  // namespace

TaskEntry hotpotqaTaskEntry() {
  return {
      .id = "hotpotqa",
      .title = "Answers with supporting facts (HotpotQA)",
      .paper = "HotpotQA; ETC §4.3; RealFormer §4.3",
      .fields = hotpotqaFields(),
      .rules = encodedTextRules(),
      .metrics = hotpotqaMetrics(),
      .create = HotpotqaTask::create,
      .texts = {{"question", "Question", TextField::Role::Input},
                {"answer", "Answer", TextField::Role::Reference},
                {"facts", "Supporting facts", TextField::Role::Other},
                {"context", "Paragraphs", TextField::Role::Other},
                {"id", "Question's id", TextField::Role::Other}},
      .statistics = hotpotqaStatistics(),
      .data = {"data.train", "data.validation", ""},
      .batch = {{"batch.examples", "hotpotqa.max_length"}},
      .madeData = {madeHotpotqaFiles, writeMadeHotpotqa},
      .inputExample = "Where is the tower?\tThe tower\tIt is old. It stands in Paris.",
      .inputForm = "question TAB title TAB text TAB title TAB text …; or a record as JSON",
      .review = reviewOfParts("span"),
      .encoderOptions = [](const Json& vocabulary) { return textEncoderOptions("hotpotqa", vocabulary); }};
}

HotpotqaTask::HotpotqaTask(const HotpotqaOptions& options, TextEncoding encoding, std::uint64_t seed)
    : LongTextTask(std::move(encoding), options.data.examples, seed), m_options(options) {}

Result<std::unique_ptr<Task>> HotpotqaTask::create(const OptionValues& values, const TaskSetup& setup) {
  if (!setup.inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  FATHOM_TRY(TextEncoding encoding, TextEncoding::make(values, setup));
  std::unique_ptr<HotpotqaTask> task(
      new HotpotqaTask(hotpotqaOptions(values), std::move(encoding), setup.seed));
  if (!setup.inputOnly) FATHOM_CHECK(task->read(setup));
  return std::unique_ptr<Task>(std::move(task));
}

Status HotpotqaTask::read(const TaskSetup& setup) {
  m_statistics["notes"] = Json::array();
  const EncodedTextOptions& data = m_options.data;
  for (const DataSplit split : kEverySplit)
    if (const std::string& path = fileOfPart(data, split); !path.empty())
      FATHOM_CHECK(readSplit(split, path, setup));
  if (data.validation.empty()) keepApart();
  for (const DataSplit split : kEverySplit) FATHOM_CHECK(measure(split, setup));
  if (exampleCount(DataSplit::Train) == 0)
    return dataErrorAt(data.train, 0,
                       Phrase::tr("no question has a supporting fact and an answer in its "
                                  "paragraphs: there is nothing to train on"));
  return {};
}

// A record is laid once here, so that a question that does not fit is refused where it stands.
Status HotpotqaTask::readSplit(DataSplit split, const std::string& path, const TaskSetup& setup) {
  HotpotqaPart& part = m_parts[static_cast<std::size_t>(split)];
  std::set<std::string> ids;
  const auto take = [&](const Json& json, const std::string& place) -> Status {
    const bool answered = split != DataSplit::Test || json.contains("answer");
    FATHOM_TRY(HotpotRecord record, hotpotRecord(json, place, answered));
    if (!ids.insert(record.id).second)
      return dataError(Phrase::tr("%1: the id '%2' comes twice")(place, record.id));
    if (!part.records.empty() && part.labelled != answered)
      return dataError(Phrase::tr("%1: some records have an answer and some have none")(place));
    if (const auto laid = layHotpot(record, longPieces(), m_options.limits); !laid.ok()) {
      const Error error = laid.error();
      return dataError(Phrase::tr("%1: %2")(place, error.messagePhrase()), error.hintPhrase());
    }
    part.labelled = answered;
    part.records.push_back(std::move(record));
    return {};
  };
  FATHOM_TRY(const RecordFile file, readPart(split, path, m_options.data.skipBadLines, setup, take));
  m_statistics[dataSplitName(split)] = {{"left_out", file.left}};
  return {};
}

void HotpotqaTask::keepApart() {
  std::vector<HotpotRecord> all = std::move(m_parts[0].records);
  const auto chosen = groupsKeptApart(static_cast<std::int64_t>(all.size()), m_options.data.validationShare,
                                      m_options.data.splitSeed);
  m_parts[0].records.clear();
  for (std::size_t i = 0; i < all.size(); ++i)
    m_parts[chosen[i] ? 1 : 0].records.push_back(std::move(all[i]));
}

// Counts; of training only what can be trained on stays.
Status HotpotqaTask::measure(DataSplit split, const TaskSetup& setup) {
  HotpotqaPart& part = m_parts[static_cast<std::size_t>(split)];
  if (part.records.empty()) return {};
  std::vector<HotpotRecord> all = std::move(part.records);
  part.records.clear();
  CuttingTexts cutting(setup, "records", all.size());
  LongStatistics lengths;
  for (std::size_t i = 0; i < all.size(); ++i) {
    FATHOM_CHECK(cutting.next());
    const HotpotExample laid = layHotpot(all[i], longPieces(), m_options.limits).value();
    countHotpotqa(part, all[i], laid);
    if (split == DataSplit::Train && !laid.trainable) continue;
    lengths.add(laid.layout);
    part.records.push_back(std::move(all[i]));
  }
  Json& json = m_statistics[dataSplitName(split)];
  json.update(hotpotqaStatisticsOf(part));
  lengths.write(json);
  noteCounts(split, hotpotqaStatistics(),
             {"cut", "cut_texts", "no_sentences", "leftovers", "no_span", "no_support", "lost_facts"});
  setPart(split, lengths.longs());
  return {};
}

std::map<std::string, std::int64_t> HotpotqaTask::sizes() const {
  auto sizes = LongTextTask::sizes();
  if (m_options.padsAll) sizes["longest"] = m_options.limits.longLength;
  sizes["max_answer"] = m_options.maxAnswer;
  sizes["real_positions"] = m_options.padsAll ? 0 : 1;
  return sizes;
}

HostBatch HotpotqaTask::batchFrom(const std::vector<const HotpotRecord*>& records,
                                  std::span<const ExampleId> examples, std::int64_t part,
                                  bool labelled) const {
  std::vector<HotpotExample> laid;
  for (const HotpotRecord* record : records)
    laid.push_back(layHotpot(*record, longPieces(), m_options.limits).value());
  std::vector<const LongLayout*> rows;
  for (const HotpotExample& one : laid) rows.push_back(&one.layout);
  LongRowRules rules{.everything = {GlobalKind::Cls}};
  if (m_options.padsAll) {
    rules.length = m_options.limits.longLength;
    rules.globals = m_options.limits.globalLength;
  }
  HostBatch batch = longBatch(examples, rows, rules);
  const auto count = static_cast<std::int64_t>(laid.size());
  const std::int64_t globals = batch.array("global_tokens").size(1);
  HostArray sentences(HostDtype::I32, {count, globals}), supporting(HostDtype::I64, {count, globals}),
      types(HostDtype::I64, {count}), spans(HostDtype::I64, {count, 2}), parts(HostDtype::I64, {count});
  std::fill(sentences.values<std::int32_t>().begin(), sentences.values<std::int32_t>().end(), -1);
  for (std::size_t i = 0; i < laid.size(); ++i) {
    const HotpotExample& one = laid[i];
    const auto first = static_cast<std::ptrdiff_t>(i) * globals;
    std::copy(one.globalSentence.begin(), one.globalSentence.end(),
              sentences.values<std::int32_t>().begin() + first);
    std::copy(one.supporting.begin(), one.supporting.end(),
              supporting.values<std::int64_t>().begin() + first);
    types.values<std::int64_t>()[i] = one.trainable ? static_cast<std::int64_t>(one.type) : kNoType;
    spans.values<std::int64_t>()[2 * i] = one.span.first;
    spans.values<std::int64_t>()[2 * i + 1] = one.span.second;
    parts.values<std::int64_t>()[i] = part;
  }
  batch.arrays.emplace("fact_sentences", std::move(sentences));
  batch.arrays.emplace("part", std::move(parts));
  if (!labelled) return batch;
  batch.arrays.emplace("supporting", std::move(supporting));
  batch.arrays.emplace("answer_types", std::move(types));
  batch.arrays.emplace("spans", std::move(spans));
  return batch;
}

HostBatch HotpotqaTask::batchOf(DataSplit split, std::span<const ExampleId> examples) const {
  std::vector<const HotpotRecord*> records;
  for (const ExampleId example : examples)
    records.push_back(&part(split).records[static_cast<std::size_t>(example.value)]);
  return batchFrom(records, examples, static_cast<std::int64_t>(split), part(split).labelled);
}

ExampleTexts HotpotqaTask::exampleTexts(DataSplit split, ExampleId example) const {
  checkExample(split, example);
  const HotpotRecord& record = part(split).records[static_cast<std::size_t>(example.value)];
  return {
      {"question", record.question},
      {"answer", record.answer},
      {"facts",
       joined(record.facts, "\n",
              [](const SupportingFact& fact) { return fact.title + ": " + std::to_string(fact.sentence); })},
      {"context", joined(record.paragraphs, "\n",
                         [](const HotpotRecord::Paragraph& paragraph) {
                           return paragraph.title + ": " +
                                  joined(paragraph.sentences, " ", [](const std::string& s) { return s; });
                         })},
      {"id", record.id}};
}

void HotpotqaTask::completeOne(Prediction& prediction) const {
  const Json details = std::move(prediction.details);
  const std::int64_t from = details.at("part").get<std::int64_t>();
  HotpotRecord record;
  if (from == kAskedHere)
    record = hotpotRecord(Json::parse(details.at("asked").get<std::string>()), "asked", false).value();
  else
    record = m_parts[static_cast<std::size_t>(from)].records.at(
        static_cast<std::size_t>(prediction.example.value));
  const HotpotExample laid = layHotpot(record, longPieces(), m_options.limits).value();
  HotpotChoice choice;
  choice.type = static_cast<HotpotAnswer>(details.at("type").get<std::int32_t>());
  choice.span = {details.at("span").at(0).get<std::int64_t>(), details.at("span").at(1).get<std::int64_t>()};
  choice.facts = details.at("facts").get<std::vector<std::int32_t>>();
  const HotpotPrediction said = hotpotPrediction(record, laid, choice, longPieces());
  prediction.text = said.answer;
  prediction.details = {{"facts", factsJson(said.facts)},
                        {"fact_probabilities", details.at("fact_probabilities")},
                        {"answer_type", wordOf(kAnswerTypes, choice.type)}};
  if (from != kAskedHere) prediction.details["id"] = record.id;
}

void HotpotqaTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) completeOne(prediction);
}

Result<std::vector<TaskScore>> HotpotqaTask::scoresOf(DataSplit split, const Ordered& ordered) const {
  return hotpotqaScores(part(split).records, ordered);
}

std::map<std::string, std::string> HotpotqaTask::filesOf(DataSplit split, const Ordered& ordered) const {
  Json answers = Json::object(), facts = Json::object();
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const std::string& id = part(split).records[i].id;
    answers[id] = ordered[i]->text;
    facts[id] = ordered[i]->details.at("facts");
  }
  const Json all = {{"answer", std::move(answers)}, {"sp", std::move(facts)}};
  return {{"predictions.json", all.dump(1) + "\n"}};
}

Result<RequestBatches> HotpotqaTask::batchesFromRequests(std::span<const Json> items) const {
  RequestBatches made;
  made.findings.lengthKey = "hotpotqa.max_length";
  std::vector<HotpotRecord> records;
  std::vector<std::int32_t> widths;
  for (std::size_t i = 0; i < items.size(); ++i) {
    FATHOM_TRY(Json item, freeRecord(items[i], i + 1, recordOfQuestion, "_id"));
    FATHOM_TRY(HotpotRecord record, hotpotRecord(item, "line " + std::to_string(i + 1), false));
    FATHOM_TRY(const HotpotExample laid, layHotpot(record, longPieces(), m_options.limits));
    made.findings.cut += laid.skipped.empty() ? 0 : 1;
    widths.push_back(static_cast<std::int32_t>(laid.layout.length()));
    records.push_back(std::move(record));
    made.inputs.push_back(std::move(item));
  }
  for (const std::vector<ExampleId>& places : planFree(widths)) {
    std::vector<const HotpotRecord*> some;
    std::vector<std::string> asked;
    for (const ExampleId place : places) {
      some.push_back(&records[static_cast<std::size_t>(place.value)]);
      asked.push_back(recordJson(*some.back()).dump());
    }
    made.batches.push_back(batchFrom(some, places, kAskedHere, false));
    made.batches.back().raggeds.emplace("asked", raggedOfTexts(asked));
  }
  return made;
}

}  // namespace fathom
