// SPDX-License-Identifier: GPL-3.0-or-later
// Attention itself, of one example: layers x heads at a glance, one head as a matrix or as lines between
// tokens.

#include "core/base/options/field_builder.h"
#include "views/figures/attention/attention_band.h"
#include "views/figures/attention/attention_view.h"
#include "views/figures/figure_entry.h"
#include "views/figures/map_palette.h"
#include "views/figures/probe_fields.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"

namespace fathom {

namespace {

// Field for one head: a matrix or lines.
FieldBuilder headField(const char* key, const char* title) {
  return integerField(key, title, "Of a matrix or of lines, counted from 1.", 1)
      .between(1, 1e9)
      .unless("form", {"model"});
}

std::vector<OptionField> mapFields() {
  OptionField scale = scaleField();
  // Probabilities have one scale anyway.
  scale.enabledWhen = {{"part", OptionClause::Test::NotIn, {Json("probabilities")}}};
  std::vector<OptionField> all = {
      choiceField("form", "Form", "All heads at a glance, one head as a matrix, or as lines.",
                  {{"model", "all heads"}, {"matrix", "matrix"}, {"lines", "lines"}}),
      choiceField("part", "What is shown",
                  "Probabilities, or what enters the softmax and where that comes from.",
                  {{"probabilities", "probabilities"},
                   {"scores", "scores"},
                   {"content", "scores: content"},
                   {"relation", "scores: relations"},
                   {"residual", "scores: from the layers below"}}),
      typedField("attention", "Attention",
                 "encoder.self_attention, decoder.self_attention, decoder.cross_attention or "
                 "extra.self_attention; empty: the extra layers, else the first."),
      choiceField("tokens", "Tokens",
                  "All of them; or, of a question and a schema, the question and the items that it names.",
                  {{"all", "all tokens"}, {"linked", "question and linked items"}}),
      headField("layer", "Layer"),
      headField("head", "Head"),
      integerField("example", "Example", "Which example of the part of the data, counted from 0.", 0)
          .between(0, 1e9),
      typedField("checkpoint", "Checkpoint",
                 "Number of updates, name or init; empty: what was computed last."),
      computedField(),
      scale,
      mapPaletteField()};
  addFields(all, bandFields());
  addFields(all, sizeFields("0: the style's width, and square maps."));
  return all;
}

}  // namespace

FigureEntry attentionMapsFigureEntry() {
  return figureOfAnalysis(
      {.id = "attention_maps",
       .fields = mapFields(),
       .sentence = Phrase::tr("Attention of {attention}, {part} · {form} · layer {layer} · head {head} · "
                              "{tokens} of example {example} · scale {scale} · {palette}"),
       .build = attentionFigure,
       .detail = attentionHeadDetail});
}

}  // namespace fathom
