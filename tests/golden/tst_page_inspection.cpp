// SPDX-License-Identifier: Apache-2.0
// ctest: inspects
// What poppler and librsvg see in the files of every kind of figure and of a page of several. A name in the
// table is a kind with its options.
#include <QApplication>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "tests/all_tests.h"
#include "tests/golden/support_built_figure.h"
#include "tests/golden/support_figure_gallery.h"
#include "tests/golden/support_kinds_gallery.h"
#include "tests/golden/support_page_inspection.h"
#include "tests/golden/support_probe_gallery.h"
#include "tests/golden/support_review_gallery.h"
#include "tests/golden/support_states_gallery.h"
#include "views/figure/figure_page.h"
#include "views/figures/figure_height.h"
#include "views/files/figure_export.h"

using namespace fathom;

namespace {

// A curve over violins, maps beside: figures of one, two and several panels on one page.
FigureSpec page() {
  FigurePage page;
  page.id = "composition";
  page.title = "Page";
  page.shareX = page.shareY = true;
  page.figures = {{gallery::trainingCurves(), 0, 0, 1, 1, ""},
                  {gallery::trainingCurves(1, false), 0, 1, 1, 1, "One run"},
                  {gallery::probeFigure("attention_entropy", {}), 1, 0, 1, 2, ""},
                  {gallery::probeFigure("beta_dependency", {"beside=init"}), 2, 0, 1, 2, ""},
                  {gallery::reviewFigure(gallery::sampleReview(3), "error_shares")->spec, 3, 0, 1, 2, ""}};
  const FigureStyle wide = figureStyle(QStringLiteral("acl_wide")).value();
  page.heightMm = naturalHeightMm(page, wide);  // as a slide, too, it has room for its letters
  return composePage(page, wide).value().spec;
}

FigureSpec specOf(const QString& name) {
  return name == QLatin1String("page") ? page() : gallery::namedFigure(name).value();
}

// Every kind, what looks different with other options, and a page.
QStringList figureNames() {
  return gallery::everyFigure() + QStringList{QStringLiteral("page")};
}

// Kinds in a column and over the whole width, other forms in the width.
std::vector<std::pair<QString, QString>> inspectedFigures() {
  std::vector<std::pair<QString, QString>> all;
  for (const QString& name : figureNames()) {
    if (!name.contains(u' ') && name != QLatin1String("page")) all.emplace_back(name, QStringLiteral("acl"));
    all.emplace_back(name, QStringLiteral("acl_wide"));
  }
  return all;
}

}  // namespace

class PageInspection : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void pdf_data();
  void pdf();
  void svg_data() { pdf_data(); }
  void svg();
  void pgf_data() { pdf_data(); }
  void pgf();
  void latex();
  void everyVenue_data();
  void everyVenue();
  void extremesAreStyles();
  void slidesGiveLettersRoom();

 private:
  QTemporaryDir m_folder;
};

void PageInspection::pdf_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("style");
  for (const auto& [name, style] : inspectedFigures())
    QTest::newRow(qPrintable(name + u' ' + style)) << name << style;
}

