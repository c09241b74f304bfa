// SPDX-License-Identifier: Apache-2.0
#include "views/panels/train/curve_figure.h"

#include <QTest>
#include <QTranslator>
#include <algorithm>

#include "views/figure/legend_layout.h"
#include "views/figures/training_curve_figure.h"
#include "views/look/figure_language.h"
#include "views/panels/train/curve_panel.h"

using namespace fathom;

namespace {

CurveSeries makeSeries(int run) {
  CurveSeries series;
  series.run = QStringLiteral("run-%1").arg(run);
  series.name = QStringLiteral("nmt %1L Admin").arg(6 * (run + 1));
  series.colour = run;
  series.metric = QStringLiteral("loss");
  for (int i = 1; i <= 50; ++i) {
    series.steps.push_back(i * 10);
    series.seconds.push_back(i);
    series.epochs.push_back(i * 0.1);
    series.values.push_back(1.0 + run + 1.0 / i);
  }
  return series;
}

}  // namespace

// What the curves of Train are drawn from.
class CurveFigureTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void currentCurveIsOnTop();
  void currentCurveHasAName();
  void bandIsNamed();
  void droppedTailIsFaint();
  void labelsSpeakTheLanguageOfTheWindow();
};

void CurveFigureTest::currentCurveIsOnTop() {
  CurveSet set;
  for (int run = 0; run < 3; ++run) set.set(makeSeries(run));
  CurveLook look;
  look.metrics = QStringList{"loss"};
  const auto lines = [&set, &look] {
    std::vector<FigureMark> found;
    const CurveFigure figure = curveFigure(set, look);
    for (const FigureMark& mark : figure.spec.panels.front().marks)
      if (std::holds_alternative<LineMark>(mark.shape)) found.push_back(mark);
    return found;
  };
  QCOMPARE(lines().size(), std::size_t{3});
  look.current = QStringLiteral("run-0");
  const std::vector<FigureMark> marks = lines();
  QCOMPARE(marks.back().selection, std::string("run:run-0"));
  QCOMPARE(marks.back().style.width, marks.front().style.width);
  QVERIFY(marks.back().label.empty());  // the legend keeps its order
  QCOMPARE(marks.front().label.english(), std::string("nmt 6L Admin"));
  look.current = QStringLiteral("run-2");
  QCOMPARE(lines().size(), std::size_t{3});
}

// Of more curves than a legend names, the current one is among those that it names.
void CurveFigureTest::currentCurveHasAName() {
  CurveSet set;
  for (int run = 0; run < 40; ++run) set.set(makeSeries(run));
  CurveLook look;
  look.metrics = QStringList{"loss"};
  const auto named = [&set, &look] {
    const FigurePanel panel = curveFigure(set, look).spec.panels.front();
    QStringList names;
    for (const std::size_t mark : legendNames(panel).marks)
      names.append(QString::fromStdString(panel.marks[mark].label.english()));
    return names;
  };
  QStringList first;
  for (int run = 0; run < int(kMostLegendLines) - 1; ++run) first.append(makeSeries(run).name);
  QCOMPARE(named(), first);
  look.current = QStringLiteral("run-3");
  QCOMPARE(named(), first);
  look.current = QStringLiteral("run-30");
  first.back() = makeSeries(30).name;
  QCOMPARE(named(), first);
}

// Of groups of several runs, in the window and in the figure; one run has no band.
void CurveFigureTest::bandIsNamed() {
  CurveLook look;
  look.metrics = QStringList{"loss"};
  const auto named = [](const FigurePanel& panel, const std::string& words) {
    int count = 0;
    for (const FigureMark& mark : panel.marks) count += mark.label.english() == words ? 1 : 0;
    return count;
  };
  CurveSet set;
  for (int run = 0; run < 3; ++run) {
    CurveSeries series = makeSeries(run);
    series.group = QStringLiteral("seeds");
    set.set(series);
  }
  for (const auto& [band, words] : {std::pair{CurveBand::Deviation, "band: mean ± standard deviation"},
                                    {CurveBand::StandardError, "band: mean ± standard error"},
                                    {CurveBand::Confidence95, "band: 95 % interval of the mean"},
                                    {CurveBand::Range, "band: minimum to maximum"}}) {
    set.setGrouping(true, band);
    QCOMPARE(named(curveFigure(set, look).spec.panels.front(), words), 1);
    TrainingCurveRequest request;
    request.groupSeeds = true;
    request.band = band;
    const auto result = computeTrainingCurve(set.runCurves("loss"), request);
    QCOMPARE(named(trainingCurveFigure(result, {}).panels.front(), words), 1);
  }
  set.setGrouping(false, CurveBand::Range);
  QCOMPARE(named(curveFigure(set, look).spec.panels.front(), "band: minimum to maximum"), 0);
}

