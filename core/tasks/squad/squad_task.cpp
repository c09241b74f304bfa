// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/squad/squad_task.h"

#include <algorithm>

#include "core/base/errors/phrase.h"
#include "core/base/text/text_list.h"
#include "core/tasks/line_errors.h"
#include "core/tasks/squad/made_squad.h"
#include "core/tasks/squad/squad_report.h"

namespace fathom {

namespace {

constexpr std::int64_t kFreeInput = -1, kUnknownPlace = -1;

// Starts or ends as the objective wrote them: [[place, logit], …].
std::vector<SquadCandidate> candidatesIn(const Json& json) {
  std::vector<SquadCandidate> candidates;
  for (const Json& pair : json)
    candidates.push_back({pair.at(0).get<std::int64_t>(), realFromJson(pair.at(1)).value()});
  return candidates;
}

}  // namespace

TaskEntry squadTaskEntry() {
  return {.id = "squad",
          .title = "Answers in a passage (SQuAD)",
          .paper = "SQuAD; RealFormer §4.2",
          .fields = squadOptionFields(),
          .rules = encodedTextRules(),
          .metrics = squadMetrics(),
          .create = SquadTask::create,
          .texts = {{"question", "Question", TextField::Role::Input},
                    {"answer", "Answer", TextField::Role::Reference},
                    {"context", "Passage", TextField::Role::Other},
                    {"id", "Question's id", TextField::Role::Other}},
          .statistics = squadStatistics(),
          .data = {"data.train", "data.validation", ""},
          .batch = {{"batch.examples", "squad.max_length"}},
          .madeData = {madeSquadFiles, writeMadeSquad},
          .inputExample = "The bridge was opened in 1884.\tWhen was the bridge opened?",
          .inputForm = "passage TAB question",
          .review = reviewOfParts("span"),
          .results = {squadResultLines},
          .encoderOptions = [](const Json& vocabulary) { return textEncoderOptions("squad", vocabulary); }};
}

SquadTask::SquadTask(const SquadOptions& options, TextEncoding encoding, std::uint64_t seed)
    : EncodedTextTask(std::move(encoding), options.data.examples, seed), m_options(options) {}

Result<std::unique_ptr<Task>> SquadTask::create(const OptionValues& values, const TaskSetup& setup) {
  FATHOM_TRY(const SquadOptions options, squadOptionsFrom(values, setup.inputOnly));
  FATHOM_TRY(TextEncoding encoding, TextEncoding::make(values, setup));
  std::unique_ptr<SquadTask> task(new SquadTask(options, std::move(encoding), setup.seed));
  if (!setup.inputOnly) FATHOM_CHECK(task->read(setup));
  return std::unique_ptr<Task>(std::move(task));
}

Status SquadTask::read(const TaskSetup& setup) {
  const EncodedTextOptions& data = m_options.data;
  for (const DataSplit split : kEverySplit) {
    const auto at = static_cast<std::size_t>(split);
    const std::string& path = fileOfPart(data, split);
    if (path.empty()) continue;
    FATHOM_TRY(SquadFile file, readSquadFile(path, data.skipBadLines));
    if (file.impossible && !m_options.decoding.version2)
      return dataErrorAt(path, 0, Phrase::tr("some questions have no answer"),
                         Phrase::tr("set squad.version=2.0"));
    if (split != DataSplit::Test && file.unanswered == static_cast<std::int64_t>(file.questions.size()))
      return dataErrorAt(path, 0, Phrase::tr("no question has an answer"),
                         Phrase::tr("only a test file may go without"));
    tookFile(split, file.hash, {"questions", file.left, file.firstLeft});
    if (file.unanswered > 0 && file.unanswered < static_cast<std::int64_t>(file.questions.size()))
      m_statistics["notes"].push_back(path + ": " + std::to_string(file.unanswered) +
                                      " questions have neither an answer nor is_impossible (first: \"" +
                                      file.firstUnanswered + "\")");
    if (file.emptyQuestions > 0)
      m_statistics["notes"].push_back(path + ": " + std::to_string(file.emptyQuestions) +
                                      " questions are empty (first: \"" + file.firstEmptyQuestion + "\")");
    m_parts[at].file = std::move(file);
  }
  if (data.validation.empty()) keepApart();
  for (const DataSplit split : kEverySplit) FATHOM_CHECK(preparePart(split, setup));
  if (exampleCount(DataSplit::Train) == 0)
    return dataErrorAt(data.train, 0, Phrase::tr("no answer of the training file lies in its passage"));
  return {};
}

// Whole articles; whole passages where there is one article.
void SquadTask::keepApart() {
  SquadFile& train = m_parts[0].file;
  SquadFile& apart = m_parts[1].file;
  const auto [least, most] = std::minmax_element(train.articles.begin(), train.articles.end());
  const bool one = least == train.articles.end() || *least == *most;
  const auto groupOf = [&](std::int64_t passage) {
    return one ? passage : train.articles[static_cast<std::size_t>(passage)];
  };
  const std::int64_t groups = one ? static_cast<std::int64_t>(train.passages.size()) : *most + 1;
  const auto chosen = groupsKeptApart(groups, m_options.data.validationShare, m_options.data.splitSeed);
  apart.passages = train.passages;
  apart.articles = train.articles;
  std::vector<SquadQuestion> rest;
  for (SquadQuestion& question : train.questions)
    (chosen[static_cast<std::size_t>(groupOf(question.passage))] ? apart.questions : rest)
        .push_back(std::move(question));
  train.questions = std::move(rest);
}

Status SquadTask::preparePart(DataSplit split, const TaskSetup& setup) {
  SquadPart& part = m_parts[static_cast<std::size_t>(split)];
  if (part.file.questions.empty()) return {};
  CuttingTexts cutting(setup, "passages", part.file.passages.size());
  std::vector<bool> used(part.file.passages.size(), false);
  for (const SquadQuestion& question : part.file.questions)
    used[static_cast<std::size_t>(question.passage)] = true;
  for (std::size_t i = 0; i < part.file.passages.size(); ++i) {
    part.passages.emplace_back();
    if (used[i]) part.passages.back() = makeSquadPassage(part.file.passages[i], encoding());
    FATHOM_CHECK(cutting.next());
  }
  part.file.passages.clear();
  std::vector<std::int32_t> widths;
  for (std::size_t q = 0; q < part.file.questions.size(); ++q) {
    const SquadQuestion& question = part.file.questions[q];
    const SquadPassage& passage = part.passages[static_cast<std::size_t>(question.passage)];
    part.rows.push_back(squadRows(question.question, passage, m_options.layout, encoding()));
    part.spans.push_back(findSquadSpan(question, passage, encoding()));
    const SquadRows& rows = part.rows.back();
    const auto marks = static_cast<std::int64_t>(rows.query.size()) + encoding().marksOfPair();
    std::int64_t widest = marks;
    for (std::size_t w = 0; w < rows.windows.size(); ++w) {
      widest = std::max(widest, marks + rows.windows[w].length);
      if (split != DataSplit::Train || !part.spans.back().trained()) continue;
      part.trained.push_back({static_cast<std::int32_t>(q), static_cast<std::int32_t>(w)});
      widths.push_back(static_cast<std::int32_t>(marks + rows.windows[w].length));
    }
    if (split != DataSplit::Train) widths.push_back(static_cast<std::int32_t>(widest));
  }
  // Scores need no place: only what is trained on does.
  if (split == DataSplit::Train)
    for (const std::string& oddity : squadOddities(part))
      m_statistics["notes"].push_back(oddity + ": their questions are not trained on");
  m_statistics[dataSplitName(split)] = squadStatisticsOf(part, encoding());
  setPart(split, std::move(widths));
  return {};
}

std::map<std::string, std::int64_t> SquadTask::sizes() const {
  auto sizes = EncodedTextTask::sizes();
  if (m_options.padsAll) sizes["longest"] = m_options.layout.maxLength;
  sizes["n_best"] = m_options.decoding.nBest;
  sizes["real_positions"] = m_options.padsAll ? 0 : 1;
  return sizes;
}

std::int64_t SquadTask::questionOf(DataSplit split, ExampleId example) const {
  if (split != DataSplit::Train) return example.value;
  return part(split).trained[static_cast<std::size_t>(example.value)].question;
}

HostBatch SquadTask::batchOfRows(const std::vector<Row>& rows) const {
  std::vector<TextRow> made;
  made.reserve(rows.size());
  const auto count = static_cast<std::int64_t>(rows.size());
  HostArray targets(HostDtype::I64, {count, 2});
  const auto places = targets.values<std::int64_t>();
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const SquadWindow none;
    const bool empty = rows[r].rows->windows.empty();
    const SquadWindow& window = empty ? none : rows[r].rows->windows[rows[r].window];
    made.push_back(squadRow(*rows[r].rows, window, *rows[r].passage, encoding()));
    SquadTarget target{kUnknownPlace, kUnknownPlace};
    if (rows[r].span != nullptr && rows[r].span->trained())
      target = squadTarget(*rows[r].span, window, squadOffset(*rows[r].rows, encoding()));
    places[2 * r] = target.start;
    places[2 * r + 1] = target.end;
  }
  std::vector<const TextRow*> pointers;
  for (const TextRow& row : made) pointers.push_back(&row);
  HostBatch batch;
  putTextRows(batch, pointers, encoding().pad(), m_options.padsAll ? m_options.layout.maxLength : 0);
  batch.arrays.emplace("targets", std::move(targets));
  batch.targetUnits = count;
  return batch;
}

