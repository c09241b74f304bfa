// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/reclor/reclor_task.h"

#include <algorithm>
#include <map>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/files/path_facts.h"
#include "core/base/options/field_builder.h"
#include "core/base/options/named_files.h"
#include "core/base/text/text_list.h"
#include "core/tasks/length_statistics.h"
#include "core/tasks/reclor/made_reclor.h"
#include "core/tasks/reclor/npy_text.h"

namespace fathom {

namespace {

enum class RowPadding { Zero, Vocabulary };
constexpr EnumWord<RowPadding> kRowPaddings[] = {
    {RowPadding::Zero, "zero", "Id 0 (released code)"},
    {RowPadding::Vocabulary, "vocabulary", "The vocabulary's own"}};

std::vector<OptionField> reclorFields() {
  return joinedFields(
      {encodedTextFields(),
       fromPaper(
           "ReClor; DT-Fixup App. D",
           inGroup("Batches",
                   {integerField("reclor.max_length", "Longest row of an answer",
                                 "Pieces of context, question and answer, marks included; longer rows "
                                 "lose the end of their longer text.",
                                 256)
                        .between(5, 1 << 16)
                        .unit("tokens"),
                    choiceField("reclor.padding", "Padding of byte-level rows",
                                "What stands behind shorter rows; nothing reads it.", choicesOf(kRowPaddings))
                        .when("text.vocabulary.kind", {"byte_bpe"})}))});
}

Result<ReclorOptions> reclorOptionsFrom(const OptionValues& values, bool inputOnly) {
  if (!inputOnly) FATHOM_CHECK(checkFilesNamed(values));
  ReclorOptions options;
  options.data = encodedTextOptions(values);
  options.maxLength = values.integer("reclor.max_length");
  options.releasedPadding = valueOf(kRowPaddings, values.text("reclor.padding")) == RowPadding::Zero;
  const std::string folder = options.data.train;
  if (inputOnly || !folderExists(folder)) return options;
  const auto take = [&](std::string& file, const char* name) {
    if (file.empty() && fileExists(folder + "/" + name)) file = folder + "/" + name;
  };
  options.data.train = folder + "/train.json";
  take(options.data.validation, "val.json");
  take(options.data.test, "test.json");
  if (!options.data.validation.empty()) options.data.validationShare = 0;
  return options;
}

// One for each context, in the order of their first questions.
std::vector<std::int64_t> contextGroups(const std::vector<ReclorQuestion>& questions, std::int64_t& count) {
  std::map<std::string_view, std::int64_t> known;
  std::vector<std::int64_t> groups;
  for (const ReclorQuestion& question : questions) {
    const auto next = static_cast<std::int64_t>(known.size());
    groups.push_back(known.emplace(question.context, next).first->second);
  }
  count = static_cast<std::int64_t>(known.size());
  return groups;
}

Metrics reclorMetrics() {
  return encodedTextMetrics(
      {{"valid.accuracy", "validation accuracy", "accuracy", "%", kHigherIsBetter, 1, 2},
       {"valid.accuracy_easy", "validation accuracy, EASY", "accuracy (EASY)", "%", kHigherIsBetter, 0, 2},
       {"valid.accuracy_hard", "validation accuracy, HARD", "accuracy (HARD)", "%", kHigherIsBetter, 0, 2}});
}

std::vector<ResultLine> reclorResultLines(const Json&) {
  return {{"accuracy", "ReClor", "valid.accuracy", 0},
          {"accuracy_easy", "ReClor, EASY", "valid.accuracy_easy", 1},
          {"accuracy_hard", "ReClor, HARD", "valid.accuracy_hard", 2}};
}

std::vector<StatisticField> reclorStatistics() {
  using Kind = StatisticField::Kind;
  return {{Kind::Number, "examples", "Questions"},
          {Kind::Number, "contexts", "Contexts"},
          {Kind::Number, "left_out", "Questions left out"},
          {Kind::Number, "empty_texts", "Questions with an empty text"},
          {Kind::Number, "underscores", "Questions with a gap for the answer"},
          {Kind::Number, "rows", "Rows"},
          {Kind::Number, "cut", "Rows that were cut"},
          {Kind::Number, "lengths.mean", "Mean row (pieces)", 1, 1},
          {Kind::Number, "lengths.longest", "Longest row"},
          {Kind::Counts, "labels", "Right answers by place"},
          {Kind::Lengths, "lengths", "Lengths of rows"}};
}

Json reclorStatisticsOf(const ReclorPart& part, const ReclorFile& counts) {
  std::int64_t contexts = 0;
  contextGroups(part.questions, contexts);
  std::map<std::int64_t, std::int64_t> labels;
  for (const ReclorQuestion& question : part.questions)
    if (question.label >= 0) ++labels[question.label];
  Json byLetter = Json::object();
  for (const auto& [label, count] : labels) byLetter[answerLetter(label)] = count;
  std::vector<std::int32_t> lengths;
  for (const TextRow& row : part.rows) lengths.push_back(static_cast<std::int32_t>(row.size()));
  return {{"examples", part.questions.size()},
          {"contexts", contexts},
          {"left_out", counts.left},
          {"empty_texts", counts.emptyTexts},
          {"underscores", counts.underscores},
          {"rows", part.rows.size()},
          {"cut", part.cut},
          {"labels", std::move(byLetter)},
          {"lengths", lengthStatisticsJson(lengthStatistics(lengths))}};
}

TaskScore accuracyOf(const std::string& id, const std::string& title, std::int64_t right, std::int64_t all) {
  TaskScore score;
  score.id = id;
  score.title = title;
  score.value = 100.0 * static_cast<double>(right) / static_cast<double>(all);
  score.details = {{"right", right}, {"all", all}};
  return score;
}

bool names(const std::string& id, const char* half) {
  std::string lower = id;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower.find(half) != std::string::npos;
}

}  // namespace

TaskEntry reclorTaskEntry() {
  return {.id = "reclor",
          .title = "Multiple choice (ReClor)",
          .paper = "ReClor; DT-Fixup §4.3",
          .fields = reclorFields(),
          .rules = encodedTextRules(),
          .metrics = reclorMetrics(),
          .create = ReclorTask::create,
          .texts = {{"question", "Question", TextField::Role::Input},
                    {"answer", "Right answer", TextField::Role::Reference},
                    {"context", "Context", TextField::Role::Other},
                    {"answers", "Answers", TextField::Role::Other}},
          .statistics = reclorStatistics(),
          .data = {"data.train", "data.validation", ""},
          .batch = {{"batch.examples", "reclor.max_length"}},
          .madeData = {madeReclorFiles, writeMadeReclor},
          .inputExample = "The ferry runs at high tide.\tWhen does it run?\tAt night.\tAt high tide.",
          .inputForm = "context TAB question TAB answer TAB answer …",
          .review = reviewOfParts("choice"),
          .results = {reclorResultLines},
          .encoderOptions = [](const Json& vocabulary) { return textEncoderOptions("reclor", vocabulary); }};
}

ReclorTask::ReclorTask(const ReclorOptions& options, TextEncoding encoding, std::uint64_t seed)
    : EncodedTextTask(std::move(encoding), options.data.examples, seed), m_options(options) {}

Result<std::unique_ptr<Task>> ReclorTask::create(const OptionValues& values, const TaskSetup& setup) {
  FATHOM_TRY(const ReclorOptions options, reclorOptionsFrom(values, setup.inputOnly));
  FATHOM_TRY(TextEncoding encoding, TextEncoding::make(values, setup));
  std::unique_ptr<ReclorTask> task(new ReclorTask(options, std::move(encoding), setup.seed));
  if (!setup.inputOnly) FATHOM_CHECK(task->read(setup));
  return std::unique_ptr<Task>(std::move(task));
}

Status ReclorTask::read(const TaskSetup& setup) {
  const EncodedTextOptions& data = m_options.data;
  std::array<ReclorFile, 3> counts;
  for (const DataSplit split : kEverySplit) {
    const auto at = static_cast<std::size_t>(split);
    const std::string& path = fileOfPart(data, split);
    if (path.empty()) continue;
    FATHOM_TRY(ReclorFile file, readReclorFile(path, data.skipBadLines));
    if (split != DataSplit::Test && file.questions.front().label < 0)
      return dataErrorAt(path, 0, Phrase::tr("the questions have no label"),
                         Phrase::tr("only a test file may go without"));
    tookFile(split, file.hash, {"questions", file.left, file.firstLeft});
    m_parts[at].questions = std::move(file.questions);
    counts[at] = std::move(file);
  }
  if (data.validation.empty()) {
    std::int64_t contexts = 0;
    const auto groups = contextGroups(m_parts[0].questions, contexts);
    const auto apart = groupsKeptApart(contexts, data.validationShare, data.splitSeed);
    std::vector<ReclorQuestion> rest;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      auto& to = apart[static_cast<std::size_t>(groups[i])] ? m_parts[1].questions : rest;
      to.push_back(std::move(m_parts[0].questions[i]));
    }
    m_parts[0].questions = std::move(rest);
  }
  for (const DataSplit split : kEverySplit) {
    FATHOM_CHECK(encodePart(split, setup));
    const auto at = static_cast<std::size_t>(split);
    if (!m_parts[at].questions.empty())
      m_statistics[dataSplitName(split)] = reclorStatisticsOf(m_parts[at], counts[at]);
  }
  return {};
}

