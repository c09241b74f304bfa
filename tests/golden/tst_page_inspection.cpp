// SPDX-License-Identifier: Apache-2.0
// What poppler and librsvg see in the files of every kind of figure and of a page of several.
#include <QApplication>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>

#include "core/base/atomic_file.h"
#include "support_figure_gallery.h"
#include "support_probe_gallery.h"
#include "support_review_gallery.h"
#include "views/figure/figure_export.h"
#include "views/figure/figure_page.h"

using namespace fathom;

namespace {

constexpr qint64 kDate = 1767225600;  // 2026-01-01
constexpr double kOverlap = 0.5;      // points

QString outputOf(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.start(program, arguments);
  process.waitForFinished(60000);
  return QString::fromUtf8(process.readAllStandardOutput());
}

bool installed(const char* program) {
  return !QStandardPaths::findExecutable(QLatin1String(program)).isEmpty();
}

struct Word {
  QRectF box;
  QString text;
};

std::vector<Word> wordsOf(const QString& page) {
  std::vector<Word> words;
  auto found = QRegularExpression(QStringLiteral("<word xMin=\"([-\\d.]+)\" yMin=\"([-\\d.]+)\" "
                                                 "xMax=\"([-\\d.]+)\" yMax=\"([-\\d.]+)\">(.*?)</word>"))
                   .globalMatch(page);
  while (found.hasNext()) {
    const auto match = found.next();
    words.push_back({QRectF(QPointF(match.captured(1).toDouble(), match.captured(2).toDouble()),
                            QPointF(match.captured(3).toDouble(), match.captured(4).toDouble())),
                     match.captured(5)});
  }
  return words;
}

// Heat maps of more cells than are drawn one by one.
bool hasRaster(const FigureSpec& spec) {
  constexpr int kVectorCells = 64;
  for (const FigurePanel& panel : spec.panels)
    for (const FigureMark& mark : panel.marks) {
      if (std::holds_alternative<ImageMark>(mark.shape)) return true;
      const auto* cells = std::get_if<CellsMark>(&mark.shape);
      if (cells != nullptr && (cells->rows > kVectorCells || cells->columns > kVectorCells)) return true;
    }
  return false;
}

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
  const std::string id = name.toStdString();
  if (findFigure(id)->buildReview) return gallery::reviewFigure(gallery::sampleReview(3), id)->spec;
  return gallery::probeFigure(id, {});
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
  void inspectWords(const QString& path, const FigureSize& size);
  QTemporaryDir m_folder;
};

void PageInspection::pdf_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("style");
  for (const FigureEntry& entry : figures())
    for (const char* style : {"acl", "acl_wide"})
      QTest::newRow((entry.id + " " + style).c_str()) << QString::fromStdString(entry.id) << style;
  QTest::newRow("page acl_wide") << QStringLiteral("page") << QStringLiteral("acl_wide");
}

void PageInspection::inspectWords(const QString& path, const FigureSize& size) {
  const QString page =
      outputOf(QStringLiteral("pdftotext"), {QStringLiteral("-bbox"), path, QStringLiteral("-")});
  const auto found =
      QRegularExpression(QStringLiteral("<page width=\"([\\d.]+)\" height=\"([\\d.]+)\"")).match(page);
  QVERIFY(found.hasMatch());
  const QSizeF paper(found.captured(1).toDouble(), found.captured(2).toDouble());
  QVERIFY(std::abs(paper.width() / 72 * 25.4 - size.widthMm) < 0.2);
  QVERIFY(std::abs(paper.height() / 72 * 25.4 - size.heightMm) < 0.2);
  const std::vector<Word> words = wordsOf(page);
  QVERIFY(!words.empty());
  const QRectF room(-kOverlap, -kOverlap, paper.width() + 2 * kOverlap, paper.height() + 2 * kOverlap);
  for (std::size_t i = 0; i < words.size(); ++i) {
    QVERIFY2(room.contains(words[i].box), qPrintable(words[i].text + QStringLiteral(" leaves the page")));
    for (std::size_t k = 0; k < i; ++k) {
      const QRectF common = words[i].box.intersected(words[k].box);
      const bool apart = common.isEmpty() || std::min(common.width(), common.height()) <= kOverlap;
      QVERIFY2(apart, qPrintable(QStringLiteral("%1 on %2 by %3 x %4 pt")
                                     .arg(words[i].text, words[k].text)
                                     .arg(common.width())
                                     .arg(common.height())));
    }
  }
}

