// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHash>

#include "views/figure/figure_text.h"

namespace fathom {

namespace {

struct GreekLetter {
  const char* name;
  char16_t letter;
};
constexpr GreekLetter kGreek[] = {
    {"alpha", u'α'},   {"beta", u'β'},  {"gamma", u'γ'},  {"delta", u'δ'}, {"epsilon", u'ε'}, {"zeta", u'ζ'},
    {"eta", u'η'},     {"theta", u'θ'}, {"iota", u'ι'},   {"kappa", u'κ'}, {"lambda", u'λ'},  {"mu", u'μ'},
    {"nu", u'ν'},      {"xi", u'ξ'},    {"pi", u'π'},     {"rho", u'ρ'},   {"sigma", u'σ'},   {"tau", u'τ'},
    {"upsilon", u'υ'}, {"phi", u'φ'},   {"chi", u'χ'},    {"psi", u'ψ'},   {"omega", u'ω'},   {"Gamma", u'Γ'},
    {"Delta", u'Δ'},   {"Theta", u'Θ'}, {"Lambda", u'Λ'}, {"Xi", u'Ξ'},    {"Pi", u'Π'},      {"Sigma", u'Σ'},
    {"Phi", u'Φ'},     {"Psi", u'Ψ'},   {"Omega", u'Ω'}};

// Length of the entity at `from` and its text; 0 if there is none.
qsizetype entityAt(const QString& markup, qsizetype from, QString& text) {
  const qsizetype end = markup.indexOf(u';', from);
  if (end < 0 || end - from > 10) return 0;
  const QString name = markup.mid(from + 1, end - from - 1);
  if (name == QLatin1String("lt")) text = QStringLiteral("<");
  if (name == QLatin1String("gt")) text = QStringLiteral(">");
  if (name == QLatin1String("amp")) text = QStringLiteral("&");
  for (const GreekLetter& greek : kGreek)
    if (name == QLatin1String(greek.name)) text = QChar(greek.letter);
  return text.isEmpty() ? 0 : end - from + 1;
}

struct MarkupState {
  int italic = 0, bold = 0, raised = 0, lowered = 0;
};

// Length of the tag at `from`, applied to `state`; 0 if it is none of ours.
qsizetype tagAt(const QString& markup, qsizetype from, MarkupState& state) {
  struct Tag {
    const char* name;
    int MarkupState::*field;
  };
  constexpr Tag kTags[] = {{"i", &MarkupState::italic},
                           {"b", &MarkupState::bold},
                           {"sup", &MarkupState::raised},
                           {"sub", &MarkupState::lowered}};
  const QStringView rest = QStringView(markup).mid(from);
  for (const Tag& tag : kTags) {
    const QString open = QStringLiteral("<%1>").arg(QLatin1String(tag.name));
    const QString close = QStringLiteral("</%1>").arg(QLatin1String(tag.name));
    if (rest.startsWith(open)) {
      ++(state.*tag.field);
      return open.size();
    }
    if (rest.startsWith(close) && state.*tag.field > 0) {
      --(state.*tag.field);
      return close.size();
    }
  }
  return 0;
}

QString latexCharacter(QChar character) {
  for (const GreekLetter& greek : kGreek)
    if (character == QChar(greek.letter))
      return QStringLiteral("\\ensuremath{\\%1}").arg(QLatin1String(greek.name));
  switch (character.unicode()) {
    case u'#':
    case u'$':
    case u'%':
    case u'&':
    case u'_':
    case u'{':
    case u'}':
      return QStringLiteral("\\%1").arg(character);
    case u'\\':
      return QStringLiteral("\\textbackslash{}");
    case u'~':
      return QStringLiteral("\\textasciitilde{}");
    case u'^':
      return QStringLiteral("\\textasciicircum{}");
    case u'<':
      return QStringLiteral("\\ensuremath{<}");
    case u'>':
      return QStringLiteral("\\ensuremath{>}");
    case u'±':
      return QStringLiteral("\\ensuremath{\\pm}");
    case u'×':
      return QStringLiteral("\\ensuremath{\\times}");
    case u'·':
      return QStringLiteral("\\ensuremath{\\cdot}");
    case u'−':
      return QStringLiteral("\\ensuremath{-}");
    case u'≤':
      return QStringLiteral("\\ensuremath{\\leq}");
    case u'≥':
      return QStringLiteral("\\ensuremath{\\geq}");
    case u'∞':
      return QStringLiteral("\\ensuremath{\\infty}");
    case u'…':
      return QStringLiteral("\\ldots{}");
    case u'–':
      return QStringLiteral("--");
    case u'—':
      return QStringLiteral("---");
    default:
      return QString(character);
  }
}

}  // namespace

std::vector<TextRun> parseMarkup(const QString& markup) {
  std::vector<TextRun> runs;
  MarkupState state;
  const auto append = [&runs, &state](const QString& text) {
    TextRun run;
    run.italic = state.italic > 0;
    run.bold = state.bold > 0;
    run.script = state.raised > 0 ? 1 : (state.lowered > 0 ? -1 : 0);
    const bool same = !runs.empty() && runs.back().italic == run.italic && runs.back().bold == run.bold &&
                      runs.back().script == run.script;
    if (!same) runs.push_back(run);
    runs.back().text += text;
  };
  for (qsizetype at = 0; at < markup.size();) {
    const QChar character = markup[at];
    if (character == u'<') {
      if (const qsizetype length = tagAt(markup, at, state); length > 0) {
        at += length;
        continue;
      }
    }
    if (character == u'&') {
      QString text;
      if (const qsizetype length = entityAt(markup, at, text); length > 0) {
        append(text);
        at += length;
        continue;
      }
    }
    append(QString(character));
    ++at;
  }
  return runs;
}

QString escapeMarkup(const QString& plain) {
  QString text = plain;
  text.replace(u'&', QStringLiteral("&amp;"));
  text.replace(u'<', QStringLiteral("&lt;"));
  return text.replace(u'>', QStringLiteral("&gt;"));
}

std::string markupOf(const std::string& plain) {
  return escapeMarkup(QString::fromStdString(plain)).toStdString();
}

QString plainText(const QString& markup) {
  QString text;
  for (const TextRun& run : parseMarkup(markup)) {
    if (run.script > 0) text += u'^';
    if (run.script < 0) text += u'_';
    text += run.text;
  }
  return text;
}

QString latexText(const QString& markup) {
  QString text;
  for (const TextRun& run : parseMarkup(markup)) {
    QString inner;
    for (const QChar character : run.text) inner += latexCharacter(character);
    if (run.bold) inner = QStringLiteral("\\textbf{%1}").arg(inner);
    if (run.italic) inner = QStringLiteral("\\textit{%1}").arg(inner);
    if (run.script > 0) inner = QStringLiteral("\\textsuperscript{%1}").arg(inner);
    if (run.script < 0) inner = QStringLiteral("\\textsubscript{%1}").arg(inner);
    text += inner;
  }
  return text;
}

}  // namespace fathom
