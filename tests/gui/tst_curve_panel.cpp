// SPDX-License-Identifier: Apache-2.0
#include "views/panels/train/curve_panel.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLocale>
#include <QMimeData>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <memory>

#include "app/bench/curve_bench.h"
#include "app/bench/point_log_bench.h"
#include "app/window/train/curve_stack.h"
#include "core/base/numbers/not_a_number.h"
#include "core/record/events/event_reader.h"
#include "core/record/runs/run_folder.h"
#include "tests/gui/support_made_curves.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/theme.h"
#include "views/panels/train/curve_bar.h"
#include "views/panels/train/curve_canvas.h"
#include "views/panels/train/curve_table_model.h"

using namespace fathom;
using test::fill;
using test::makeSeries;

class CurvePanelTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void emptyStateFirst();
  void noteGoesWithItsRun();
  void logarithmicAxisWithoutValuesIsSaid();
  void samplesKeepExtremes();
  void appendingContinues();
  void onlyNoisyMetricsAreSmoothed();
  void panelsBelongToTheirMetrics();
  void seedsBecomeABand();
  void tableHoldsEveryPoint();
  void copyGivesPictureAndNumbers();
  void summarySaysWhatIsSeen();
  void nanIsMarked();
  void sessionComesBack();
  void historyAndLiveAreOneCurve();
  void pictures_data();
  void pictures();
  void millionPoints();
  void pointLogIsMeasured();
};

void CurvePanelTest::emptyStateFirst() {
  CurvePanel panel;
  panel.resize(600, 400);
  panel.show();
  QVERIFY(!panel.canvas()->isVisible());
  fill(panel, 1);
  panel.drawNow();
  QVERIFY(panel.canvas()->isVisible());
  panel.clear();
  panel.drawNow();
  QVERIFY(!panel.canvas()->isVisible());
}

// What is said about values that are no numbers goes with the run that had them.
void CurvePanelTest::noteGoesWithItsRun() {
  CurvePanel panel;
  panel.resize(600, 400);
  panel.show();
  CurveSeries broken = makeSeries(0, QStringLiteral("loss"), 20);
  broken.values[5] = kNaN;
  panel.setSeries(broken);
  panel.drawNow();
  const auto told = [&panel] {
    const auto labels = panel.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains(QLatin1String("not finite"));
    });
  };
  QVERIFY(told());
  panel.keepRuns({QStringLiteral("another")});
  panel.drawNow();
  QVERIFY(!told());
}

void CurvePanelTest::logarithmicAxisWithoutValuesIsSaid() {
  CurvePanel panel;
  panel.resize(600, 400);
  panel.show();
  CurveSeries negative = makeSeries(0, QStringLiteral("loss"), 20);
  for (double& value : negative.values) value = -std::abs(value);
  panel.setSeries(negative);
  panel.setMetrics({"loss"});
  const auto told = [&panel] {
    const auto labels = panel.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->text() == CurvePanel::tr(
                                                        "no value above 0: nothing can be shown on a "
                                                        "logarithmic axis");
    });
  };
  panel.drawNow();
  QVERIFY(!told());
  const auto boxes = panel.findChildren<QComboBox*>();
  const auto scale = std::find_if(boxes.begin(), boxes.end(), [](const QComboBox* box) {
    return box->findText(CurveBar::tr("Logarithmic")) >= 0;
  });
  QVERIFY(scale != boxes.end());
  (*scale)->setCurrentIndex((*scale)->findText(CurveBar::tr("Logarithmic")));
  Q_EMIT(*scale)->activated((*scale)->currentIndex());
  panel.drawNow();
  QVERIFY(told());
  QVERIFY2(panel.summary().contains(
               CurvePanel::tr("%1: no value above 0, which a logarithmic axis needs.").arg(negative.name)),
           qPrintable(panel.summary()));
  // One run with values is enough for an axis.
  panel.setSeries(makeSeries(1, QStringLiteral("loss"), 20));
  panel.drawNow();
  QVERIFY(!told());
}

