// SPDX-License-Identifier: Apache-2.0
// Tables, passages and choices as tasks: parts, odd input, free input, files for the benchmarks; SQuAD's
// scores of published predictions.
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <set>

#include "core/base/files/atomic_file.h"
#include "core/base/text/utf8.h"
#include "core/tasks/glue/glue_task.h"
#include "core/tasks/reclor/reclor_task.h"
#include "core/tasks/squad/squad_task.h"
#include "core/text/answers/answer_score.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;

namespace {

constexpr const char* kVocabulary =
    "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]"
    "\nthe\nferry\ncrosses\nbay\nstone\nbridge\nowns\nis\nit\n1884\nin\nopened\nwas\n"
    "when\nnight\nat\nhigh\ntide\n##s\n.\n?\na\nb\n";

class Place {
 public:
  Place() { put("vocab.txt", kVocabulary); }
  std::string path(const std::string& name) const {
    return m_folder.filePath(QString::fromStdString(name)).toStdString();
  }
  std::string put(const std::string& name, const std::string& text) const {
    writeFileAtomically(path(name), text).value();
    return path(name);
  }
  Result<std::unique_ptr<Task>> task(const std::string& id, const Json& options) const {
    OptionValues values{OptionSchema(taskOptionFields(), taskOptionRules())};
    values.set("task", id).value();
    values.set("text.vocabulary.file", path("vocab.txt")).value();
    for (const auto& [key, value] : options.items()) values.set(key, value).value();
    values.check().value();
    return findTask(id)->create(values, {});
  }
  // Its error says file, and all of these words.
  void refuses(const std::string& id, const Json& options, const std::string& file,
               const std::vector<std::string>& words) const {
    const auto made = task(id, options);
    QVERIFY(!made.ok());
    const std::string text = made.error().text();
    QVERIFY2(text.find(file) != std::string::npos, text.c_str());
    for (const std::string& word : words) QVERIFY2(text.find(word) != std::string::npos, text.c_str());
    QVERIFY2(validUtf8(text), text.c_str());
  }

 private:
  QTemporaryDir m_folder;
};

constexpr const char* kRteHead = "index\tsentence1\tsentence2\tlabel\n";

std::string rteRows(int rows) {
  std::string text = kRteHead;
  for (int i = 0; i < rows; ++i)
    text += std::to_string(i) + "\tthe ferry crosses\tthe bay is " +
            (i % 2 == 0 ? "high\tentailment\n" : "night\tnot_entailment\n");
  return text;
}

Json squadJson(const Json& questions) {
  return {{"version", "1.1"},
          {"data",
           Json::array({{{"title", "t"},
                         {"paragraphs", Json::array({{{"context", "the bridge was opened in 1884 at night"},
                                                      {"qas", questions}}})}}})}};
}

Json squadQuestionJson(const std::string& id, const std::string& answer, int start) {
  return {{"id", id},
          {"question", "when was it opened ?"},
          {"answers", Json::array({{{"text", answer}, {"answer_start", start}}})}};
}

Json reclorJson(int label, const std::string& id, int answers = 4) {
  Json list = Json::array();
  for (int i = 0; i < answers; ++i) list.push_back("the bay is a");
  return {{"context", "the ferry crosses at high tide " + id},
          {"question", "is it _ ?"},
          {"answers", list},
          {"label", label},
          {"id_string", id}};
}

// A prediction of every example, the same class or choice.
std::vector<Prediction> always(const Task& task, DataSplit split, std::int64_t chosen) {
  std::vector<Prediction> all;
  for (std::int64_t i = 0; i < task.exampleCount(split); ++i) {
    Prediction one;
    one.example = ExampleId{i};
    one.ids = {chosen};
    one.details = Json::object();
    all.push_back(one);
  }
  task.complete(all);
  return all;
}

}  // namespace

class ReadingTasksTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aFolderOfGlue() {
    const Place place;
    place.put("train.tsv", rteRows(40));
    place.put("dev.tsv", "\xEF\xBB\xBF" + rteRows(7));
    place.put("test.tsv", "index\tsentence1\tsentence2\r\n0\tthe bay\tis high\r\n1\t\"the bay\tis night\r\n");
    const auto task =
        place.task("glue", {{"glue.task", "rte"}, {"data.train", place.path("")}, {"batch.examples", 8}})
            .value();
    QCOMPARE(task->exampleCount(DataSplit::Train), std::int64_t{40});
    QCOMPARE(task->exampleCount(DataSplit::Validation), std::int64_t{7});
    QCOMPARE(task->exampleCount(DataSplit::Test), std::int64_t{2});
    QCOMPARE(task->sizes().at("classes"), std::int64_t{2});
    QCOMPARE(task->dataHashes().size(), std::size_t{3});
    // Every example once an epoch, anew in the next one, the same for the same seed.
    std::vector<std::int64_t> first, second;
    for (std::int64_t b = 0; b < task->batchCount(DataSplit::Train); ++b) {
      for (const ExampleId id : task->makeTrainBatch(0, b).examples) first.push_back(id.value);
      for (const ExampleId id : task->makeTrainBatch(1, b).examples) second.push_back(id.value);
    }
    QVERIFY(first != second);
    QCOMPARE(task->makeTrainBatch(0, 0).examples.front().value, first.front());
    std::sort(first.begin(), first.end());
    for (std::size_t i = 0; i < first.size(); ++i) QCOMPARE(first[i], static_cast<std::int64_t>(i));
    const HostBatch batch = task->makeBatch(DataSplit::Validation, 0);
    QCOMPARE(batch.array("tokens").size(0), std::int64_t{7});
    QVERIFY(!task->makeBatch(DataSplit::Test, 0).arrays.contains("labels"));
    QVERIFY(!task->score(DataSplit::Test, always(*task, DataSplit::Test, 0)).ok());
    const auto files = task->submission(DataSplit::Test, always(*task, DataSplit::Test, 1)).value();
    QCOMPARE(files.at("RTE.tsv"), std::string("index\tprediction\n0\tnot_entailment\n1\tnot_entailment\n"));
    const auto scores = task->score(DataSplit::Validation, always(*task, DataSplit::Validation, 0)).value();
    QCOMPARE(scores.front().id, std::string("accuracy"));
    QVERIFY(std::abs(scores.front().value - 400.0 / 7) < 1e-9);
  }

  // A file without headings: its first row is not passed over in silence.
  void rowsAreNoHeadings() {
    const Place place;
    const auto bare = [](int rows) { return rteRows(rows).substr(std::string(kRteHead).size()); };
    for (const char* bad : {"refuse", "skip"})
      place.refuses(
          "glue",
          {{"glue.task", "rte"}, {"data.train", place.put("bare.tsv", bare(20))}, {"data.bad_lines", bad}},
          "bare.tsv", {":1", "'entailment'", "glue.header=false"});
    place.put("train.tsv", rteRows(20));
    place.put("dev.tsv", rteRows(8));
    place.put("test.tsv", "0\tthe ferry\tthe bay\n1\tthe bay\tit is\n");
    place.refuses("glue", {{"glue.task", "rte"}, {"data.train", place.path("")}}, "test.tsv", {":1", "'0'"});
    // A table of one's own: its labels are known when all of it is read.
    std::string own;
    for (int i = 0; i < 20; ++i) own += std::string("the bay\t") + (i % 2 == 0 ? "1\n" : "0\n");
    Json options = {{"glue.task", "tsv"}, {"data.train", place.put("own.tsv", own)}};
    place.refuses("glue", options, "own.tsv", {":1", "'1'", "glue.header=false"});
    options["glue.header"] = false;
    const auto whole = place.task("glue", options).value();
    QCOMPARE(whole->sizes().at("classes"), std::int64_t{2});
    QCOMPARE(whole->exampleCount(DataSplit::Train) + whole->exampleCount(DataSplit::Validation),
             std::int64_t{20});
    // Headings may be numbers, too.
    options["glue.header"] = true;
    options["data.train"] = place.put("numbered.tsv", "0\t1\n" + own);
    const auto numbered = place.task("glue", options).value();
    QCOMPARE(numbered->exampleCount(DataSplit::Train) + numbered->exampleCount(DataSplit::Validation),
             std::int64_t{20});
  }

  void ownTable() {
    const Place place;
    place.put("t.tsv",
              "kind\tnote\tsaid\nb\tx\tthe bay\na\tx\tthe ferry\nc\tx\tit is\na\ty\tit was\nb\ty\tin 1884\n");
    Json options = {{"glue.task", "tsv"},
                    {"data.train", place.path("t.tsv")},
                    {"data.validation", place.path("t.tsv")},
                    {"glue.text", "said"},
                    {"glue.label", "kind"}};
    const auto task = place.task("glue", options).value();
    QCOMPARE(task->sizes().at("classes"), std::int64_t{3});
    QCOMPARE(task->exampleTexts(DataSplit::Train, ExampleId{2})[1].second, std::string("c"));
    const auto kept = task->artifacts();
    QVERIFY(kept.contains("labels.json") && kept.contains("vocabulary.txt"));
    options["glue.label"] = "colour";
    place.refuses("glue", options, "t.tsv", {"colour", "kind"});
    options["glue.label"] = "note";
    options["data.validation"] = place.put("v.tsv", "kind\tnote\tsaid\nb\tz\tthe bay\n");
    place.refuses("glue", options, "v.tsv", {":2", "'z'", "x, y"});
    options["glue.labels"] = Json::array({"x", "y", "z"});
    QCOMPARE(place.task("glue", options).value()->sizes().at("classes"), std::int64_t{3});
  }

  // Places in the file of what was kept: sets of predictions say them.
  void placesInFiles() {
    const Place place;
    const std::string row = "\tthe bay\tis high\tentailment\n";
    const std::string text = kRteHead + ("0" + row) + "1\tthe\tbay\tmaybe\n2\t\xff\tb\tentailment\n" + "3" +
                             row + "\n4\tb\n5" + row;
    const Json skip = {{"glue.task", "rte"},
                       {"data.bad_lines", "skip"},
                       {"data.train", place.put("t.tsv", text)},
                       {"data.validation", place.path("t.tsv")}};
    const auto rte = place.task("glue", skip).value();
    std::vector<std::int64_t> rows;
    for (int i = 0; i < 3; ++i) rows.push_back(rte->fileRow(DataSplit::Validation, ExampleId{i}));
    QCOMPARE(rows, (std::vector<std::int64_t>{0, 3, 5}));
    // A share kept apart: the rows of both parts are those of the file.
    const auto shared =
        place.task("glue", {{"glue.task", "rte"}, {"data.train", place.put("s.tsv", rteRows(20))}}).value();
    std::set<std::int64_t> all;
    for (const DataSplit split : {DataSplit::Train, DataSplit::Validation})
      for (std::int64_t i = 0; i < shared->exampleCount(split); ++i) {
        const std::int64_t at = shared->fileRow(split, ExampleId{i});
        QCOMPARE(shared->exampleTexts(split, ExampleId{i})[1].second,
                 std::string(at % 2 == 0 ? "entailment" : "not_entailment"));
        all.insert(at);
      }
    QCOMPARE(all.size(), std::size_t{20});
    Json choices = Json::array();
    for (int i = 0; i < 3; ++i)
      choices.push_back(
          {{"context", "c"}, {"question", "q"}, {"answers", {"a", "b"}}, {"label", i == 1 ? 9 : 1}});
    const std::string choiceFile = place.put("c.json", choices.dump());
    const auto reclor =
        place
            .task("reclor",
                  {{"data.train", choiceFile}, {"data.validation", choiceFile}, {"data.bad_lines", "skip"}})
            .value();
    QCOMPARE(reclor->exampleCount(DataSplit::Validation), std::int64_t{2});
    QCOMPARE(reclor->fileRow(DataSplit::Validation, ExampleId{1}), std::int64_t{2});
    const Json answers = Json::array({{{"text", "1884"}, {"answer_start", 25}}});
    const std::string passages = place.put(
        "q.json", squadJson(Json::array({{{"id", "p"}, {"question", 3}},
                                         {{"id", "q"}, {"question", "when"}, {"answers", answers}}}))
                      .dump());
    const auto squad =
        place
            .task("squad",
                  {{"data.train", passages}, {"data.validation", passages}, {"data.bad_lines", "skip"}})
            .value();
    QCOMPARE(squad->fileRow(DataSplit::Validation, ExampleId{0}), std::int64_t{1});
  }

  void badTables() {
    const Place place;
    const std::string good = rteRows(20), bad = place.put("bad.tsv", good + "20\tthe bay\n");
    Json options = {{"glue.task", "rte"}, {"data.train", bad}};
    place.refuses("glue", options, "bad.tsv", {":22", "2 cells"});
    place.put("nul.tsv", good + std::string("20\tthe\0bay\tis\tentailment\n", 25));
    place.refuses("glue", {{"glue.task", "rte"}, {"data.train", place.path("nul.tsv")}}, "nul.tsv",
                  {":22", "NUL"});
    options["data.bad_lines"] = "skip";
    const auto task = place.task("glue", options).value();
    QCOMPARE(task->statistics()["train"]["bad_lines"].get<int>(), 1);
    QVERIFY(task->statistics()["notes"][0].get<std::string>().find("22") != std::string::npos);
    std::string one = kRteHead;
    for (int i = 0; i < 4; ++i) one += "0\tthe\tbay\tentailment\n";
    // Counted, and said in the log.
    place.put("odd.tsv", good + "20\tthe\tbay\tis\tentailment\n21\t \tbay\tentailment\n");
    const auto odd =
        place.task("glue", {{"glue.task", "rte"}, {"data.train", place.path("odd.tsv")}}).value();
    const std::string said = odd->statistics()["notes"].dump();
    QVERIFY2(said.find("1 rows have another number of cells") != std::string::npos, said.c_str());
    QVERIFY2(said.find("1 rows have an empty text") != std::string::npos, said.c_str());
    // One class in the data is no failure: the labels are known, and Matthews and F1 are 0 by definition.
    const auto single =
        place.task("glue", {{"glue.task", "rte"}, {"data.train", place.put("one.tsv", one)}}).value();
    QCOMPARE(single->sizes().at("classes"), std::int64_t{2});
    const std::string notes = single->statistics()["notes"].dump();
    QVERIFY2(notes.find("all rows of the train part have the label entailment") != std::string::npos,
             notes.c_str());
    place.refuses("glue",
                  {{"glue.task", "tsv"},
                   {"data.train", place.path("one.tsv")},
                   {"glue.text", "sentence1"},
                   {"glue.label", "label"}},
                  "one.tsv", {"entailment"});
  }

  void numbersThatAreAllEqual() {
    const Place place;
    std::string text = "h\n";
    for (int i = 0; i < 6; ++i) text += "0\ta\ta\ta\ta\ta\ta\tthe bay\tthe ferry\t2.5\n";
    place.put("s.tsv", text);
    const auto task = place
                          .task("glue", {{"glue.task", "stsb"},
                                         {"data.train", place.path("s.tsv")},
                                         {"data.validation", place.path("s.tsv")}})
                          .value();
    std::vector<Prediction> all;
    for (std::int64_t i = 0; i < 6; ++i) {
      Prediction one;
      one.example = ExampleId{i};
      one.details = {{"value", static_cast<double>(i)}};
      all.push_back(one);
    }
    task->complete(all);
    const auto scores = task->score(DataSplit::Validation, all).value();
    QCOMPARE(scores.size(), std::size_t{1});  // the squared error alone
    QVERIFY(scores.front().details["undefined"].contains("pearson"));
    QVERIFY(std::isfinite(scores.front().value));
  }

  // What the benchmark takes of similarities: numbers from 0 to 5, three decimals, rows of the file.
  void similaritiesAreCut() {
    const Place place;
    std::string text = "h\n";
    for (int i = 0; i < 4; ++i)
      text += "0\ta\ta\ta\ta\ta\ta\tthe bay\tthe ferry\t" + std::to_string(i) + "\n";
    place.put("s.tsv", text);
    const auto task = place
                          .task("glue", {{"glue.task", "stsb"},
                                         {"data.train", place.path("s.tsv")},
                                         {"data.validation", place.path("s.tsv")}})
                          .value();
    std::vector<Prediction> all;
    for (const double value : {-0.25, 1.23456, 5.5, 5.0}) {
      Prediction one;
      one.example = ExampleId{static_cast<std::int64_t>(all.size())};
      one.details = {{"value", value}};
      all.push_back(one);
    }
    task->complete(all);
    QCOMPARE(task->submission(DataSplit::Validation, all).value().at("STS-B.tsv"),
             std::string("index\tprediction\n0\t0.000\n1\t1.235\n2\t5.000\n3\t5.000\n"));
    QCOMPARE(all.front().text, std::string("-0.25"));  // as it is everywhere else
  }

  // F1 of a part in which nothing is or is called positive is 0 by definition, and said to be.
  void nothingIsPositive() {
    const Place place;
    std::string text = "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n";
    for (int i = 0; i < 4; ++i) text += "0\t1\t2\tthe bay\tthe ferry\n";
    place.put("m.tsv", text);
    const auto task = place
                          .task("glue", {{"glue.task", "mrpc"},
                                         {"data.train", place.path("m.tsv")},
                                         {"data.validation", place.path("m.tsv")}})
                          .value();
    for (const std::int64_t chosen : {0, 1}) {
      const auto scores =
          task->score(DataSplit::Validation, always(*task, DataSplit::Validation, chosen)).value();
      QCOMPARE(scores[1].id, std::string("f1"));
      QCOMPARE(scores[1].value, 0.0);
      QCOMPARE(scores[1].details.contains("undefined"), chosen == 0);
    }
  }

  void passages() {
    const Place place;
    const Json questions =
        Json::array({squadQuestionJson("q0", "1884", 25), squadQuestionJson("q1", "1884", 3),
                     squadQuestionJson("q2", "1999", 25), squadQuestionJson("q3", "", 0),
                     squadQuestionJson("q4", "1884", 100000)});
    const std::string file = place.put("s.json", squadJson(questions).dump());
    Json options = {{"data.train", file},   {"data.validation", file}, {"squad.max_length", 16},
                    {"squad.max_query", 6}, {"squad.stride", 4},       {"squad.positions", "real"}};
    const auto task = place.task("squad", options).value();
    QCOMPARE(task->exampleCount(DataSplit::Validation), std::int64_t{5});
    const Json train = task->statistics()["train"];
    QCOMPARE(train["wrong_start"].get<int>(), 1);
    QCOMPARE(train["empty_answers"].get<int>(), 1);
    QCOMPARE(train["not_found"].get<int>(), 2);
    const std::string said = task->statistics()["notes"].dump();
    for (const char* what :
         {"2 answers are not found again", "1 answers are empty (first: question \\\"q3\\\")",
          "1 answers begin outside of their passage (first: question \\\"q4\\\")"})
      QVERIFY2(said.find(what) != std::string::npos, said.c_str());
    QVERIFY(task->exampleCount(DataSplit::Train) >= 1);
    const HostBatch batch = task->makeBatch(DataSplit::Validation, 0);
    QCOMPARE(batch.array("windows").elements(), std::int64_t{5});
    QCOMPARE(batch.array("tokens").size(0), batch.array("targets").size(0));

    Json twice = questions;
    twice.push_back(squadQuestionJson("q0", "1884", 25));
    options["data.train"] = place.put("twice.json", squadJson(twice).dump());
    place.refuses("squad", options, "twice.json", {"q0", "twice"});
    options["data.bad_lines"] = "skip";
    QCOMPARE(place.task("squad", options).value()->statistics()["train"]["left_out"].get<int>(), 1);
    Json without = Json::array({squadQuestionJson("q9", "1884", 25)});
    without[0]["is_impossible"] = true;
    options["data.train"] = place.put("v2.json", squadJson(without).dump());
    place.refuses("squad", options, "v2.json", {"squad.version=2.0"});
    options["data.train"] = place.put("odd.json", R"({"data": [{"paragraphs": [{"qas": []}]}]})");
    place.refuses("squad", options, "odd.json", {"context"});
    options["data.train"] = place.put("cut.json", "{\"data\": [");
    place.refuses("squad", options, "cut.json", {});
  }

  // A test file tells no answers; a file that tells some says what it leaves open.
  void questionsWithoutAnswers() {
    const Place place;
    const Json answered = squadQuestionJson("q0", "1884", 25);
    Json open = squadQuestionJson("q1", "1884", 25), bare = open;
    open["answers"] = Json::array();
    bare.erase("answers");
    bare["id"] = "q2";
    const std::string file = place.put("s.json", squadJson(Json::array({answered})).dump());
    const std::string test = place.put("test.json", squadJson(Json::array({open, bare})).dump());
    const Json options = {{"data.train", file}, {"data.validation", file}, {"data.test", test}};
    const auto task = place.task("squad", options).value();
    QCOMPARE(task->exampleCount(DataSplit::Test), std::int64_t{2});
    QCOMPARE(task->makeBatch(DataSplit::Test, 0).array("targets").values<std::int64_t>()[0],
             std::int64_t{-1});
    place.refuses("squad", {{"data.train", test}, {"data.validation", file}}, "test.json",
                  {"no question has an answer"});
    const std::string some = place.put("some.json", squadJson(Json::array({answered, open, bare})).dump());
    const auto partly = place.task("squad", {{"data.train", some}, {"data.validation", file}}).value();
    const std::string said = partly->statistics()["notes"].dump();
    QVERIFY2(
        said.find("some.json: 2 questions have neither an answer nor is_impossible (first: \\\"q1\\\")") !=
            std::string::npos,
        said.c_str());
  }

  // One set of questions in every layout in which it is handed on: rows of `datasets` as a list, below
  // "data", one a line, in another order; paragraphs without articles; articles without "data".
  void squadLayouts() {
    const Place place;
    const std::string context = "the bridge was opened in 1884 at night", other = "a ferry crosses the bay";
    const auto row = [](const std::string& id, const std::string& text, const std::string& answer,
                        int start) {
      return Json{{"id", id},
                  {"title", "t"},
                  {"context", text},
                  {"question", "when was it opened ?"},
                  {"answers", {{"text", {answer}}, {"answer_start", {start}}}}};
    };
    const Json rows = Json::array(
        {row("q0", context, "1884", 25), row("q1", other, "ferry", 2), row("q2", context, "night", 33)});
    std::string lines = "\xEF\xBB\xBF";
    for (const Json& one : rows) lines += one.dump() + "\r\n\n";
    const Json paragraphs =
        Json::array({{{"context", context},
                      {"qas", {squadQuestionJson("q0", "1884", 25), squadQuestionJson("q2", "night", 33)}}},
                     {{"context", other}, {"qas", {squadQuestionJson("q1", "ferry", 2)}}}});
    const Json article = {{"title", "t"}, {"paragraphs", paragraphs}};
    const std::pair<const char*, std::string> layouts[] = {
        {"list.json", rows.dump()},
        {"data.json", Json{{"version", "0.1.0"}, {"data", rows}}.dump(1)},
        {"lines.jsonl", lines},
        {"paragraphs.json", paragraphs.dump(2)},
        {"articles.json", Json::array({article}).dump()},
        {"article.json", article.dump()},
        {"squad.json", Json{{"data", {article}}}.dump()}};
    for (const auto& [name, text] : layouts) {
      const std::string file = place.put(name, text);
      const auto task = place.task("squad", {{"data.train", file}, {"data.validation", file}}).value();
      const Json train = task->statistics()["train"];
      QVERIFY2(train["questions"] == 3 && train["passages"] == 2 && train["not_found"] == 0 &&
                   train["wrong_start"] == 0,
               (name + train.dump()).c_str());
      std::map<std::string, std::string> answers;
      for (std::int64_t i = 0; i < task->exampleCount(DataSplit::Validation); ++i) {
        std::map<std::string, std::string> texts;
        for (const auto& [key, value] : task->exampleTexts(DataSplit::Validation, ExampleId{i}))
          texts[key] = value;
        answers[texts["id"]] = texts["answer"] + "|" + texts["context"];
      }
      QVERIFY2(
          answers == (std::map<std::string, std::string>{
                         {"q0", "1884|" + context}, {"q1", "ferry|" + other}, {"q2", "night|" + context}}),
          name);
    }
    // No passage is in both parts where they are cut from one file.
    const std::string apart = place.put("apart.jsonl", lines);
    const auto cut = place.task("squad", {{"data.train", apart}, {"text.validation_share", 0.5}}).value();
    std::set<std::string> trained;
    for (std::int64_t i = 0; i < cut->exampleCount(DataSplit::Train); ++i)
      trained.insert(cut->exampleTexts(DataSplit::Train, ExampleId{i})[2].second);
    for (std::int64_t i = 0; i < cut->exampleCount(DataSplit::Validation); ++i)
      QVERIFY(!trained.contains(cut->exampleTexts(DataSplit::Validation, ExampleId{i})[2].second));
  }

  // Rows without answers are questions without one, unless no row of the file has any; what is wrong with a
  // row names its line.
  void squadRows() {
    const Place place;
    const auto row = [](const std::string& id, const Json& texts, const Json& starts) {
      return Json{{"id", id},
                  {"title", ""},
                  {"context", "the bay at night"},
                  {"question", "when?"},
                  {"answers", {{"text", texts}, {"answer_start", starts}}}};
    };
    const auto linesOf = [](const std::vector<Json>& rows) {
      std::string text;
      for (const Json& one : rows) text += one.dump() + "\n";
      return text;
    };
    const Json one = row("a", {"night"}, {11}), none = row("b", Json::array(), Json::array());
    const Json bare = {{"id", "b"}, {"question", "when?"}};
    const std::string mixed = place.put("mixed.jsonl", linesOf({one, none}));
    place.refuses("squad", {{"data.train", mixed}}, "mixed.jsonl", {"squad.version=2.0"});
    const auto task = place
                          .task("squad", {{"data.train", mixed},
                                          {"data.validation", mixed},
                                          {"data.test", place.put("test.jsonl", linesOf({none}))},
                                          {"squad.version", "2.0"}})
                          .value();
    QCOMPARE(task->statistics()["validation"]["impossible"].get<int>(), 1);
    QCOMPARE(task->statistics()["test"]["impossible"].get<int>(), 0);
    const auto refuses = [&](const char* name, const std::string& text,
                             const std::vector<std::string>& words) {
      place.refuses("squad", {{"data.train", place.put(name, text)}}, name, words);
    };
    refuses("places.jsonl", linesOf({one, row("b", {"bay", "night"}, {4})}),
            {":2", "question \"b\"", "2 texts and 1 \"answer_start\""});
    refuses("flat.jsonl", linesOf({one}) + "\n" + linesOf({row("b", "night", 11)}),
            {":3", "no lists \"text\" and \"answer_start\""});
    refuses("context.jsonl", linesOf({one, bare}), {":2", "no text \"context\""});
    refuses("cut.jsonl", linesOf({one}) + "{\"id\": 3,\n", {":2", "JSON"});
    const Json labelled = {{"sentence", "a"}, {"label", 1}};
    refuses("other.jsonl", linesOf({labelled, labelled}),
            {":1", "\"sentence\", \"label\"", "id, context, question, answers"});
    const Json columns = {{"id", {"a"}}, {"context", {"the bay"}}, {"question", {"when?"}}};
    refuses("columns.json", columns.dump(), {"no list \"data\"", "\"id\", \"context\", \"question\""});
    refuses("number.json", "3", {"neither an object nor a list"});
    refuses("none.json", "[]", {"no questions"});
    const Json skipped =
        place
            .task("squad", {{"data.train", place.put("bad.jsonl", linesOf({one, bare}) + "{\n")},
                            {"data.validation", mixed},
                            {"data.bad_lines", "skip"},
                            {"squad.version", "2.0"}})
            .value()
            ->statistics();
    QCOMPARE(skipped["train"]["left_out"].get<int>(), 2);
    Json blank = row("c", {"bay"}, {4});
    blank["question"] = " ";
    const std::string file = place.put("blank.jsonl", linesOf({one, blank}));
    const Json counted =
        place.task("squad", {{"data.train", file}, {"data.validation", file}}).value()->statistics();
    QCOMPARE(counted["train"]["empty_questions"].get<int>(), 1);
    const std::string said = counted["notes"].dump();
    QVERIFY2(said.find("1 questions are empty (first: \\\"c\\\")") != std::string::npos, said.c_str());
  }

  // A table of one's own with quotes, found by its first lines and said; GLUE's files stay as they stand.
  void tablesWithQuotes() {
    const Place place;
    const std::string csv =
        "text,label\n\"a ferry, \"\"old\"\"\",yes\n\"two\nlines\",no\nplain,yes\nthe bay,no\n";
    const Json own = {{"glue.task", "tsv"}, {"glue.text", "text"}, {"glue.label", "label"}};
    const auto with = [&](const std::string& file, const Json& more = Json::object()) {
      Json options = own;
      options["data.train"] = options["data.validation"] = file;
      options.update(more);
      return options;
    };
    const auto textsOf = [](const Task& task) {
      std::vector<std::string> texts;
      for (std::int64_t i = 0; i < task.exampleCount(DataSplit::Validation); ++i) {
        const ExampleTexts one = task.exampleTexts(DataSplit::Validation, ExampleId{i});
        texts.push_back(one[0].second + "=" + one[1].second);
      }
      return texts;
    };
    const std::vector<std::string> wanted = {"a ferry, \"old\"=yes", "two\nlines=no", "plain=yes",
                                             "the bay=no"};
    const std::string comma = place.put("comma.csv", csv);
    const auto read = place.task("glue", with(comma)).value();
    QCOMPARE(textsOf(*read), wanted);
    QVERIFY(read->statistics()["notes"].dump().find("comma.csv: read as CSV") != std::string::npos);
    std::string other = csv;
    for (char& c : other) c = c == ',' ? ';' : c;
    const auto semicolon = place.task("glue", with(place.put("semi.csv", other))).value();
    QCOMPARE(textsOf(*semicolon)[0], std::string("a ferry; \"old\"=yes"));
    // Said by the option: quotes between tabs.
    std::string tabs = csv;
    for (char& c : tabs) c = c == ',' ? '\t' : c;
    const std::string quoted = place.put("tabs.tsv", tabs);
    QCOMPARE(textsOf(*place.task("glue", with(quoted, {{"glue.format", "csv"}})).value())[1], wanted[1]);
    // Without it they are part of the texts, and where all of them have some that is said.
    const std::string all = place.put("all.tsv", "text\tlabel\n\"a bay\"\tyes\n\"a sea\"\tno\n");
    const auto plain = place.task("glue", with(all)).value();
    QCOMPARE(textsOf(*plain)[0], std::string("\"a bay\"=yes"));
    QVERIFY(plain->statistics()["notes"].dump().find("every first text begins and ends with a quote") !=
            std::string::npos);
    // A comma in a text is no CSV, nor is one in a file of GLUE.
    const std::string commas = place.put("commas.tsv", "text\tlabel\nno, never\tyes\n\"oh\tno\n");
    QCOMPARE(textsOf(*place.task("glue", with(commas)).value())[1], std::string("\"oh=no"));
    place.refuses(
        "glue",
        {{"glue.task", "rte"},
         {"data.train",
          place.put("rte.csv", "index,sentence1,sentence2,label\n0,a,b,entailment\n1,a,b,not_entailment\n")}},
        "rte.csv", {});
    place.refuses("glue", with(place.put("open.csv", csv + "\"open,yes\n")), "open.csv",
                  {"quote is never closed"});
    place.refuses("glue", with(place.put("short.csv", csv + "alone\n")), "short.csv", {":7", "1 cells"});
  }

  // Bytes that are no JSON name their line; a mark at the beginning and ends of lines of Windows are nothing.
  void bytesOfRecords() {
    const Place place;
    const std::string passages = squadJson(Json::array({squadQuestionJson("q0", "1884", 25)})).dump(1);
    const std::string choices = Json::array({reclorJson(0, "a"), reclorJson(1, "b")}).dump(1);
    for (const auto& [id, good] :
         {std::pair<std::string, std::string>{"squad", passages}, {"reclor", choices}}) {
      std::string windows = "\xEF\xBB\xBF";
      for (const char c : good) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
      const std::string fine = place.put("fine.json", windows);
      QVERIFY(place.task(id, {{"data.train", fine}, {"data.validation", fine}}).ok());
      std::string nul = good;
      const std::size_t at = nul.find("the ");
      nul[at] = '\0';
      const auto line = 1 + std::count(nul.begin(), nul.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      const std::string colon = ":" + std::to_string(line);
      place.refuses(id, {{"data.train", place.put("nul.json", nul)}, {"data.validation", fine}}, "nul.json",
                    {colon});
      nul[at] = '\xFF';
      place.refuses(id, {{"data.train", place.put("bytes.json", nul)}, {"data.validation", fine}},
                    "bytes.json", {colon});
    }
  }

  // 100,000 words: windows are places, rows are made when they are asked for.
  void aLongPassage() {
    const Place place;
    std::string text;
    for (int i = 0; i < 100000; ++i) text += "the ";
    text += "1884";
    Json json = squadJson(Json::array({squadQuestionJson("q", "1884", static_cast<int>(text.size()) - 4)}));
    json["data"][0]["paragraphs"][0]["context"] = text;
    const std::string file = place.put("long.json", json.dump());
    const auto task = place.task("squad", {{"data.train", file}, {"data.validation", file}}).value();
    QVERIFY(task->exampleCount(DataSplit::Train) > 700);
    QCOMPARE(task->exampleCount(DataSplit::Validation), std::int64_t{1});
  }

  void choices() {
    const Place place;
    Json list = Json::array();
    for (int i = 0; i < 6; ++i)
      list.push_back(reclorJson(i % 3, (i < 2 ? "easy_" : "hard_") + std::to_string(i), 3 + i % 3));
    const std::string file = place.put("r.json", list.dump());
    Json bare = list;
    for (Json& one : bare) one.erase("label");
    Json options = {
        {"data.train", file}, {"data.validation", file}, {"data.test", place.put("test.json", bare.dump())}};
    const auto task = place.task("reclor", options).value();
    const HostBatch batch = task->makeBatch(DataSplit::Validation, 0);
    QCOMPARE(batch.array("tokens").size(0), std::int64_t{24});
    const auto scores = task->score(DataSplit::Validation, always(*task, DataSplit::Validation, 0)).value();
    QCOMPARE(scores.size(), std::size_t{3});
    QVERIFY(std::abs(scores[0].value - 100.0 / 3) < 1e-9);
    QCOMPARE(scores[1].id, std::string("accuracy_easy"));
    const auto files = task->submission(DataSplit::Test, always(*task, DataSplit::Test, 2)).value();
    QCOMPARE(files.at("test_preds.npy").size(), std::size_t{128 + 6 * 8});
    const std::vector<std::string> free = {"the bay\tis it ?\thigh\tnight"};
    QCOMPARE(task->batchesFromText(free, nullptr).value().front().array("choices").values<std::int64_t>()[0],
             std::int64_t{2});
    QVERIFY(!task->batchesFromText(std::vector<std::string>{"the bay\tis it ?\thigh"}, nullptr).ok());

    Json empty = list;
    empty[0]["question"] = " ";
    empty[1]["answers"][0] = "";
    options["data.train"] = place.put("empty.json", empty.dump());
    QCOMPARE(place.task("reclor", options).value()->statistics()["train"]["empty_texts"].get<int>(), 2);
    Json bad = list;
    bad[1]["label"] = 7;
    options["data.train"] = place.put("bad.json", bad.dump());
    place.refuses("reclor", options, "bad.json", {"question 2", "7"});
    bad[1]["label"] = "0";
    options["data.train"] = place.put("words.json", bad.dump());
    place.refuses("reclor", options, "words.json", {"question 2", "easy_1", "\"0\""});
    // Long values are cut between two characters.
    std::string longLabel = "x";
    for (int i = 0; i < 30; ++i) longLabel += "错";
    bad[1]["label"] = longLabel;
    options["data.train"] = place.put("long.json", bad.dump());
    place.refuses("reclor", options, "long.json", {"question 2", "错… is not the place of one of 4 answers"});
    bad = list;
    bad[1]["id_string"] = "easy_0";
    options["data.train"] = place.put("twice.json", bad.dump());
    place.refuses("reclor", options, "twice.json", {"easy_0", "twice"});
    bad = list;
    bad[3].erase("label");
    options["data.train"] = place.put("some.json", bad.dump());
    place.refuses("reclor", options, "some.json", {"label"});
    bad[3]["answers"] = Json::array({"one"});
    options["data.train"] = place.put("few.json", bad.dump());
    place.refuses("reclor", options, "few.json", {"question 4", "1 answers"});
  }

  // Exact match and F1 of two systems on SQuAD's questions, digit for digit.
  void publishedPredictions() {
    const std::string file = fixtures::dataPath("squad_v1.1_xquad_en/dev.json");
    if (file.empty()) QSKIP("no data");
    const SquadFile gold = readSquadFile(file, false).value();
    QCOMPARE(gold.questions.size(), std::size_t{245});
    const std::tuple<const char*, const char*, const char*> systems[] = {
        {"pred.dev.bert_ensemble.json", "72.245", "84.119"},
        {"pred.dev.logistic_regression.json", "25.714", "36.711"}};
    for (const auto& [name, exact, f1] : systems) {
      const Json predicted =
          fixtures::readJson(fixtures::dataPath(std::string("squad_v1.1_xquad_en/") + name));
      std::vector<AnsweredQuestion> answered;
      for (const SquadQuestion& question : gold.questions) {
        AnsweredQuestion one;
        one.id = question.id;
        for (const SquadAnswer& answer : question.answers) one.gold.push_back(answer.text);
        if (predicted.contains(question.id)) one.prediction = predicted[question.id].get<std::string>();
        answered.push_back(std::move(one));
      }
      const AnswerEvaluation own = evaluateAnswers(answered, AnswerRules::Answerable);
      QCOMPARE(own.missing, std::int64_t{0});
      QCOMPARE(QString::number(own.all.exact, 'f', 3), QString(exact));
      QCOMPARE(QString::number(own.all.f1, 'f', 3), QString(f1));
    }
  }
};

QTEST_APPLESS_MAIN(ReadingTasksTest)
#include "tst_reading_tasks.moc"
