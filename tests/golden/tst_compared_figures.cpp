// SPDX-License-Identifier: Apache-2.0
// Figures that compare runs by their logged values and options: golden dumps, vector PDFs, refusals in words.
#include <QApplication>
#include <QTest>

#include "core/library/runs/short_names.h"
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
  void optionsAreCalledByTheirTitles();
  void droppedRunsAreNoted();
  void mixedScoresAreNoted();
  void theBestLiesOnTop();
  void oneValueStandsInTheMiddle();
  void moreOptionsThanAxesAreNoted();
  void runsAreGroupedOnce();
  void ranksArePredictedFromOneProcess();

 private:
  static bool noted(const FigureSpec& spec, const char* words) {
    return std::any_of(spec.notes.begin(), spec.notes.end(), [words](const Phrase& note) {
      return note.english().find(words) != std::string::npos;
    });
  }
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
  row("ranks", "rank_scaling", "bandwidth=0.5 latency=100");
  row("histograms", "logged_histogram", "");
  row("histogram_update", "logged_histogram", "update=150");
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
  QCOMPARE(mark.columnParts,
           (std::vector<std::string>{"run:run-0", "run:run-1", "run:run-2", "run:run-3", "run:run-4"}));
  QCOMPARE(mark.selection, std::string());
  QCOMPARE(std::get<PointsMark>(mark.shape).x, (std::vector<double>{6, 6, 12, 12, 18}));
  QCOMPARE(std::get<PointsMark>(mark.shape).y, (std::vector<double>{21, 22, 24, 25, 27}));
  QVERIFY(noted(spec, "1 of 6 runs failed"));
  // Ranks 1.5 1.5 3.5 3.5 5 against 1 2 3 4 5: 9 / sqrt(9 * 10).
  QVERIFY(noted(spec, "Spearman’s ρ = 0.95"));
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

// As the engine calls them; two of one title are told apart by their keys.
void ComparedFigures::optionsAreCalledByTheirTitles() {
  const auto titled = [](const char* key, const char* title) {
    OptionField field;
    field.key = key;
    field.title = title;
    return field;
  };
  setOptionTitles(
      OptionSchema({titled("encoder.layers", "Layers"), titled("lr_schedule.rate", "Learning rate"),
                    titled("encoder.residual", "Layers")},
                   {}));
  const auto scatter = figureOf("option_scatter", "option=lr_schedule.rate colour=encoder.layers");
  const auto parallel = figureOf("option_parallel", "");
  setOptionTitles({});
  QVERIFY(scatter.ok() && parallel.ok());
  QCOMPARE(scatter->panels[0].x.label.english(), std::string("Learning rate"));
  QCOMPARE(scatter->title.english(), std::string("validation BLEU by Learning rate"));
  QCOMPARE(scatter->panels[0].marks[0].label.english(), std::string("Layers = 6"));
  const std::vector<std::string>& axes = parallel->panels[0].x.categories;
  QCOMPARE(axes.back(), std::string("validation BLEU"));
  for (const char* axis : {"Layers (encoder.layers)", "Layers (encoder.residual)", "Learning rate"})
    QVERIFY2(std::find(axes.begin(), axes.end(), axis) != axes.end(), axis);
}

// Runs that lack an option are no points, which is said; the correlation is of the points.
void ComparedFigures::droppedRunsAreNoted() {
  const gallery::ChangeFacts without = [](std::size_t run, RunFacts& facts) {
    if (run == 0) facts.options.erase("encoder.layers");
    if (run == 1) facts.options.erase("encoder.residual");
  };
  const FigureSpec across =
      gallery::comparedFigure("option_scatter", {"option=encoder.layers"}, 6, without).value();
  QVERIFY(noted(across, "1 of 6 runs do not have the option encoder.layers"));
  const FigureSpec coloured =
      gallery::comparedFigure("option_scatter", {"option=encoder.layers", "colour=encoder.residual"}, 6,
                              without)
          .value();
  QVERIFY(noted(coloured, "1 of 6 runs do not have the option encoder.residual"));
  // Left are 12 12 18 against 24 25 27: ranks 1.5 1.5 3 against 1 2 3.
  QVERIFY(noted(coloured, "Spearman’s ρ = 0.87"));
}

