// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/natural_questions/natural_questions_task.h"

#include <algorithm>

#include "core/base/errors/phrase.h"
#include "core/base/text/text_list.h"
#include "core/tasks/natural_questions/made_nq.h"
#include "core/tasks/natural_questions/nq_report.h"

namespace fathom {

namespace {

constexpr std::int64_t kFreePage = -1, kNqTargets = 5;

}  // namespace

TaskEntry naturalQuestionsTaskEntry() {
  return {.id = "natural_questions",
          .title = "Answers on a page (Natural Questions)",
          .paper = "Natural Questions; ETC §4.2; RealFormer §4.3",
          .fields = nqOptionFields(),
          .rules = encodedTextRules(),
          .metrics = nqMetrics(),
          .create = NaturalQuestionsTask::create,
          .texts = {{"question", "Question", TextField::Role::Input},
                    {"answer", "Answer", TextField::Role::Reference},
                    {"long_answer", "Long answer", TextField::Role::Other},
                    {"id", "Page's id", TextField::Role::Other}},
          .statistics = nqStatistics(),
          .data = {"data.train", "data.validation", ""},
          .batch = {{"batch.examples", "natural_questions.max_length"}},
          .madeData = {madeNqFiles, writeMadeNq},
          .inputExample = "<P> The bridge was opened in 1884 . </P>\twhen was the bridge opened",
          .inputForm = "page TAB question; or a record as JSON",
          .review = reviewOfParts("page"),
          .encoderOptions = [](const Json& vocabulary) {
            return textEncoderOptions("natural_questions", vocabulary);
          }};
}

NaturalQuestionsTask::NaturalQuestionsTask(const NqOptions& options, TextEncoding encoding,
                                           std::uint64_t seed)
    : LongTextTask(std::move(encoding), options.data.examples, seed), m_options(options) {}

Result<std::unique_ptr<Task>> NaturalQuestionsTask::create(const OptionValues& values,
                                                           const TaskSetup& setup) {
  FATHOM_TRY(const NqOptions options, nqOptionsFrom(values, setup.inputOnly));
  FATHOM_TRY(TextEncoding encoding, TextEncoding::make(values, setup));
  std::unique_ptr<NaturalQuestionsTask> task(
      new NaturalQuestionsTask(options, std::move(encoding), setup.seed));
  if (!setup.inputOnly) FATHOM_CHECK(task->read(setup));
  return std::unique_ptr<Task>(std::move(task));
}

Status NaturalQuestionsTask::readPages(DataSplit split, const std::string& path, const TaskSetup& setup) {
  NqPart& part = m_parts[static_cast<std::size_t>(split)];
  FATHOM_TRY(const std::vector<std::string> files, nqFiles(path));
  NqPageTaker taker(longPieces(), m_options.limits, split != DataSplit::Test, part.pages);
  for (const std::string& file : files) {
    FATHOM_TRY(const RecordFile read,
               readPart(split, file, m_options.data.skipBadLines, setup,
                        [&](const Json& json, const std::string& place) { return taker.take(json, place); }));
    part.left += read.left;
  }
  return {};
}

Status NaturalQuestionsTask::read(const TaskSetup& setup) {
  const EncodedTextOptions& data = m_options.data;
  for (const DataSplit split : kEverySplit)
    if (const std::string& file = fileOfPart(data, split); !file.empty())
      FATHOM_CHECK(readPages(split, file, setup));
  if (data.validation.empty())
    keepNqPagesApart(m_parts[0].pages, data.validationShare, data.splitSeed, m_parts[1].pages);
  for (const DataSplit split : kEverySplit) preparePart(split, setup.seed);
  if (exampleCount(DataSplit::Train) == 0)
    return dataErrorAt(data.train, 0, Phrase::tr("no window of the training file is learned from"),
                       Phrase::tr("raise natural_questions.null_share"));
  return {};
}

void NaturalQuestionsTask::preparePart(DataSplit split, std::uint64_t seed) {
  NqPart& part = m_parts[static_cast<std::size_t>(split)];
  if (part.pages.empty()) return;
  const bool train = split == DataSplit::Train;
  if (train) chooseNqWindows(part, m_options.limits, m_options.nullShare, seed);
  std::vector<std::int32_t> widths;
  const auto widthOf = [&](const NqPage& page, std::int64_t window) {
    return static_cast<std::int32_t>(nqWindowLength(page, window, m_options.limits));
  };
  for (const NqPart::Window& one : part.trained)
    widths.push_back(widthOf(part.pages[static_cast<std::size_t>(one.page)].page, one.window));
  for (const NqStoredPage& stored : part.pages)
    if (!train) widths.push_back(widthOf(stored.page, 0));  // no other is longer
  m_statistics[dataSplitName(split)] = nqStatisticsOf(part, m_options.limits);
  noteCounts(
      split, nqStatistics(),
      {"without_candidates", "without_words", "no_candidate", "cut_questions", "crowded", "leftovers"});
  setPart(split, std::move(widths));
}

std::map<std::string, std::int64_t> NaturalQuestionsTask::sizes() const {
  auto sizes = LongTextTask::sizes();
  if (m_options.padsAll) sizes["longest"] = m_options.limits.longLength;
  sizes["top"] = m_options.decoding.top;
  sizes["max_short"] = m_options.decoding.maxShort;
  sizes["real_positions"] = m_options.padsAll ? 0 : 1;
  return sizes;
}

const NqStoredPage& NaturalQuestionsTask::pageOf(DataSplit split, ExampleId example) const {
  const NqPart& from = part(split);
  const auto at = static_cast<std::size_t>(example.value);
  return from.pages[split == DataSplit::Train ? static_cast<std::size_t>(from.trained[at].page) : at];
}

HostBatch NaturalQuestionsTask::batchOfRows(std::span<const ExampleId> examples, const std::vector<Rows>& all,
                                            bool labelled) const {
  std::vector<NqWindow> windows;
  HostArray counts(HostDtype::I64, {static_cast<std::int64_t>(all.size())});
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::int64_t w = all[i].first; w < all[i].end; ++w)
      windows.push_back(layNqWindow(*all[i].page, w, longPieces(), m_options.limits));
    counts.values<std::int64_t>()[i] = all[i].end - all[i].first;
  }
  std::vector<const LongLayout*> layouts;
  for (const NqWindow& window : windows) layouts.push_back(&window.layout);
  LongRowRules rules;
  if (m_options.padsAll) rules.length = m_options.limits.longLength;
  HostBatch batch = longBatch(examples, layouts, rules);
  const auto rows = static_cast<std::int64_t>(windows.size());
  const std::int64_t width = batch.array("tokens").size(1);
  HostArray words(HostDtype::I64, {rows, width}), targets(HostDtype::I64, {rows, kNqTargets});
  std::fill(words.values<std::int64_t>().begin(), words.values<std::int64_t>().end(), -1);
  auto target = targets.values<std::int64_t>().begin();
  for (std::size_t r = 0; r < windows.size(); ++r) {
    const NqWindow& window = windows[r];
    std::copy(window.layout.word.begin(), window.layout.word.end(),
              words.values<std::int64_t>().begin() + static_cast<std::ptrdiff_t>(r) * width);
    for (const std::int64_t place : {window.shortStart, window.shortEnd, window.longStart, window.longEnd,
                                     static_cast<std::int64_t>(window.type)})
      *target++ = place;
  }
  batch.targetUnits = rows;
  batch.arrays.emplace("windows", std::move(counts));
  batch.arrays.emplace("words", std::move(words));
  if (labelled) batch.arrays.emplace("targets", std::move(targets));
  return batch;
}

