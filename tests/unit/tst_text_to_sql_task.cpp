// SPDX-License-Identifier: Apache-2.0
// Task "text_to_sql": what its entry says, scores, free questions, bad input, real data (docs/text_to_sql.md
// §7).
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "core/spider/data/made_spider.h"
#include "core/spider/data/prediction_file.h"
#include "core/spider/grammar/sql_tree.h"
#include "core/tasks/text_to_sql/text_to_sql_score.h"
#include "tests/unit/support_spider_data.h"
#include "tests/unit/support_sql_task.h"

using namespace fathom;
using namespace fathom::sql_task;

namespace {

// Whether a search may return these actions (docs/sql_grammar.md §5).
bool mayReturn(const SqlDatabases& databases, std::int64_t database,
               const std::vector<GrammarAction>& actions) {
  const SpiderSchema& schema = *databases.at(database).schema;
  const auto tree = treeFromActions(actions, expandedCount(schema));
  return tree.ok() && treeIsValid(*tree, schema);
}

}  // namespace

class TestTextToSqlTask : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void whatTheEntrySaysIsTrue() {
    const TaskEntry& entry = *findTask("text_to_sql");
    QCOMPARE(entry.id, std::string("text_to_sql"));
    const auto task = entry.create(sample().options(), {}).value();
    const ExampleTexts texts = task->exampleTexts(DataSplit::Validation, ExampleId{0});
    QCOMPARE(texts.size(), entry.texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) QCOMPARE(texts[i].first, entry.texts[i].id);
    const Json train = task->statistics()["train"];
    QCOMPARE(train["records"].get<int>(), train["examples"].get<int>());  // all of the sample is used
    int found = 0;
    for (const StatisticField& field : entry.statistics) {
      const std::string head = field.path.substr(0, field.path.find('.'));
      QVERIFY2(train.contains(head), field.path.c_str());
      found += head == "left_out" || head == field.path ||
               train[head].contains(field.path.substr(head.size() + 1));
    }
    QCOMPARE(std::size_t(found), entry.statistics.size());
    const OptionValues options = sample().options();
    for (const auto& [part, key] : entry.review.files) QVERIFY2(options.active(key), key.c_str());
    const auto batches = task->batchesFromText(std::span(&entry.inputExample, 1)).value();
    QCOMPARE(batches.size(), std::size_t{1});
    std::set<std::string> ids;
    for (const Metric& metric : entry.metrics) QVERIFY2(ids.insert(metric.id).second, metric.id.c_str());
    const Json encoder =
        entry.encoderOptions({{"kind", "byte_bpe"}, {"file", "v.json"}, {"next_sentence", false}});
    OptionValues values = sample().options();
    for (const auto& [key, value] : encoder.items())
      if (key != "task") values.set(key, value).value();
    QCOMPARE(values.text("spider.vocabulary.kind"), std::string("byte_bpe"));
  }

  void goldScoresFully() {
    const auto task = sampleTask();
    auto predictions = completed(*task, DataSplit::Validation);
    const auto scores = task->score(DataSplit::Validation, predictions).value();
    QCOMPARE(scores[0].id, std::string("exact_match"));
    for (const TaskScore& score : scores) QVERIFY2(score.value == 100.0, score.id.c_str());
    std::set<std::string> declared;
    for (const Metric& metric : textToSqlMetrics()) declared.insert(metric.id);
    for (const TaskScore& score : scores) QVERIFY2(declared.contains("valid." + score.id), score.id.c_str());
    // Another column: the sketch stays. No tree at all: nothing but the fallback.
    Prediction& wrong = predictions[0];
    const auto column =
        std::find_if(wrong.ids.begin() + 1, wrong.ids.end(), [](auto id) { return id > 1000; });
    QVERIFY(column != wrong.ids.end());
    *column = *column == 1006 ? 1007 : 1006;
    predictions[1].ids.pop_back();
    predictions[2].ids.clear();
    predictions[3].ids = {-1, 39};
    task->complete(predictions);
    for (const std::size_t i : {1, 2, 3}) QCOMPARE(predictions[i].text, std::string("SELECT *"));
    const auto less = task->score(DataSplit::Validation, predictions).value();
    const double all = static_cast<double>(predictions.size());
    QVERIFY(qFuzzyCompare(scoreOf(less, "exact_match"), 100 * (all - 4) / all));
    QVERIFY(qFuzzyCompare(scoreOf(less, "internal_match"), 100 * (all - 4) / all));
    QVERIFY(qFuzzyCompare(scoreOf(less, "sketch_match"), 100 * (all - 3) / all));
    QVERIFY(less[0].details["parse_errors"].get<int>() == 3);
    QVERIFY(!mayReturn(databasesOf(*task), 0, {}));
    auto twice = predictions;
    twice.push_back(twice[0]);
    QVERIFY(!task->score(DataSplit::Validation, twice));
    predictions.pop_back();
    const auto missing = task->score(DataSplit::Validation, predictions);
    QVERIFY(!missing && missing.error().message.find("no prediction for example") != std::string::npos);
  }

  void freeQuestions() {
    const auto task = sampleTask({{"batch.evaluation_examples", 2}});
    const Texts lines = {"town_library\tHow many readers are there?",
                         "flower_market\tWhat's the city of Ada?", "town_library\tWhich books?"};
    const auto batches = task->batchesFromText(lines, nullptr).value();
    QCOMPARE(batches.size(), std::size_t{2});
    QCOMPARE(examplesOf(batches[1]), std::vector<std::int64_t>{2});
    QVERIFY(!batches[0].raggeds.contains("actions"));
    QCOMPARE(valueAt(batches[0], "words", 0), std::int64_t{6});
    const auto fault = [&](const std::string& line) {
      const Texts both = {lines[0], line};
      const auto made = task->batchesFromText(both, nullptr);
      // The line among those that were given; who reads a file names it.
      return made.ok() ? std::string("no error")
                       : "line " + std::to_string(made.error().line) + ": " + made.error().text();
    };
    QVERIFY2(fault("How many?").find("line 2: there is no TAB") != std::string::npos, fault("x").c_str());
    const std::string unknown = fault("town_libary\tHow many?");
    QVERIFY2(unknown.find("line 2") != std::string::npos &&
                 unknown.find("town_libary") != std::string::npos &&
                 unknown.find("did you mean \"town_library\"") != std::string::npos,
             unknown.c_str());
    QVERIFY2(fault("nothing like it\tHow?").find("3 databases are known") != std::string::npos, "hint");
    QVERIFY(fault("town_library\t  ").find("the question is empty") != std::string::npos);
    std::string endless = "town_library\t";
    for (int i = 0; i < 10'000; ++i) endless += "word ";
    TextFindings found;
    const Texts lengthy = {endless, lines[0]};
    const auto rest = task->batchesFromText(lengthy, &found).value();
    QCOMPARE(found.leftOut, std::int64_t{1});
    QCOMPARE(found.lengthKey, std::string("spider.max_pieces"));
    QCOMPARE(examplesOf(rest.at(0)), std::vector<std::int64_t>{1});
  }

  // What a running program asks: lines, or objects with words and links of their own.
  void requests() {
    const auto task = sampleTask();
    const std::vector<Json> typed = {"town_library\tHow many readers are there?",
                                     {{"database", "flower_market"}, {"question", "Which flowers?"}}};
    const RequestBatches made = task->batchesFromRequests(typed).value();
    const Texts lines = {"town_library\tHow many readers are there?", "flower_market\tWhich flowers?"};
    const auto same = task->batchesFromText(lines, nullptr).value();
    QCOMPARE(made.batches[0].array("tokens").bytes(), same[0].array("tokens").bytes());
    QCOMPARE(made.inputs.size(), std::size_t{2});
    Json input = made.inputs[0];
    QCOMPARE(input["tokens"].size(), std::size_t{6});
    QCOMPARE(input["items"]["tables"].back().get<std::string>(), std::string("*"));
    QVERIFY(!input["table_links"].empty());
    // What the reply says asks the same again; other links make other relations.
    const std::vector<Json> again = {input};
    const RequestBatches repeated = task->batchesFromRequests(again).value();
    QVERIFY(repeated.inputs[0] == input);
    const auto relations = [](const RequestBatches& of) {
      return rowOfRagged(of.batches[0].ragged("relations"), 0);
    };
    const std::vector<Json> alone = {typed[0]};
    QVERIFY(relations(repeated) == relations(task->batchesFromRequests(alone).value()));
    input["table_links"] = Json::array();
    input["column_links"] = {{3, 0, 1}};
    const std::vector<Json> edited = {input};
    const RequestBatches other = task->batchesFromRequests(edited).value();
    QVERIFY(other.inputs[0]["column_links"] == input["column_links"]);
    QVERIFY(relations(other) != relations(repeated));
    const auto fault = [&](const Json& item) {
      const std::vector<Json> both = {typed[0], item};
      const auto refused = task->batchesFromRequests(both);
      return refused.ok() ? std::string("no error") : refused.error().text();
    };
    QVERIFY2(fault("How many?").find("item 1: there is no TAB") != std::string::npos, "item");
    QVERIFY(fault({{"database", "town_libary"}, {"question", "x"}}).find("did you mean") !=
            std::string::npos);
    QVERIFY(fault({{"database", "town_library"}}).find("no text \"question\"") != std::string::npos);
    input["column_links"] = {{3, 6, 1}};
    QVERIFY2(fault(input).find("[3,6,1] is no [item below") != std::string::npos, fault(input).c_str());
    input.erase("column_links");
    QVERIFY(fault(input).find("no list \"column_links\"") != std::string::npos);
    input["tokens"] = {1};
    QVERIFY(fault(input).find("\"tokens\" holds 1") != std::string::npos);
  }

  // A run goes on, and predicts, without the files it was made from.
  void artifactsAreEnough() {
    const OptionValues options = sample().options({{"spider.tables", "/gone/tables.json"},
                                                   {"spider.vocabulary.file", "/gone/vocabulary.txt"},
                                                   {"data.train", "/gone/train.json"},
                                                   {"data.validation", ""}});
    TaskSetup setup;
    setup.inputOnly = true;
    setup.artifacts = sampleTask()->artifacts();
    const auto task = sqlTask(options, setup);
    const Texts line = {"town_library\tHow many readers are there?"};
    QCOMPARE(task->batchesFromText(line, nullptr).value()[0].array("tokens").bytes(),
             sampleTask()->batchesFromText(line, nullptr).value()[0].array("tokens").bytes());
    setup.artifacts.erase("tables.json");
    const auto less = TextToSqlTask::create(options, setup);
    QVERIFY(!less && less.error().message.find("tables.json") != std::string::npos);
  }

  void badExamplesAreCountedAndNamed() {
    std::string longQuestion = "x";
    for (int i = 0; i < 300; ++i) longQuestion += "\xc3\xa9";  // cut between two of them where it is listed
    for (int i = 0; i < 10'000; ++i) longQuestion += "word ";
    const Json records = {
        record("town_library", "How many readers are there?", "SELECT count(*) FROM reader"),
        record("townlibrary", "How many?", "SELECT count(*) FROM reader"),
        record("town_library", " ", "SELECT count(*) FROM reader"),
        record("town_library", "What colour?", "SELECT colour FROM reader"),
        record("town_library", "Half?", "SELECT age * reader_id FROM reader"),
        record("town_library", "How many?", "SELECT count(*) FROM (SELECT age FROM reader)"),
        record("town_library", longQuestion, "SELECT count(*) FROM reader")};
    const std::string file = sample().write("bad.json", records);
    const auto task =
        sampleTask({{"data.train", file}, {"data.validation", file}, {"spider.max_pieces", 200}});
    for (const char* part : {"train", "validation"}) {
      const Json statistics = task->statistics()[part];
      QCOMPARE(statistics["records"].get<int>(), 7);
      QCOMPARE(leftOut(*task, part, "unknown_database"), std::int64_t{1});
      QCOMPARE(leftOut(*task, part, "empty_question"), std::int64_t{1});
      QCOMPARE(leftOut(*task, part, "parse_failure"), std::int64_t{1});
      QCOMPARE(leftOut(*task, part, "not_expressible"), std::int64_t{1});
    }
    QCOMPARE(leftOut(*task, "train", "not_round_trip"), std::int64_t{1});
    QCOMPARE(leftOut(*task, "train", "too_long"), std::int64_t{1});
    QCOMPARE(leftOut(*task, "validation", "row_too_long"), std::int64_t{1});
    const Json named = task->statistics()["train"]["left_out_examples"];
    QCOMPARE(named.size(), std::size_t{6});
    QCOMPARE(named[0]["example"].get<int>(), 1);
    QVERIFY(named[0]["why"].get<std::string>().find("townlibrary") != std::string::npos);
    QVERIFY(named.dump().size() > 400);  // which valid UTF-8 alone gives
    QVERIFY(named[2]["why"].get<std::string>().find("colour") != std::string::npos);
    // Records keep their numbers, and what the encoder cannot read counts as wrong.
    QCOMPARE(task->exampleCount(DataSplit::Validation), std::int64_t{7});
    const auto predictions = completed(*task, DataSplit::Validation);
    QCOMPARE(predictions.size(), std::size_t{2});
    QCOMPARE(predictions[1].example.value, std::int64_t{5});
    const auto scores = task->score(DataSplit::Validation, predictions).value();
    QCOMPARE(scores[0].details["all"].get<int>(), 3);
    QCOMPARE(scores[0].details["rows_too_long"].get<int>(), 1);
    QCOMPARE(scores[0].details["right"].get<int>(), 1);
    const std::vector<ExampleId> out = {ExampleId{1}};
    QVERIFY_THROWS_EXCEPTION(Failure, task->makeBatchOf(DataSplit::Train, out));
  }

  void badFilesAreRefused() {
    const auto fault = [](const Changes& changes) {
      const auto made = TextToSqlTask::create(sample().options(changes), {});
      return made.ok() ? std::string("no error") : made.error().text();
    };
    const std::string foreign = sample().write(
        "foreign.json", Json::array({record("elsewhere", "How many?", "SELECT count(*) FROM x")}));
    const std::string none = fault({{"data.train", foreign}});
    QVERIFY2(none.find("foreign.json") != std::string::npos &&
                 none.find("none of 1 examples") != std::string::npos &&
                 none.find("unknown_database") != std::string::npos,
             none.c_str());
    const std::string noText =
        fault({{"data.train", sample().write("nokeys.json", Json::array({{{"db_id", "a"}}}))}});
    QVERIFY2(noText.find("record 0") != std::string::npos && noText.find("question") != std::string::npos,
             noText.c_str());
    Json tables = parseJson(readFile(sample().folder() + "/tables.json").value(), "tables").value();
    tables[0].erase("foreign_keys");
    const std::string keys = fault({{"spider.tables", sample().write("nokeys_tables.json", tables)}});
    QVERIFY2(keys.find("\"foreign_keys\" is missing") != std::string::npos, keys.c_str());
    QVERIFY(
        fault({{"spider.tables", sample().write("empty_tables.json", Json::array())}}).find("no database") !=
        std::string::npos);
    QVERIFY(fault({{"data.validation", ""}}).find("data.validation") != std::string::npos);
    QVERIFY(fault({{"spider.tables", ""}}).find("spider.tables") != std::string::npos);
    QVERIFY(fault({{"spider.vocabulary.kind", "byte_bpe"}}) != "no error");
    QVERIFY(fault({{"data.train", sample().folder() + "/not there.json"}}).find("not there.json") !=
            std::string::npos);
    QVERIFY(sample().options().set("spider.linking", "no such linker").ok() == false);
  }

  // What the entry names as gold of a review is the data set: the same queries as a gold file.
  void theReviewReadsTheDataSet() {
    const auto gold = readGoldFile(sample().folder() + "/validation.json").value();
    QCOMPARE(std::int64_t(gold.size()), sampleTask()->exampleCount(DataSplit::Validation));
    const auto texts = sampleTask()->exampleTexts(DataSplit::Validation, ExampleId{3});
    QCOMPARE(gold[3].sql, texts[1].second);
    QCOMPARE(gold[3].dbId, texts[2].second);
    QCOMPARE(gold[3].line, std::int64_t{4});
    QVERIFY(!readGoldFile(sample().write("none.json", Json::array())));
    if (fixtures::spiderFile("dev.json").empty()) return;
    const auto file = readGoldFile(fixtures::spiderFile("dev_gold.sql")).value(),
               data = readGoldFile(fixtures::spiderFile("dev.json")).value();
    QCOMPARE(file.size(), data.size());
    for (std::size_t i = 0; i < file.size(); ++i)
      QVERIFY(file[i].sql == data[i].sql && file[i].dbId == data[i].dbId);
    QCOMPARE(readGoldFile(fixtures::spiderFile("train_spider.json.gz")).value().size(), std::size_t{7000});
  }

  void stopsOnRequest() {
    TaskSetup setup;
    setup.stop.requestStop();
    const auto made = TextToSqlTask::create(sample().options(), setup);
    QVERIFY(!made && made.error().kind == ErrorKind::Interrupted);
  }

  // Real Spider: what is kept, how long it is, what gold reaches, what a blind model scores.
  void realSpider() {
    const std::string vocabulary = fixtures::dataPath("bert_vocab/vocab_uncased.txt");
    if (fixtures::spiderFile("dev.json").empty() || vocabulary.empty()) QSKIP("no Spider data");
    const auto task = sqlTask(sample().options({{"data.train", fixtures::spiderFile("train_spider.json.gz")},
                                                {"data.validation", fixtures::spiderFile("dev.json")},
                                                {"data.test", ""},
                                                {"spider.tables", fixtures::spiderFile("tables.json")},
                                                {"spider.databases", ""},
                                                {"spider.linking", "none"},
                                                {"spider.vocabulary.file", vocabulary},
                                                {"spider.sql_style", "released"}}));
    const Json train = task->statistics()["train"], dev = task->statistics()["validation"];
    QCOMPARE(train["examples"].get<int>(), 6853);
    Json leftOut = Json::object();
    for (const LeftOutReason& reason : leftOutReasons()) leftOut[reason.id] = 0;
    leftOut.update({{"known_bad", 1}, {"not_round_trip", 66}, {"too_long", 80}});
    QCOMPARE(train["left_out"].dump(), leftOut.dump());
    QCOMPARE(train["left_out_examples"].size(), std::size_t{147});
    QCOMPARE(dev["examples"].get<int>(), 1034);
    QCOMPARE(dev["changed_by_round_trip"].get<int>(), 18);
    QCOMPARE(task->batchCount(DataSplit::Train), std::int64_t{429});
    QCOMPARE(train["columns"]["longest"].get<int>(), 118);
    QCOMPARE(train["elements"]["longest"].get<int>(), 158);
    QCOMPARE(dev["elements"]["longest"].get<int>(), 113);
    QCOMPARE(dev["pieces"]["longest"].get<int>(), 251);
    QCOMPARE(train["pieces"]["longest"].get<int>(), 381);
    QVERIFY(std::abs(train["elements"]["mean"].get<double>() - 56.5) < .1);
    QVERIFY(std::abs(dev["elements"]["mean"].get<double>() - 49.6) < .1);
    QVERIFY(std::abs(train["actions"]["mean"].get<double>() - 29.8) < .05);
    const Json blind = task->statistics()["ignorant_nll"];
    QVERIFY2(std::abs(blind["rules"].get<double>() - 10.15) < .01, blind.dump().c_str());
    QVERIFY2(std::abs(blind["columns"].get<double>() - 13.17) < .01, blind.dump().c_str());
    QVERIFY(std::abs(task->targetUnigramEntropy() - 23.3) < .1);
    const SqlDatabases databases = databasesOf(*task, fixtures::spiderFile("tables.json"));
    auto predictions = completed(*task, DataSplit::Validation);
    int refused = 0;
    for (Prediction& prediction : predictions) {
      if (mayReturn(databases, prediction.ids[0], {prediction.ids.begin() + 1, prediction.ids.end()}))
        continue;
      prediction.ids.clear();
      ++refused;
    }
    QCOMPARE(refused, 2);
    task->complete(predictions);
    const auto scores = task->score(DataSplit::Validation, predictions).value();
    QCOMPARE(scores[0].details["right"].get<int>(), 1018);
    QVERIFY(qFuzzyCompare(scoreOf(scores, "internal_match"), 100.0 * 1014 / 1034));
    QCOMPARE(QString::number(scoreOf(scores, "exact_match_hard"), 'f', 1), QString("94.3"));
  }
};

QTEST_APPLESS_MAIN(TestTextToSqlTask)
#include "tst_text_to_sql_task.moc"
