// SPDX-License-Identifier: Apache-2.0
// Figures of many states or runs: an analysis over training, norms of epochs, stability grids. Golden dumps,
// vector PDFs, and what is said when there is too little.
#include <QApplication>
#include <QImage>
#include <QTest>
#include <cmath>
#include <limits>
#include <map>

#include "tests/golden/support_built_figure.h"
#include "tests/golden/support_figure_dump.h"
#include "tests/golden/support_golden_text.h"
#include "tests/golden/support_states_gallery.h"
#include "views/figure/figure_arrangement.h"
#include "views/figure/figure_colours.h"
#include "views/figure/figure_renderer.h"
#include "views/figures/figure_height.h"
#include "views/files/figure_export.h"

using namespace fathom;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Result<FigureSpec> figureOf(const QString& figure, const QString& assignments,
                            const std::vector<std::string>& runs = {}) {
  return gallery::followedFigure(figure.toStdString(), gallery::optionWords(assignments), runs);
}

}  // namespace

class FollowedFigures : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void dumps_data();
  void dumps();
  void supersededStatesAreReplaced();
  void statesLieOnEveryAxis();
  void twoStatesAreNeeded();
  void unknownPartsAreListed();
  void gridsCountFailures();
  void gridsShowWhatTheirRunsHave();
  void otherDifferencesAreNamed();
  void unknownOptionsAreRefused();
  void missingCellsAreDrawnAndCounted();
  void fourRunsFitAPage_data();
  void fourRunsFitAPage();
  void fourRunsAreTooManyForASlide();
};

void FollowedFigures::dumps_data() {
  QTest::addColumn<QString>("figure");
  QTest::addColumn<QString>("assignments");
  const auto row = [](const char* name, const char* figure, const char* assignments) {
    QTest::newRow(name) << QString::fromLatin1(figure) << QString::fromLatin1(assignments);
  };
  row("entropy", "over_training", "");
  row("entropy_part", "over_training", "part=decoder.self_attention statistic=median");
  row("beta", "over_training", "analysis=beta_dependency");
  row("entropy_tokens", "over_training", "part=encoder.self_attention axis=tokens");
  row("entropy_clock", "over_training", "part=encoder.self_attention axis=clock");
  row("epochs", "epoch_norm", "");
  row("epochs_network", "epoch_norm", "reference=network");
  row("inputs", "input_norm", "");
  row("scales", "input_norm", "form=scales");
  row("factors", "input_norm", "form=factors");
  row("stability", "stability_grid", "");
  row("stability_last", "stability_grid", "score=last x=optimizer.beta2 y=lr_schedule.rate");
}

void FollowedFigures::dumps() {
  QFETCH(QString, figure);
  QFETCH(QString, assignments);
  const FigureSpec spec = figureOf(figure, assignments).value();
  QVERIFY(!spec.summary.empty() && !spec.notes.empty());
  const auto bytes = figureBytes(spec, figureStyle(QStringLiteral("acl_wide")).value(), FigureFormat::Pdf);
  QVERIFY2(bytes.ok(), bytes.ok() ? "" : bytes.error().text().c_str());
  QVERIFY(bytes->startsWith("%PDF") && !bytes->contains("/Subtype /Image"));
  const QString problem =
      test::goldenProblem(figureDump(spec), std::string("followed_") + QTest::currentDataTag() + ".txt");
  QVERIFY2(problem.isEmpty(), qPrintable(problem));
}

// Update 200 was reached by two attempts: the later one counts. A layer without numbers is a gap.
void FollowedFigures::supersededStatesAreReplaced() {
  const FigureSpec spec = figureOf("over_training", "part=encoder.self_attention").value();
  QCOMPARE(spec.panels.size(), std::size_t{2});
  const LineMark& top = std::get<LineMark>(spec.panels[0].marks.at(7).shape);
  QCOMPARE(top.x, (std::vector<double>{0, 100, 200, 300}));
  QVERIFY(std::abs(top.y[2] - 2.4) < 1e-12);
  QVERIFY(std::isnan(std::get<LineMark>(spec.panels[0].marks.at(3).shape).y[1]));
  QVERIFY(spec.notes.back().english().find("not drawn") != std::string::npos);
}

