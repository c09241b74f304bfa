// SPDX-License-Identifier: GPL-3.0-or-later
// Violins of attention entropy, heads sorted by median inside each layer (RealFormer Figs 4, 5).

#include "core/analysis/attention/attention_entropy.h"
#include "core/base/options/field_builder.h"
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

Result<FigureSpec> buildAttentionEntropy(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const auto results, attentionResults(source, "attention_entropy", options));
  ViolinLook look = entropyLook(options);
  look.maximum = largestOfAll(source, "attention_entropy", options, results) * look.factor;
  FigureSpec spec = attentionViolins(results, look);
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
                         {{"nats", "nats"}, {"bits", "bits"}})},
            attentionFields(),
            {scaleField()}}),
       .sentence =
           Phrase::tr("Entropy of {attention} · heads {order} · {unit} · scale {scale} · colours {colours}"),
       .build = buildAttentionEntropy,
       .detail = [](AnalysisSource& source, const OptionValues& options, const std::string& selection) {
         return attentionDetail(source, "attention_entropy", options, entropyLook(options), selection);
       }});
}

}  // namespace fathom
