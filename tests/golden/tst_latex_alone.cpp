// SPDX-License-Identifier: Apache-2.0
// Every .tex that is written or printed compiles alone with the packages that its head names: tables of all
// makers with names that LaTeX reads otherwise, a page with a caption, figures.
#include <QApplication>
#include <QDir>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <functional>

#include "app/runs/task_table.h"
#include "core/analysis/training/grid_selection.h"
#include "support_figure_gallery.h"
#include "support_kinds_gallery.h"
#include "support_page_inspection.h"
#include "support_review_gallery.h"
#include "tests/unit/support_small_reviews.h"
#include "views/figure/pgf_writer.h"
#include "views/figures/composition_page.h"
#include "views/figures/review_tables.h"
#include "views/files/latex_table.h"
#include "views/tables/paper/figure_table.h"

using namespace fathom;

namespace {

// A bracket after a line's end, a star, what LaTeX reads as commands, letters of another encoding or of none,
// lines and controls within.
const std::string kFirst = "[CLS] \u6a21 \u201equotes\u201c",
                  kSecond = "*a%b_c&d#e{f}g~h^i\\j$k \u0105\u0127",
                  kThird = "[1pt] x--y ?`z\n\n\x01 \u00ab\u0394\u00bb";

GridTable hostileGrid() {
  const std::vector<GridAxis> axes = {
      {"scheme", {kFirst, kSecond, kThird}, kSecond}, {"rate", {kThird, kFirst}}, {"seed", {1, 2}}};
  std::vector<std::string> runs;
  std::vector<RunFacts> facts;
  for (int i = 0; i < 12; ++i) {
    RunFacts run;
    run.run = "r" + std::to_string(i);
    run.failed = i == 3;
    if (!run.failed) run.last["score"] = i;
    runs.push_back(run.run);
    facts.push_back(run);
  }
  Metric metric;
  metric.id = metric.title = metric.shortTitle = "score";
  metric.direction = MetricDirection::Higher;
  return gridTable(axes, runs, facts, {metric});
}

TaskTable hostileTasks() {
  std::vector<TaskTableColumn> columns;
  for (const std::string& name : {kFirst, kSecond}) {
    RunRow row;
    row.name = "run";
    row.options = {{"task", "glue"}, {"glue.task", "rte"}, {"seed", 1}};
    row.last = {{"valid.accuracy", 70}};
    row.state = RunState::Finished;
    columns.push_back({name, {row}});
  }
  return taskTable(columns, SettingChoice::BestMedian).value();
}

PaperTable longTable(const std::string& caption, const std::string& label) {
  PaperTable table;
  table.caption = caption;
  table.label = label;
  table.columns = {{"Example"}, {"n"}};
  for (int i = 1; i <= 2500; ++i) table.rows.push_back({"row " + std::to_string(i), double(i)});
  return table;
}

}  // namespace

class LatexAlone : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void everyTable_data();
  void everyTable();
  void longTablesArePages();
  void namesAreWhole();
  void headsNameTheSamePackages();
  void pagesCompile();

 private:
  // What is wrong; empty = it compiles. `packages`: what the head names.
  QString compiled(const QString& name);
  static QByteArray packagesOf(const QByteArray& tex);
  QByteArray printed() const;

  QTemporaryDir m_folder;
};

void LatexAlone::initTestCase() {
  if (!test::installed({"pdflatex", "pdftotext"}) || !test::installedTexFile("pgfplots.sty") ||
      !test::installedTexFile("booktabs.sty"))
    QSKIP("pdflatex with pgfplots and booktabs is not installed");
}

QByteArray LatexAlone::packagesOf(const QByteArray& tex) {
  QByteArray packages;
  for (const QByteArray& line : tex.split('\n')) {
    if (!line.startsWith('%')) break;
    static const QRegularExpression word(QStringLiteral("\\\\(usepackage|pgfplotsset)\\{[^}]*\\}"));
    auto found = word.globalMatch(QString::fromUtf8(line));
    while (found.hasNext()) packages += found.next().captured(0).toUtf8();
  }
  return packages;
}