// Below the curve, said once in the legend, read out beside the value that counts; in the figure, too.
void CurveFigureTest::droppedTailIsFaint() {
  CurveSet set;
  for (int run = 0; run < 2; ++run) {
    CurveSeries series = makeSeries(run);
    series.dropped = {{{300, 400, 600}, {30, 40, 60}, {3, 4, 6}, {9, 8, 7}}};
    set.set(series);
  }
  CurveLook look;
  look.metrics = QStringList{"loss"};
  for (const bool grouped : {false, true}) {  // a group of one run is that run
    set.setGrouping(grouped, CurveBand::Deviation);
    const FigurePanel panel = curveFigure(set, look).spec.panels.front();
    int faint = 0, named = 0;
    for (const FigureMark& mark : panel.marks) {
      named += mark.label.english() == droppedTailLabel().english() ? 1 : 0;
      if (mark.style.opacity != kDroppedOpacity) continue;
      ++faint;
      QCOMPARE(std::get<LineMark>(mark.shape).y, (std::vector<double>{9, 8, 7}));
    }
    QCOMPARE(faint, 2);
    QCOMPARE(named, 1);
    QCOMPARE(curveExtent(set, look).x.high, 600.0);
    const CurveLine* line = set.lines("loss").front();
    QCOMPARE(droppedValues(*line, CurveAxis::Step, 350), (std::vector<double>{8}));
    QCOMPARE(droppedValues(*line, CurveAxis::Time, 30), (std::vector<double>{9}));
    QVERIFY(droppedValues(*line, CurveAxis::Step, 299).empty());
  }
  const TrainingCurveResult result = computeTrainingCurve(set.runCurves("loss"), {});
  const FigureSpec spec = trainingCurveFigure(result, {});
  int faint = 0, named = 0;
  for (const FigureMark& mark : spec.panels.front().marks) {
    faint += mark.style.opacity == kDroppedOpacity ? 1 : 0;
    named += mark.label.english() == droppedTailLabel().english() ? 1 : 0;
  }
  QCOMPARE(faint, 2);
  QCOMPARE(named, 1);
  QVERIFY(std::any_of(spec.notes.begin(), spec.notes.end(), [](const Phrase& note) {
    return note.english().find("thrown away") != std::string::npos;
  }));
}

void CurveFigureTest::labelsSpeakTheLanguageOfTheWindow() {
  class Marked : public QTranslator {
   public:
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* text, const char*, int) const override {
      // A stack of layers in a sentence, a hardness at an axis.
      if (QLatin1String(context) == QLatin1String("TableWord"))
        return QLatin1String(text) == QLatin1String("extra") ? QStringLiteral("+extra") : QString();
      if (QLatin1String(context) != QLatin1String("fathom::Phrase")) return {};
      return QLatin1Char('~') + QString::fromUtf8(text);
    }
  };
  FigureSpec spec;
  spec.panels.emplace_back();
  spec.panels[0].x.label = Phrase::tr("updates");
  spec.panels[0].title = Phrase::tr("layer %1, head %2")(3, 12);
  spec.panels[0].x.categories = {"extra", "easy (3)"};
  spec.panels[0].x.words = {Phrase::known("extra"), Phrase::tr("%1 (%2)")(Phrase::tr("easy"), 3)};
  spec.panels[0].y.categories = {"easy"};  // a token
  spec.panels[0].marks.push_back({.shape = TextMark{0, 0, Phrase::tr("diverged"), TextAnchor::Centre}});
  QCOMPARE(inWindowLanguage(spec).panels[0].x.label.english(), std::string("updates"));
  Marked translator;
  QVERIFY(QCoreApplication::installTranslator(&translator));
  const FigureSpec shown = inWindowLanguage(spec);
  CurvePanel panel;
  panel.setSeries(makeSeries(0));
  panel.setMetrics({"loss"});
  const bool summaryToo = panel.summary().contains(QStringLiteral("~training loss"));
  QCoreApplication::removeTranslator(&translator);
  QCOMPARE(shown.panels[0].x.label.english(), std::string("~updates"));
  QCOMPARE(shown.panels[0].title.english(), std::string("~layer 3, head 12"));
  QCOMPARE(shown.panels[0].x.categories, (std::vector<std::string>{"+extra", "~~easy (3)"}));
  QCOMPARE(shown.panels[0].y.categories, std::vector<std::string>{"easy"});
  QCOMPARE(std::get<TextMark>(shown.panels[0].marks[0].shape).text.english(), std::string("~diverged"));
  QCOMPARE(shown.panels[0].legendRest, std::string("~and %1 more"));
  QVERIFY(summaryToo);
}

QTEST_MAIN(CurveFigureTest)
#include "tst_curve_figure.moc"
