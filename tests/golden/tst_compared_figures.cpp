// SPDX-License-Identifier: Apache-2.0
// Figures that compare runs by their logged values and options: golden dumps, vector PDFs, refusals in words.
#include <QApplication>
#include <QTest>

#include "tests/golden/support_built_figure.h"
#include "tests/golden/support_compared_gallery.h"
#include "tests/golden/support_figure_dump.h"
#include "tests/golden/support_golden_text.h"
#include "views/files/figure_export.h"

using namespace fathom;

class ComparedFigures : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void dumps_data();
  void dumps();
  void baseIsChosen();
  void unknownBaseIsRefused();
  void oneRunIsRefused();
  void pointsNameTheirRuns();
  void unknownOptionsAreRefused();

 private:
  static Result<FigureSpec> figureOf(const char* figure, const QString& assignments, std::size_t runs = 6) {
    return gallery::comparedFigure(figure, gallery::optionWords(assignments), runs);
  }
};

void ComparedFigures::dumps_data() {
  QTest::addColumn<QString>("figure");
  QTest::addColumn<QString>("assignments");
  const auto row = [](const char* name, const char* figure, const char* assignments) {
    QTest::newRow(name) << QString::fromLatin1(figure) << QString::fromLatin1(assignments);
  };
  row("difference", "difference_curve", "");
  row("difference_seeds", "difference_curve", "group_seeds=true metric=valid.bleu");
  row("scatter", "option_scatter", "option=lr_schedule.rate");
  row("scatter_words", "option_scatter", "colour=encoder.layers score=last metric=loss");
  row("parallel", "option_parallel", "");
  row("parallel_some", "option_parallel", "options=encoder.layers,seed metric=loss score=last");
}

void ComparedFigures::dumps() {
  QFETCH(QString, figure);
  QFETCH(QString, assignments);
  const auto spec = figureOf(qPrintable(figure), assignments);
  QVERIFY2(spec.ok(), spec.ok() ? "" : spec.error().text().c_str());
  QVERIFY(!spec->summary.empty() && !spec->title.empty());
  const auto bytes = figureBytes(*spec, figureStyle(QStringLiteral("acl_wide")).value(), FigureFormat::Pdf);
  QVERIFY2(bytes.ok(), bytes.ok() ? "" : bytes.error().text().c_str());
  QVERIFY(bytes->startsWith("%PDF") && !bytes->contains("/Subtype /Image"));
  const QString problem =
      test::goldenProblem(figureDump(*spec), std::string("compared_") + QTest::currentDataTag() + ".txt");
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

// The base has no line; the others are away from it, whichever it is.
void ComparedFigures::baseIsChosen() {
  const auto lines = [](const FigureSpec& spec) {
    std::vector<std::string> runs;
    for (const FigureMark& mark : spec.panels.at(0).marks)
      if (std::holds_alternative<LineMark>(mark.shape)) runs.push_back(mark.selection);
    return runs;
  };
  QCOMPARE(lines(figureOf("difference_curve", "", 3).value()),
           (std::vector<std::string>{"run:run-1", "run:run-2"}));
  QCOMPARE(lines(figureOf("difference_curve", "base=run-2", 3).value()),
           (std::vector<std::string>{"run:run-0", "run:run-1"}));
  const FigureSpec spec = figureOf("difference_curve", "base=run-2", 3).value();
  const auto* last = std::get_if<LineMark>(&spec.panels[0].marks.back().shape);
  QVERIFY(last != nullptr);
  // Seed 2 of Post-LN against Pre-LN at update 50: 4 e^(-1/4) (1 - 0.9) + 0.05.
  QVERIFY(std::abs(last->y.front() - (0.4 * std::exp(-0.25) + 0.05)) < 1e-12);
}

void ComparedFigures::unknownBaseIsRefused() {
  const auto spec = figureOf("difference_curve", "base=nobody", 2);
  QVERIFY(!spec.ok());
  for (const char* part : {"\"nobody\"", "Post-LN · seed 1", "Post-LN · seed 2"})
    QVERIFY2(spec.error().text().find(part) != std::string::npos, spec.error().text().c_str());
}

void ComparedFigures::oneRunIsRefused() {
  for (const auto& [assignments, runs] : {std::pair("", 1), std::pair("group_seeds=true", 2)}) {
    const auto spec = figureOf("difference_curve", QString::fromLatin1(assignments), std::size_t(runs));
    QVERIFY(!spec.ok());
    QVERIFY2(spec.error().text().find("two or more") != std::string::npos, spec.error().text().c_str());
  }
}

// Every point selects its run; the one that diverged is no point, and is counted.
void ComparedFigures::pointsNameTheirRuns() {
  const FigureSpec spec = figureOf("option_scatter", "option=encoder.layers").value();
  const FigureMark& mark = spec.panels.at(0).marks.at(0);
  QCOMPARE(mark.columnParts, (std::vector<std::string>{"run-0", "run-1", "run-2", "run-3", "run-4"}));
  QCOMPARE(std::get<PointsMark>(mark.shape).x, (std::vector<double>{6, 6, 12, 12, 18}));
  QCOMPARE(std::get<PointsMark>(mark.shape).y, (std::vector<double>{21, 22, 24, 25, 27}));
  const auto noted = [&](const char* words) {
    return std::any_of(spec.notes.begin(), spec.notes.end(),
                       [&](const Phrase& note) { return note.english().find(words) != std::string::npos; });
  };
  QVERIFY(noted("1 of 6 runs failed"));
  // Ranks 1.5 1.5 3.5 3.5 5 against 1 2 3 4 5: 9 / sqrt(9 * 10).
  QVERIFY(noted("Spearman’s ρ = 0.95"));
  // The line of a run that failed ends before the last axis.
  const FigureSpec parallel = figureOf("option_parallel", "").value();
  const auto& first = std::get<LineMark>(parallel.panels[0].marks.at(0).shape);
  QCOMPARE(parallel.panels[0].marks[0].selection, std::string("run:run-5"));
  QVERIFY(std::isnan(first.y.back()) && std::isfinite(first.y.front()));
  QCOMPARE(parallel.panels[0].marks[5].selection, std::string("run:run-4"));  // the best lies on top
}

void ComparedFigures::unknownOptionsAreRefused() {
  const auto option = figureOf("option_scatter", "option=nobody");
  QVERIFY(!option.ok());
  for (const char* part : {"'nobody'", "encoder.residual", "lr_schedule.rate"})
    QVERIFY2(option.error().text().find(part) != std::string::npos, option.error().text().c_str());
  QVERIFY(!figureOf("option_parallel", "metric=nobody").ok());
  // The two seeds differ in nothing that sets runs apart.
  for (const char* figure : {"option_scatter", "option_parallel"}) {
    const auto same = figureOf(figure, "", 2);
    QVERIFY(!same.ok());
    QVERIFY2(same.error().text().find("sets runs apart") != std::string::npos, same.error().text().c_str());
  }
}

QTEST_MAIN(ComparedFigures)
#include "tst_compared_figures.moc"