QString LatexAlone::compiled(const QString& name) {
  QFile file(m_folder.filePath(name));
  if (!file.open(QIODevice::ReadOnly)) return file.errorString();
  QFile main(m_folder.filePath(QStringLiteral("main.tex")));
  if (!main.open(QIODevice::WriteOnly)) return main.errorString();
  main.write("\\documentclass{article}" + packagesOf(file.readAll()) +
             "\\newcommand\\fathomcaption{Of the document.}\\begin{document}\\input{" + name.toUtf8() +
             "}\\end{document}\n");
  main.close();
  QProcess latex;
  latex.setWorkingDirectory(m_folder.path());
  latex.start(QStringLiteral("pdflatex"), {QStringLiteral("-interaction=nonstopmode"),
                                           QStringLiteral("-halt-on-error"), QStringLiteral("main.tex")});
  if (!latex.waitForFinished(60000)) {
    latex.kill();
    latex.waitForFinished();
    return QStringLiteral("it does not end");
  }
  const QString said = QString::fromUtf8(latex.readAllStandardOutput());
  return latex.exitCode() == 0 ? QString() : QStringLiteral("!") + said.section(QStringLiteral("\n!"), 1);
}

QByteArray LatexAlone::printed() const {
  QProcess reader;
  reader.start(
      QStringLiteral("pdftotext"),
      {QStringLiteral("-layout"), m_folder.filePath(QStringLiteral("main.pdf")), QStringLiteral("-")});
  reader.waitForFinished(60000);
  return reader.readAllStandardOutput();
}

void LatexAlone::everyTable_data() {
  QTest::addColumn<PaperTable>("table");
  const GridTable grid = hostileGrid();
  QTest::newRow("grid") << gridPaperTable(grid, {kFirst, kSecond});
  QTest::newRow("best of a grid") << selectionPaperTable(grid, selectBest(grid, {"scheme"}).value());
  QTest::newRow("best of two axes") << selectionPaperTable(grid,
                                                           selectBest(grid, {"rate", "scheme"}).value());
  QTest::newRow("tasks") << taskPaperTable(hostileTasks(), false);
  QTest::newRow("models of tasks") << taskPaperTable(hostileTasks(), true);
  for (const test::SmallReview& small : test::smallReviews()) {
    const QString kind = QString::fromLatin1(small.kind);
    ReviewSources sources = test::smallSources(small, m_folder.path());
    sources.predictions[0].name = kFirst;
    sources.predictions[1].name = kSecond;
    Progress progress;
    const Review review = openReview(sources, 1, progress).value();
    QTest::newRow(qPrintable(kind + QStringLiteral(" scores"))) << scoresTable(review);
    QTest::newRow(qPrintable(kind + QStringLiteral(" pairs")))
        << pairsTable(review, {comparePairs(review).value(), {}, {}});
    const std::vector<std::vector<std::uint8_t>> categories(2, std::vector<std::uint8_t>(4, 0));
    QTest::newRow(qPrintable(kind + QStringLiteral(" examples")))
        << examplesTable(review, categories, {0, 1, 2, 3});
  }
  const Review& spider = gallery::sampleReview(3, true);
  QTest::newRow("sql scores") << scoresTable(spider);
  QTest::newRow("sql pairs") << pairsTable(spider, {comparePairs(spider).value(), {}, {}});
  const std::vector<std::string>& ofSql = spider.kind->figures;
  for (const FigureEntry& entry : figures()) {
    if (!entry.ofPredictions()) continue;
    if (!entry.ofEveryKind && std::find(ofSql.begin(), ofSql.end(), entry.id) == ofSql.end()) continue;
    QTest::newRow(("review " + entry.id).c_str()) << gallery::reviewFigure(spider, entry.id).value().table;
  }
  QTest::newRow("numbers of a figure") << tableOfFigure(gallery::everyMark());
  QTest::newRow("a name for the page") << longTable("", "tab:long");
  QTest::newRow("a caption over pages") << longTable("Every one", "tab:all");
}

