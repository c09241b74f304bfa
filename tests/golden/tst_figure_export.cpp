// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QDir>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "support_figure_gallery.h"
#include "support_page_inspection.h"
#include "views/figure/figure_renderer.h"
#include "views/files/figure_export.h"

using namespace fathom;

namespace {

constexpr qint64 kDate = 1767225600;  // 2026-01-01

FigureStyle styleOf(const char* id) {
  return figureStyle(QLatin1String(id)).value();
}

}  // namespace

class FigureExportTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void pictures_data();
  void pictures();
  void pdfPassesInspection_data() { pictures_data(); }
  void pdfPassesInspection();
  void sameBytesAgain_data();
  void sameBytesAgain();
  void everyStyleFits();
  void svgIsReadable();
  void pngHasItsSize();
  void pgfCompiles();
  void missingGlyphIsAnError();
  void failedWriteLeavesTheOldFile();
  void equalTitlesAreRefused();

 private:
  static FigureSpec specOf(const QString& name);
  QTemporaryDir m_folder;
};

void FigureExportTest::pictures_data() {
  QTest::addColumn<QString>("name");
  QTest::addColumn<QString>("style");
  QTest::newRow("gallery") << "every_mark"
                           << "acl_wide";
  QTest::newRow("violins") << "violin_grid"
                           << "neurips";
  QTest::newRow("curve in a column") << "training_curve"
                                     << "acl";
  QTest::newRow("curve on a slide") << "training_curve"
                                    << "slide";
  QTest::newRow("seven runs, long names") << "seven_long"
                                          << "acl";
  QTest::newRow("seven runs, wide") << "seven_long"
                                    << "neurips";
  QTest::newRow("one run") << "one_run"
                           << "icml";
  QTest::newRow("NaN only") << "nan_only"
                            << "acl";
  QTest::newRow("one point") << "one_point"
                             << "acl";
  QTest::newRow("dark screen") << "training_curve"
                               << "screen_dark";
}

FigureSpec FigureExportTest::specOf(const QString& name) {
  if (name == QLatin1String("every_mark")) return gallery::everyMark();
  if (name == QLatin1String("violin_grid")) return gallery::violinGrid();
  if (name == QLatin1String("training_curve")) return gallery::trainingCurves();
  if (name == QLatin1String("seven_long")) return gallery::trainingCurves(7, true);
  if (name == QLatin1String("one_run")) return gallery::trainingCurves(1, false);
  return name == QLatin1String("nan_only") ? gallery::nanOnly() : gallery::onePoint();
}

// Written for the eye where FATHOM_PICTURES names a folder.
void FigureExportTest::pictures() {
  QFETCH(QString, name);
  QFETCH(QString, style);
  const QString folder = qEnvironmentVariable("FATHOM_PICTURES", m_folder.path());
  const QString path = QDir(folder).filePath(name + u'_' + style + QStringLiteral(".png"));
  ExportOptions options;
  options.pngDpi = 150;
  const Status status =
      exportFigure(specOf(name), styleOf(style.toLatin1().constData()), path.toStdString(), options);
  QVERIFY2(status.ok(), status.ok() ? "" : status.error().text().c_str());
  QVERIFY(QFileInfo(path).size() > 1000);
}

