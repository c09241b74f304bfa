// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/figure_language.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include "views/panels/engine_text.h"

namespace fathom {

namespace {

// What figures say in a fixed form; the figures themselves know one language only.
[[maybe_unused]] constexpr const char* kTexts[] = {
    // curves
    QT_TRANSLATE_NOOP("Figure", "updates"),
    QT_TRANSLATE_NOOP("Figure", "update"),
    QT_TRANSLATE_NOOP("Figure", "epochs"),
    QT_TRANSLATE_NOOP("Figure", "epoch"),
    QT_TRANSLATE_NOOP("Figure", "time (s)"),
    QT_TRANSLATE_NOOP("Figure", "time (min)"),
    QT_TRANSLATE_NOOP("Figure", "time (h)"),
    QT_TRANSLATE_NOOP("Figure", "time (days)"),
    QT_TRANSLATE_NOOP("Figure", "training loss (nats per token)"),
    QT_TRANSLATE_NOOP("Figure", "training nll (nats per token)"),
    QT_TRANSLATE_NOOP("Figure", "training perplexity"),
    QT_TRANSLATE_NOOP("Figure", "learning rate"),
    QT_TRANSLATE_NOOP("Figure", "gradient norm"),
    QT_TRANSLATE_NOOP("Figure", "target tokens per second"),
    QT_TRANSLATE_NOOP("Figure", "validation loss (nats per token)"),
    QT_TRANSLATE_NOOP("Figure", "validation nll (nats per token)"),
    QT_TRANSLATE_NOOP("Figure", "validation nll (bits per token)"),
    QT_TRANSLATE_NOOP("Figure", "validation perplexity"),
    QT_TRANSLATE_NOOP("Figure", "validation perplexity (base 2)"),
    QT_TRANSLATE_NOOP("Figure", "validation BLEU"),
    QT_TRANSLATE_NOOP("Figure", "training loss of an epoch (nats per token)"),
    QT_TRANSLATE_NOOP("Figure", "test BLEU"),
    // their small panels
    QT_TRANSLATE_NOOP("Figure", "loss"),
    QT_TRANSLATE_NOOP("Figure", "valid. loss"),
    QT_TRANSLATE_NOOP("Figure", "valid. nll"),
    QT_TRANSLATE_NOOP("Figure", "valid. nll (bits)"),
    QT_TRANSLATE_NOOP("Figure", "valid. ppl"),
    QT_TRANSLATE_NOOP("Figure", "valid. ppl (2)"),
    QT_TRANSLATE_NOOP("Figure", "grad. norm"),
    QT_TRANSLATE_NOOP("Figure", "tokens/s"),
    QT_TRANSLATE_NOOP("Figure", "lr"),
    // analyses of checkpoints
    QT_TRANSLATE_NOOP("Figure", "head"),
    QT_TRANSLATE_NOOP("Figure", "head, sorted by median"),
    QT_TRANSLATE_NOOP("Figure", "layer"),
    QT_TRANSLATE_NOOP("Figure", "key"),
    QT_TRANSLATE_NOOP("Figure", "query"),
    QT_TRANSLATE_NOOP("Figure", "median"),
    QT_TRANSLATE_NOOP("Figure", "probability"),
    QT_TRANSLATE_NOOP("Figure", "score"),
    QT_TRANSLATE_NOOP("Figure", "entropy (nats)"),
    QT_TRANSLATE_NOOP("Figure", "divergence (bits)"),
    QT_TRANSLATE_NOOP("Figure", "median (bits)"),
    QT_TRANSLATE_NOOP("Figure", "mean entropy (nats)"),
    QT_TRANSLATE_NOOP("Figure", "median entropy (nats)"),
    QT_TRANSLATE_NOOP("Figure", "mean divergence (bits)"),
    QT_TRANSLATE_NOOP("Figure", "median divergence (bits)"),
    QT_TRANSLATE_NOOP("Figure", "sub-layer"),
    QT_TRANSLATE_NOOP("Figure", "sub-layer output <i>x<sub>i</sub></i>"),
    QT_TRANSLATE_NOOP("Figure", "branch <i>a<sub>j</sub></i>"),
    QT_TRANSLATE_NOOP("Figure", "change of <i>β<sub>ij</sub></i>"),
    QT_TRANSLATE_NOOP("Figure", "sum of <i>β<sub>ij</sub></i><sup>2</sup>"),
    QT_TRANSLATE_NOOP("Figure", "relative gradient norm"),
    QT_TRANSLATE_NOOP("Figure", "relative update norm"),
    QT_TRANSLATE_NOOP("Figure", "output shift"),
    QT_TRANSLATE_NOOP("Figure", "encoder"),
    QT_TRANSLATE_NOOP("Figure", "decoder"),
    QT_TRANSLATE_NOOP("Figure", "encoder layers <i>N</i>"),
    QT_TRANSLATE_NOOP("Figure", "decoder layers <i>N</i>"),
    QT_TRANSLATE_NOOP("Figure", "L2 norm of a vector"),
    QT_TRANSLATE_NOOP("Figure", "share of the vectors"),
    // errors on Spider
    QT_TRANSLATE_NOOP("Figure", "wrong predictions"),
    QT_TRANSLATE_NOOP("Figure", "wrong predictions (%)"),
    QT_TRANSLATE_NOOP("Figure", "share (%)"),
    QT_TRANSLATE_NOOP("Figure", "exact match (%)"),
    QT_TRANSLATE_NOOP("Figure", "examples"),
    QT_TRANSLATE_NOOP("Figure", "sketch error"),
    QT_TRANSLATE_NOOP("Figure", "column error"),
};

QString say(const char* text) {
  return QCoreApplication::translate("Figure", text);
}

}  // namespace

std::string figureText(const std::string& text) {
  if (text.empty()) return text;
  static const QRegularExpression numbered(QStringLiteral("^layer (\\d+)(?:, head (\\d+))?$"));
  // probedWithMoment() says with the name of a run at which moment it is drawn.
  static const QRegularExpression dated(QStringLiteral(R"(^(.*) \((?:untrained|after (\d+) updates)\)$)"));
  if (const QRegularExpressionMatch moment = dated.match(fromUtf8(text)); moment.hasMatch()) {
    const QString steps = moment.captured(2);
    const QString run = fromUtf8(figureText(toUtf8(moment.captured(1))));
    return toUtf8(steps.isEmpty()
                      ? say(QT_TRANSLATE_NOOP("Figure", "%1 (untrained)")).arg(run)
                      : say(QT_TRANSLATE_NOOP("Figure", "%1 (after %2 updates)")).arg(run, steps));
  }
  const QRegularExpressionMatch place = numbered.match(fromUtf8(text));
  if (!place.hasMatch()) return toUtf8(say(text.c_str()));
  const QString layer = place.captured(1), head = place.captured(2);
  return toUtf8(head.isEmpty() ? say(QT_TRANSLATE_NOOP("Figure", "layer %1")).arg(layer)
                               : say(QT_TRANSLATE_NOOP("Figure", "layer %1, head %2")).arg(layer, head));
}

FigureSpec inWindowLanguage(FigureSpec spec) {
  for (FigurePanel& panel : spec.panels) {
    panel.title = figureText(panel.title);
    panel.x.label = figureText(panel.x.label);
    panel.y.label = figureText(panel.y.label);
    panel.legendRest = toUtf8(say(QT_TRANSLATE_NOOP("Figure", "and %1 more")));
    for (ColourBar& bar : panel.bars) bar.label = figureText(bar.label);
    for (FigureMark& mark : panel.marks) mark.label = figureText(mark.label);
  }
  return spec;
}

}  // namespace fathom