// As the run's log says at the updates of its states; what it does not tell is a gap, and said.
void FollowedFigures::statesLieOnEveryAxis() {
  const auto places = [](const char* axis) {
    const FigureSpec spec =
        figureOf("over_training", QStringLiteral("part=encoder.self_attention ") + QLatin1String(axis))
            .value();
    return std::get<LineMark>(spec.panels[0].marks.at(7).shape).x;
  };
  QCOMPARE(places("axis=tokens"), (std::vector<double>{0, 100000, 200000, 300000}));
  QCOMPARE(places("axis=epoch"), (std::vector<double>{0, 1, 2, 3}));
  const auto minutes = places("axis=time");  // the other run takes twenty
  QVERIFY(std::abs(minutes[3] - 10) < 1e-12);
  const auto clock = places("axis=clock");
  QVERIFY(std::isnan(clock[0]) && clock[1] == 0 && clock[3] == 400);
  const auto score = places("axis=metric axis_metric=valid.bleu");
  QVERIFY(std::isnan(score[0]));
  QCOMPARE(score[3], 30.0);
  const FigureSpec spec = figureOf("over_training", "axis=metric axis_metric=valid.bleu").value();
  QVERIFY(spec.notes.at(1).english().ends_with("1 states have no place on this axis."));
  QCOMPARE(spec.panels.back().x.label.english(), std::string("validation BLEU"));
  const auto nameless = figureOf("over_training", "axis=metric");
  QVERIFY(!nameless.ok() && nameless.error().key == "axis_metric");
}

void FollowedFigures::twoStatesAreNeeded() {
  for (const char* figure : {"over_training", "epoch_norm"}) {
    const auto spec = figureOf(QString::fromLatin1(figure), "", {"lone"});
    QVERIFY(!spec.ok());
    QVERIFY2(spec.error().text().find("two are needed") != std::string::npos, spec.error().text().c_str());
  }
}

void FollowedFigures::unknownPartsAreListed() {
  const auto part = figureOf("over_training", "part=encoder.cross");
  QVERIFY(!part.ok() && part.error().text().find("decoder.self_attention") != std::string::npos);
  const auto attention = figureOf("epoch_norm", "attention=decoder.cross_attention");
  QVERIFY(!attention.ok() && attention.error().text().find("decoder.cross_attention") != std::string::npos);
}

void FollowedFigures::gridsCountFailures() {
  const FigureSpec spec = figureOf("stability_grid", "").value();
  std::map<std::string, int> texts;
  for (const FigureMark& mark : spec.panels[0].marks)
    if (const auto* text = std::get_if<TextMark>(&mark.shape)) ++texts[text->text.english()];
  QCOMPARE(texts["diverged"], 2);
  // The words are the program's: a screen says them in its language, in the cells and in the summary.
  const auto said = [](const std::string& english) { return english.empty() ? english : "~" + english; };
  const std::string summary = spec.summary.said(said);
  QVERIFY2(summary.find("~diverged, ~failed 2/2") != std::string::npos, summary.c_str());
  QCOMPARE(texts["failed 2/2"], 2);
  QCOMPARE(texts["failed 1/2"], 1);
  QCOMPARE(texts["1 open"], 1);
  QCOMPARE(texts["21.5 ± 0.71"] + texts["21.5 ± 0.7"], 2);
  QVERIFY(spec.notes.at(1).english().starts_with("failed 5/11"));
}

// Where no metric is asked for it is the one that says most about these runs, whatever they learn.
void FollowedFigures::gridsShowWhatTheirRunsHave() {
  const auto label = [](const QString& options, const std::vector<std::string>& runs) {
    return figureOf("stability_grid", options, runs).value().panels[0].bars.at(0).label.english();
  };
  QCOMPARE(label("", {"20", "22", "24", "26"}), std::string("validation accuracy (%)"));
  QCOMPARE(label("", {"0", "2", "4", "6"}), std::string("validation BLEU"));
  QCOMPARE(label("metric=valid.loss", {"20", "22"}), std::string("validation loss (nats per token)"));
  const FigureSpec spec = figureOf("stability_grid", "", {"20", "22"}).value();
  QVERIFY(std::isfinite(std::get<CellsMark>(spec.panels[0].marks.at(0).shape).values.at(0)));
}

