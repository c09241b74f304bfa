// SPDX-License-Identifier: Apache-2.0
// A figure of several metrics is fit for print by itself: in every style (with a change in the extremes),
// with few and many runs, whichever language its words are in.
#include <QApplication>
#include <QTest>
#include <QTranslator>
#include <cmath>
#include <set>

#include "tests/all_tests.h"
#include "tests/golden/support_built_figure.h"
#include "tests/golden/support_page_inspection.h"
#include "views/figure/figure_arrangement.h"
#include "views/figure/figure_checks.h"
#include "views/figure/figure_picture.h"
#include "views/figures/figure_height.h"
#include "views/look/figure_language.h"

using namespace fathom;

namespace {

const QStringList kMetrics = {"nll_rule", "nll_column", "valid.exact_match",
                              "loss",     "valid.nll",  "grad_norm"};

// Runs as a study of depth has them. What is scored at the end alone has one value.
class StudySource : public AnalysisSource {
 public:
  explicit StudySource(int runs) : m_count(runs) {}
  std::vector<std::string> runs() const override {
    std::vector<std::string> ids;
    for (int run = 0; run < m_count; ++run) ids.push_back("run" + std::to_string(run));
    return ids;
  }
  Result<RunCurve> curve(const std::string& run, const std::string& metric) override {
    const int number = std::stoi(run.substr(3));
    RunCurve curve;
    curve.run = run;
    curve.look = number;
    curve.outcome = RunState::Finished;
    const char* schemes[] = {"Standard", "Pre-LN", "T-Fixup*", "DT-Fixup"};
    curve.name = std::string(schemes[number % 4]) + ", " + std::to_string(4 + 10 * (number / 4)) + " layers";
    const bool once = metric == "valid.exact_match";
    for (int step = once ? 1000 : 10; step <= 1000; step += 10) {
      curve.steps.push_back(step);
      curve.seconds.push_back(step * 0.2);
      curve.epochs.push_back(step / 500.0);
      curve.values.push_back(once ? 20 + number : (2 + 8 * std::exp(-step / 200.0)) * (1 + 0.05 * number));
    }
    return curve;
  }

 private:
  int m_count;
};

FigureSpec figureOf(int metrics, int runs, const std::vector<std::string>& more = {}) {
  StudySource source(runs);
  std::vector<std::string> assignments = {"metric=" + kMetrics.mid(0, metrics).join(u',').toStdString()};
  assignments.insert(assignments.end(), more.begin(), more.end());
  auto spec = gallery::builtFigure("training_curve", assignments, source);
  if (!spec.ok()) qFatal("%s", spec.error().text().c_str());
  return *spec;
}

// `name`: of a picture for the eye, written where FATHOM_PICTURES names a folder.
QString faultsOf(const FigureSpec& spec, const FigureStyle& style, const QString& name) {
  FigureRenderer renderer;
  if (const Status set = renderer.setFigure(spec, style); !set.ok())
    return QString::fromStdString(set.error().text());
  const FigureSize size = figureSize(spec, style);
  const QString folder = qEnvironmentVariable("FATHOM_PICTURES");
  const QImage picture = figurePicture(renderer, size, folder.isEmpty() ? 0.1 : 1.6);  // lays out
  if (!folder.isEmpty()) picture.save(QDir(folder).filePath(name + QStringLiteral(".png")));
  const FigureChecks checks = figureChecks(renderer, size);
  QStringList problems;
  for (const auto& [what, list] : {std::pair{"cut", checks.cut}, std::pair{"outside", checks.outside},
                                   std::pair{"overlapping", checks.overlapping}})
    if (!list.isEmpty()) problems.append(QLatin1String(what) + QStringLiteral(": ") + list.join(u';'));
  for (const PanelLayout& panel : renderer.layout().panels)
    if (const double mm = panel.area.height() / 96 * 25.4; mm < kLeastPlotMm - 0.2)
      problems.append(QStringLiteral("a plot is %1 mm high").arg(mm));
  if (size.heightMm > style.mostHeightMm + 0.1)
    problems.append(QStringLiteral("%1 mm high").arg(size.heightMm));
  if (size.widthMm != style.widthMm) problems.append(QStringLiteral("%1 mm wide").arg(size.widthMm));
  return problems.join(QStringLiteral(" / "));
}

int rowsOf(const FigureSpec& spec) {
  int rows = 0;
  for (const FigurePanel& panel : spec.panels) rows = std::max(rows, panel.row + 1);
  return rows;
}

}  // namespace

class SeveralMetrics : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyStyleHasRoom_data();
  void everyStyleHasRoom();
  void columnsAndHeightAreKept();
  void whatWouldFitIsSaid();
  void oneValueIsADotWithItsNumber();
  void everyRunIsInTheOneLegend();
  void updatesAreWholeNumbers();
};

void SeveralMetrics::everyStyleHasRoom_data() {
  QTest::addColumn<QString>("style");
  QTest::addColumn<bool>("chinese");
  for (const FigureStyle& style : figureStyles()) {
    if (!test::allTests() && !test::isExtremeStyle(style.id)) continue;
    for (const bool chinese : {false, true})
      QTest::addRow("%s %s", qPrintable(style.id), chinese ? "zh" : "en") << style.id << chinese;
  }
}

