// SPDX-License-Identifier: Apache-2.0
// Errors that people meet, provoked where they arise: the window says every sentence of them in Chinese,
// shell and files the English one.
#include <QRegularExpression>
#include <QTest>
#include <fstream>

#include "app/runner/engine_progress.h"
#include "app/runs/run_control.h"
#include "app/window/errors/review_loader.h"
#include "app/window/session/appearance.h"
#include "core/analysis/training/run_grid.h"
#include "core/base/errors/error_words.h"
#include "core/base/json/phrase_json.h"
#include "core/imports/run_import.h"
#include "core/library/figures/figure_composition.h"
#include "core/library/records/library_error.h"
#include "core/library/runs/run_listing.h"
#include "core/record/formats/array_file.h"
#include "core/record/formats/safetensors_file.h"
#include "core/record/formats/torch_archive.h"
#include "core/record/presets.h"
#include "core/review/stored_review.h"
#include "core/spider/data/prediction_file.h"
#include "core/spider/data/spider_tables.h"
#include "core/sqlrun/sqlrun_pool.h"
#include "tests/gui/support_window_fixture.h"
#include "views/figures/figure_entry.h"
#include "views/look/engine_text.h"
#include "views/selection/selection_model.h"
#include "views/tables/review_facets.h"
#include "views/tables/reviewed_predictions.h"
#include "views/tables/sql_predictions.h"

using namespace fathom;

namespace {

// Three small words in a row are a sentence, and none of a name or a path. SQLite's words are its own.
bool speaksEnglish(QString text) {
  text.remove(QStringLiteral("file is not a database"));
  static const QRegularExpression words(QStringLiteral("\\b[a-z]+ [a-z]+ [a-z]+\\b"));
  return text.contains(words);
}

template <class T>
Error errorOf(const Result<T>& result) {
  return result.ok() ? internalError("nothing failed") : result.error();
}

}  // namespace

class ChineseErrorsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    m_appearance.setLanguage(QStringLiteral("zh_CN"));
    m_project = toUtf8(m_fixture.project());
    m_library = ProjectLibrary::openOrCreate(m_project).value();
  }

  // What a probe of minutes tells beside its progress (core/probe/work_estimate.cpp).
  void windowSaysHowLong() {
    Json line;
    const Phrase what = Phrase::tr("%1 draws of nets of up to %2 layers")(10, 48);
    writePhrase(line, "note",
                Phrase::tr("about %1 for %2; with the option %3 about %4")(
                    Phrase::tr("%1 min")(16), what, "draws=3", Phrase::tr("%1 min")(5)));
    Progress progress;
    QStringList told;
    EngineProgress reader(progress, [&told](const Phrase& words) { told.append(phraseText(words)); });
    const std::string text = line.dump() + "\n";
    reader(text.substr(0, 20));
    reader(text);
    reader(text + "{\"done\":1.0}\n");
    QCOMPARE(
        told,
        QStringList(QStringLiteral("约需 16 分钟（10 次抽样，网络至多 48 层）；用选项 draws=3 约需 5 分钟")));
  }

  // What titles of several tasks have in common is a title by itself.
  void titlesInCommonAreSaid() { QCOMPARE(engineText("per second"), QStringLiteral("每秒")); }

  void windowSaysThem() {
    const std::vector<Error> errors{
        errorOf(ProjectLibrary::open(m_project + "/nowhere")),
        damagedProject(),
        errorOf(findRun(*m_library, "no-such-run")),
        errorOf(findControlTarget(*m_library, "no-such-run")),
        import("a.csv", "step,loss\n1,2\nbad,2\n"),
        import("b.csv", "\xFF\xFE"),
        import("c.bin", std::string("\0\1\2", 3)),
        import("d.csv", "x,y\n1,2\n"),
        import("e.log", "{\n"),
        errorOf(parseArray("no array", "f.npy")),
        errorOf(SafetensorsFile::open(file("g.safetensors", std::string(9, '\0')))),
        errorOf(TorchArchive::open(file("h.bin", "no zip"))),
        errorOf(storedReviewFromJson(Json::object())),
        errorOf(storedReview(*m_library, "unknown")),
        errorOf(figureCompositionFromJson({{"format", 1}, {"width_mm", true}})),
        errorOf(figureComposition(*m_library, "unknown")),
        errorOf(findFigure("unknown")),
        errorOf(findPreset("unknown")),
        errorOf(parseGridAxis("seed")),
        errorOf(parsePredictionText("", "i.txt")),
        errorOf(parsePredictionText("a,b\n1,2\n", "i.csv")),
        errorOf(parseGoldText("SELECT 1\n", "gold.sql")),
        errorOf(parseSpiderTablesOf("[{\"db_id\":\"a\"}]", "tables.json", {"a"})),
        errorOf(SqlRunPool::start({.program = m_project + "/no-program"}))};
    for (const Error& error : errors) {
      const QString english = fromUtf8(error.text()), shown = phraseText(error.phrase());
      QVERIFY2(!speaksEnglish(shown), qPrintable(shown + " <- " + english));
      QVERIFY2(shown.contains(QRegularExpression(QStringLiteral("\\p{Han}"))), qPrintable(shown));
      QVERIFY2(!QString(english).contains(QRegularExpression(QStringLiteral("%\\d|\\p{Han}"))),
               qPrintable(english));
    }
  }

  // On its way up an error is said anew and stays a phrase.
  void otherWordsStayPhrases() {
    const Error first = dataErrorAt("f.json", 3, Phrase::tr("is empty"));
    const Error second = withHint(
        withMessage(first, Phrase::tr("combination '%1': %2")(std::string("a"), first.messagePhrase())),
        Phrase::tr("update Fathom"));
    QCOMPARE(second.text(), std::string("f.json:3: combination 'a': is empty (update Fathom)"));
    QCOMPARE(phraseText(second.phrase()), QStringLiteral("f.json:3: 组合“a”：是空的 (请更新 Fathom)"));
  }

  // The engine says why it left on stdout where its progress goes, too.
  void engineErrorsCross() {
    const Error error =
        usageError(Phrase::tr("there is no task '%1'")(std::string("x")), Phrase::tr("see: describe"));
    Json line;
    writePhrase(line, "error", error.phrase());
    ChildOutput output;
    output.out = "{\"done\":1,\"phase\":\"a\"}\n" + line.dump() + "\n";
    output.err = "error: " + error.text() + "\n";
    QCOMPARE(engineError(output).text(), error.text());
    QCOMPARE(phraseText(engineError(output).phrase()), QStringLiteral("没有任务“x” (参见：describe)"));
    output.out.clear();  // of an engine of before
    QCOMPARE(engineError(output).text(), error.text());
  }

  // A query that is "extra" is very hard; as a stack the same word means layers.
  void hardnessIsNoStack() {
    QCOMPARE(phraseText(Phrase::known("extra")), QStringLiteral("附加层"));
    const ReviewSources sources = sampleReviewSources(m_project).value();
    Progress none;
    SelectionModel selection;
    ReviewedPredictions review(&selection);
    review.setReview(loadReview(m_project, sources, none, {}).value());
    ReviewFacets facets(&review);
    facets.rebuild();
    QStringList titles;
    for (const ShownFacet& facet : facets.all())
      for (const ShownFacet::Value& value : facet.values)
        if (facet.id == QLatin1String("hardness")) titles.append(value.title);
    QCOMPARE(titles, QStringList({QStringLiteral("简单"), QStringLiteral("中等"), QStringLiteral("困难"),
                                  QStringLiteral("极难")}));
    QCOMPARE(titles.last(), hardnessTitle(SpiderHardness::Extra));
  }

 private:
  std::string file(const std::string& name, const std::string& bytes) {
    std::string path = m_project + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  Error import(const std::string& name, const std::string& bytes) {
    Progress none;
    return errorOf(importRuns(file(name, bytes), m_project + "/runs", {}, none, {}));
  }
  Error damagedProject() {
    std::filesystem::create_directories(m_project + "/damaged");
    file("damaged/library.sqlite", std::string(5000, 'x'));
    return errorOf(ProjectLibrary::open(m_project + "/damaged"));
  }

  Appearance m_appearance;
  test::WindowFixture m_fixture;
  std::string m_project;
  std::unique_ptr<ProjectLibrary> m_library;
};

QTEST_MAIN(ChineseErrorsTest)
#include "tst_chinese_errors.moc"
