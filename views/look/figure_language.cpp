// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/look/figure_language.h"

#include <QCoreApplication>
#include <QHash>
#include <QRegularExpression>

#include "core/base/metric.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

// What figures say in a fixed form; the figures themselves know one language only.
[[maybe_unused]] constexpr const char* kFigureTexts[] = {
    // curves
    QT_TRANSLATE_NOOP("Figure", "updates"),
    QT_TRANSLATE_NOOP("Figure", "update"),
    QT_TRANSLATE_NOOP("Figure", "epochs"),
    QT_TRANSLATE_NOOP("Figure", "epoch"),
    QT_TRANSLATE_NOOP("Figure", "time (s)"),
    QT_TRANSLATE_NOOP("Figure", "time (min)"),
    QT_TRANSLATE_NOOP("Figure", "time (h)"),
    QT_TRANSLATE_NOOP("Figure", "time (days)"),
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

// Notes are sentences with numbers and names in them: what is caught stands for %1, %2, … of the text, itself
// in the window's language where it is a phrase.
struct NoteForm {
  const char* form;  // a regular expression of the whole note
  const char* text;
};
constexpr NoteForm kNotes[] = {
    {R"((.+), (random ±.+|one Adam step of .+): (\d+) draws, (\d+) real tokens, (.+); shift\((.+)\)/shift\((.+)\) = (.+)\.)",
     QT_TRANSLATE_NOOP("Figure", "%1, %2: %3 draws, %4 real tokens, %5; shift(%6)/shift(%7) = %8.")},
    {"random ±(.+)", QT_TRANSLATE_NOOP("Figure", "random ±%1")},
    {"one Adam step of (.+)", QT_TRANSLATE_NOOP("Figure", "one Adam step of %1")},
    {"prefixes of one net", QT_TRANSLATE_NOOP("Figure", "prefixes of one net")},
    {"one net for each depth", QT_TRANSLATE_NOOP("Figure", "one net for each depth")},
    {R"((.+): (\d+) values are not numbers and left out\.)",
     QT_TRANSLATE_NOOP("Figure", "%1: %2 values are not numbers and left out.")},
    {R"(Each norm divided by the largest of its network\.)",
     QT_TRANSLATE_NOOP("Figure", "Each norm divided by the largest of its network.")},
    {R"((\d+) norms are zero,? (?:unknown )?or not numbers and not drawn\.)",
     QT_TRANSLATE_NOOP("Figure", "%1 norms are zero, unknown or not numbers and not drawn.")},
    {R"((\d+) values are zero or not numbers and not drawn\.)",
     QT_TRANSLATE_NOOP("Figure", "%1 values are zero or not numbers and not drawn.")},
    {R"((.+): (\d+) states of the run\.)", QT_TRANSLATE_NOOP("Figure", "%1: %2 states of the run.")},
    {R"((.+), 0 to (\S+) upwards in every cell; thin rules at (\S+) and (\S+); (.+): the median lies below, between or above them\.)",
     QT_TRANSLATE_NOOP("Figure",
                       "%1, 0 to %2 upwards in every cell; thin rules at %3 and %4; %5: the median "
                       "lies below, between or above them.")},
    {"blue, orange and vermilion", QT_TRANSLATE_NOOP("Figure", "blue, orange and vermilion")},
    {"blue, yellow and red", QT_TRANSLATE_NOOP("Figure", "blue, yellow and red")},
    {R"(Attention entropy \((nats|bits)\))", QT_TRANSLATE_NOOP("Figure", "Attention entropy (%1)")},
    {R"(Jensen-Shannon divergence from the layer below \(bits\))",
     QT_TRANSLATE_NOOP("Figure", "Jensen-Shannon divergence from the layer below (bits)")},
    {R"((.+), checkpoint (\S+), (\d+) tokens\.)",
     QT_TRANSLATE_NOOP("Figure", "%1, checkpoint %2, %3 tokens.")},
    {R"((.+), checkpoint (\S+), example (\d+), (\d+) query and (\d+) key tokens\.)",
     QT_TRANSLATE_NOOP("Figure", "%1, checkpoint %2, example %3, %4 query and %5 key tokens.")},
    {R"(Gradients over a sample of the training part, without dropout; an update stands at the epoch it begins with\.)",
     QT_TRANSLATE_NOOP("Figure",
                       "Gradients over a sample of the training part, without dropout; an update "
                       "stands at the epoch it begins with.")},
    {R"(Standard deviation of each matrix at this checkpoint\.)",
     QT_TRANSLATE_NOOP("Figure", "Standard deviation of each matrix at this checkpoint.")},
    {R"(What the initialisation multiplied each matrix by after filling it; 1 = nothing\.)",
     QT_TRANSLATE_NOOP("Figure",
                       "What the initialisation multiplied each matrix by after filling it; 1 = nothing.")},
    // From which examples: of all runs of a figure, or of each.
    {R"(Computed from (\d+) of (\d+) examples of the (\w+) part, drawn at random \(seed (\d+)\)\.)",
     QT_TRANSLATE_NOOP("Figure",
                       "Computed from %1 of %2 examples of the %3 part, drawn at random (seed %4).")},
    {R"(Computed from all (\d+) examples of the (\w+) part\.)",
     QT_TRANSLATE_NOOP("Figure", "Computed from all %1 examples of the %2 part.")},
    {R"(Computed by an earlier version, from the first examples of sorted batches, the shortest\.)",
     QT_TRANSLATE_NOOP("Figure",
                       "Computed by an earlier version, from the first examples of sorted batches, the "
                       "shortest.")},
    {R"((.+): computed from (\d+) of (\d+) examples of the (\w+) part, drawn at random \(seed (\d+)\)\.)",
     QT_TRANSLATE_NOOP("Figure",
                       "%1: computed from %2 of %3 examples of the %4 part, drawn at random (seed %5).")},
    {R"((.+): computed from all (\d+) examples of the (\w+) part\.)",
     QT_TRANSLATE_NOOP("Figure", "%1: computed from all %2 examples of the %3 part.")},
    {R"((.+): computed by an earlier version, from the first examples of sorted batches, the shortest\.)",
     QT_TRANSLATE_NOOP("Figure",
                       "%1: computed by an earlier version, from the first examples of sorted batches, the "
                       "shortest.")},
    {"training", QT_TRANSLATE_NOOP("Figure", "training")},
    {"validation", QT_TRANSLATE_NOOP("Figure", "validation")},
    {"test", QT_TRANSLATE_NOOP("Figure", "test")},
    {R"(failed (\d+)/(\d+)\.)", QT_TRANSLATE_NOOP("Figure", "failed %1/%2.")},
};

QString say(const char* text) {
  return QCoreApplication::translate("Figure", text);
}

// A metric's words (core/base/metric.h); other texts, such as names of runs, stay as they are.
std::string metricInWindowLanguage(const std::string& text) {
  for (const Metric& metric : programMetrics()) {
    if (text == metric.title || text == metric.shortTitle) return toUtf8(engineText(text));
    if (text == titleWithUnit(metric))
      return toUtf8(
          say(QT_TRANSLATE_NOOP("Figure", "%1 (%2)")).arg(engineText(metric.title), engineText(metric.unit)));
  }
  return text;
}

}  // namespace