HostBatch SquadTask::batchOf(DataSplit split, std::span<const ExampleId> examples) const {
  const SquadPart& from = part(split);
  std::vector<Row> rows;
  const auto count = static_cast<std::int64_t>(examples.size());
  HostArray windows(HostDtype::I64, {count}), parts(HostDtype::I64, {count});
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const auto q = static_cast<std::size_t>(questionOf(split, examples[i]));
    const SquadPassage& passage = from.passages[static_cast<std::size_t>(from.file.questions[q].passage)];
    const bool train = split == DataSplit::Train;
    const std::size_t first =
        train ? static_cast<std::size_t>(from.trained[static_cast<std::size_t>(examples[i].value)].window)
              : 0;
    // A passage without pieces has one row with the question alone.
    const std::size_t end = train ? first + 1 : std::max<std::size_t>(from.rows[q].windows.size(), 1);
    for (std::size_t w = first; w < end; ++w) rows.push_back({&passage, &from.rows[q], &from.spans[q], w});
    windows.values<std::int64_t>()[i] = static_cast<std::int64_t>(end - first);
    parts.values<std::int64_t>()[i] = static_cast<std::int64_t>(split);
  }
  HostBatch batch = batchOfRows(rows);
  batch.examples.assign(examples.begin(), examples.end());
  batch.arrays.emplace("windows", std::move(windows));
  batch.arrays.emplace("part", std::move(parts));
  return batch;
}