void CurvePanelTest::samplesKeepExtremes() {
  std::vector<double> x;
  CurvePyramid y;
  for (int i = 0; i < 100000; ++i) {
    x.push_back(i);
    y.append(i == 54321 ? 1000.0 : (i == 777 ? -500.0 : std::sin(i * 0.01)));
  }
  const CurveSample all = sampleCurve(x, y, AxisMap(), {0, 99999}, 500, 1);
  QVERIFY(all.x.size() <= 1000);
  QCOMPARE(*std::max_element(all.y.begin(), all.y.end()), 1000.0);
  QCOMPARE(*std::min_element(all.y.begin(), all.y.end()), -500.0);
  QVERIFY(std::is_sorted(all.x.begin(), all.x.end()));
  // Few points: all of them, and the neighbours outside.
  const CurveSample few = sampleCurve(x, y, AxisMap(), {100, 200}, 500, 1);
  QCOMPARE(few.x.front(), 99.0);
  QCOMPARE(few.x.back(), 201.0);
  QCOMPARE(sampleCurve(x, y, AxisMap(), {-50, -10}, 500, 1).x.size(), std::size_t{2});
  QVERIFY(sampleCurve({}, CurvePyramid(), AxisMap(), {0, 1}, 500, 1).x.empty());
}

void CurvePanelTest::appendingContinues() {
  CurveSet whole, pieces;
  CurveSeries series = makeSeries(0, "loss", 500);
  whole.setSmoothing(0.9);
  pieces.setSmoothing(0.9);
  whole.set(series);
  for (std::size_t from = 0; from < 500; from += 50) {
    CurveSeries part = series;
    const auto cut = [from](std::vector<double>& values) {
      values = std::vector<double>(values.begin() + static_cast<std::ptrdiff_t>(from),
                                   values.begin() + static_cast<std::ptrdiff_t>(from + 50));
    };
    cut(part.steps), cut(part.seconds), cut(part.epochs), cut(part.values);
    pieces.append(part);
  }
  const CurveLine& one = *whole.lines("loss").front();
  const CurveLine& other = *pieces.lines("loss").front();
  QCOMPARE(one.x(CurveAxis::Time), other.x(CurveAxis::Time));
  for (std::size_t i = 0; i < 500; ++i)
    QVERIFY(std::abs(one.smooth.values()[i] - other.smooth.values()[i]) < 1e-12);
  pieces.removeRun("run-0");
  QVERIFY(pieces.empty());
}

// A validation of everything is no sample of anything. The slider is linear, and the field takes what is
// typed.
void CurvePanelTest::onlyNoisyMetricsAreSmoothed() {
  CurveSet set;
  set.setSmoothing(0.9);
  set.set(makeSeries(0, "loss", 100));
  set.set(makeSeries(0, "valid.bleu", 100));
  QCOMPARE(set.lines("loss").front()->smooth.size(), std::size_t{100});
  QCOMPARE(set.lines("valid.bleu").front()->smooth.size(), std::size_t{0});
  CurvePanel panel;
  fill(panel, 1);
  panel.show();
  auto* slider = panel.findChild<QSlider*>();
  auto* field = panel.findChild<QDoubleSpinBox*>();
  for (const int share : {10, 50, 90}) {
    slider->setValue(share);
    QVERIFY(std::abs(field->value() - share / 100.0) < 1e-9);
  }
  field->selectAll();
  QTest::keyClicks(field, QLocale().toString(0.995));
  QTest::keyClick(field, Qt::Key_Return);
  QCOMPARE(field->value(), 0.995);
  QCOMPARE(slider->value(), slider->maximum());
}

// A metric nobody has logged yet has no panel, and the others keep theirs.
void CurvePanelTest::panelsBelongToTheirMetrics() {
  CurvePanel panel;
  panel.resize(600, 400);
  panel.setMetrics({"valid.bleu", "loss", "lr"});
  panel.setSeries(makeSeries(0, "loss", 100));
  panel.setSeries(makeSeries(0, "lr", 100));
  panel.show();
  panel.drawNow();
  QCOMPARE(panel.figureOptions().front(), QStringLiteral("metric=loss"));
  QCOMPARE(panel.canvas()->panelCount(), std::size_t{2});
  QVERIFY(panel.summary().size() > 0);
  Q_EMIT panel.canvas()->panelMoved(1, 0);
  QCOMPARE(panel.metrics(), QStringList({"valid.bleu", "lr", "loss"}));
  QCOMPARE(panel.figureOptions().front(), QStringLiteral("metric=lr"));
  panel.drawNow();
  const QRectF small = panel.canvas()->layout().panels[1].area;
  const QPoint title = QPointF(small.center().x(), small.top() - 8).toPoint();
  QTest::mouseClick(panel.canvas(), Qt::LeftButton, {}, title);
  QCOMPARE(panel.figureOptions().front(), QStringLiteral("metric=loss"));
}

