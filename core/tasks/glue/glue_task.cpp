// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/glue_task.h"

#include <algorithm>
#include <functional>

#include "core/base/errors/error_key.h"
#include "core/base/errors/phrase.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"
#include "core/tasks/glue/glue_results.h"
#include "core/tasks/glue/glue_scores.h"
#include "core/tasks/glue/glue_scoring.h"
#include "core/tasks/glue/made_glue.h"
#include "core/tasks/kept_files.h"
#include "core/tasks/length_statistics.h"
#include "core/tasks/line_errors.h"
#include "core/tasks/part_phase.h"

namespace fathom {

namespace {

constexpr const char* kLabelsFile = "labels.json";

void appendTable(GlueTable& to, const GlueTable& from) {
  for (std::int64_t i = 0; i < from.size(); ++i) {
    to.first.add(from.first[i]);
    to.second.add(from.second[i]);
  }
  to.labels.insert(to.labels.end(), from.labels.begin(), from.labels.end());
  to.lines.insert(to.lines.end(), from.lines.begin(), from.lines.end());
  to.rows.insert(to.rows.end(), from.rows.begin(), from.rows.end());
  to.oddRows += from.oddRows;
  to.emptyTexts += from.emptyTexts;
}

// The chosen rows of a table, without the counts of what was passed over.
GlueTable rowsOf(const GlueTable& table, const std::vector<bool>& apart, bool wanted) {
  GlueTable chosen;
  chosen.classes = table.classes;
  chosen.pairs = table.pairs;
  for (std::int64_t i = 0; i < table.size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (apart[at] != wanted) continue;
    chosen.first.add(table.first[i]);
    chosen.second.add(table.second[i]);
    if (!table.labels.empty()) chosen.labels.push_back(table.labels[at]);
    chosen.lines.push_back(table.lines[at]);
    chosen.rows.push_back(table.rows[at]);
  }
  return chosen;
}

Json glueStatisticsOf(const GluePart& part, const std::vector<std::int32_t>& lengths, bool number) {
  const GlueTable& table = part.table;
  Json labels = Json::object();
  if (!number)
    for (const double label : table.labels) {
      Json& count = labels[table.classes[static_cast<std::size_t>(label)]];
      count = count.is_null() ? 1 : count.get<std::int64_t>() + 1;
    }
  return {{"examples", table.size()},           {"short_rows", table.shortLines.size()},
          {"bad_lines", table.badLines.size()}, {"odd_rows", table.oddRows},
          {"empty_texts", table.emptyTexts},    {"cut", part.cut},
          {"labels", std::move(labels)},        {"lengths", lengthStatisticsJson(lengthStatistics(lengths))}};
}

// Note on the examples that a part leaves out, by line.
std::string passedOver(const std::string& file, const char* what, const std::vector<std::int64_t>& lines) {
  constexpr std::size_t kNamed = 10;
  const std::vector<std::int64_t> first(
      lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(std::min(kNamed, lines.size())));
  return file + ": " + std::to_string(lines.size()) + " " + what + " (lines " +
         joined(first, ", ", [](std::int64_t line) { return std::to_string(line); }) +
         (lines.size() > kNamed ? ", …)" : ")");
}

// Notes rows that are read as they stand and may be a mistake of the file.
void noteOddities(Json& notes, const std::string& file, const GlueTable& table) {
  for (const auto& [what, rows] :
       {std::pair{"rows have another number of cells than the first line", table.oddRows},
        std::pair{"rows have an empty text", table.emptyTexts}})
    if (rows > 0) notes.push_back(file + ": " + std::to_string(rows) + " " + what);
  for (const auto& [which, rows] :
       {std::pair{"first", table.quotedFirst}, std::pair{"second", table.quotedSecond}})
    if (rows > 1 && rows == table.size())
      notes.push_back(file + ": every " + which +
                      " text begins and ends with a quote, which is read as part of it (glue.task=tsv with "
                      "glue.format=csv reads quotes as those of CSV)");
  if (table.csv)
    notes.push_back(file + ": read as CSV, with quotes (glue.format=tab reads cells as they stand)");
}

// Scores that one label leaves without meaning.
void noteOneLabel(Json& notes, const std::string& part, const std::string& label, const GlueTable& table) {
  const std::vector<double>& labels = table.labels;
  if (labels.size() < 2 ||
      std::adjacent_find(labels.begin(), labels.end(), std::not_equal_to<>()) != labels.end())
    return;
  notes.push_back(
      "all rows of the " + part + " part have the label " + label +
      ": Matthews' correlation is 0 by definition there, Pearson's and Spearman's are not defined");
}

std::vector<StatisticField> glueStatistics() {
  using Kind = StatisticField::Kind;
  return {{Kind::Number, "examples", "Examples"},
          {Kind::Number, "short_rows", "Rows with missing cells, left out"},
          {Kind::Number, "bad_lines", "Bad lines, left out"},
          {Kind::Number, "odd_rows", "Rows with another number of cells"},
          {Kind::Number, "empty_texts", "Rows with an empty text"},
          {Kind::Number, "cut", "Rows that were cut"},
          {Kind::Number, "lengths.mean", "Mean row (pieces)", 1, 1},
          {Kind::Number, "lengths.longest", "Longest row"},
          {Kind::Counts, "labels", "Labels"},
          {Kind::Lengths, "lengths", "Lengths of rows"}};
}

}  // namespace

TaskEntry glueTaskEntry() {
  return {.id = "glue",
          .title = "Sentences and pairs (GLUE)",
          .paper = "GLUE; RealFormer §4.2",
          .fields = glueOptionFields(),
          .rules = glueOptionRules(),
          .metrics = glueMetrics(),
          .create = GlueTask::create,
          .texts = {{"text", "Text", TextField::Role::Input},
                    {"label", "Label", TextField::Role::Reference},
                    {"second", "Second text", TextField::Role::Other}},
          .statistics = glueStatistics(),
          .batch = {{"batch.examples", "glue.max_length"}},
          .madeData = {madeGlueFiles, writeMadeGlue},
          .inputExample = "The ferry crosses the bay at noon.\tThe ferry crosses the bay.",
          .inputForm = "text, or text TAB second text where the model reads pairs",
          .review = {.kind = "class",
                     .others = {{"glue.task", "stsb", "number"}, {"glue.label_kind", "number", "number"}},
                     .ofValidations = true},
          .results = {glueResultLines, glueOverall},
          .encoderOptions = [](const Json& vocabulary) { return textEncoderOptions("glue", vocabulary); }};
}

GlueTask::GlueTask(GlueOptions options, TextEncoding encoding, std::uint64_t seed)
    : EncodedTextTask(std::move(encoding), options.data.examples, seed), m_options(std::move(options)) {}

Result<std::unique_ptr<Task>> GlueTask::create(const OptionValues& values, const TaskSetup& setup) {
  FATHOM_TRY(GlueOptions options, glueOptionsFrom(values, setup.inputOnly));
  FATHOM_TRY(TextEncoding encoding, TextEncoding::make(values, setup));
  std::unique_ptr<GlueTask> task(new GlueTask(std::move(options), std::move(encoding), setup.seed));
  FATHOM_CHECK(task->takeKept(setup));
  if (!setup.inputOnly) FATHOM_CHECK(task->read(setup));
  return std::unique_ptr<Task>(std::move(task));
}

// Which classes the model has, and whether it reads pairs: what the training file said.
Status GlueTask::takeKept(const TaskSetup& setup) {
  const auto kept = setup.artifacts.find(kLabelsFile);
  if (kept == setup.artifacts.end()) {
    if (!setup.inputOnly) return {};
    return dataError(Phrase::tr("the run has no file %1")(kLabelsFile),
                     Phrase::tr("it is needed to read input; train again, or copy it into the run"));
  }
  FATHOM_TRY(const Json json, parseJson(kept->second, kLabelsFile));
  const Json classes = json.value("classes", Json::array());
  const Json pairs = json.value("pairs", Json(false));
  const bool sound = classes.is_array() && pairs.is_boolean() &&
                     std::all_of(classes.begin(), classes.end(), [](const Json& c) { return c.is_string(); });
  if (!sound) return dataErrorAt(kLabelsFile, 0, Phrase::tr("the file of labels is damaged"));
  m_classes = classes.get<std::vector<std::string>>();
  m_pairs = pairs.get<bool>();
  if (!m_options.rule.number) m_options.reading.labels = m_classes;
  return {};
}

std::map<std::string, std::string> GlueTask::artifacts() const {
  auto kept = EncodedTextTask::artifacts();
  kept[kLabelsFile] = Json{{"classes", m_classes}, {"pairs", m_pairs}}.dump() + "\n";
  return kept;
}

Status GlueTask::readInto(GlueTable& table, const std::string& file, const std::string& role, bool labelled,
                          const TaskSetup& setup) {
  GlueReading reading = m_options.reading;
  if (!labelled) {
    reading.columns = m_options.rule.test;
    reading.labelName.clear();
  }
  FATHOM_TRY(GlueTable read, readGlueTable(file, reading, setup));
  if (read.size() == 0) return dataErrorAt(file, 0, Phrase::tr("the file has no rows"));
  for (const auto& [what, lines] : {std::pair{"rows with missing cells are left out", &read.shortLines},
                                    std::pair{"bad lines are left out", &read.badLines}})
    if (!lines->empty()) m_statistics["notes"].push_back(passedOver(file, what, *lines));
  noteOddities(m_statistics["notes"], file, read);
  read.hash.role = role;
  m_hashes.push_back(read.hash);
  if (table.size() == 0) {
    table = std::move(read);
    return {};
  }
  appendTable(table, read);
  for (const auto& [to, from] :
       {std::pair{&table.shortLines, &read.shortLines}, std::pair{&table.badLines, &read.badLines}})
    to->insert(to->end(), from->begin(), from->end());
  return {};
}

Status GlueTask::readPart(DataSplit split, const TaskSetup& setup) {
  const EncodedTextOptions& data = m_options.data;
  const bool test = split == DataSplit::Test;
  const std::string& file = fileOfPart(data, split);
  if (file.empty()) return {};
  const std::string role = dataSplitName(split);
  const std::string& other = split == DataSplit::Train ? file
                             : test                    ? m_options.testMismatched
                                                       : m_options.mismatched;
  if (setup.progress != nullptr)
    setup.progress->begin(
        partPhase(role, Phrase::tr("reading the training texts"), Phrase::tr("reading the validation texts"),
                  Phrase::tr("reading the test texts")),
        "bytes", -1);
  GluePart& part = m_parts[static_cast<std::size_t>(split)];
  const bool labelled = !test || m_options.testLabels;
  FATHOM_CHECK(readInto(part.table, file, role, labelled, setup));
  part.matched = part.table.size();
  part.matchedFileRows = part.table.fileRows;
  if (split == DataSplit::Train) {
    m_classes = part.table.classes;
    m_pairs = part.table.pairs;
    if (!m_options.rule.number) m_options.reading.labels = m_classes;
  } else if (!other.empty()) {
    FATHOM_CHECK(readInto(part.table, other, role + ".mismatched", labelled, setup));
  }
  return {};
}

// A share of the training rows.
void GlueTask::keepApart() {
  GluePart& train = m_parts[0];
  GluePart& validation = m_parts[1];
  if (validation.table.size() > 0) return;
  const auto apart =
      groupsKeptApart(train.table.size(), m_options.data.validationShare, m_options.data.splitSeed);
  validation.table = rowsOf(train.table, apart, true);
  validation.matched = validation.table.size();
  GlueTable rest = rowsOf(train.table, apart, false);
  rest.shortLines = train.table.shortLines;
  rest.badLines = train.table.badLines;
  rest.oddRows = train.table.oddRows;
  rest.emptyTexts = train.table.emptyTexts;
  train.table = std::move(rest);
  train.matched = train.table.size();
}

Status GlueTask::read(const TaskSetup& setup) {
  m_statistics["notes"] = Json::array();
  for (const DataSplit split : kEverySplit) FATHOM_CHECK(readPart(split, setup));
  if (!m_options.rule.number && m_classes.size() < 2)
    return dataErrorAt(m_options.data.train, 0,
                       Phrase::tr("all rows have the label '%1': there is nothing to tell apart")(
                           m_classes.empty() ? std::string() : m_classes.front()),
                       Phrase::tr("see glue.label and glue.label_kind"));
  keepApart();
  for (const DataSplit split : kEverySplit) FATHOM_CHECK(encodePart(split, setup));
  m_statistics["classes"] = m_classes;
  return {};
}

TextRow GlueTask::rowOf(std::string_view first, std::string_view second, std::int64_t* cut) const {
  if (!m_pairs) return encoding().row(encoding().encode(first), m_options.maxLength, cut);
  return encoding().row(encoding().encode(first), encoding().encode(second), m_options.maxLength, cut);
}

Status GlueTask::encodePart(DataSplit split, const TaskSetup& setup) {
  GluePart& part = m_parts[static_cast<std::size_t>(split)];
  if (part.table.size() == 0) return {};
  CuttingTexts cutting(setup, "rows", part.table.size());
  std::vector<std::int32_t> lengths;
  for (std::int64_t i = 0; i < part.table.size(); ++i) {
    part.rows.push_back(rowOf(part.table.first[i], part.table.second[i], &part.cut));
    lengths.push_back(static_cast<std::int32_t>(part.rows.back().size()));
    FATHOM_CHECK(cutting.next());
  }
  noteOneLabel(m_statistics["notes"], dataSplitName(split), labelText(part.table, 0), part.table);
  m_statistics[dataSplitName(split)] = glueStatisticsOf(part, lengths, m_options.rule.number);
  setPart(split, std::move(lengths));
  return {};
}

std::map<std::string, std::int64_t> GlueTask::sizes() const {
  auto sizes = EncodedTextTask::sizes();
  sizes["classes"] = m_options.rule.number ? 1 : static_cast<std::int64_t>(m_classes.size());
  sizes["number"] = m_options.rule.number ? 1 : 0;
  return sizes;
}

HostBatch GlueTask::batchOf(DataSplit split, std::span<const ExampleId> examples) const {
  const GluePart& from = part(split);
  HostBatch batch;
  std::vector<const TextRow*> rows;
  for (const ExampleId example : examples)
    rows.push_back(&from.rows[static_cast<std::size_t>(example.value)]);
  putTextRows(batch, rows, encoding().pad());
  batch.examples.assign(examples.begin(), examples.end());
  batch.targetUnits = static_cast<std::int64_t>(examples.size());
  if (from.table.labels.empty()) return batch;
  const auto label = [&](std::size_t i) {
    return from.table.labels[static_cast<std::size_t>(examples[i].value)];
  };
  HostArray labels(m_options.rule.number ? HostDtype::F64 : HostDtype::I64, {batch.targetUnits});
  for (std::size_t i = 0; i < examples.size(); ++i) {
    if (m_options.rule.number)
      labels.values<double>()[i] = label(i);
    else
      labels.values<std::int64_t>()[i] = static_cast<std::int64_t>(label(i));
  }
  batch.arrays.emplace("labels", std::move(labels));
  return batch;
}

std::string GlueTask::labelText(const GlueTable& table, std::int64_t row) const {
  if (table.labels.empty()) return {};
  const double label = table.labels[static_cast<std::size_t>(row)];
  return m_options.rule.number ? shortestText(label) : m_classes[static_cast<std::size_t>(label)];
}

ExampleTexts GlueTask::exampleTexts(DataSplit split, ExampleId example) const {
  checkExample(split, example);
  const GlueTable& table = part(split).table;
  return {{"text", std::string(table.first[example.value])},
          {"label", labelText(table, example.value)},
          {"second", std::string(table.second[example.value])}};
}

std::int64_t GlueTask::fileRow(DataSplit split, ExampleId example) const {
  checkExample(split, example);
  const GluePart& from = part(split);
  const std::int64_t row = from.table.rows[static_cast<std::size_t>(example.value)];
  return example.value < from.matched ? row : from.matchedFileRows + row;
}

void GlueTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) {
    if (m_options.rule.number) {
      prediction.text = shortestText(prediction.details.at("value").get<double>());
      continue;
    }
    prediction.text = m_classes.at(static_cast<std::size_t>(prediction.ids.at(0)));
    Json& shares = prediction.details["probabilities"];
    if (!shares.is_array()) continue;
    Json named = Json::object();
    for (std::size_t i = 0; i < m_classes.size() && i < shares.size(); ++i) named[m_classes[i]] = shares[i];
    shares = std::move(named);
  }
}