void ReclorTask::encodeQuestion(ReclorPart& part, const ReclorQuestion& question) const {
  const EncodedText context = encoding().encode(question.context);
  if (part.firstRows.empty()) part.firstRows.push_back(0);
  for (const std::string& answer : question.answers)
    part.rows.push_back(encoding().row(context, encoding().encode(answerText(question.question, answer)),
                                       m_options.maxLength, &part.cut));
  part.firstRows.push_back(static_cast<std::int64_t>(part.rows.size()));
}

Status ReclorTask::encodePart(DataSplit split, const TaskSetup& setup) {
  ReclorPart& part = m_parts[static_cast<std::size_t>(split)];
  CuttingTexts cutting(setup, "questions", part.questions.size());
  std::vector<std::int32_t> widths;
  for (std::size_t i = 0; i < part.questions.size(); ++i) {
    encodeQuestion(part, part.questions[i]);
    std::int64_t width = 0;
    for (auto row = static_cast<std::size_t>(part.firstRows[i]); row < part.rows.size(); ++row)
      width = std::max(width, part.rows[row].size());
    widths.push_back(static_cast<std::int32_t>(width));
    FATHOM_CHECK(cutting.next());
  }
  setPart(split, std::move(widths));
  return {};
}

HostBatch ReclorTask::batchFrom(const ReclorPart& part, std::span<const ExampleId> examples) const {
  HostBatch batch;
  batch.examples.assign(examples.begin(), examples.end());
  batch.targetUnits = static_cast<std::int64_t>(examples.size());
  std::vector<const TextRow*> rows;
  HostArray choices(HostDtype::I64, {batch.targetUnits}), labels(HostDtype::I64, {batch.targetUnits});
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto at = static_cast<std::size_t>(examples[i].value);
    const std::int64_t first = part.firstRows[at], end = part.firstRows[at + 1];
    for (std::int64_t row = first; row < end; ++row)
      rows.push_back(&part.rows[static_cast<std::size_t>(row)]);
    choices.values<std::int64_t>()[i] = end - first;
    if (part.labelled()) labels.values<std::int64_t>()[i] = part.questions[at].label;
  }
  const bool zero = m_options.releasedPadding && encoding().byteLevel();
  putTextRows(batch, rows, zero ? 0 : encoding().pad());
  batch.arrays.emplace("choices", std::move(choices));
  if (part.labelled()) batch.arrays.emplace("labels", std::move(labels));
  return batch;
}

