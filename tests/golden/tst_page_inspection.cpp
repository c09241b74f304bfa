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

 private:
  QTemporaryDir m_folder;
};

void PageInspection::pdf_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("style");
  // Those of many states or runs have their data, and this inspection, in tst_followed_figures.
  const QStringList elsewhere = {QStringLiteral("epoch_norm"), QStringLiteral("input_norm"),
                                 QStringLiteral("over_training"), QStringLiteral("stability_grid")};
  for (const FigureEntry& entry : figures())
    for (const char* style : {"acl", "acl_wide"})
      if (!elsewhere.contains(QString::fromStdString(entry.id)))
        QTest::newRow((entry.id + " " + style).c_str()) << QString::fromStdString(entry.id) << style;
  for (const char* form : {"attention_jsd form=map", "attention_maps form=matrix part=scores layer=2 head=3",
                           "attention_maps form=lines attention=decoder.cross_attention",
                           "beta_dependency form=difference beside=init", "beta_dependency form=diagonal",
                           "output_shift form=together y_scale=log x_scale=log band=range"})
    QTest::newRow(form) << QString::fromLatin1(form) << QStringLiteral("acl_wide");
  QTest::newRow("page acl_wide") << QStringLiteral("page") << QStringLiteral("acl_wide");
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
  if (!test::installed({"pdflatex"})) QSKIP("LaTeX is not installed: the files are written, not compiled");
  const std::string document =
      "\\documentclass{standalone}\\usepackage{pgfplots}\\pgfplotsset{compat=1.17}\\begin{document}\\input{"
      "figure.tex}\\end{document}";
  QVERIFY(writeFileAtomically(m_folder.filePath(QStringLiteral("page.tex")).toStdString(), document).ok());
  QProcess latex;
  latex.setWorkingDirectory(m_folder.path());
  latex.start(QStringLiteral("pdflatex"), {QStringLiteral("-interaction=nonstopmode"),
                                           QStringLiteral("-halt-on-error"), QStringLiteral("page.tex")});
  QVERIFY(latex.waitForFinished(120000));
  QVERIFY2(latex.exitCode() == 0, latex.readAllStandardOutput().right(2000).constData());
}

QTEST_MAIN(PageInspection)
#include "tst_page_inspection.moc"