HostBatch NaturalQuestionsTask::batchOf(DataSplit split, std::span<const ExampleId> examples) const {
  const NqPart& from = part(split);
  std::vector<Rows> rows;
  HostArray parts(HostDtype::I64, {static_cast<std::int64_t>(examples.size())});
  for (std::size_t i = 0; i < examples.size(); ++i) {
    const NqPage& page = pageOf(split, examples[i]).page;
    if (split == DataSplit::Train) {
      const std::int64_t window = from.trained[static_cast<std::size_t>(examples[i].value)].window;
      rows.push_back({&page, window, window + 1});
    } else {
      rows.push_back({&page, 0, nqWindowCount(page, m_options.limits)});
    }
    parts.values<std::int64_t>()[i] = static_cast<std::int64_t>(split);
  }
  HostBatch batch = batchOfRows(examples, rows, from.labelled());
  batch.arrays.emplace("part", std::move(parts));
  return batch;
}

ExampleTexts NaturalQuestionsTask::exampleTexts(DataSplit split, ExampleId example) const {
  checkExample(split, example);
  const NqStoredPage& page = pageOf(split, example);
  const NqAnnotation none;
  const NqAnnotation& first = page.annotations.empty() ? none : page.annotations.front();
  return {{"question", page.question},
          {"answer", page.textOf(first)},
          {"long_answer", first.longAnswer ? page.textOf(*first.longAnswer) : std::string()},
          {"id", page.id}};
}