void FollowedFigures::otherDifferencesAreNamed() {
  const FigureSpec spec = figureOf("stability_grid", "y=model.width").value();
  QVERIFY(spec.notes.back().english().find("optimizer.beta2") != std::string::npos);
}

void FollowedFigures::unknownOptionsAreRefused() {
  const auto spec = figureOf("stability_grid", "x=optimizer.beta");
  QVERIFY(!spec.ok() &&
          spec.error().text().find("run 0 has no option 'optimizer.beta'") != std::string::npos);
}

// Cells that are not numbers are grey, and the colour bar says how many there are.
void FollowedFigures::missingCellsAreDrawnAndCounted() {
  FigureSpec spec;
  FigurePanel panel;
  panel.x.label = Phrase::words("column");
  CellsMark cells;
  cells.rows = cells.columns = 2;
  cells.values = {0.1, kNaN, kNaN, 0.4};
  FigureMark mark;
  mark.shape = cells;
  panel.marks = {mark};
  ColourBar bar;
  bar.missing = 2;
  panel.bars = {bar};
  spec.panels = {panel};
  const FigureStyle style = figureStyle(QStringLiteral("acl")).value();
  FigureRenderer renderer;
  renderer.setFigure(spec, style).value();
  QImage page(400, 300, QImage::Format_ARGB32);
  page.fill(Qt::white);
  renderer.paintTo(page, page.size(), {});
  int found = 0;
  for (const PlacedText& text : renderer.texts()) {
    QVERIFY(QRectF(page.rect()).contains(text.box()));
    found += text.full == QLatin1String("2 NaN") ? 1 : 0;
  }
  QCOMPARE(found, 1);
  const QRectF area = renderer.layout().panels.at(0).area;
  const QColor missing =
      page.pixelColor((area.topLeft() + QPointF(area.width() / 4, area.height() / 4)).toPoint());
  QCOMPARE(missing, mapColour(ColourMap::Viridis, kNaN));
  const auto tex = figureBytes(spec, style, FigureFormat::Pgf);
  QVERIFY(tex.ok() && tex->contains("2 NaN"));
}

void FollowedFigures::fourRunsFitAPage_data() {
  QTest::addColumn<QString>("style");
  for (const char* style : {"acl", "acl_wide", "neurips", "icml", "ieee"})
    QTest::newRow(style) << QString::fromLatin1(style);
}

// Eight rows of 40 mm are no page; with plots of 15 mm they are, and every word is whole.
void FollowedFigures::fourRunsFitAPage() {
  QFETCH(QString, style);
  const FigureStyle look = figureStyle(style).value();
  const FigureSpec spec = figureOf("epoch_norm", "", {"aaaa", "bbbb", "cccc", "dddd"}).value();
  QCOMPARE(spec.heightMm, 328.0);
  const FigureSpec page = figureForPage({}, spec, look);
  QVERIFY2(figureSize(page, look).heightMm <= look.mostHeightMm, qPrintable(QString::number(page.heightMm)));
  const PageFaults faults = pageFaults(page, look);
  QCOMPARE(faults.cut + faults.overlapping + faults.unread, 0);
  QVERIFY2(faults.lowMm <= kLeastPlotMm - 12, qPrintable(QString::number(faults.lowMm)));
}

// Each of them alone fits.
void FollowedFigures::fourRunsAreTooManyForASlide() {
  const FigureStyle slide = figureStyle(QStringLiteral("slide")).value();
  const auto told = [&slide](const std::vector<std::string>& runs) {
    const FigureSpec spec = figureAlone({}, figureOf("epoch_norm", "", runs).value(), slide);
    return QString::fromStdString(checkOnSlide({}, spec, slide).error().text());
  };
  QVERIFY2(told({"aaaa", "bbbb", "cccc", "dddd"}).contains(QStringLiteral("a slide has 191")), "four");
  const FigureSpec one = figureAlone({}, figureOf("epoch_norm", "", {"aaaa"}).value(), slide);
  QVERIFY(checkOnSlide({}, one, slide).ok());
  QCOMPARE(pageFaults(one, slide).cut, 0);
}

QTEST_MAIN(FollowedFigures)
#include "tst_followed_figures.moc"