HostBatch ReclorTask::batchOf(DataSplit split, std::span<const ExampleId> examples) const {
  return batchFrom(part(split), examples);
}

ExampleTexts ReclorTask::exampleTexts(DataSplit split, ExampleId example) const {
  checkExample(split, example);
  const ReclorQuestion& question = part(split).questions[static_cast<std::size_t>(example.value)];
  std::int64_t place = 0;
  return {{"question", question.question},
          {"answer", question.label < 0 ? std::string() : answerLetter(question.label)},
          {"context", question.context},
          {"answers", joined(question.answers, "\n", [&](const std::string& answer) {
             return answerLetter(place++) + ") " + answer;
           })}};
}

std::int64_t ReclorTask::fileRow(DataSplit split, ExampleId example) const {
  checkExample(split, example);
  return part(split).questions[static_cast<std::size_t>(example.value)].row;
}

void ReclorTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) prediction.text = answerLetter(prediction.ids.at(0));
}

Result<std::vector<TaskScore>> ReclorTask::scoresOf(DataSplit split, const Ordered& ordered) const {
  const ReclorPart& from = part(split);
  std::int64_t right = 0;
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> halves;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const bool own = ordered[i]->ids.at(0) == from.questions[i].label;
    right += own ? 1 : 0;
    for (const char* half : {"easy", "hard"}) {
      if (!names(from.questions[i].id, half)) continue;
      halves[half].first += own ? 1 : 0;
      ++halves[half].second;
    }
  }
  std::vector<TaskScore> scores = {
      accuracyOf("accuracy", "Accuracy (%)", right, static_cast<std::int64_t>(ordered.size()))};
  for (const auto& [half, counts] : halves)
    scores.push_back(accuracyOf("accuracy_" + half,
                                half == "easy" ? "Accuracy, EASY (%)" : "Accuracy, HARD (%)", counts.first,
                                counts.second));
  return scores;
}

