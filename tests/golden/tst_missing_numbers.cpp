// SPDX-License-Identifier: Apache-2.0
// Figures of results that hold no numbers where numbers should be: drawn as such and counted, never left out
// in silence; and of results that are all alike.
#include <QTest>
#include <cmath>
#include <limits>

#include "core/analysis/analysis_entry.h"
#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/dependency/shift_sweep.h"
#include "core/analysis/dependency/stack_dependency.h"
#include "core/analysis/norms/epoch_norm.h"
#include "core/analysis/norms/sublayer_norms.h"
#include "tests/golden/support_attention_gallery.h"
#include "tests/golden/support_built_figure.h"
#include "views/figure/figure_renderer.h"
#include "views/figure/figure_style.h"

using namespace fathom;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

HeadDistribution headOf(double median) {
  HeadDistribution head;
  if (std::isfinite(median)) {
    head.values.count = 10;
    head.values.fiveNumbers = {median, median, median, median, median};  // constant: no density
    head.values.mean = median;
  } else {
    head.values.nonFinite = 10;
    head.values.fiveNumbers.fill(kNaN);
    head.values.mean = kNaN;
  }
  return head;
}

// A variant whose outputs do not change at all, and one that does not at its lowest depth.
ShiftSweep stillShifts() {
  ShiftSweep sweep{"encoder", 1e-4, 1e-6, 60, {6, 12, 24}, {1}, {}};
  for (const bool still : {true, false}) {
    ShiftSeries series{still ? "still" : "partly still", "random", "post_ln", true, {{}}};
    for (const double depth : sweep.depths) {
      DepthShift shift;
      shift.afterTopNorm.raw.real = still || depth == 6 ? 0 : depth;
      series.draws.front().push_back(shift);
    }
    sweep.series.push_back(std::move(series));
  }
  return sweep;
}

class Damaged : public AnalysisSource {
 public:
  std::vector<std::string> runs() const override { return {"aaaa"}; }
  Result<RunCurve> curve(const std::string& run, const std::string&) override { return dataError(run); }
  std::vector<std::string> probedCheckpoints(const std::string&, const std::string& analysis) override {
    if (analysis == "epoch_norm") return {"init", "0001-00000010", "0001-00000020"};
    return {"init", "0001-00000010"};
  }
  Result<ProbedResult> probed(const std::string& run, const std::string& analysis,
                              const std::string& checkpoint) override {
    if (analysis == "attention_maps") return gallery::madeUpAttention(true);
    ProbedResult result;
    result.run = run;
    result.name = "damaged";
    result.checkpoint = checkpoint;
    if (analysis == "beta_dependency") {
      StackDependency stack;
      stack.stack = "encoder";
      stack.residual = "post_ln";
      stack.sublayers = {"encoder.layers.0.self_attention", "encoder.layers.0.feed_forward"};
      stack.beta.sublayers = 2;
      stack.beta.meanTokenStd = {0.5, 0.5, 0, kNaN, 0.3, 0.3};
      stack.beta.globalStd = stack.beta.meanTokenStd;
      stack.beta.biasShare = {0, 0};
      result.result = dependenciesToJson({stack});
    } else if (analysis == "gradient_norm") {
      result.result =
          sublayerNormsToJson({{"encoder.layers.0.feed_forward", "encoder", "feed_forward", 0, kNaN, kNaN},
                               {"encoder.layers.1.feed_forward", "encoder", "feed_forward", 1, 1, 1}});
    } else if (analysis == "output_shift") {
      result.result = shiftSweepToJson(stillShifts());
    } else if (analysis == "epoch_norm") {
      EpochNorms norms;
      norms.epoch = checkpoint == "init" ? 0 : checkpoint == "0001-00000010" ? 1 : 2;
      // The second epoch was resumed from a checkpoint that did not know its beginning.
      norms.matrices = {{"encoder", "self_attention", "query", 0, 0.5, norms.epoch == 1 ? 0.25 : kNaN}};
      result.result = epochNormsToJson(norms);
    } else {
      const bool entropy = analysis == "attention_entropy";
      AttentionDistributions made{analysis, entropy ? "nats" : "bits", 3, 10, {}};
      made.attentions.push_back({"encoder", "self_attention", 1, {{headOf(0.5), headOf(kNaN)}}});
      result.result = distributionsToJson(made);
    }
    return result;
  }
};

