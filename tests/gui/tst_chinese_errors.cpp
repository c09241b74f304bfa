// SPDX-License-Identifier: Apache-2.0
// Errors that people meet, provoked where they arise: the window says every sentence of them in Chinese,
// shell and files the English one.
#include <QRegularExpression>
#include <QTest>
#include <fstream>

#include "app/presets.h"
#include "app/run_control.h"
#include "app/runner/engine_progress.h"
#include "app/window/appearance.h"
#include "core/analysis/run_grid.h"
#include "core/base/error_words.h"
#include "core/base/phrase_json.h"
#include "core/library/figure_composition.h"
#include "core/library/library_error.h"
#include "core/library/run_listing.h"
#include "core/record/array_file.h"
#include "core/record/import/run_import.h"
#include "core/record/safetensors_file.h"
#include "core/record/torch_archive.h"
#include "core/review/stored_review.h"
#include "core/spider/data/prediction_file.h"
#include "core/spider/data/spider_tables.h"
#include "core/sqlrun/sqlrun_pool.h"
#include "tests/gui/support_window_fixture.h"
#include "views/figures/figure_entry.h"
#include "views/look/engine_text.h"

using namespace fathom;

namespace {

// Three small words in a row are a sentence, and none of a name or a path.
bool speaksEnglish(const QString& text) {
  static const QRegularExpression words(QStringLiteral("\\b[a-z]+ [a-z]+ [a-z]+\\b"));
  return text.contains(words);
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

  void windowSaysThem() {
    std::vector<Error> errors{ProjectLibrary::open(m_project + "/nowhere").error(),
                              damagedProject(),
                              findRun(*m_library, "no-such-run").error(),
                              findControlTarget(*m_library, "no-such-run").error(),
                              import("a.csv", "step,loss\n1,2\n2,bad\n"),
                              import("b.csv", "\xFF\xFE"),
                              import("c.bin", std::string("\0\1\2", 3)),
                              import("d.csv", "x,y\n1,2\n"),
                              import("e.tar", "no tar archive"),
                              parseArray("no array", "f.npy").error(),
                              SafetensorsFile::open(file("g.safetensors", std::string(9, '\0'))).error(),
                              TorchArchive::open(file("h.bin", "no zip")).error(),
                              storedReviewFromJson(Json::object()).error(),
                              storedReview(*m_library, "unknown").error(),
                              figureCompositionFromJson({{"format", 1}, {"width_mm", true}}).error(),
                              figureComposition(*m_library, "unknown").error(),
                              findFigure("unknown").error(),
                              findPreset("unknown").error(),
                              parseGridAxis("seed").error(),
                              parsePredictionText("", "i.txt").error(),
                              parsePredictionText("a,b\n1,2\n", "i.csv").error(),
                              parseGoldText("SELECT 1\n", "gold.sql").error(),
                              parseSpiderTablesOf("[{\"db_id\":\"a\"}]", "tables.json", {"a"}).error(),
                              SqlRunPool::start({.program = m_project + "/no-program"}).error()};
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

 private:
  std::string file(const std::string& name, const std::string& bytes) {
    std::string path = m_project + "/" + name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  Error import(const std::string& name, const std::string& bytes) {
    Progress none;
    return importRuns(file(name, bytes), m_project + "/runs", {}, none, {}).error();
  }
  Error damagedProject() {
    std::filesystem::create_directories(m_project + "/damaged");
    file("damaged/library.sqlite", std::string(5000, 'x'));
    return ProjectLibrary::open(m_project + "/damaged").error();
  }

  Appearance m_appearance;
  test::WindowFixture m_fixture;
  std::string m_project;
  std::unique_ptr<ProjectLibrary> m_library;
};

QTEST_MAIN(ChineseErrorsTest)
#include "tst_chinese_errors.moc"