std::string figureText(const std::string& text) {
  if (text.empty()) return text;
  static const QRegularExpression numbered(QStringLiteral("^layer (\\d+)(?:, head (\\d+))?$"));
  static const QRegularExpression ofRun(QStringLiteral("^(layer \\d+, head \\d+), (.+)$"));
  if (const QRegularExpressionMatch parts = ofRun.match(fromUtf8(text)); parts.hasMatch())
    return figureText(toUtf8(parts.captured(1))) + ", " + figureText(toUtf8(parts.captured(2)));
  const QRegularExpressionMatch place = numbered.match(fromUtf8(text));
  if (!place.hasMatch()) {
    const QString said = say(text.c_str());
    return said == fromUtf8(text) ? metricInWindowLanguage(text) : toUtf8(said);
  }
  const QString layer = place.captured(1), head = place.captured(2);
  return toUtf8(head.isEmpty() ? say(QT_TRANSLATE_NOOP("Figure", "layer %1")).arg(layer)
                               : say(QT_TRANSLATE_NOOP("Figure", "layer %1, head %2")).arg(layer, head));
}

QString figureNote(const QString& note) {
  for (const NoteForm& known : kNotes) {
    static QHash<const char*, QRegularExpression> forms;
    QRegularExpression& form = forms[known.form];
    if (form.pattern().isEmpty())
      form.setPattern(QRegularExpression::anchoredPattern(QString::fromUtf8(known.form)));
    const QRegularExpressionMatch match = form.match(note);
    if (!match.hasMatch()) continue;
    QString text = say(known.text);
    for (int i = match.lastCapturedIndex(); i > 0; --i)
      text.replace(QLatin1Char('%') + QString::number(i), figureNote(match.captured(i)));
    return text;
  }
  return note;
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