void PageInspection::pdf() {
  QFETCH(QString, name);
  QFETCH(QString, style);
  QVERIFY2(test::installed({"pdffonts", "pdftotext", "pdfimages"}), "poppler-utils: packaging/deps.sh");
  const QString problem =
      test::pdfProblem(specOf(name), figureStyle(style).value(),
                       m_folder.filePath(QStringLiteral("figure.pdf")), name + u'_' + style);
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void PageInspection::svg() {
  QFETCH(QString, name);
  QFETCH(QString, style);
  QVERIFY2(test::installed({"rsvg-convert"}), "librsvg2-bin: packaging/deps.sh");
  const QString problem = test::svgProblem(specOf(name), figureStyle(style).value(),
                                           m_folder.filePath(QStringLiteral("figure.svg")));
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void PageInspection::pgf() {
  QFETCH(QString, name);
  QFETCH(QString, style);
  const QString path = m_folder.filePath(QStringLiteral("figure.tex"));
  const Status status = exportFigure(specOf(name), figureStyle(style).value(), path.toStdString());
  QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
  const std::string tex = readFile(path.toStdString()).value();
  const auto count = [&tex](const std::string& word) {
    std::size_t times = 0;
    for (std::size_t at = tex.find(word); at != std::string::npos; at = tex.find(word, at + 1)) ++times;
    return times;
  };
  QCOMPARE(count("\\begin{axis}"), specOf(name).panels.size());
  QCOMPARE(count("\\end{axis}"), count("\\begin{axis}"));
}

// All of them in one document: LaTeX needs longer to start than for a figure. As slides only with all tests.
void PageInspection::latex() {
  if (!test::installed({"pdflatex", "pdftotext"}) || !test::installedTexFile("pgfplots.sty"))
    QSKIP("LaTeX with pgfplots is not installed: the files are written, not compiled");
  std::vector<test::LatexFigure> figures;
  for (const auto& [name, style] : inspectedFigures())
    figures.push_back({name + u' ' + style, specOf(name), figureStyle(style).value()});
  const FigureStyle slide = figureStyle(QStringLiteral("slide")).value();
  for (const QString& name : test::allTests() ? figureNames() : QStringList{QStringLiteral("page")}) {
    figures.push_back({name + QStringLiteral(" slide"), specOf(name), slide});
    figures.back().spec.heightMm = heightFor(figures.back().spec, slide);
  }
  const QString problem = test::latexProblem(figures, m_folder.path());
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

// With a change the narrowest, the widest and the one with the largest letters.
void PageInspection::everyVenue_data() {
  QTest::addColumn<QString>("style");
  for (const FigureStyle& style : figureStyles())
    if (test::allTests() || test::isExtremeStyle(style.id)) QTest::newRow(qPrintable(style.id)) << style.id;
}

// Every kind at the width and with the fonts of every venue, slide and screen; its other forms in the
// extremes.
void PageInspection::everyVenue() {
  QFETCH(QString, style);
  QVERIFY2(test::installed({"pdffonts", "pdftotext", "pdfimages"}), "poppler-utils: packaging/deps.sh");
  QStringList problems;
  const FigureStyle venue = figureStyle(style).value();
  const bool extreme = test::isExtremeStyle(style);
  for (const QString& name : figureNames()) {
    if (!extreme && !findFigure(name.toStdString()).ok()) continue;
    FigureSpec spec = specOf(name);
    spec.heightMm = heightFor(spec, venue);
    const QString problem =
        test::pdfProblem(spec, venue, m_folder.filePath(QStringLiteral("venue.pdf")), name + u'_' + style);
    if (!problem.isEmpty()) problems.append(name + QStringLiteral(": ") + problem);
  }
  QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
}

// What a change is tried with leaves out no style that gives less room.
void PageInspection::extremesAreStyles() {
  int extremes = 0;
  double narrowest = 1e9, widest = 0, letters = 0;
  for (const FigureStyle& style : figureStyles()) {
    extremes += test::isExtremeStyle(style.id);
    if (style.id.startsWith(QLatin1String("screen")) || style.id == QLatin1String("slide")) continue;
    narrowest = std::min(narrowest, style.widthMm);
    widest = std::max(widest, style.widthMm);
    letters = std::max(letters, style.labelPoints);
  }
  QCOMPARE(extremes, 3);
  QCOMPARE(figureStyle(QStringLiteral("acl")).value().widthMm, narrowest);
  QCOMPARE(figureStyle(QStringLiteral("aaai_wide")).value().widthMm, widest);
  QVERIFY(figureStyle(QStringLiteral("slide")).value().labelPoints > letters);
}

void PageInspection::slidesGiveLettersRoom() {
  FigureSpec spec = specOf(QStringLiteral("gradient_norm"));
  const FigureStyle slide = figureStyle(QStringLiteral("slide")).value();
  QCOMPARE(heightFor(spec, figureStyle(QStringLiteral("acl")).value()), spec.heightMm);
  QCOMPARE(heightFor(spec, slide), 2.5 * spec.heightMm);
  spec.heightMm = 200;
  QCOMPARE(heightFor(spec, slide), slide.widthMm);
  spec.heightMm = 300;
  QCOMPARE(heightFor(spec, slide), 300.0);
  spec.heightMm = 0;
  QCOMPARE(heightFor(spec, slide), 0.0);
}

QTEST_MAIN(PageInspection)
#include "tst_page_inspection.moc"
