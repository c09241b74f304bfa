// SPDX-License-Identifier: Apache-2.0
// Sweeps of output shifts: summaries, laws, what is stored.
#include <QTest>
#include <cmath>
#include <limits>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/dependency/shift_sweep.h"

using namespace fathom;

namespace {

DepthShift shiftOf(double value) {
  DepthShift shift;
  for (OutputShift* place : {&shift.afterTopNorm, &shift.stream})
    for (OutputShift::Sums* sums : {&place->raw, &place->normalised, &place->theorem2})
      *sums = {value + 1, value, value / 10};
  shift.stream.raw.real = 2 * value;
  return shift;
}

// Two draws around a law of the depth.
ShiftSweep made(double (*law)(double)) {
  ShiftSweep sweep;
  sweep.stack = "encoder";
  sweep.delta = 1e-4;
  sweep.adamRate = 1e-6;
  sweep.tokens = 10;
  sweep.depths = {6, 12, 24, 48};
  sweep.seeds = {1, 2};
  ShiftSeries series{"Admin", "random", "admin", true, {{}, {}}};
  for (const double depth : sweep.depths)
    for (const int draw : {0, 1})
      series.draws[static_cast<std::size_t>(draw)].push_back(shiftOf(law(depth) + draw));
  sweep.series.push_back(series);
  return sweep;
}

}  // namespace