void CurvePanelTest::seedsBecomeABand() {
  CurveSet set;
  for (int run = 0; run < 5; ++run) set.set(makeSeries(run, "loss", 60));
  set.setGrouping(true, CurveBand::Deviation);
  const auto lines = set.lines("loss");
  QCOMPARE(lines.size(), std::size_t{2});
  QCOMPARE(lines[0]->runs, 4);
  QCOMPARE(lines[0]->lower.size(), std::size_t{60});
  QCOMPARE(lines[1]->run, QString("run-4"));
  QCOMPARE(lines[0]->x(CurveAxis::Time).front(), 3.0);
  set.append(makeSeries(0, "loss", 10));
  QCOMPARE(set.runCurves("loss").front().values.size(), std::size_t{70});
}

void CurvePanelTest::tableHoldsEveryPoint() {
  CurveTableModel model;
  QAbstractItemModelTester tester(&model);
  CurveSet set;
  set.set(makeSeries(0, "loss", 600));
  set.set(makeSeries(4, "loss", 600));
  model.setCurves(set.runCurves("loss"), "loss");
  QCOMPARE(model.rowCount(), 600);  // one a step, and a column for each run
  QCOMPARE(model.columnCount(), 3);
  QCOMPARE(model.headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QString("nmt 30L Admin"));
  const RunCurve shorter = set.runCurves("loss").back();
  const auto row = int(shorter.steps.front());
  for (int i = 0; i < model.rowCount(); ++i) {
    const double step = model.index(i, 0).data().toDouble();
    const bool there = std::find(shorter.steps.begin(), shorter.steps.end(), step) != shorter.steps.end();
    QCOMPARE(!model.index(i, 2).data().isNull(), there);
  }
  QVERIFY(row > 0 && model.index(0, 1).data(Qt::ToolTipRole).toString().contains("update"));
  QCOMPARE(model.csv().count(u'\n'), 801);
  CurvePanel panel;
  panel.resize(600, 400);
  panel.show();
  fill(panel, 1);
  panel.setMetrics({"loss"});
  panel.drawNow();
  for (QAction* action : panel.bar()->menu()->actions())
    if (action->text() == CurveBar::tr("Show as table")) action->trigger();
  auto* table = panel.findChild<QTableView*>();
  QVERIFY(table->isVisible());
  QCOMPARE(table->model()->rowCount(), 600);
  // Names of runs are whole; one that is longer than a column may be ends in dots.
  const QHeaderView* header = table->horizontalHeader();
  for (int column = 0; column < table->model()->columnCount(); ++column) {
    const QString name = table->model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    QVERIFY2(header->sectionSize(column) > header->fontMetrics().horizontalAdvance(name), qPrintable(name));
  }
  QCOMPARE(header->textElideMode(), Qt::ElideRight);
}

void CurvePanelTest::copyGivesPictureAndNumbers() {
  CurvePanel panel;
  panel.resize(600, 400);
  panel.show();
  fill(panel, 1);
  panel.setMetrics({"loss"});
  panel.drawNow();
  for (QAction* action : panel.bar()->menu()->actions())
    if (action->text() == CurveBar::tr("Copy")) action->trigger();
  const QMimeData* data = QGuiApplication::clipboard()->mimeData();
  QVERIFY(data->hasImage());
  QVERIFY(data->text().startsWith("run,name,step,seconds,epoch,loss"));
}

void CurvePanelTest::summarySaysWhatIsSeen() {
  CurvePanel panel;
  fill(panel, 2);
  panel.setMetrics({"loss"});
  panel.drawNow();
  QVERIFY2(panel.summary().contains("nmt 6L Admin") && panel.summary().contains("6000"),
           qPrintable(panel.summary()));
  QCOMPARE(panel.canvas()->accessibleDescription(), panel.summary());
}

void CurvePanelTest::nanIsMarked() {
  CurveSet set;
  CurveSeries series = makeSeries(0, "loss", 100);
  for (std::size_t i = 50; i < 60; ++i)
    series.values[i] = i % 2 ? kNaN : std::numeric_limits<double>::infinity();
  set.set(series);
  CurveLook look;
  look.metrics = QStringList{"loss"};
  const CurveFigure figure = curveFigure(set, look);
  QCOMPARE(figure.nonFinite, 1);
  QVERIFY(checkFigure(figure.spec).ok());
  int crosses = 0;
  for (const FigureMark& mark : figure.spec.panels[0].marks)
    crosses += mark.style.marker == MarkerShape::Cross;
  QCOMPARE(crosses, 1);
}