Result<std::vector<TaskScore>> GlueTask::scoresOf(DataSplit split, const Ordered& ordered) const {
  const GluePart& from = part(split);
  return glueScores(m_options.rule, m_classes, from.table.labels, ordered, from.matched);
}

std::string GlueTask::submitted(const Prediction& prediction) const {
  if (!m_options.rule.number) return prediction.text;
  double value = prediction.details.at("value").get<double>();
  if (m_options.rule.most > m_options.rule.least)
    value = std::clamp(value, m_options.rule.least, m_options.rule.most);
  return formatted("%.3f", value);
}

std::map<std::string, std::string> GlueTask::filesOf(DataSplit split, const Ordered& ordered) const {
  const GluePart& from = part(split);
  std::map<std::string, std::string> files;
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const bool matched = static_cast<std::int64_t>(i) < from.matched;
    std::string& text = files[matched ? m_options.rule.submission : m_options.rule.mismatchedSubmission];
    if (text.empty()) text = "index\tprediction\n";
    text += std::to_string(from.table.rows[i]) + "\t" + submitted(*ordered[i]) + "\n";
  }
  return files;
}

Result<std::vector<HostBatch>> GlueTask::batchesFromText(std::span<const std::string> lines,
                                                         TextFindings* findings) const {
  TextFindings found;
  found.lengthKey = "glue.max_length";
  std::vector<TextRow> rows;
  std::vector<std::int32_t> widths;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t tab = lines[i].find('\t');
    if ((tab != std::string::npos) != m_pairs)
      return dataErrorAt("", static_cast<std::int64_t>(i) + 1,
                         m_pairs ? Phrase::tr("there is no TAB between two texts")
                                 : Phrase::tr("there is a TAB, but the model reads one text"));
    FATHOM_CHECK(checkCells(lines[i], 2, static_cast<std::int64_t>(i) + 1));
    const std::string_view line = lines[i];
    rows.push_back(
        rowOf(line.substr(0, tab), m_pairs ? line.substr(tab + 1) : std::string_view(), &found.cut));
    widths.push_back(static_cast<std::int32_t>(rows.back().size()));
  }
  std::vector<HostBatch> batches;
  for (const std::vector<ExampleId>& places : planFree(widths)) {
    HostBatch batch;
    std::vector<const TextRow*> chosen;
    for (const ExampleId place : places) chosen.push_back(&rows[static_cast<std::size_t>(place.value)]);
    putTextRows(batch, chosen, encoding().pad());
    batch.examples = places;
    batch.targetUnits = static_cast<std::int64_t>(places.size());
    batches.push_back(std::move(batch));
  }
  if (findings != nullptr) *findings = found;
  return batches;
}

}  // namespace fathom