void LatexAlone::everyTable() {
  QFETCH(PaperTable, table);
  QVERIFY(!table.columns.empty());
  QFile file(m_folder.filePath(QStringLiteral("table.tex")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  const std::string tex = latexTable(table).value();
  file.write(tex.data(), qint64(tex.size()));
  file.close();
  const QString problem = compiled(QStringLiteral("table.tex"));
  QVERIFY2(problem.isEmpty(), qPrintable(problem.left(1500)));
}

// A float of 2,500 rows stops LaTeX: the last row has to be printed, and the caption once.
void LatexAlone::longTablesArePages() {
  for (const char* caption : {"", "Every one"}) {
    const std::string tex = latexTable(longTable(caption, "tab:long")).value();
    QFile file(m_folder.filePath(QStringLiteral("table.tex")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(tex.data(), qint64(tex.size()));
    file.close();
    QCOMPARE(compiled(QStringLiteral("table.tex")), QString());
    const QByteArray text = printed();
    QVERIFY(text.contains("row 1 ") && text.contains("row 2500 "));
    QCOMPARE(text.count(*caption == 0 ? "Of the document." : "Every one"), 1);
    QVERIFY(text.count("\f") > 40);  // pages
  }
}

// A bracket is no length and a star no option, in the first row and in the next; two dashes are two. What
// comes from a font of the encoding T1 has the codes of that one where no outlines of it are installed.
void LatexAlone::namesAreWhole() {
  PaperTable table;
  table.columns = {{"[0pt] head"}, {"n"}};
  for (const char* name : {"[1pt] one", "*two", "[3pt]three", "x--y", "\u0105\u0111 \u201ez"})
    table.rows.push_back({markupOf(name), 1.0});
  QFile file(m_folder.filePath(QStringLiteral("table.tex")));
  QVERIFY(file.open(QIODevice::WriteOnly));
  const std::string tex = latexTable(table).value();
  file.write(tex.data(), qint64(tex.size()));
  file.close();
  QCOMPARE(compiled(QStringLiteral("table.tex")), QString());
  const QByteArray text = printed();
  for (const char* name : {"[0pt] head", "[1pt] one", "*two", "[3pt]three", "x--y"})
    QVERIFY2(text.contains(name), (std::string(name) + " in " + text.toStdString()).c_str());
}

// tst_page_inspection compiles all of them with these.
void LatexAlone::headsNameTheSamePackages() {
  for (const QString& name : gallery::everyFigure()) {
    Result<FigureSpec> spec = gallery::namedFigure(name);
    QVERIFY2(spec.ok(), qPrintable(name));
    const PgfFigure figure = pgfFigure(*spec, figureStyle(QStringLiteral("acl_wide")).value(), "f");
    QCOMPARE(packagesOf(QByteArray::fromStdString(figure.tex)),
             QByteArray("\\usepackage{pgfplots}\\pgfplotsset{compat=1.17}"));
  }
}

void LatexAlone::pagesCompile() {
  FigureComposition composition;
  composition.style = "acl_wide";
  composition.panels.resize(2);
  composition.panels[1].column = 1;
  FigureSpec second = gallery::everyMark();
  second.panels[0].title = Phrase::words(markupOf(kFirst));
  second.panels[1].title = Phrase::words(markupOf(kSecond));
  const std::string path = m_folder.filePath(QStringLiteral("page.tex")).toStdString();
  const Status written = exportCompositionPage(composition, {gallery::trainingCurves(7, true), second}, path);
  QVERIFY2(written.ok(), written.ok() ? "" : written.error().text().c_str());
  const QString problem = compiled(QStringLiteral("page.tex"));
  QVERIFY2(problem.isEmpty(), qPrintable(problem.left(1500)));
}

QTEST_MAIN(LatexAlone)
#include "tst_latex_alone.moc"