ExampleTexts SquadTask::exampleTexts(DataSplit split, ExampleId example) const {
  checkExample(split, example);
  const SquadPart& from = part(split);
  const SquadQuestion& question = from.file.questions[static_cast<std::size_t>(questionOf(split, example))];
  return {{"question", question.question},
          {"answer", question.answers.empty() ? std::string() : question.answers.front().text},
          {"context", from.passages[static_cast<std::size_t>(question.passage)].text},
          {"id", question.id}};
}

std::int64_t SquadTask::fileRow(DataSplit split, ExampleId example) const {
  checkExample(split, example);
  return part(split).file.questions[static_cast<std::size_t>(questionOf(split, example))].row;
}

void SquadTask::decode(Prediction& prediction) const {
  const Json details = std::move(prediction.details);
  std::vector<SquadWindowScores> scores;
  for (const Json& window : details.at("windows"))
    scores.push_back({candidatesIn(window.at(0)), candidatesIn(window.at(1)),
                      realFromJson(window.at(2)).value(), realFromJson(window.at(3)).value()});
  const std::int64_t split = details.at("part").get<std::int64_t>();
  SquadDecoded decoded;
  Json shown = Json::object();
  if (split == kFreeInput) {
    const std::string asked = details.at("asked").get<std::string>();
    const std::size_t end = asked.find('\n');
    const SquadPassage passage = makeSquadPassage(asked.substr(end + 1), encoding());
    const SquadRows rows = squadRows(asked.substr(0, end), passage, m_options.layout, encoding());
    decoded = decodeSquad(rows, scores, passage, m_options.decoding, encoding());
  } else {
    const SquadPart& from = m_parts[static_cast<std::size_t>(split)];
    const auto q = static_cast<std::size_t>(questionOf(static_cast<DataSplit>(split), prediction.example));
    const SquadQuestion& question = from.file.questions[q];
    SquadRows rows = from.rows[q];
    if (static_cast<DataSplit>(split) == DataSplit::Train) {  // a window by itself
      const auto window =
          static_cast<std::size_t>(from.trained[static_cast<std::size_t>(prediction.example.value)].window);
      rows.windows = {rows.windows[window]};
    }
    decoded = decodeSquad(rows, scores, from.passages[static_cast<std::size_t>(question.passage)],
                          m_options.decoding, encoding());
    shown["id"] = question.id;
  }
  prediction.text = decoded.text;
  prediction.score =
      decoded.nBest.empty() ? 0 : decoded.nBest.front().startLogit + decoded.nBest.front().endLogit;
  shown["n_best"] = squadGuessesJson(decoded.nBest);
  if (m_options.decoding.version2) {
    shown["null_score"] = jsonReal(decoded.nullScore);
    if (decoded.nullDifference) shown["null_difference"] = jsonReal(*decoded.nullDifference);
  }
  prediction.details = std::move(shown);
}

void SquadTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) decode(prediction);
}

Result<std::vector<TaskScore>> SquadTask::scoresOf(DataSplit split, const Ordered& ordered) const {
  const SquadPart& from = part(split);
  std::vector<std::int64_t> questions;
  for (const Prediction* prediction : ordered) questions.push_back(questionOf(split, prediction->example));
  return squadScores(from, questions, ordered, m_options.decoding.version2);
}

std::map<std::string, std::string> SquadTask::filesOf(DataSplit split, const Ordered& ordered) const {
  Json texts = Json::object(), odds = Json::object(), nBest = Json::object();
  for (const Prediction* prediction : ordered) {
    const std::string id = prediction->details.at("id").get<std::string>();
    texts[id] = prediction->text;
    nBest[id] = prediction->details.at("n_best");
    if (m_options.decoding.version2) odds[id] = prediction->details.value("null_difference", Json(0.0));
  }
  std::map<std::string, std::string> files{{"predictions.json", texts.dump(1) + "\n"},
                                           {"nbest_predictions.json", nBest.dump(1) + "\n"}};
  if (m_options.decoding.version2) files["null_odds.json"] = odds.dump(1) + "\n";
  return files;
}

Result<std::vector<HostBatch>> SquadTask::batchesFromText(std::span<const std::string> lines,
                                                          TextFindings* findings) const {
  TextFindings found;
  found.lengthKey = "squad.max_query";
  std::vector<SquadPassage> passages;
  std::vector<SquadRows> questions;
  std::vector<std::string> asked;
  std::vector<std::int32_t> widths;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t tab = lines[i].find('\t');
    if (tab == std::string::npos)
      return dataErrorAt("", static_cast<std::int64_t>(i) + 1, Phrase::tr("a line is: passage TAB question"));
    FATHOM_CHECK(checkCells(lines[i], 2, static_cast<std::int64_t>(i) + 1));
    passages.push_back(makeSquadPassage(lines[i].substr(0, tab), encoding()));
    questions.push_back(squadRows(lines[i].substr(tab + 1), passages.back(), m_options.layout, encoding()));
    asked.push_back(lines[i].substr(tab + 1) + "\n" + lines[i].substr(0, tab));
    found.cut += questions.back().cutQuery ? 1 : 0;
    widths.push_back(static_cast<std::int32_t>(passages.back().pieces.size()));
  }
  std::vector<HostBatch> batches;
  for (const std::vector<ExampleId>& places : planFree(widths)) {
    std::vector<Row> rows;
    std::vector<std::string> texts;
    const auto count = static_cast<std::int64_t>(places.size());
    HostArray windows(HostDtype::I64, {count}), parts(HostDtype::I64, {count});
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto at = static_cast<std::size_t>(places[i].value);
      const std::size_t own = std::max<std::size_t>(questions[at].windows.size(), 1);
      for (std::size_t w = 0; w < own; ++w) rows.push_back({&passages[at], &questions[at], nullptr, w});
      windows.values<std::int64_t>()[i] = static_cast<std::int64_t>(own);
      parts.values<std::int64_t>()[i] = kFreeInput;
      texts.push_back(asked[at]);
    }
    HostBatch batch = batchOfRows(rows);
    batch.examples = places;
    batch.arrays.emplace("windows", std::move(windows));
    batch.arrays.emplace("part", std::move(parts));
    batch.raggeds.emplace("asked", raggedOfTexts(texts));
    batches.push_back(std::move(batch));
  }
  if (findings != nullptr) *findings = found;
  return batches;
}

}  // namespace fathom
