// SPDX-License-Identifier: Apache-2.0
// The laws of the output shift, 10 draws at width 256 (docs/analyses.md §4). Minutes.
#include <QTest>

#include "core/analysis/dependency/shift_sweep.h"
#include "core/engine/engine_verbs.h"
#include "core/record/results/analysis_store.h"
#include "tests/torch/support_tiny_run.h"
#include "tests/unit/support_stored_analyses.h"

using namespace fathom;
using namespace fathom::test;

class TestOutputShiftSlow : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void lawsOfThePaper();
};

void TestOutputShiftSlow::lawsOfThePaper() {
  const TinyRuns runs;
  QCOMPARE(
      runs.train("run", {"model.width=256", "model.feed_forward=1024", "model.heads=4", "training.length=1u"})
          .code,
      ExitCode::Finished);
  const QTemporaryDir fresh;
  ProbeVerb verb;
  verb.run = runs.path("run");
  verb.analysis = "output_shift";
  verb.out = fresh.path().toStdString();
  verb.assignments = {"variants=post_ln,pre_ln,admin"};
  verb.runAssignments = {"batch.evaluation_max_tokens=80"};
  QCOMPARE(probeVerb(verb), ExitCode::Finished);
  const ShiftSweep sweep = shiftSweepFromJson(listAnalyses(verb.out, verb.analysis).back().result).value();
  QCOMPARE(sweep.depths.size(), std::size_t{8});
  QCOMPARE(sweep.seeds.size(), std::size_t{10});
  std::vector<ShiftSummary> found;
  for (const ShiftSeries& series : sweep.series) {
    QVERIFY(series.sharedPrefixes);
    found.push_back(summariseShift(sweep, series, {}));
    qInfo("%s: R2 %.3f (N), %.3f (ln N), ratio %.2f", series.name.c_str(), *found.back().linear.r2,
          *found.back().logarithmic.r2, *found.back().ratio);
  }
  const ShiftSummary &post = found.at(0), &pre = found.at(1), &admin = found.at(2);
  QVERIFY(*post.linear.r2 >= 0.95 && *post.linear.r2 > *post.logarithmic.r2);
  QVERIFY(*pre.logarithmic.r2 >= 0.95 && *pre.logarithmic.r2 > *pre.linear.r2);
  QVERIFY(*admin.logarithmic.r2 >= 0.95 && *admin.logarithmic.r2 > *admin.linear.r2);
  QVERIFY(*post.ratio >= 6 && *pre.ratio <= 3.2 && *admin.ratio <= 3.2);
  QVERIFY(post.mean.back() / admin.mean.back() >= 4);
}

QTEST_GUILESS_MAIN(TestOutputShiftSlow)
#include "tst_output_shift_slow.moc"
