// SPDX-License-Identifier: GPL-3.0-or-later
// Violins of attention entropy, heads sorted by median inside each layer (RealFormer Figs 4, 5).

#include <algorithm>
#include <cmath>

#include "core/analysis/attention/attention_entropy.h"
#include "core/base/options/field_builder.h"
#include "views/figure/axis_scale.h"
#include "views/figures/attention/attention_detail.h"
#include "views/figures/attention/attention_violins.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/probe_fields.h"

namespace fathom {

namespace {

ViolinLook entropyLook(const OptionValues& options) {
  const bool bits = options.text("unit") == "bits";
  ViolinLook look;
  look.quantity = bits ? Phrase::tr("Attention entropy (bits)") : Phrase::tr("Attention entropy (nats)");
  look.axis = bits ? Phrase::tr("entropy (bits)") : Phrase::tr("entropy (nats)");
  look.sorted = options.text("order") == "median";
  look.low = kLowEntropy;
  look.high = kHighEntropy;
  look.maximum = 0;
  look.factor = bits ? natsToBits(1) : 1;
  look.safeColours = options.text("colours") == "safe";
  return look;
}

// ln T of the longest row: as it was said, else the largest entropy there is, which a query that sees all
// keys alike has.
double wholeEntropy(const OptionValues& options, const std::vector<AttentionResult>& results, double ofAll) {
  const auto keys = static_cast<double>(options.integer("keys"));
  return keys > 1 ? std::log(keys) : std::max(largestShown(results), ofAll);
}

bool hasRelativeThresholds(const OptionValues& options) {
  return options.text("thresholds") == "relative";
}

// A quarter and three quarters of ln T, as 1.5 and 4.5 are of the paper's 512 keys.
void takeThresholds(const OptionValues& options, double whole, ViolinLook& look) {
  if (!hasRelativeThresholds(options)) return;
  look.whole = whole;
  look.low = whole / 4;
  look.high = 3 * whole / 4;
}

Result<FigureSpec> buildAttentionEntropy(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const auto results, attentionResults(source, "attention_entropy", options));
  ViolinLook look = entropyLook(options);
  const double ofAll = largestOfAll(source, "attention_entropy", options, results);
  look.maximum = ofAll * look.factor;
  takeThresholds(options, wholeEntropy(options, results, ofAll), look);
  look.occurs = occurringClasses(source, "attention_entropy", options, results, look);
  FigureSpec spec = attentionViolins(results, look);
  if (look.whole > 0)
    spec.notes.push_back(
        options.integer("keys") > 1
            ? Phrase::tr("T = %1 keys, as was said.")(options.integer("keys"))
            : Phrase::tr(
                  "ln T is the largest entropy of the figure, %1: a query that sees all keys alike has it.")(
                  shortValueText(look.whole * look.factor).toStdString()));
  setSize(spec, options, violinHeight(results));
  return spec;
}

}  // namespace

FigureEntry attentionEntropyFigureEntry() {
  return figureOfAnalysis(
      {.id = "attention_entropy",
       .fields = joinedFields(
           {{choiceField("order", "Order of heads", "By median inside each layer, or as they are.",
                         {{"median", "by median"}, {"head", "as they are"}}),
             choiceField("unit", "Unit", "Natural or binary logarithm; colours are judged in nats.",
                         {{"nats", "nats"}, {"bits", "bits"}}),
             choiceField(
                 "thresholds", "Thresholds",
                 "Medians at which the colours change: those of the paper, or parts of ln T, which rows "
                 "of other lengths ask for.",
                 {{"paper", "1.5 and 4.5 nats, as in the paper"},
                  {"relative", "a quarter and three quarters of ln T"}}),
             integerField("keys", "Keys (T)", "Length of the longest row; 0: what the largest entropy tells.",
                          0)
                 .between(0, 1'000'000)
                 .off(0)
                 .when("thresholds", {"relative"})},
            attentionFields(),
            {scaleField()}}),
       .sentence =
           Phrase::tr("Entropy of {attention} · heads {order} · {unit} · scale {scale} · colours {colours}"),
       .build = buildAttentionEntropy,
       .detail = [](AnalysisSource& source, const OptionValues& options,
                    const std::string& selection) -> Result<FigureSpec> {
         ViolinLook look = entropyLook(options);
         if (hasRelativeThresholds(options)) {
           FATHOM_TRY(const auto results, attentionResults(source, "attention_entropy", options));
           const double ofAll = largestOfAll(source, "attention_entropy", options, results);
           takeThresholds(options, wholeEntropy(options, results, ofAll), look);
         }
         return attentionDetail(source, "attention_entropy", options, look, selection);
       }});
}

}  // namespace fathom
