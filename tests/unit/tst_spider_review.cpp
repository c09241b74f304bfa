// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// A review of several prediction files: what it holds, who it recognises again, and what people decide about
// it (undo, stale verdicts, restart).
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>
#include <fstream>

#include "core/base/files/atomic_file.h"
#include "core/review/judgements.h"
#include "core/review/review.h"
#include "core/review/reviewed_sql.h"
#include "core/review/stored_review.h"
#include "core/spider/data/made_spider.h"
#include "core/spider/data/spider_tables.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;

namespace {

const std::string kData = fixtures::dataFolder();

struct Project {
  QTemporaryDir folder;
  SpiderSources sources;
  std::unique_ptr<ProjectLibrary> library;

  Project() {
    const std::string at = folder.path().toStdString() + "/";
    writeMadeSpider(makeSpiderData(), at + "sample").value();
    sources.gold = at + "sample/dev_gold.sql";
    sources.tables = at + "sample/tables.json";
    sources.questions = at + "sample/dev.json";
    for (const char* name : {"careful", "hasty"})
      sources.predictions.push_back(spiderPredictions(at + "sample/predictions/" + name + ".sql"));
    library = ProjectLibrary::create(at + "p.fathom").value();
  }
  SpiderReview open(const char* preset = "paper_like") const {
    Progress progress;
    return openSpiderReview(sources, {categoryPreset(preset).value(), MatchRules::Official, 2}, progress)
        .value();
  }
  Review review(const char* preset = "paper_like") const {
    return sqlReview(open(preset), reviewSourcesOf(sources, preset));
  }
  std::string text(std::size_t model) const { return readFile(sources.predictions[model].path).value(); }
  void rewrite(std::size_t model, const std::string& text) const {
    writeFileAtomically(sources.predictions[model].path, text).value();
  }
};

// First example of a model with this category.
std::size_t exampleOf(const SpiderReview& review, std::size_t model, ErrorCategory category) {
  std::size_t i = 0;
  while (review.models[model].verdicts[i].category != category) ++i;
  return i;
}

}  // namespace