// The best values of some are not compared with the last ones of others.
void ComparedFigures::mixedScoresAreNoted() {
  const gallery::ChangeFacts lost = [](std::size_t run, RunFacts& facts) {
    if (run == 1) facts.best.clear();
  };
  const FigureSpec spec =
      gallery::comparedFigure("option_scatter", {"option=encoder.layers"}, 6, lost).value();
  QVERIFY(noted(spec, "best value of each run"));
  QVERIFY(noted(spec, "1 of them have a value at the end, but no best one"));
  QCOMPARE(std::get<PointsMark>(spec.panels[0].marks[0].shape).y, (std::vector<double>{21, 24, 25, 27}));
}

// Of a loss the lowest is the best.
void ComparedFigures::theBestLiesOnTop() {
  const FigureSpec spec = figureOf("option_parallel", "metric=loss score=last").value();
  std::vector<std::string> runs;
  for (const FigureMark& mark : spec.panels.at(0).marks)
    if (!mark.selection.empty()) runs.push_back(mark.selection);
  QCOMPARE(runs.front(), std::string("run:run-5"));  // without a score
  QCOMPARE(runs.back(), std::string("run:run-4"));
}

void ComparedFigures::oneValueStandsInTheMiddle() {
  const FigureSpec spec = figureOf("option_parallel", "options=model.width,encoder.layers").value();
  bool found = false;
  for (const FigureMark& mark : spec.panels.at(0).marks) {
    const auto* text = std::get_if<TextMark>(&mark.shape);
    if (text == nullptr || text->text.english() != "64") continue;
    found = true;
    QCOMPARE(text->y, 0.5);
  }
  QVERIFY(found);
}

void ComparedFigures::moreOptionsThanAxesAreNoted() {
  const gallery::ChangeFacts many = [](std::size_t run, RunFacts& facts) {
    for (int i = 0; i < 7; ++i) facts.options["extra.number" + std::to_string(i)] = int(run) + i;
  };
  const FigureSpec spec = gallery::comparedFigure("option_parallel", {}, 6, many).value();
  QCOMPARE(spec.panels[0].x.categories.size(), std::size_t{9});
  QVERIFY(noted(spec, "the first 8 of 10 options in which the runs differ"));
  QVERIFY(!noted(figureOf("option_parallel", "").value(), "options in which"));
}

// However many metrics a curve has: the options of a run are read from the disk.
void ComparedFigures::runsAreGroupedOnce() {
  int asked = 0;
  const auto spec = gallery::comparedFigure(
      "training_curve", {"metric=loss,valid.bleu", "group_seeds=true", "group_by=encoder.layers"}, 6,
      [&asked](std::size_t, RunFacts&) { ++asked; });
  QVERIFY2(spec.ok(), spec.ok() ? "" : spec.error().text().c_str());
  QCOMPARE(spec->panels.size(), std::size_t{2});
  QCOMPARE(asked, 6);
}

// At 0.1 s an update, 4 MB of gradients and 0.5 GB/s without latency: 0.1 ÷ (0.1 + 0.016 (N − 1)).
void ComparedFigures::ranksArePredictedFromOneProcess() {
  const FigureSpec spec = figureOf("rank_scaling", "bandwidth=0.5 latency=0", 1).value();
  QCOMPARE(spec.panels.at(0).marks.size(), std::size_t{2});
  const auto* line = std::get_if<LineMark>(&spec.panels[0].marks.back().shape);
  QVERIFY(line != nullptr && line->x.size() == 10 && line->y.front() == 100);
  QVERIFY(std::abs(line->y[2] - 100 * 0.1 / (0.1 + 0.016 * 3)) < 1e-9);
  QVERIFY(noted(spec, "Predicted, not measured") && noted(spec, "below 80 % from 3 processes on"));
  // Of these 20 ms are done whole by each: 0.02 + 0.02 + 0.012 s on four.
  const FigureSpec whole = figureOf("rank_scaling", "bandwidth=0.5 latency=0 step=20", 1).value();
  line = std::get_if<LineMark>(&whole.panels.at(0).marks.back().shape);
  QVERIFY(line != nullptr && std::abs(line->y.at(2) - 100 * 0.1 / (4 * 0.052)) < 1e-9);
  const auto longer = figureOf("rank_scaling", "step=100", 1);
  QVERIFY(!longer.ok() && longer.error().key == "step" &&
          longer.error().text().find("takes 100 ms, no more than its step") != std::string::npos);
  const auto several = gallery::comparedFigure("rank_scaling", {}, 2, [](std::size_t run, RunFacts& facts) {
    if (run == 1) facts.options["parallel.ranks"] = 4;
  });
  QVERIFY(!several.ok());
  QVERIFY2(several.error().text().find("was trained by 4 processes") != std::string::npos,
           several.error().text().c_str());
}

QTEST_MAIN(ComparedFigures)
#include "tst_compared_figures.moc"
