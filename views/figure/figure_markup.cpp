// SPDX-License-Identifier: GPL-3.0-or-later

#include "views/figure/figure_text.h"

#include <string_view>

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

// A word for a letter that LaTeX does not print as it is, in any font encoding.
struct LatexWord {
  char16_t letter;
  const char* latex;
};
constexpr LatexWord kLatexWords[] = {{u'#', "\\#"},
                                     {u'$', "\\$"},
                                     {u'%', "\\%"},
                                     {u'&', "\\&"},
                                     {u'_', "\\_"},
                                     {u'{', "\\{"},
                                     {u'}', "\\}"},
                                     {u'\\', "\\textbackslash{}"},
                                     {u'~', "\\textasciitilde{}"},
                                     {u'^', "\\textasciicircum{}"},
                                     {u'|', "\\ensuremath{|}"},
                                     {u'"', "''"},
                                     {u'<', "\\ensuremath{<}"},
                                     {u'>', "\\ensuremath{>}"},
                                     {u'±', "\\ensuremath{\\pm}"},
                                     {u'×', "\\ensuremath{\\times}"},
                                     {u'·', "\\ensuremath{\\cdot}"},
                                     {u'−', "\\ensuremath{-}"},
                                     {u'≤', "\\ensuremath{\\leq}"},
                                     {u'≥', "\\ensuremath{\\geq}"},
                                     {u'≈', "\\ensuremath{\\approx}"},
                                     {u'→', "\\ensuremath{\\rightarrow}"},
                                     {u'←', "\\ensuremath{\\leftarrow}"},
                                     {u'↔', "\\ensuremath{\\leftrightarrow}"},
                                     {u'∞', "\\ensuremath{\\infty}"},
                                     {u'∑', "\\ensuremath{\\sum}"},
                                     {u'√', "\\ensuremath{\\surd}"},
                                     {u'∂', "\\ensuremath{\\partial}"},
                                     {u'µ', "\\ensuremath{\\mu}"},
                                     {u'‖', "\\ensuremath{\\|}"},
                                     {u'²', "\\textsuperscript{2}"},
                                     {u'³', "\\textsuperscript{3}"},
                                     {u'°', "\\ensuremath{^\\circ}"},
                                     {u'…', "\\ldots{}"},
                                     {u'–', "--"},
                                     {u'—', "---"},
                                     {u'‘', "`"},
                                     {u'’', "'"},
                                     {u'“', "``"},
                                     {u'”', "''"},
                                     {u'\u2581', "\\textvisiblespace{}"},
                                     {u'•', "\\ensuremath{\\bullet}"},
                                     {u'\u2009', "\\,"},
                                     {u'\u00a0', "~"}};

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

// Letters of the encoding T1 alone, which every LaTeX has but none begins with; and those of no encoding
// below U+0180.
constexpr std::u32string_view kOfT1 = U"«»ÐÞðþĄąĐđĘęĮįŊŋŲų‚„‹›";
constexpr std::u32string_view kOfNone = U"ĦħĸĿŀŉŦŧſ";

QString latexCharacter(char32_t character) {
  constexpr char32_t kLatinEnd = 0x180;  // what every LaTeX has
  if (character < 0x20 || (character >= 0x7f && character < 0xa0)) return QStringLiteral(" ");
  for (const GreekLetter& greek : kGreek)
    if (character == greek.letter) return QStringLiteral("\\ensuremath{\\%1}").arg(QLatin1String(greek.name));
  for (const LatexWord& word : kLatexWords)
    if (character == word.letter) return QLatin1String(word.latex);
  const QString letter = QString::fromUcs4(&character, 1);
  if (kOfT1.find(character) != kOfT1.npos) return QStringLiteral("\\fathomlatin{%1}").arg(letter);
  const bool plain = character < kLatinEnd && kOfNone.find(character) == kOfNone.npos;
  return plain ? letter : QStringLiteral("\\fathomletter{%1}").arg(letter);
}

// Two characters that LaTeX would print as one: dashes, quotes, and those upside down.
bool makesOne(char32_t before, char32_t character) {
  const auto dash = [](char32_t c) { return c == U'-' || c == U'–' || c == U'—'; };
  if (character == U'`') return before == U'`' || before == U'!' || before == U'?';
  if (character == U'\'' || character == U',') return before == character;
  return dash(before) && dash(character);
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
  return QString::fromStdString(markupOf(plain.toStdString()));
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
  return latexText(parseMarkup(markup));
}

std::string latexLetters(const std::string& text) {
  std::string made;
  if (text.find("\\fathomlatin") != std::string::npos)
    made += "\\def\\fathomlatin#1{\\ifdefined\\Umathcode#1\\else{\\fontencoding{T1}\\selectfont#1}\\fi}%\n";
  if (text.find("\\fathomletter") != std::string::npos)
    made +=
        "% Some letters need LuaLaTeX or XeLaTeX and a font that has them.\n"
        "\\def\\fathomletter#1{\\ifdefined\\Umathcode#1\\else\\ifcsname u8:\\detokenize{#1}\\endcsname#1"
        "\\else?\\fi\\fi}%\n";
  return made;
}

QString latexText(const std::vector<TextRun>& runs) {
  QString text;
  for (const TextRun& run : runs) {
    QString inner;
    char32_t before = 0;
    for (const char32_t character : run.text.toUcs4()) {
      if (makesOne(before, character)) inner += QStringLiteral("{}");
      inner += latexCharacter(character);
      before = character;
    }
    if (run.bold) inner = QStringLiteral("\\textbf{%1}").arg(inner);
    if (run.italic) inner = QStringLiteral("\\textit{%1}").arg(inner);
    if (run.script > 0) inner = QStringLiteral("\\textsuperscript{%1}").arg(inner);
    if (run.script < 0) inner = QStringLiteral("\\textsubscript{%1}").arg(inner);
    text += inner;
  }
  return text;
}

}  // namespace fathom