void FigureExportTest::pdfPassesInspection() {
  QFETCH(QString, name);
  QFETCH(QString, style);
  QVERIFY2(test::installed({"pdffonts", "pdftotext", "pdfimages"}), "poppler-utils: packaging/deps.sh");
  const QString problem =
      test::pdfProblem(specOf(name), styleOf(style.toLatin1().constData()),
                       m_folder.filePath(QStringLiteral("figure.pdf")), name + u'_' + style);
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void FigureExportTest::sameBytesAgain_data() {
  QTest::addColumn<FigureFormat>("format");
  QTest::newRow("pdf") << FigureFormat::Pdf;
  QTest::newRow("svg") << FigureFormat::Svg;
  QTest::newRow("png") << FigureFormat::Png;
  QTest::newRow("pgf") << FigureFormat::Pgf;
}

void FigureExportTest::sameBytesAgain() {
  QFETCH(FigureFormat, format);
  const FigureSpec spec = gallery::everyMark();
  const ExportOptions options{kDate, 150};
  const Result<QByteArray> first = figureBytes(spec, styleOf("acl_wide"), format, options);
  QVERIFY2(first.ok(), first.ok() ? "" : first.error().text().c_str());
  if (format == FigureFormat::Pdf) {
    QVERIFY(first->contains("/CreationDate (D:20260101000000"));
    QTest::qWait(1100);  // a second on which nothing may depend
  }
  const Result<QByteArray> second = figureBytes(spec, styleOf("acl_wide"), format, options);
  QCOMPARE(*first, *second);
}

// In every style: texts inside the page, and no two of them overlap by more than half a point.
void FigureExportTest::everyStyleFits() {
  for (const FigureStyle& style : figureStyles()) {
    for (const char* name :
         {"training_curve", "seven_long", "every_mark", "violin_grid", "nan_only", "one_point"}) {
      FigureSpec spec = specOf(QLatin1String(name));
      if (spec.widthMm > 0 && style.id == QLatin1String("slide")) spec.widthMm *= 2, spec.heightMm *= 2.4;
      FigureRenderer renderer;
      QVERIFY(renderer.setFigure(spec, style).ok());
      const FigureSize size = figureSize(spec, style);
      const QSize units(qRound(unitsOfMm(size.widthMm)), qRound(unitsOfMm(size.heightMm)));
      QImage image(units, QImage::Format_RGB32);
      renderer.paintTo(image, units, {});
      const std::vector<PlacedText> texts = renderer.texts();
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const QString where = style.id + u' ' + QLatin1String(name) + u' ' + texts[i].full;
        QVERIFY2(QRectF(QPointF(-1, -1), units + QSize(2, 2)).contains(texts[i].box()), qPrintable(where));
        for (std::size_t k = 0; k < i; ++k) {
          const QRectF common = texts[i].box().intersected(texts[k].box());
          const bool apart = common.isEmpty() || std::min(common.width(), common.height()) <= 0.5 * 96 / 72;
          QVERIFY2(apart, qPrintable(where + QStringLiteral(" on ") + texts[k].full));
        }
      }
    }
  }
}

void FigureExportTest::svgIsReadable() {
  QVERIFY2(test::installed({"rsvg-convert"}), "librsvg2-bin: packaging/deps.sh");
  const QString path = m_folder.filePath(QStringLiteral("figure.svg"));
  const QString problem = test::svgProblem(gallery::everyMark(), styleOf("acl_wide"), path);
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
  // Texts are outlines, so the look does not depend on the reader's fonts; the title stays text.
  const std::string svg = readFile(path.toStdString()).value();
  QVERIFY(svg.find("<text") == std::string::npos);
  QVERIFY(svg.find("<title>Every mark</title>") != std::string::npos);
}

void FigureExportTest::pngHasItsSize() {
  const Result<QByteArray> bytes =
      figureBytes(gallery::trainingCurves(), styleOf("acl"), FigureFormat::Png, {kDate, 300});
  QVERIFY(bytes.ok());
  const QImage image = QImage::fromData(*bytes, "PNG");
  QVERIFY(std::abs(image.width() - 77 / 25.4 * 300) < 3);
  QCOMPARE(qRound(image.dotsPerMeterX() * 0.0254), 300);
}

