// SPDX-License-Identifier: Apache-2.0
#include <QApplication>
#include <QTest>

#include "tests/golden/support_figure_dump.h"
#include "tests/golden/support_figure_gallery.h"
#include "tests/golden/support_golden_text.h"
#include "views/figure/pgf_writer.h"

using namespace fathom;

class FigureGolden : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void dumps_data();
  void dumps();
  void jsonNamesEveryMark_data() { dumps_data(); }
  void jsonNamesEveryMark();
  void pgf();

 private:
  static FigureSpec specOf(const QString& name);
  void compare(const std::string& text, const std::string& file);
};

void FigureGolden::dumps_data() {
  QTest::addColumn<QString>("name");
  for (const char* name :
       {"every_mark", "violin_grid", "training_curve", "seven_runs", "nan_only", "one_point"})
    QTest::newRow(name) << QString::fromLatin1(name);
}

FigureSpec FigureGolden::specOf(const QString& name) {
  if (name == QLatin1String("every_mark")) return gallery::everyMark();
  if (name == QLatin1String("violin_grid")) return gallery::violinGrid();
  if (name == QLatin1String("training_curve")) return gallery::trainingCurves();
  if (name == QLatin1String("seven_runs")) return gallery::trainingCurves(7, true);
  return name == QLatin1String("nan_only") ? gallery::nanOnly() : gallery::onePoint();
}

void FigureGolden::compare(const std::string& text, const std::string& file) {
  const QString problem = test::goldenProblem(text, file);
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

void FigureGolden::dumps() {
  QFETCH(QString, name);
  compare(figureDump(specOf(name)), name.toStdString() + ".txt");
}

void FigureGolden::jsonNamesEveryMark() {
  QFETCH(QString, name);
  const FigureSpec spec = specOf(name);
  const std::string text = figureToJson(spec).dump();
  const Result<Json> json = parseJson(text);
  QVERIFY(json.ok());
  const Json& panels = json->at("panels");
  QCOMPARE(panels.size(), spec.panels.size());
  for (std::size_t i = 0; i < spec.panels.size(); ++i) {
    const auto& marks = spec.panels[i].marks;
    const Json& written = panels[i].value("marks", Json::array());
    QCOMPARE(written.size(), marks.size());
    for (std::size_t k = 0; k < marks.size(); ++k)
      QCOMPARE(written[k].at("mark").get<std::string>(), std::string(kMarkWords[marks[k].shape.index()]));
  }
}

// The layout depends on the installed fonts, so only what does not is compared.
void FigureGolden::pgf() {
  const PgfFigure figure =
      pgfFigure(gallery::everyMark(), figureStyle(QStringLiteral("acl_wide")).value(), "gallery");
  compare(figure.data, "every_mark.dat");
  for (const char* part :
       {"\\path[use as bounding box] (0,0) rectangle (160mm,110mm);", "xmode=log", "{line with a gap}",
        "\\textit{i}", "\\ensuremath{\\beta}\\textsubscript{ii}\\textsuperscript{2}", "{jumped\\_over}",
        "includegraphics[width=", "{\\fathomfolder gallery-1.png}",
        "table[x=m0x, y=m0y] {\\fathomfolder gallery.dat}", "\\textbf{Text} \\& more"})
    QVERIFY2(figure.tex.find(part) != std::string::npos, part);
  QCOMPARE(figure.images.size(), std::size_t{1});
  // Every brace and every environment is closed.
  QCOMPARE(std::count(figure.tex.begin(), figure.tex.end(), '{'),
           std::count(figure.tex.begin(), figure.tex.end(), '}'));
  QCOMPARE(QString::fromStdString(figure.tex).count(QLatin1String("\\begin{axis}")), 4);
  QCOMPARE(QString::fromStdString(figure.tex).count(QLatin1String("\\end{axis}")), 4);
}

QTEST_MAIN(FigureGolden)
#include "tst_figure_golden.moc"
