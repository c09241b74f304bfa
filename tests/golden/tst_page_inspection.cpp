// SPDX-License-Identifier: Apache-2.0
// What poppler and librsvg see in the files of every kind of figure and of a page of several. A name in the
// table is a kind with its options.
#include <QApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/atomic_file.h"
#include "support_figure_gallery.h"
#include "support_page_inspection.h"
#include "support_probe_gallery.h"
#include "support_review_gallery.h"
#include "views/figure/figure_export.h"
#include "views/figure/figure_page.h"

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
  return composePage(page, figureStyle(QStringLiteral("acl_wide")).value()).value().spec;
}

FigureSpec specOf(const QString& name) {
  if (name == QLatin1String("page")) return page();
  if (name == QLatin1String("training_curve")) return gallery::trainingCurves();
  QStringList words = name.split(u' ');
  const std::string id = words.takeFirst().toStdString();
  std::vector<std::string> assignments;
  for (const QString& word : words) assignments.push_back(word.toStdString());
  if (findFigure(id)->buildReview) return gallery::reviewFigure(gallery::sampleReview(3), id)->spec;
  return gallery::probeFigure(id, assignments);
}

// Kinds with their options, and styles.
std::vector<std::pair<QString, QString>> inspectedFigures() {
  std::vector<std::pair<QString, QString>> all;
  // Those of many states or runs have their data, and this inspection, in tst_followed_figures.
  const QStringList elsewhere = {QStringLiteral("epoch_norm"), QStringLiteral("input_norm"),
                                 QStringLiteral("over_training"), QStringLiteral("stability_grid")};
  for (const FigureEntry& entry : figures())
    for (const char* style : {"acl", "acl_wide"})
      if (const QString id = QString::fromStdString(entry.id); !elsewhere.contains(id))
        all.emplace_back(id, QLatin1String(style));
  for (const char* form : {"attention_jsd form=map", "attention_maps form=matrix part=scores layer=2 head=3",
                           "attention_maps form=lines attention=decoder.cross_attention",
                           "beta_dependency form=difference beside=init", "beta_dependency form=diagonal",
                           "output_shift form=together y_scale=log x_scale=log band=range", "page"})
    all.emplace_back(QLatin1String(form), QStringLiteral("acl_wide"));
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
  if (!test::installed({"pdffonts", "pdftotext", "pdfimages"})) QSKIP("poppler-utils is not installed");
  const QString problem =
      test::pdfProblem(specOf(name), figureStyle(style).value(),
                       m_folder.filePath(QStringLiteral("figure.pdf")), name + u'_' + style);
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void PageInspection::svg() {
  QFETCH(QString, name);
  QFETCH(QString, style);
  if (!test::installed({"rsvg-convert"})) QSKIP("librsvg2-bin is not installed");
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

// All of them in one document: LaTeX needs longer to start than for a figure.
void PageInspection::latex() {
  if (!test::installed({"pdflatex", "pdftotext"}) || !test::installedTexFile("pgfplots.sty"))
    QSKIP("LaTeX with pgfplots is not installed: the files are written, not compiled");
  std::vector<test::LatexFigure> figures;
  for (const auto& [name, style] : inspectedFigures())
    figures.push_back({name + u' ' + style, specOf(name), figureStyle(style).value()});
  const QString problem = test::latexProblem(figures, m_folder.path());
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

QTEST_MAIN(PageInspection)
#include "tst_page_inspection.moc"
