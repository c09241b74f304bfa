// SPDX-License-Identifier: GPL-3.0-or-later
// Attention itself, of one example: layers x heads at a glance, one head as a matrix or as lines between
// tokens.
#include <QtGlobal>

#include "core/base/field_builder.h"
#include "views/figures/attention_view.h"
#include "views/figures/figure_entry.h"
#include "views/figures/map_palette.h"
#include "views/figures/probe_fields.h"
#include "views/figures/size_fields.h"
#include "views/figures/text_fields.h"

namespace fathom {

namespace {

// Of one head: a matrix or lines.
FieldBuilder headField(const char* key, const char* title) {
  return integerField(key, title, QT_TRANSLATE_NOOP("Command", "Of a matrix or of lines, counted from 1."), 1)
      .between(1, 1e9)
      .unless("form", {"model"});
}

std::vector<OptionField> mapFields() {
  OptionField scale = scaleField();
  // Probabilities have one scale anyway.
  scale.enabledWhen = {{"part", OptionClause::Test::NotIn, {Json("probabilities")}}};
  std::vector<OptionField> all = {
      choiceField("form", QT_TRANSLATE_NOOP("Command", "Form"),
                  QT_TRANSLATE_NOOP("Command", "All heads at a glance, one head as a matrix, or as lines."),
                  {{"model", QT_TRANSLATE_NOOP("Command", "all heads")},
                   {"matrix", QT_TRANSLATE_NOOP("Command", "matrix")},
                   {"lines", QT_TRANSLATE_NOOP("Command", "lines")}}),
      choiceField("part", QT_TRANSLATE_NOOP("Command", "What is shown"),
                  QT_TRANSLATE_NOOP("Command",
                                    "Probabilities, or what enters the softmax and where that comes from."),
                  {{"probabilities", QT_TRANSLATE_NOOP("Command", "probabilities")},
                   {"scores", QT_TRANSLATE_NOOP("Command", "scores")},
                   {"content", QT_TRANSLATE_NOOP("Command", "scores: content")},
                   {"relation", QT_TRANSLATE_NOOP("Command", "scores: relations")},
                   {"residual", QT_TRANSLATE_NOOP("Command", "scores: from the layers below")}}),
      typedField("attention", QT_TRANSLATE_NOOP("Command", "Attention"),
                 QT_TRANSLATE_NOOP("Command",
                                   "encoder.self_attention, decoder.self_attention, "
                                   "decoder.cross_attention or extra.self_attention; empty: the first.")),
      choiceField("tokens", QT_TRANSLATE_NOOP("Command", "Tokens"),
                  QT_TRANSLATE_NOOP("Command",
                                    "All of them; or, of a question and a schema, the question and the items "
                                    "that it names."),
                  {{"all", QT_TRANSLATE_NOOP("Command", "all tokens")},
                   {"linked", QT_TRANSLATE_NOOP("Command", "question and linked items")}}),
      headField("layer", QT_TRANSLATE_NOOP("Command", "Layer")),
      headField("head", QT_TRANSLATE_NOOP("Command", "Head")),
      integerField("example", QT_TRANSLATE_NOOP("Command", "Example"),
                   QT_TRANSLATE_NOOP("Command", "Which example of the part of the data, counted from 0."), 0)
          .between(0, 1e9),
      typedField(
          "checkpoint", QT_TRANSLATE_NOOP("Command", "Checkpoint"),
          QT_TRANSLATE_NOOP("Command", "Number of updates, name or init; empty: what was computed last.")),
      computedField(),
      scale,
      mapPaletteField()};
  for (OptionField& field :
       sizeFields(QT_TRANSLATE_NOOP("Command", "0: the style's width, and square maps.")))
    all.push_back(std::move(field));
  return all;
}

}  // namespace

FigureEntry attentionMapsFigureEntry() {
  FigureEntry entry;
  entry.id = "attention_maps";
  entry.title = QT_TRANSLATE_NOOP("Command", "Attention itself");
  entry.reference = "RealFormer §3.2";
  entry.fields = mapFields();
  entry.build = attentionFigure;
  entry.detail = attentionHeadDetail;
  return entry;
}

}  // namespace fathom