void FigureExportTest::pgfCompiles() {
  const QString path = m_folder.filePath(QStringLiteral("figure.tex"));
  QVERIFY(exportFigure(gallery::everyMark(), styleOf("acl_wide"), path.toStdString(), {}).ok());
  QVERIFY(QFileInfo::exists(m_folder.filePath(QStringLiteral("figure.dat"))));
  QVERIFY(QFileInfo::exists(m_folder.filePath(QStringLiteral("figure-1.png"))));
  // A figure without lines reads no table: none is written.
  const QString plain = m_folder.filePath(QStringLiteral("violins.tex"));
  QVERIFY(exportFigure(gallery::violinGrid(), styleOf("acl"), plain.toStdString(), {}).ok());
  QVERIFY(!QFileInfo::exists(m_folder.filePath(QStringLiteral("violins.dat"))));
  if (!test::installed({"pdflatex"}) || !test::installedTexFile("pgfplots.sty"))
    QSKIP("LaTeX with pgfplots is not installed: the files are written, not compiled");
  // Long names, empty panels, more cells than TeX can hold, and words that LaTeX would read as commands.
  FigureSpec words = gallery::onePoint();
  words.panels[0].x.label =
      Phrase::words("100% of a_b & c#d {e} ~ ^ \\f $g |h| &lt;i&gt; \"j\" µ ‖x‖² ≤ 3 … “k” – β 训练 ▁das é");
  FigureSpec large = gallery::everyMark();
  CellsMark& cells = std::get<CellsMark>(large.panels[1].marks.front().shape);
  cells.rows = cells.columns = 200;
  cells.values.assign(200 * 200, 0.3);
  std::vector<test::LatexFigure> figures;
  const auto add = [&](const char* name, const FigureSpec& spec, const char* style) {
    figures.push_back({QLatin1String(name) + u' ' + QLatin1String(style), spec, styleOf(style)});
  };
  for (const char* name : {"every_mark", "violin_grid", "seven_long", "nan_only", "one_point"})
    add(name, specOf(QLatin1String(name)), "acl_wide");
  add("words", words, "acl_wide");
  add("large", large, "acl_wide");
  add("every_mark", gallery::everyMark(), "screen_dark");
  const QString problem = test::latexProblem(figures, m_folder.path());
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void FigureExportTest::missingGlyphIsAnError() {
  FigureSpec spec = gallery::onePoint();
  spec.panels[0].x.label = Phrase::words("updates \xF0\x92\x80\x80");  // cuneiform, U+12000
  const Result<QByteArray> bytes = figureBytes(spec, styleOf("acl"), FigureFormat::Pdf, {});
  QVERIFY(!bytes.ok());
  const std::string text = bytes.error().text();
  QVERIFY2(text.find("U+12000") != std::string::npos && text.find("x label") != std::string::npos,
           text.c_str());
  // Chinese names are covered by the fonts of the styles.
  spec.panels[0].x.label = Phrase::words("\xE8\xAE\xAD\xE7\xBB\x83");
  if (familyCovers(QStringLiteral("Noto Sans CJK SC"), U'\u8bad'))
    QVERIFY(figureBytes(spec, styleOf("acl"), FigureFormat::Pdf, {}).ok());
}

void FigureExportTest::failedWriteLeavesTheOldFile() {
  const std::string path = m_folder.filePath(QStringLiteral("kept.pdf")).toStdString();
  QVERIFY(writeFileAtomically(path, "old").ok());
  FileFaults::arm(FileFaults::Call::Write, 0, 28 /* ENOSPC */, true);
  const Status status = exportFigure(gallery::onePoint(), styleOf("acl"), path, {kDate, 300});
  FileFaults::clear();
  QVERIFY(!status.ok());
  QCOMPARE(readFile(path).value(), std::string("old"));
  QVERIFY(!exportFigure(gallery::onePoint(), styleOf("acl"),
                        m_folder.filePath(QStringLiteral("x.bmp")).toStdString())
               .ok());
  QVERIFY(!figureStyle(QStringLiteral("acm")).ok());
}

// Every format has the page's checks: what is cut is told, equal titles are refused.
void FigureExportTest::equalTitlesAreRefused() {
  FigureSpec spec;
  for (const char* title : {"decoder", "encoder", "decoder"}) {
    FigurePanel panel = gallery::trainingCurves(1, false).panels.front();
    panel.title = Phrase::words(title);
    panel.column = static_cast<int>(spec.panels.size());
    panel.legend = LegendPlace::None;
    spec.panels.push_back(std::move(panel));
  }
  for (const FigureFormat format :
       {FigureFormat::Pdf, FigureFormat::Svg, FigureFormat::Png, FigureFormat::Pgf}) {
    const Result<QByteArray> bytes = figureBytes(spec, styleOf("acl_wide"), format, {kDate, 300});
    QVERIFY(!bytes.ok());
    QVERIFY2(bytes.error().text().find("decoder | decoder") != std::string::npos,
             bytes.error().text().c_str());
  }
  const std::string path = m_folder.filePath(QStringLiteral("equal.tex")).toStdString();
  QVERIFY(!exportFigure(spec, styleOf("acl_wide"), path).ok());
  QVERIFY(!QFile::exists(QString::fromStdString(path)));
  spec.panels[2].title = Phrase::words(
      "a title without end that two lines of its panel have no room for, nor three, as it goes on "
      "and on, from one thing to another, and has not come to what it wanted to say");
  FigureChecks found;
  ExportOptions options{kDate, 300};
  options.found = &found;
  for (const FigureFormat format : {FigureFormat::Pdf, FigureFormat::Pgf}) {
    found = {};
    QVERIFY(figureBytes(spec, styleOf("acl_wide"), format, options).ok());
    QCOMPARE(found.cut.filter(QStringLiteral("a title without end")).size(), 1);
  }
  // Two lines are enough for this one.
  spec.panels[2].title = Phrase::words("decoder, cross attention of RealFormer");
  QVERIFY(figureBytes(spec, styleOf("acl_wide"), FigureFormat::Pdf, options).ok());
  QVERIFY2(found.cut.filter(QStringLiteral("RealFormer")).isEmpty(), qPrintable(found.cut.join(u';')));
}

QTEST_MAIN(FigureExportTest)
#include "tst_figure_export.moc"