void CurvePanelTest::sessionComesBack() {
  CurvePanel panel, other;
  fill(panel, 2);
  panel.setMetrics({"valid.bleu", "loss"});
  for (QSlider* slider : panel.findChildren<QSlider*>()) slider->setValue(60);
  for (QComboBox* box : panel.findChildren<QComboBox*>()) box->setCurrentIndex(1);
  const QByteArray saved = panel.saveView();
  other.restoreView(saved);
  QCOMPARE(other.saveView(), saved);
  other.restoreView("{\"axis\":99,\"metrics\":[1,\"lr\"],\"new\":true}");
  other.restoreView("not json");
}

// A run that is resumed while it is watched: what was shown live is what its folder says at the end, on one
// clock, whatever came first.
void CurvePanelTest::historyAndLiveAreOneCurve() {
  const test::WindowFixture fixture;
  const std::string path = fixture.makeRun("watched");
  const RunFolder folder(path);
  std::map<int, EventReader> readers;
  const auto log = [&](int attempt, int seq, int step, double time, double loss) {
    const std::string file = folder.attemptPath(attempt) + "/events.jsonl";
    std::ofstream(file, std::ios::app) << test::WindowFixture::stepLine(seq, step, time, loss);
    readers.try_emplace(attempt, file);
  };
  CurveStack stack;
  stack.restoreView("{\"metrics\":[\"loss\"],\"axis\":1}");  // over time
  QSignalSpy needed(&stack, &CurveStack::historyNeeded);
  const auto history = [&] {
    auto read = std::make_shared<RunHistory>();
    read->series = readRunScalars(path, {}, &read->end).value();
    return read;
  };
  const auto follow = [&](int attempt) {
    auto batch = std::make_shared<EventBatch>();
    batch->run = QStringLiteral("watched");
    batch->attempt = attempt;
    batch->events = readers.at(attempt).poll().value();
    stack.append(batch);
  };
  const auto agrees = [&] {
    const ScalarSeries expected = readRunScalars(path, "loss").value().front();
    Q_EMIT stack.panel()->bar()->tableToggled(true);
    const auto* table = qobject_cast<CurveTableModel*>(stack.panel()->findChild<QTableView*>()->model());
    std::vector<double> times, values;
    for (const QString& row : table->csv().split(QStringLiteral("\r\n"), Qt::SkipEmptyParts).mid(1)) {
      times.push_back(row.section(u',', 3, 3).toDouble());
      values.push_back(row.section(u',', 5, 5).toDouble());
    }
    return values == expected.value && times == expected.time;
  };
  RunItem item;
  item.uuid = QStringLiteral("watched");
  item.folder = QString::fromStdString(path);
  item.state = RunState::Running;
  for (int step = 1; step <= 6; ++step) log(1, step - 1, step, 1000 + step, step);
  stack.setRuns({{item}, {item.uuid}, item.uuid, {}, 0});
  QCOMPARE(needed.count(), 1);
  follow(1);  // comes before the history
  stack.setHistory(item.uuid, history());
  QVERIFY(agrees());
  log(1, 6, 7, 1007, 7);
  follow(1);
  QVERIFY(agrees());
  // The second attempt starts at step 4, an hour later; the system clock goes back meanwhile.
  QVERIFY(folder.beginAttempt(Json{{"format", 1}, {"options", Json::object()}}).ok());
  log(2, 0, 4, 5000, 40);
  follow(2);
  QCOMPARE(needed.count(), 2);
  const auto late = history();
  log(2, 1, 5, 5001, 50);
  log(2, 2, 6, 4000, 60);
  follow(2);  // behind the history that is on its way
  stack.setHistory(item.uuid, late);
  QCOMPARE(needed.count(), 3);  // steps 5 and 6 of the first attempt have to go
  stack.setHistory(item.uuid, history());
  QVERIFY(agrees());
  log(2, 3, 7, 4001, 70);
  log(2, 4, 8, 4002, 80);
  follow(2);
  QCOMPARE(needed.count(), 4);  // and step 7
  stack.setHistory(item.uuid, history());
  QVERIFY(agrees());
  log(2, 5, 9, 4003, 90);
  follow(2);
  QCOMPARE(needed.count(), 4);
  QVERIFY(agrees());
}