class TestSpiderReview : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void holdsEverything() {
    const Project project;
    const SpiderReview review = project.open();
    QCOMPARE(review.models.size(), std::size_t{2});
    QCOMPARE(review.models[1].name, std::string("hasty"));
    QCOMPARE(review.questions.size(), review.examples());
    QCOMPARE(review.features.size(), review.examples());
    for (const auto& model : review.models) {
      QCOMPARE(model.verdicts.size(), review.examples());
      QCOMPARE(model.evaluation.verdicts.size(), review.examples());
    }
    // One pair alone is judged as in the file.
    for (std::size_t i = 0; i < review.examples(); ++i) {
      const auto judged = judgeSql(review, review.models[1].pairs[i]);
      QCOMPARE(judged.category.category, review.models[1].verdicts[i].category);
      QCOMPARE(judged.match.match.exact, review.models[1].evaluation.verdicts[i].match.exact);
    }
    const SpiderSources again = spiderSourcesFromJson(project.sources.toJson()).value();
    QVERIFY(again.toJson().dump() == project.sources.toJson().dump());
  }

  // A run predicted three of its examples, the first bad one of which its data left out: "row" is the place
  // in the file, "example" what its own details go by. The others are no mistakes of it.
  void onlyWhatWasPredicted() {
    Project project;
    const SpiderReview all = project.open();
    std::string set;
    const std::size_t rows[] = {1, 2, 5};
    for (std::size_t i = 0; i < 3; ++i)
      set += Json{{"example", i}, {"row", rows[i]}, {"prediction", all.models[0].pairs[rows[i]].predicted}}
                 .dump() +
             "\n";
    const std::string path = project.folder.path().toStdString() + "/set.jsonl";
    writeFileAtomically(path, set).value();
    project.sources.predictions = {spiderPredictions("run=" + path)};
    const SpiderReview wrong = project.open();
    QCOMPARE(wrong.examples(), all.examples());
    project.sources.onlyPredicted = true;
    const SpiderReview review = project.open();
    QCOMPARE(review.examples(), std::size_t{3});
    QCOMPARE(review.questions.size(), std::size_t{3});
    QCOMPARE(review.models[0].numbers, (std::vector<std::int64_t>{0, 1, 2}));
    for (std::size_t i = 0; i < 3; ++i) {
      QCOMPARE(review.gold[i].sql, all.gold[rows[i]].sql);
      QCOMPARE(review.questions[i], all.questions[rows[i]]);
      QCOMPARE(review.models[0].evaluation.verdicts[i].match.exact,
               all.models[0].evaluation.verdicts[rows[i]].match.exact);
    }
    for (const Phrase& note : review.models[0].notes)
      QVERIFY2(note.english().find("count as wrong") == std::string::npos, note.english().c_str());
    QVERIFY(review.notes.front().english().starts_with(std::to_string(all.examples() - 3) + " examples"));
    // The shell says it as an option of the kind, and sets it where it reviews a run.
    ReviewSources kind{
        "sql", project.sources.gold, {{"tables", project.sources.tables}}, {}, {{"run", path}}};
    Progress quiet;
    QCOMPARE(openReview(kind, 1, quiet)->examples(), all.examples());
    kind.options["examples"] = "predicted";
    const auto ofKind = openReview(kind, 1, quiet);
    QVERIFY2(ofKind.ok(), ofKind.ok() ? "" : ofKind.error().text().c_str());
    QCOMPARE(ofKind->examples(), std::size_t{3});
    QCOMPARE(ofKind->models[0].missing, 0);
    const SpiderSources again = spiderSourcesFromJson(project.sources.toJson()).value();
    QVERIFY(again.onlyPredicted);
    QVERIFY(!spiderSourcesFromJson(Project().sources.toJson())->onlyPredicted);
  }

  void anotherPresetIsAnotherView() {
    const Project project;
    SpiderReview review = project.open();
    QVERIFY(recategorise(review, categoryPreset("tables_inferred").value(), {}, 2).ok());
    QVERIFY(review.categories() == project.open("tables_inferred").categories());
    QCOMPARE(review.presetKey(), std::string("tables_inferred/2"));
  }

  void identityIsOfTheQueriesNotOfTheFile() {
    const Project project;
    const SpiderReview before = project.open();
    std::string text = project.text(1), crlf;
    for (const char c : text) crlf += c == '\n' ? "\r\n" : std::string(1, c);
    project.rewrite(1, crlf);
    const SpiderReview same = project.open();
    QCOMPARE(same.dataset, before.dataset);
    QCOMPARE(same.models[1].identity, before.models[1].identity);
    QVERIFY(same.models[1].fileHash != before.models[1].fileHash);
    project.rewrite(1, "SELECT 1" + text.substr(text.find('\n')));
    QVERIFY(project.open().models[1].identity != before.models[1].identity);
    QVERIFY(before.models[0].identity != before.models[1].identity);
  }

  void normalisedSpelling_data() {
    QTest::addColumn<QByteArray>("sql");
    QTest::addColumn<QByteArray>("expected");
    QTest::newRow("blanks and case") << QByteArray("SELECT  Name\n FROM t WHERE a='X y' ;")
                                     << QByteArray("select name from t where a = 'X y'");
    QTest::newRow("quoted name") << QByteArray("select \"Name\" from t")
                                 << QByteArray("select \"Name\" from t");
    QTest::newRow("comment") << QByteArray("select 1 -- one") << QByteArray("select 1");
    QTest::newRow("open quote") << QByteArray("select\n 'a ") << QByteArray("select 'a");
    QTest::newRow("empty") << QByteArray(" ; ") << QByteArray("");
  }
  void normalisedSpelling() {
    QFETCH(QByteArray, sql);
    QFETCH(QByteArray, expected);
    QCOMPARE(QByteArray::fromStdString(normalisedSql(sql.toStdString())), expected);
  }

  void aPersonWinsUndoesAndComesBack() {
    const Project project;
    const Review review = project.review();
    const std::size_t sketch = exampleOf(*spiderOf(review), 1, ErrorCategory::Sketch);
    auto judged = Judgements::load(review, project.library.get()).value();
    QVERIFY(!judged.undo().value());
    QVERIFY(judged.setVerdict(1, sketch, errorCategoryId(ErrorCategory::Column), "a wrong join", "me").ok());
    QVERIFY(judged.setVerdict(1, sketch, errorCategoryId(ErrorCategory::Both), "", "me").ok());
    QCOMPARE(ErrorCategory(judged.category(1, sketch)), ErrorCategory::Both);
    QCOMPARE(ErrorCategory(judged.categories()[1][sketch]), ErrorCategory::Both);
    QCOMPARE(judged.undo().value(), std::optional(sketch));
    QCOMPARE(ErrorCategory(judged.category(1, sketch)), ErrorCategory::Column);
    QCOMPARE(judged.human(1, sketch)->note, std::string("a wrong join"));
    QCOMPARE(judged.undo().value(), std::optional(sketch));
    QVERIFY(!judged.human(1, sketch));
    QCOMPARE(ErrorCategory(judged.category(1, sketch)), ErrorCategory::Sketch);
    QCOMPARE(judged.undo().value(), std::optional<std::size_t>());
    QCOMPARE(judged.redo().value(), std::optional(sketch));
    QCOMPARE(judged.history(1, sketch)->size(), std::size_t{5});
    // A restart: nothing but the library and the files.
    const Review later = project.review();
    const auto found = Judgements::load(later, project.library.get()).value();
    QCOMPARE(ErrorCategory(found.category(1, sketch)), ErrorCategory::Column);
    QCOMPARE(found.human(1, sketch)->programSays, std::string("sketch"));
    QCOMPARE(found.agreement(1).judged, 1);
    QCOMPARE(found.agreement(1).agreed, 0);
    // Another preset is another question.
    const Review other = project.review("tables_inferred");
    QVERIFY(!Judgements::load(other, project.library.get())->human(1, sketch));
  }

  void changedSqlMakesAVerdictStale() {
    const Project project;
    const Review review = project.review();
    const std::size_t wrong = exampleOf(*spiderOf(review), 1, ErrorCategory::Column);
    {
      auto judged = Judgements::load(review, project.library.get()).value();
      QVERIFY(judged.setVerdict(1, wrong, errorCategoryId(ErrorCategory::Both), "", "me").ok());
    }
    QStringList lines = QString::fromStdString(project.text(1)).split('\n');
    lines[static_cast<int>(wrong)] = QStringLiteral("SELECT 1");
    project.rewrite(1, lines.join('\n').toStdString());
    const Review changed = project.review();
    auto judged = Judgements::load(changed, project.library.get()).value();
    QVERIFY(!judged.human(1, wrong));
    QCOMPARE(judged.stale(1, wrong).size(), std::size_t{1});
    QCOMPARE(judged.stale(1, wrong)[0].category, std::string("both"));
    QVERIFY(judged.stale(0, wrong).empty());  // the other system never said that
    QVERIFY(judged.setVerdict(1, wrong, errorCategoryId(ErrorCategory::Sketch), "", "me").ok());
    QVERIFY(judged.stale(1, wrong).empty());
  }

  void notesTagsAndEditedSql() {
    const Project project;
    const Review review = project.review();
    auto judged = Judgements::load(review, project.library.get()).value();
    QVERIFY(judged.setNote(3, "gold looks odd").ok());
    QVERIFY(judged.setTags(3, {"odd", "later", "odd"}).ok());
    QVERIFY(judged.setEditedText(3, {false, 1}, "SELECT 2").ok());
    QVERIFY(judged.setEditedText(3, {true, 0}, "SELECT 3").ok());
    const auto found = Judgements::load(review, project.library.get()).value();
    QCOMPARE(found.note(3), std::string("gold looks odd"));
    QCOMPARE(found.tags(3), (std::vector<std::string>{"later", "odd"}));
    QCOMPARE(found.taggedExamples().at("odd"), std::vector<std::size_t>{3});
    QCOMPARE(found.editedText(3, {false, 1}), std::string("SELECT 2"));
    QCOMPARE(found.editedText(3, {true, 0}), std::string("SELECT 3"));
    while (judged.undo().value()) continue;
    QVERIFY(exampleNotes(*project.library, review.dataset)->empty());
    // Without a project everything works, only nothing is kept.
    auto loose = Judgements::load(review, nullptr).value();
    QVERIFY(loose.setVerdict(0, 0, errorCategoryId(ErrorCategory::GoldError), "", "me").ok());
    QCOMPARE(ErrorCategory(loose.category(0, 0)), ErrorCategory::GoldError);
  }

  void aReviewIsKeptUnderItsName() {
    const Project project;
    const Review review = project.review();
    const auto uuid = saveReview(*project.library, storedReviewOf(review, "two models")).value();
    for (const auto& key : {uuid, std::string("two models")}) {
      const StoredReview found = storedReview(*project.library, key).value();
      QVERIFY(spiderSourcesOf(found.sources).toJson().dump() == project.sources.toJson().dump());
      QVERIFY(changedSince(found, review).empty());
    }
    const auto wrong = storedReview(*project.library, "two model");
    QVERIFY(!wrong.ok() && wrong.error().text().find("two models") != std::string::npos);
    project.rewrite(1, "SELECT 1" + project.text(1).substr(project.text(1).find('\n')));
    const auto notes = changedSince(storedReview(*project.library, uuid).value(), project.review());
    QCOMPARE(notes.size(), std::size_t{1});
    QVERIFY(notes[0].english().find("hasty") != std::string::npos);
    QVERIFY(!storedReviewFromJson({{"format", 99}}).ok());
  }

  void whatIsWrongIsNamed() {
    Project project;
    Progress progress;
    project.sources.predictions[1].name = "careful";
    const auto twice = openSpiderReview(project.sources, {}, progress);
    QVERIFY(!twice.ok() && twice.error().text().find("careful") != std::string::npos);
    project.sources.predictions.pop_back();
    project.rewrite(0, "SELECT 1\n");
    const auto counts = openSpiderReview(project.sources, {}, progress);
    QVERIFY(!counts.ok() && counts.error().text().find("careful.sql") != std::string::npos);
    QVERIFY(!spiderSourcesFromJson(Json::object()).ok());
    QVERIFY(!spiderSourcesFromJson({{"gold", "a"}, {"tables", "b"}, {"predictions", {1}}}).ok());
  }

  void badTables_data() {
    QTest::addColumn<QByteArray>("change");
    QTest::addColumn<QByteArray>("becomes");
    QTest::addColumn<QByteArray>("named");  // "" = it is read
    QTest::newRow("no tables") << QByteArray("\"table_names_original\"") << QByteArray("\"other\"")
                               << QByteArray("table_names_original");
    QTest::newRow("no columns") << QByteArray("\"column_names_original\"") << QByteArray("\"other\"")
                                << QByteArray("column_names_original");
    QTest::newRow("no keys") << QByteArray("\"foreign_keys\"") << QByteArray("\"other\"")
                             << QByteArray("foreign_keys");
    QTest::newRow("column of an unknown table")
        << QByteArray("[1,\"club_id\"]") << QByteArray("[9,\"club_id\"]") << QByteArray("club_id");
    QTest::newRow("key of an unknown column")
        << QByteArray("[[4,2]") << QByteArray("[[4,22]") << QByteArray("foreign_keys[0]");
    QTest::newRow("half a key") << QByteArray("[[4,2]") << QByteArray("[[4]")
                                << QByteArray("foreign_keys[0]");
    QTest::newRow("a key of two columns and of one") << QByteArray("[[4,2]") << QByteArray("[[[4,1],[2]]")
                                                     << QByteArray("foreign_keys[0] joins 2 columns");
    QTest::newRow("a key of no columns")
        << QByteArray("[[4,2]") << QByteArray("[[[],[]]") << QByteArray("foreign_keys[0]");
    QTest::newRow("keys in a circle")
        << QByteArray("[[4,2]") << QByteArray("[[4,2],[2,3],[3,4],[4,4]") << QByteArray();
    QTest::newRow("text instead of a number")
        << QByteArray("\"primary_keys\":[1") << QByteArray("\"primary_keys\":[\"a\"")
        << QByteArray("primary_keys[0]");
    QTest::newRow("cut off") << QByteArray("}]") << QByteArray("") << QByteArray("tables.json");
  }
  void badTables() {
    QFETCH(QByteArray, change);
    QFETCH(QByteArray, becomes);
    QFETCH(QByteArray, named);
    QByteArray text =
        R"([{"db_id":"clubs","table_names_original":["person","club"],"column_names_original":[[-1,"*"],
      [0,"person_id"],[1,"club_id"],[1,"boss"],[0,"club_id"]],"primary_keys":[1,2],"foreign_keys":[[4,2]]}])";
    QVERIFY(text.contains(change));
    text.replace(change, becomes);
    const auto read = parseSpiderTables(text.toStdString(), "tables.json");
    QCOMPARE(read.ok(), named.isEmpty());
    if (!read) {
      const std::string error = read.error().text();
      QVERIFY2(error.find(named.toStdString()) != std::string::npos, error.c_str());
      QVERIFY(named == "tables.json" || error.find("clubs") != std::string::npos);
      return;
    }
    // Keys in a circle are one group, and queries over them still end.
    const SpiderSchema& schema = read->at("clubs");
    QCOMPARE(schema.keyGroup[4], 2);
    QVERIFY(prepareSql("SELECT T1.club_id FROM person AS T1 JOIN club AS T2 ON T1.club_id = T2.boss", schema)
                .ok());
  }

  // Entries of other databases are neither built nor complained about; what hides its name is read.
  void tablesOfSomeDatabases() {
    const std::string good = R"("table_names_original":["a"],"column_names_original":[[-1,"*"],[0,"x"]],)"
                             R"("primary_keys":[],"foreign_keys":[]})";
    const std::string text = R"([{"db_id" : "one",)" + good + R"(,{"db_id":"broken"},{)" +
                             good.substr(0, good.size() - 1) + R"(,"db_id":"two"}])";
    const auto read = parseSpiderTablesOf(text, "tables.json", {"one", "two", "three"});
    QVERIFY2(read.ok(), read ? "" : read.error().text().c_str());
    QCOMPARE(read->size(), std::size_t{2});
    QCOMPARE(read->at("two").columns.size(), std::size_t{2});
    const auto broken = parseSpiderTablesOf(text, "tables.json", {"broken"});
    QVERIFY(!broken.ok() && broken.error().text().find("broken") != std::string::npos);
    const auto twice =
        parseSpiderTablesOf(R"([{"db_id":"one",)" + good + R"(,{"db_id":"one",)" + good + "]", "t", {"one"});
    QVERIFY(!twice.ok() && twice.error().text().find("twice") != std::string::npos);
    const auto hidden = parseSpiderTablesOf(R"([{"db_id":"\u006fne",)" + good + "]", "t", {"one"});
    QVERIFY(hidden.ok() && hidden->count("one") == 1);
    QVERIFY(!parseSpiderTablesOf("{}", "t", {}).ok());
    QVERIFY(!parseSpiderTablesOf("[{]", "t", {}).ok());
  }

  // A foreign key of two columns: both pairs are kept, in order, and each is a group of its own.
  void keysOfSeveralColumns() {
    const std::string text =
        R"([{"db_id":"d","table_names_original":["a","b"],"column_names_original":[[-1,"*"],
        [0,"x"],[0,"y"],[1,"x"],[1,"y"]],"primary_keys":[[1,2]],"foreign_keys":[[[3,4],[1,2]],[4,3]]}])";
    const SpiderSchema schema = parseSpiderTables(text, "tables.json").value().at("d");
    const std::vector<std::pair<int, int>> expected = {{3, 1}, {4, 2}, {4, 3}};
    QCOMPARE(schema.foreignKeys, expected);
    QVERIFY(!schema.isPrimaryKey(1) && !schema.isPrimaryKey(2));  // only both together
  }

  void queryVarianceCountsQuestions() {
    const std::vector<SpiderPair> pairs = {{"a", "SELECT 1", ""}, {"a", "SELECT 1", ""},
                                           {"a", "SELECT 2", ""}, {"a", "SELECT 3", ""},
                                           {"a", "SELECT 3", ""}, {"b", "SELECT 1", ""}};
    SpiderEvaluation evaluation;
    evaluation.verdicts.resize(pairs.size());
    for (const std::size_t right : {0u, 2u, 5u}) evaluation.verdicts[right].match.exact = true;
    const QueryVariance found = queryVariance(pairs, evaluation);
    QCOMPARE(found.queries, 2);
    QCOMPARE(found.answered, 1);
    QCOMPARE(found.score, 0.5);
  }

  void eightModels() {
    if (!std::ifstream(kData + "/spider/tables.json").good()) QSKIP("no Spider data");
    SpiderSources sources;
    sources.gold = kData + "/spider/dev_gold.sql";
    sources.tables = kData + "/spider/tables.json";
    for (int k = 0; k < 8; ++k) {
      const char* systems[] = {"editsql", "graphix_t5_3b_picard", "din_sql_gpt4", "codes_1b"};
      sources.predictions.push_back({systems[k % 4] + std::to_string(k),
                                     kData + "/spider_predictions/" + systems[k % 4] + "/pred.sql",
                                     {}});
    }
    QElapsedTimer timer;
    timer.start();
    Progress progress;
    const auto review = openSpiderReview(sources, {categoryPresets()[0], MatchRules::Official, 2}, progress);
    QVERIFY2(review.ok(), review ? "" : review.error().text().c_str());
    qInfo("1,034 examples of 8 systems opened in %.0f ms", static_cast<double>(timer.nsecsElapsed()) / 1e6);
    QCOMPARE(review->models[0].evaluation.exactCount, 599);
    QCOMPARE(review->models[1].evaluation.exactCount, 797);
    QCOMPARE(review->models[0].identity, review->models[4].identity);
  }
};

QTEST_APPLESS_MAIN(TestSpiderReview)
#include "tst_spider_review.moc"