std::map<std::string, std::string> ReclorTask::filesOf(DataSplit split, const Ordered& ordered) const {
  std::vector<std::int64_t> chosen;
  for (const Prediction* prediction : ordered) chosen.push_back(prediction->ids.at(0));
  const std::string name = split == DataSplit::Validation ? "val" : dataSplitName(split);
  return {{name + "_preds.npy", npyOfIntegers(chosen)}};
}

Result<RequestBatches> ReclorTask::batchesFromRequests(std::span<const Json> items) const {
  RequestBatches made;
  made.findings.lengthKey = "reclor.max_length";
  ReclorPart part;
  std::vector<std::int32_t> widths;
  for (std::size_t i = 0; i < items.size(); ++i) {
    Json item = items[i];
    if (item.is_string()) {
      const std::string line = item.get<std::string>();
      const auto cells = splitAt(line, '\t');
      if (cells.size() < 4)
        return dataErrorAt("", static_cast<std::int64_t>(i) + 1,
                           Phrase::tr("a line is: context TAB question TAB answer TAB answer …"));
      item = {{"context", cells[0]}, {"question", cells[1]}};
      item["answers"] = std::vector<std::string>(cells.begin() + 2, cells.end());
    }
    Result<ReclorQuestion> question = reclorQuestion(item);
    if (!question.ok())
      return dataErrorAt("", static_cast<std::int64_t>(i) + 1, question.error().messagePhrase());
    question->label = -1;
    encodeQuestion(part, *question);
    std::int64_t width = 0;
    for (std::size_t row = part.rows.size() - question->answers.size(); row < part.rows.size(); ++row)
      width = std::max(width, part.rows[row].size());
    widths.push_back(static_cast<std::int32_t>(width));
    part.questions.push_back(*std::move(question));
    made.inputs.push_back(std::move(item));
  }
  made.findings.cut = part.cut;
  for (const std::vector<ExampleId>& places : planFree(widths))
    made.batches.push_back(batchFrom(part, places));
  return made;
}

}  // namespace fathom