void CurvePanelTest::pictures_data() {
  QTest::addColumn<bool>("dark");
  QTest::addColumn<int>("runs");
  QTest::addColumn<bool>("longNames");
  QTest::addColumn<QSize>("size");
  for (const bool dark : {false, true}) {
    const char* theme = dark ? "dark" : "light";
    QTest::addRow("%s 0 runs", theme) << dark << 0 << false << QSize(900, 600);
    QTest::addRow("%s 1 run", theme) << dark << 1 << false << QSize(900, 600);
    QTest::addRow("%s 7 runs", theme) << dark << 7 << false << QSize(900, 600);
    QTest::addRow("%s long names", theme) << dark << 7 << true << QSize(480, 500);
  }
  QTest::newRow("NaN only") << false << -1 << false << QSize(600, 400);
  QTest::newRow("one point") << true << -2 << false << QSize(600, 400);
  QTest::newRow("smoothed, hovered") << false << -3 << false << QSize(900, 600);
  QTest::newRow("log, band") << true << -4 << false << QSize(900, 600);
}

void CurvePanelTest::pictures() {
  QFETCH(bool, dark);
  QFETCH(int, runs);
  QFETCH(bool, longNames);
  QFETCH(QSize, size);
  qApp->setPalette((dark ? Theme::darkTheme() : Theme::light()).palette());
  CurvePanel panel;
  panel.resize(size);
  panel.show();
  if (runs > 0) fill(panel, runs, longNames);
  if (runs < -2) fill(panel, 5);
  if (runs == -1 || runs == -2) {
    CurveSeries series = makeSeries(0, "loss", runs == -1 ? 50 : 1);
    if (runs == -1) series.values.assign(series.values.size(), kNaN);
    panel.setSeries(series);
  }
  panel.setMetrics({"loss", "valid.bleu", "lr", "grad_norm"});
  if (runs == -3) panel.findChild<QSlider*>()->setValue(40);
  const auto boxes = panel.findChildren<QComboBox*>();
  if (runs == -4) {
    panel.setMetrics({"loss"});
    boxes[1]->setCurrentIndex(1);
    Q_EMIT boxes[1]->activated(1);
    for (QAction* action : panel.findChildren<QAction*>())
      if (action->text() == CurveBar::tr("Mean ± sd")) action->trigger();
  }
  panel.drawNow();
  panel.canvas()->replot();
  if (runs == -3) Q_EMIT panel.canvas()->hovered(2500, 0);
  const QImage image = panel.grab().toImage();
  if (qEnvironmentVariableIsSet("FATHOM_PICTURES"))
    image.save(QDir(qEnvironmentVariable("FATHOM_PICTURES"))
                   .filePath(QStringLiteral("panel %1.png").arg(QTest::currentDataTag())));
  QCOMPARE(image.size(), size * panel.devicePixelRatioF());
  // Nothing is cut: every text of the figure lies inside the page.
  if (runs != 0)
    for (const PlacedText& text : panel.canvas()->texts())
      QVERIFY2(QRectF(panel.canvas()->rect()).adjusted(-1, -1, 1, 1).contains(text.box()),
               qPrintable(text.full));
  qApp->setPalette(Theme::light().palette());
}

// Times are reported. What is asserted is that a frame does not cost in proportion to the points: without the
// pyramid a hundred times as many take a hundred times as long.
void CurvePanelTest::millionPoints() {
  const CurveBench few = benchCurves(10'000), bench = benchCurves(1'000'000);
  qInfo(
      "1 M points: fill %.1f ms, first draw %.1f, pan worst %.1f median %.1f (10,000 points: %.1f), smoothed "
      "worst %.1f, hover %.2f",
      bench.fill, bench.firstDraw, bench.worstPan, bench.medianPan, few.medianPan, bench.worstSmoothed,
      bench.hover);
  QVERIFY(bench.medianPan < 25 * std::max(few.medianPan, 2.0));
}

void CurvePanelTest::pointLogIsMeasured() {
  const QTemporaryDir folder;
  Progress progress;
  const auto result = benchPointLog(folder.path().toStdString(), 20000, 50, progress, StopToken());
  QVERIFY2(result.ok(), result.ok() ? "" : result.error().text().c_str());
  QCOMPARE(result->points, std::int64_t{20000});
  QVERIFY(!benchPointLog(folder.path().toStdString(), 1, 0, progress, StopToken()).ok());
  QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot).size(), qsizetype{0});
}

QTEST_MAIN(CurvePanelTest)
#include "tst_curve_panel.moc"