FigureSpec drawn(const char* figure, const std::vector<std::string>& assignments) {
  Damaged source;
  const FigureSpec spec = gallery::builtFigure(figure, assignments, source).value();
  FigureRenderer renderer;
  renderer.setFigure(spec, figureStyle(QStringLiteral("acl")).value()).value();
  QImage page(400, 300, QImage::Format_ARGB32);
  renderer.paintTo(page, page.size(), {});
  return spec;
}

bool says(const FigureSpec& spec, const char* words) {
  for (const Phrase& note : spec.notes)
    if (note.english().find(words) != std::string::npos) return true;
  return false;
}

}  // namespace

class MissingNumbers : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void headsWithoutNumbers();
  void mapsCountThem();
  void exampleMapsTellThemFromHiddenKeys();
  void normsCountThem();
  void unknownUpdateNormsAreNamed();
  void logarithmicAxesCountWhatTheyHide();
};

void MissingNumbers::headsWithoutNumbers() {
  const FigureSpec spec = drawn("attention_entropy", {});
  int texts = 0;
  for (const FigureMark& mark : spec.panels.at(0).marks)
    if (const auto* text = std::get_if<TextMark>(&mark.shape)) texts += text->text.english() == "NaN" ? 1 : 0;
  QCOMPARE(texts, 1);
  QVERIFY(says(spec, "10 values are not numbers"));
  QVERIFY(says(spec, "1 heads have no number at all"));
  QVERIFY(spec.summary.english().find("nan") == std::string::npos);
  // The constant head has its median, and no density.
  const auto& grid = std::get<GridMark>(spec.panels[0].marks[0].shape);
  QVERIFY(grid.cells[0].median && grid.cells[0].y.empty());
}

void MissingNumbers::mapsCountThem() {
  QCOMPARE(drawn("attention_jsd", {"form=map"}).panels.at(0).bars.at(0).missing, 1);
  for (const char* form : {"form=map", "form=difference"})
    QCOMPARE(
        drawn("beta_dependency", {form, "beside=init", "embedding=true"}).panels.at(0).bars.at(0).missing, 1);
}

void MissingNumbers::exampleMapsTellThemFromHiddenKeys() {
  for (const char* part : {"part=probabilities", "part=scores"})
    QVERIFY2(says(drawn("attention_maps", {"example=7", part}), "; 1 cells are not numbers."), part);
}

void MissingNumbers::normsCountThem() {
  QVERIFY(says(drawn("gradient_norm", {}), "1 norms are zero or not numbers"));
}

void MissingNumbers::unknownUpdateNormsAreNamed() {
  const FigureSpec spec = drawn("epoch_norm", {});
  QVERIFY(says(spec, "no update norms after epoch 1"));
  QVERIFY(spec.summary.english().find("no update norms after epoch 1") != std::string::npos);
}

void MissingNumbers::logarithmicAxesCountWhatTheyHide() {
  const FigureSpec hidden = drawn("output_shift", {"y_scale=log", "form=together"});
  QVERIFY(says(hidden, "still: no value is above 0; nothing can be shown on a logarithmic axis"));
  QVERIFY(says(hidden, "partly still: 1 value is not above 0 and cannot be shown on the logarithmic y axis"));
  QVERIFY(!says(drawn("output_shift", {"form=together"}), "above 0"));
}

QTEST_MAIN(MissingNumbers)
#include "tst_missing_numbers.moc"