void SeveralMetrics::everyStyleHasRoom() {
  QFETCH(QString, style);
  QFETCH(bool, chinese);
  QTranslator translator;
  if (chinese) {
    QVERIFY(translator.load(QStringLiteral(FATHOM_BIN_DIR "/../i18n/fathom_zh_CN.qm")));
    QCoreApplication::installTranslator(&translator);
  }
  const FigureStyle look = figureStyle(style).value();
  QStringList problems;
  for (int metrics = 1; metrics <= kMetrics.size(); ++metrics) {
    for (const int runs : {1, 4, 12}) {
      FigureSpec spec = figureOf(metrics, runs);
      if (chinese) spec = inWindowLanguage(std::move(spec));
      const QString problem = faultsOf(arrangedFigure(std::move(spec), look, false), look,
                                       QStringLiteral("%1_%2_%3_%4")
                                           .arg(style, QLatin1String(chinese ? "zh" : "en"))
                                           .arg(metrics)
                                           .arg(runs));
      if (!problem.isEmpty())
        problems.append(QStringLiteral("%1 metrics, %2 runs: %3").arg(metrics).arg(runs).arg(problem));
    }
  }
  QVERIFY2(problems.isEmpty(), qPrintable(problems.join(u'\n')));
}

void SeveralMetrics::columnsAndHeightAreKept() {
  const FigureStyle acl = figureStyle(QStringLiteral("acl")).value();
  FigureRecipe recipe;
  QCOMPARE(rowsOf(figureForPage(recipe, figureOf(4, 4, {"columns=1"}), acl)), 4);
  QCOMPARE(rowsOf(figureForPage(recipe, figureOf(4, 4, {"columns=4"}), acl)), 1);
  // Labels of three lines, with their units, would leave plots of two columns too narrow.
  QCOMPARE(rowsOf(figureForPage(recipe, figureOf(4, 4), acl)), 4);
  recipe.options["height"] = 91;
  QCOMPARE(figureForPage(recipe, figureOf(4, 4, {"height=91"}), acl).heightMm, 91.0);
  // As many columns as there are metrics are no more than that.
  QCOMPARE(rowsOf(figureForPage({}, figureOf(2, 1, {"columns=9"}), acl)), 1);
}

void SeveralMetrics::whatWouldFitIsSaid() {
  const FigureStyle acl = figureStyle(QStringLiteral("acl")).value();
  const FigureSpec narrow = figureOf(3, 1, {"columns=3", "height=23"});
  QVERIFY(!pageFaults(arrangedFigure(narrow, acl, true), acl).none());
  QCOMPARE(whatWouldFit(narrow, acl), std::string("--set columns=0 --set height=0"));
  const FigureSpec low = figureOf(1, 1, {"height=14"});
  const QString would = QString::fromStdString(whatWouldFit(low, acl));
  QVERIFY2(would.startsWith(QLatin1String("--set height=")), qPrintable(would));
  FigureSpec higher = low;
  higher.heightMm = would.mid(13).toDouble();
  QCOMPARE(pageFaults(higher, acl).cut, 0);
}

void SeveralMetrics::oneValueIsADotWithItsNumber() {
  const FigureSpec spec = figureOf(3, 1);
  const FigurePanel& scored = spec.panels[2];
  QCOMPARE(scored.x.minimum.value(), 0.0);
  QCOMPARE(scored.x.ticks, (std::vector<double>{0, 1000}));
  std::vector<std::string> words;
  for (const FigureMark& mark : scored.marks)
    if (const auto* text = std::get_if<TextMark>(&mark.shape)) words.push_back(text->text.english());
  QCOMPARE(words, (std::vector<std::string>{"20"}));
  QVERIFY(!spec.panels[0].x.minimum);
}

// Also one that the panel above the legend does not have.
void SeveralMetrics::everyRunIsInTheOneLegend() {
  FigureSpec spec = figureOf(3, 4);
  std::erase_if(spec.panels[2].marks, [](const FigureMark& mark) { return mark.selection == "run:run2"; });
  const FigureSpec arranged = arrangedFigure(spec, figureStyle(QStringLiteral("acl")).value(), false);
  int legends = 0;
  std::set<std::string> names;
  for (const FigurePanel& panel : arranged.panels) {
    if (panel.legend == LegendPlace::None) continue;
    ++legends;
    QCOMPARE(panel.row, rowsOf(arranged) - 1);
    for (const FigureMark& mark : panel.marks)
      if (!mark.label.empty()) names.insert(mark.label.english());
  }
  QCOMPARE(legends, 1);
  QCOMPARE(names, (std::set<std::string>{"Standard, 4 layers", "Pre-LN, 4 layers", "T-Fixup*, 4 layers",
                                         "DT-Fixup, 4 layers"}));
}

void SeveralMetrics::updatesAreWholeNumbers() {
  FigureAxis axis;
  axis.whole = true;
  for (const double last : {2.0, 3.0, 7.0, 1000.0})
    for (const AxisTick& tick : axisTicks(axis, {0, last}, 6)) QCOMPARE(tick.unit, std::round(tick.unit));
  QCOMPARE(axisTicks(axis, {0, 2}, 6).size(), std::size_t{3});
  QVERIFY(figureOf(1, 1).panels[0].x.whole);
  QVERIFY(!figureOf(1, 1, {"axis=epoch"}).panels[0].x.whole);
}

QTEST_MAIN(SeveralMetrics)
#include "tst_several_metrics.moc"