void NaturalQuestionsTask::decode(Prediction& prediction) const {
  const Json details = std::move(prediction.details);
  const std::int64_t split = details.at("part").get<std::int64_t>();
  NqStoredPage free;
  const NqStoredPage* page = &free;
  if (split == kFreePage) {
    free = storedNqPage(nqAskedRecord(details.at("asked").get<std::string>()).value(), longPieces(),
                        m_options.limits);
  } else {
    page = &pageOf(static_cast<DataSplit>(split), prediction.example);
  }
  const NqPrediction answer =
      decodeNqPage(page->page.candidates, nqPageSpansFrom(details.at("spans")), m_options.decoding);
  NqAnnotation shown = answer.answer;
  Json left = nqAnswerJson(answer);
  left["long_text"] = shown.longAnswer ? page->textOf(*shown.longAnswer) : std::string();
  if (split != kFreePage) left["id"] = page->id;
  shown.longAnswer.reset();
  prediction.text = page->textOf(shown);
  prediction.score = answer.shortScore;
  prediction.details = std::move(left);
}

void NaturalQuestionsTask::complete(std::vector<Prediction>& predictions) const {
  for (Prediction& prediction : predictions) decode(prediction);
}

Result<std::vector<TaskScore>> NaturalQuestionsTask::scoresOf(DataSplit split, const Ordered& ordered) const {
  std::vector<std::vector<NqAnnotation>> pages;
  std::vector<NqPrediction> answers;
  for (const Prediction* prediction : ordered) {
    pages.push_back(pageOf(split, prediction->example).annotations);
    answers.push_back(nqAnswerFrom(prediction->details));
  }
  return nqScores(pages, answers);
}

std::map<std::string, std::string> NaturalQuestionsTask::filesOf(DataSplit split,
                                                                 const Ordered& ordered) const {
  Json list = Json::array();
  for (const Prediction* prediction : ordered)
    list.push_back(nqSubmissionEntry(prediction->details.at("id").get<std::string>(),
                                     nqAnswerFrom(prediction->details)));
  const Json file = {{"predictions", std::move(list)}};
  return {{"predictions.json", file.dump(1) + "\n"}};
}

Result<std::vector<HostBatch>> NaturalQuestionsTask::batchesFromText(std::span<const std::string> lines,
                                                                     TextFindings* findings) const {
  std::vector<NqPage> pages;
  std::vector<std::int32_t> widths;
  TextFindings found;
  found.lengthKey = "natural_questions.max_question";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Result<NqRecord> record = nqAskedRecord(lines[i]);
    if (!record.ok())
      return dataErrorAt("", static_cast<std::int64_t>(i) + 1, record.error().messagePhrase());
    pages.push_back(nqPage(*record, longPieces(), m_options.limits));
    found.cut += pages.back().cutQuestion ? 1 : 0;
    widths.push_back(static_cast<std::int32_t>(nqWindowLength(pages.back(), 0, m_options.limits)));
  }
  std::vector<HostBatch> batches;
  for (const std::vector<ExampleId>& places : planFree(widths)) {
    std::vector<Rows> rows;
    std::vector<std::string> texts;
    HostArray parts(HostDtype::I64, {static_cast<std::int64_t>(places.size())});
    std::fill(parts.values<std::int64_t>().begin(), parts.values<std::int64_t>().end(), kFreePage);
    for (const ExampleId place : places) {
      const auto at = static_cast<std::size_t>(place.value);
      rows.push_back({&pages[at], 0, nqWindowCount(pages[at], m_options.limits)});
      texts.push_back(lines[at]);
    }
    batches.push_back(batchOfRows(places, rows, false));
    batches.back().arrays.emplace("part", std::move(parts));
    batches.back().raggeds.emplace("asked", raggedOfTexts(texts));
  }
  if (findings != nullptr) *findings = found;
  return batches;
}

}  // namespace fathom