void PageInspection::pdf() {
  QFETCH(QString, name);
  QFETCH(QString, style);
  if (!installed("pdffonts") || !installed("pdftotext") || !installed("pdfimages"))
    QSKIP("poppler-utils is not installed");
  const FigureSpec spec = specOf(name);
  const FigureStyle chosen = figureStyle(style).value();
  const QString path = m_folder.filePath(QStringLiteral("figure.pdf"));
  const Status status = exportFigure(spec, chosen, path.toStdString(), {kDate, 300});
  QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
  if (const QString folder = qEnvironmentVariable("FATHOM_PICTURES"); !folder.isEmpty())
    QFile::copy(path, folder + u'/' + name + u'_' + style + QStringLiteral(".pdf"));
  // Columns: name type encoding emb sub uni object.
  const QStringList fonts =
      outputOf(QStringLiteral("pdffonts"), {path}).split(u'\n', Qt::SkipEmptyParts).mid(2);
  QVERIFY(!fonts.isEmpty());
  for (const QString& font : fonts) {
    QVERIFY2(!font.contains(QLatin1String("Type 3")), qPrintable(font));
    QVERIFY2(QRegularExpression(QStringLiteral("\\s(yes)\\s+(yes|no)\\s+(yes|no)\\s")).match(font).hasMatch(),
             qPrintable(font));
  }
  const QStringList images = outputOf(QStringLiteral("pdfimages"), {QStringLiteral("-list"), path})
                                 .split(u'\n', Qt::SkipEmptyParts)
                                 .mid(2);
  if (!hasRaster(spec)) QVERIFY2(images.isEmpty(), qPrintable(images.join(u'\n')));
  inspectWords(path, figureSize(spec, chosen));
}

void PageInspection::svg() {
  QFETCH(QString, name);
  QFETCH(QString, style);
  if (!installed("rsvg-convert")) QSKIP("librsvg2-bin is not installed");
  const FigureSpec spec = specOf(name);
  const FigureStyle chosen = figureStyle(style).value();
  const QString path = m_folder.filePath(QStringLiteral("figure.svg"));
  QVERIFY(exportFigure(spec, chosen, path.toStdString(), {kDate, 300}).ok());
  const QString png = m_folder.filePath(QStringLiteral("figure.png"));
  QFile::remove(png);
  outputOf(QStringLiteral("rsvg-convert"), {QStringLiteral("-o"), png, path});
  const QImage image(png);
  QVERIFY(!image.isNull());
  const FigureSize size = figureSize(spec, chosen);
  QVERIFY(std::abs(image.width() * 1.0 / image.height() - size.widthMm / size.heightMm) < 0.02);
  // Something is drawn: not a white page.
  int dark = 0;
  for (int y = 0; y < image.height(); y += 2)
    for (int x = 0; x < image.width(); x += 2) {
      const QColor colour = image.pixelColor(x, y);
      dark += colour.alpha() > 128 && colour.lightness() < 128 ? 1 : 0;
    }
  QVERIFY(dark > 100);
}

void PageInspection::pgf() {
  QFETCH(QString, name);
  QFETCH(QString, style);
  const QString path = m_folder.filePath(QStringLiteral("figure.tex"));
  const Status status =
      exportFigure(specOf(name), figureStyle(style).value(), path.toStdString(), {kDate, 300});
  QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
  const std::string tex = readFile(path.toStdString()).value();
  const auto count = [&tex](const std::string& word) {
    std::size_t times = 0;
    for (std::size_t at = tex.find(word); at != std::string::npos; at = tex.find(word, at + 1)) ++times;
    return times;
  };
  QCOMPARE(count("\\begin{axis}"), specOf(name).panels.size());
  QCOMPARE(count("\\end{axis}"), count("\\begin{axis}"));
  if (!installed("pdflatex")) QSKIP("LaTeX is not installed: the files are written, not compiled");
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
