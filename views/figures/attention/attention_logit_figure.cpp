// SPDX-License-Identifier: GPL-3.0-or-later
// Violins of the largest attention logit of each query, by layer and head.

#include "core/analysis/attention/attention_logit.h"
#include "core/base/options/field_builder.h"
#include "views/figures/attention/attention_detail.h"
#include "views/figures/attention/attention_violins.h"
#include "views/figures/figure_entry.h"
#include "views/figures/figure_parts.h"
#include "views/figures/probe_fields.h"

namespace fathom {

namespace {

ViolinLook logitLook(const OptionValues& options) {
  ViolinLook look;
  look.quantity = Phrase::tr("Largest attention logit");
  look.axis = Phrase::tr("largest logit");
  look.low = kLowLogit;
  look.high = kHighLogit;
  look.maximum = 0;
  look.below = true;
  look.safeColours = options.text("colours") == "safe";
  return look;
}

Result<FigureSpec> buildAttentionLogit(AnalysisSource& source, const OptionValues& options) {
  FATHOM_TRY(const auto results, attentionResults(source, "attention_logit", options));
  ViolinLook look = logitLook(options);
  look.maximum = largestOfAll(source, "attention_logit", options, results);
  look.minimum = smallestOfAll(source, "attention_logit", options, results);
  look.occurs = occurringClasses(source, "attention_logit", options, results, look);
  FigureSpec spec = attentionViolins(results, look);
  setSize(spec, options, violinHeight(results));
  return spec;
}

}  // namespace

FigureEntry attentionLogitFigureEntry() {
  return figureOfAnalysis(
      {.id = "attention_logit",
       .fields = joinedFields({attentionFields(), {scaleField()}}),
       .sentence = Phrase::tr("Largest logits of {attention} · scale {scale} · colours {colours}"),
       .build = buildAttentionLogit,
       .detail = [](AnalysisSource& source, const OptionValues& options, const std::string& selection) {
         return attentionDetail(source, "attention_logit", options, logitLook(options), selection);
       }});
}

}  // namespace fathom
