// SPDX-License-Identifier: Apache-2.0
// What a reader of an exported figure must know is said with it, in words and in --json.
#include <QTest>
#include <fstream>
#include <iterator>

#include "core/library/figures/style_sheet.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class FigureNotes : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void logarithmicAxesWithoutPositiveValues_data();
  void logarithmicAxesWithoutPositiveValues();
  void wordsOfAPersonsAreDrawnAndKept();
  void pagesAreDrawnInAStyleSheet();
};

void FigureNotes::logarithmicAxesWithoutPositiveValues_data() {
  QTest::addColumn<QString>("metric");
  QTest::addColumn<QStringList>("notes");
  const QString nothing =
      QStringLiteral("%1: no value is above 0; nothing can be shown on a logarithmic axis");
  const QString hidden =
      QStringLiteral("%1 values are not above 0 and cannot be shown on the logarithmic y axis");
  QTest::newRow("below") << "below" << QStringList{nothing.arg("below"), hidden.arg(5)};
  QTest::newRow("zero") << "zero" << QStringList{nothing.arg("zero"), hidden.arg(5)};
  QTest::newRow("one run") << "half" << QStringList{hidden.arg(3)};
  QTest::newRow("all shown") << "above" << QStringList{};
}

void FigureNotes::logarithmicAxesWithoutPositiveValues() {
  QFETCH(QString, metric);
  QFETCH(QStringList, notes);
  const ProjectFixture fixture;
  const QString project = QString::fromStdString(fixture.path()), table = fixture.file("runs.csv");
  std::ofstream(table.toStdString()) << "run,step,below,zero,half,above\n"
                                        "a,10,-1,0,-1,1\na,20,-2,0,-2,2\na,30,-3,0,-3,3\n"
                                        "b,10,-1,0,1,1\nb,20,-2,0,2,2\n";
  const ShellResult imported = fixture.fathom({"import-run", "--project", project, table});
  QVERIFY2(imported.exitCode == 0, qPrintable(imported.err));
  const QString out = fixture.file("figure.pdf");
  const ShellResult drawn =
      fixture.fathom({"export-figure", "--project", project, "--runs", "a", "b", "--set", "metric=" + metric,
                      "--set", "y_scale=log", "--out", out, "--json"});
  QVERIFY2(drawn.exitCode == 0, qPrintable(drawn.err));
  QStringList said;
  const Json told = drawn.json();
  for (const Json& note : told.at("notes")) said.append(QString::fromStdString(note.get<std::string>()));
  QCOMPARE(said, notes);
  for (const QString& note : notes) QVERIFY2(drawn.err.contains(note), qPrintable(drawn.err));
}

// By the figure's own words; what it does not say is refused with what it does.
void FigureNotes::wordsOfAPersonsAreDrawnAndKept() {
  const ProjectFixture fixture;
  const QString project = QString::fromStdString(fixture.path()), table = fixture.file("runs.csv");
  std::ofstream(table.toStdString()) << "run,step,loss\na,10,3\na,20,2\n";
  QCOMPARE(fixture.fathom({"import-run", "--project", project, table}).exitCode, 0);
  const QString out = fixture.file("figure.tex");
  const auto draw = [&](const QStringList& texts) {
    QStringList words = {"export-figure", "--project", project, "--runs", "a", "--set",
                         "metric=loss",   "--name",    "mine",  "--out",  out, "--json"};
    for (const QString& text : texts) words << "--text" << text;
    return fixture.fathom(words);
  };
  const ShellResult drawn = draw({"updates=>steps taken", "a=>Ours"});
  QVERIFY2(drawn.exitCode == 0, qPrintable(drawn.err));
  QCOMPARE(drawn.json().at("recipe").at("texts").at("axes").at("updates").get<std::string>(),
           std::string("steps taken"));
  const auto text = [&out] {
    std::ifstream file(out.toStdString());
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  QVERIFY(text().find("steps taken") != std::string::npos && text().find("Ours") != std::string::npos);
  const std::string first = text();
  // The stored recipe says it again, byte for byte.
  const ShellResult again =
      fixture.fathom({"export-figure", "--project", project, "--recipe", "mine", "--out", out});
  QVERIFY2(again.exitCode == 0, qPrintable(again.err));
  QCOMPARE(text(), first);
  const ShellResult unsaid = draw({"nothing=>x"});
  QVERIFY(unsaid.exitCode != 0);
  QVERIFY2(unsaid.out.contains("does not say \\\"nothing\\\"") && unsaid.out.contains("updates"),
           qPrintable(unsaid.out));
  for (const char* bad : {"updates", "=>x", "updates=>"}) QVERIFY(draw({QLatin1String(bad)}).exitCode != 0);
}

void FigureNotes::pagesAreDrawnInAStyleSheet() {
  const ProjectFixture fixture;
  const QString project = QString::fromStdString(fixture.path()), table = fixture.file("runs.csv");
  std::ofstream(table.toStdString()) << "run,step,loss\na,10,3\na,20,2\n";
  const ShellResult imported = fixture.fathom({"import-run", "--project", project, table});
  QVERIFY2(imported.exitCode == 0, qPrintable(imported.err));
  const ShellResult alone = fixture.fathom({"export-figure", "--project", project, "--runs", "a", "--set",
                                            "metric=loss", "--out", fixture.file("alone.svg"), "--json"});
  QVERIFY2(alone.exitCode == 0, qPrintable(alone.err));
  {
    const auto library = ProjectLibrary::open(fixture.path()).value();
    FigureComposition page;
    page.name = "p";
    CompositionPanel panel;
    panel.recipe = figureRecipeFromJson(alone.json().at("recipe")).value();
    page.panels.push_back(panel);
    QVERIFY(saveFigureComposition(*library, page).ok());
    StyleSheet sheet;
    sheet.name = "mine";
    sheet.style = "icml";
    sheet.widthMm = 70;
    QVERIFY(saveStyleSheet(*library, sheet).ok());
  }
  const QString out = fixture.file("page.svg");
  const auto draw = [&](const QString& sheet) {
    return fixture.fathom({"export-figure", "--project", project, "--composition", "p", "--sheet", sheet,
                           "--out", out, "--json"});
  };
  const ShellResult drawn = draw("mine");
  QVERIFY2(drawn.exitCode == 0, qPrintable(drawn.err));
  QCOMPARE(drawn.json().at("composition").at("width_mm").get<double>(), 70.0);
  QCOMPARE(drawn.json().at("composition").at("style").get<std::string>(), std::string("icml"));
  const ShellResult unknown = draw("mien");
  QVERIFY(unknown.exitCode != 0);
  QVERIFY2(unknown.out.contains("mine"), qPrintable(unknown.out));
}

QTEST_MAIN(FigureNotes)
#include "tst_figure_notes.moc"