class TestShiftSweep : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  // Version 2 shared first layers although an option may look at the depth: those are computed anew.
  void resultsOfVersionTwo_data() {
    QTest::addColumn<int>("version");
    QTest::addColumn<QByteArray>("options");
    QTest::addColumn<QByteArray>("run");
    QTest::addColumn<bool>("holds");
    const QByteArray plain =
        "{'encoder.residual': 'post_ln', 'encoder.residual.admin.omega': 'profile', "
        "'init.bert.scale_outputs': false}";
    QTest::newRow("plain") << 2 << QByteArray("{'path': 'auto', 'variants': ['admin', 'pre_ln']}") << plain
                           << true;
    QTest::newRow("no variants") << 2 << QByteArray("{}") << plain << true;
    QTest::newRow("the shortest examples") << 1 << QByteArray("{}") << plain << false;
    QTest::newRow("now") << probeVersion("output_shift") << QByteArray("{}")
                         << QByteArray("{'init.bert.scale_outputs': true}") << true;
    for (const char* value : {"output_log", "output_constant"}) {
      const QByteArray run = QByteArray("{'decoder.residual.admin.omega': '") + value + "'}";
      const QByteArray variant =
          QByteArray("{'variants': ['A:encoder.residual=admin&encoder.residual.admin.omega=") + value + "']}";
      QTest::addRow("run, %s", value) << 2 << QByteArray("{}") << run << false;
      QTest::addRow("variant, %s", value) << 2 << variant << plain << false;
    }
    QTest::newRow("linear") << 2 << QByteArray("{}")
                            << QByteArray("{'encoder.residual.admin.omega': 'output_linear'}") << true;
    QTest::newRow("run, BERT") << 2 << QByteArray("{}") << QByteArray("{'init.bert.scale_outputs': true}")
                               << false;
    QTest::newRow("variant, BERT") << 2
                                   << QByteArray("{'variants': ['B:init=bert&init.bert.scale_outputs=on']}")
                                   << plain << false;
    QTest::newRow("one net for each depth")
        << 2 << QByteArray("{'path': 'one_net_per_depth'}")
        << QByteArray("{'encoder.residual.admin.omega': 'output_log'}") << true;
  }
  void resultsOfVersionTwo() {
    QFETCH(int, version);
    QFETCH(QByteArray, options);
    QFETCH(QByteArray, run);
    QFETCH(bool, holds);
    QCOMPARE(
        probeResultHolds("output_shift", version, parseJson(options.replace('\'', '"').toStdString()).value(),
                         parseJson(run.replace('\'', '"').toStdString()).value()),
        holds);
  }

  void linearLaw() {
    const ShiftSweep sweep = made([](double n) { return 3 * n; });
    const ShiftSummary summary = summariseShift(sweep, sweep.series[0], {});
    QCOMPARE(summary.mean.front(), 18.5);
    QVERIFY(std::abs(summary.deviation.front() - std::sqrt(0.5)) < 1e-12);
    QCOMPARE(summary.lowest.front(), 18.0);
    QCOMPARE(summary.highest.front(), 19.0);
    QVERIFY(std::abs(*summary.linear.r2 - 1) < 1e-12 && std::abs(summary.linear.slope - 3) < 1e-12);
    QVERIFY(*summary.logarithmic.r2 < 0.95);
    QVERIFY(std::abs(*summary.ratio - 144.5 / 18.5) < 1e-12);
  }
  void logarithmicLaw() {
    const ShiftSweep sweep = made([](double n) { return 2 + std::log(n); });
    const ShiftSummary summary = summariseShift(sweep, sweep.series[0], {});
    QVERIFY(*summary.logarithmic.r2 > *summary.linear.r2);
    QVERIFY(std::abs(summary.logarithmic.slope - 1) < 1e-12);
  }
  void readings() {
    const DepthShift shift = shiftOf(4);
    QCOMPARE(readShift(shift, {}), 4.0);
    QCOMPARE(readShift(shift, {ShiftPlace::Stream, ShiftMeasure::Raw, ShiftTokens::Real}), 8.0);
    QCOMPARE(readShift(shift, {ShiftPlace::AfterTopNorm, ShiftMeasure::Theorem2, ShiftTokens::All}), 5.0);
    QCOMPARE(readShift(shift, {ShiftPlace::Stream, ShiftMeasure::Normalised, ShiftTokens::PerRealToken}),
             0.4);
  }
  void whatIsNotANumberIsLeftOut() {
    ShiftSweep sweep = made([](double n) { return n; });
    auto& draws = sweep.series[0].draws;
    draws[0][1].afterTopNorm.raw.real = std::numeric_limits<double>::quiet_NaN();
    draws[0][2].afterTopNorm.raw.real = draws[1][2].afterTopNorm.raw.real =
        std::numeric_limits<double>::infinity();
    const ShiftSummary summary = summariseShift(sweep, sweep.series[0], {});
    QCOMPARE(summary.notFinite, 3);
    QCOMPARE(summary.mean[1], 13.0);
    QVERIFY(std::isnan(summary.mean[2]));
    QVERIFY(summary.linear.r2.has_value());  // three depths are left
    draws[0][1] = draws[1][1] = draws[0][2];
    QVERIFY(!summariseShift(sweep, sweep.series[0], {}).linear.r2.has_value());
  }
  void storedAndReadBack() {
    ShiftSweep sweep = made([](double n) { return n; });
    sweep.series[0].draws[0][0].stream.raw.real = std::numeric_limits<double>::infinity();
    const Json json = shiftSweepToJson(sweep);
    const auto back = shiftSweepFromJson(json);
    QVERIFY(back.ok());
    QCOMPARE(shiftSweepToJson(*back).dump(), json.dump());
    QCOMPARE(json["series"][0]["path"].get<std::string>(), std::string("shared_prefixes"));
    Json broken = json;
    broken["series"][0]["draws"]["stream"]["raw"]["real"] = Json::array();
    QVERIFY(!shiftSweepFromJson(broken).ok());
    QVERIFY(!shiftSweepFromJson(Json{{"quantity", "beta"}}).ok());
  }
  void depthsAreChecked() {
    const auto refused = [](std::vector<std::int64_t> depths) { return !checkShiftDepths(depths).ok(); };
    QVERIFY(!refused({6, 12, 18}));
    QVERIFY(refused({6, 12}) && refused({6, 12, 12, 18}) && refused({0, 6, 12}) && refused({6, 12, 1001}));
  }
};

QTEST_APPLESS_MAIN(TestShiftSweep)
#include "tst_shift_sweep.moc"
