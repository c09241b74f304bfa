// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/figure/distinct_text.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

namespace fathom {

namespace {

using Runs = std::vector<TextRun>;
using Fits = std::function<bool(std::size_t index, const Runs&)>;

QString plainOf(const Runs& runs) {
  QString text;
  for (const TextRun& run : runs) text += run.text;
  return text;
}

// Number of characters that different texts all begin with, and that they all end with (not the same ones).
struct Shared {
  qsizetype before = 0, after = 0;
};

Shared sharedOf(const QStringList& texts) {
  qsizetype shortest = texts.front().size();
  for (const QString& text : texts) shortest = std::min(shortest, text.size());
  const auto all = [&texts](const std::function<QChar(const QString&)>& letter) {
    return std::all_of(texts.begin(), texts.end(),
                       [&](const QString& text) { return letter(text) == letter(texts.front()); });
  };
  Shared shared;
  while (shared.before < shortest && all([&](const QString& text) { return text[shared.before]; }))
    ++shared.before;
  while (shared.after < shortest - shared.before &&
         all([&](const QString& text) { return text[text.size() - 1 - shared.after]; }))
    ++shared.after;
  return shared;
}

// The same in whole words, which read better than pieces.
Shared wholeWords(Shared shared, const QString& text) {
  const auto between = [&text](qsizetype at) { return !text[at].isLetterOrNumber(); };
  while (shared.before > 0 && !between(shared.before - 1)) --shared.before;
  while (shared.after > 0 && !between(text.size() - shared.after)) --shared.after;
  return shared;
}

Runs without(const Runs& runs, const Shared& shared) {
  Runs kept = shared.before > 0 ? withoutCharacters(runs, 0, shared.before) : runs;
  const qsizetype length = plainOf(kept).size();
  return shared.after > 0 ? withoutCharacters(kept, length - shared.after, shared.after) : kept;
}

// As few characters as needed go, from the place that `from` names for their number.
Runs cut(const Runs& runs, std::size_t index, const Fits& fits,
         const std::function<qsizetype(qsizetype length, qsizetype count)>& from) {
  if (fits(index, runs)) return runs;
  const qsizetype length = plainOf(runs).size();
  qsizetype low = 1, high = length;
  while (low < high) {
    const qsizetype middle = (low + high) / 2;
    if (fits(index, withoutCharacters(runs, from(length, middle), middle))) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return withoutCharacters(runs, from(length, low), low);
}

Runs cutMiddle(const Runs& runs, std::size_t index, const Fits& fits) {
  return cut(runs, index, fits,
             [](qsizetype length, qsizetype count) { return (length - count + 1) * 3 / 5; });
}

Runs cutEnd(const Runs& runs, std::size_t index, const Fits& fits) {
  return cut(runs, index, fits, [](qsizetype length, qsizetype count) { return length - count; });
}

// One ellipsis is enough where two parts were left out beside each other.
Runs tidy(Runs runs) {
  QChar before;
  for (TextRun& run : runs) {
    QString text;
    for (const QChar letter : run.text) {
      if (letter != u'…' || before != u'…') text += letter;
      before = letter;
    }
    run.text = text;
  }
  std::erase_if(runs, [](const TextRun& run) { return run.text.isEmpty(); });
  return runs;
}

class Apart {
 public:
  Apart(std::vector<Runs> texts, Fits fits) : m_texts(std::move(texts)), m_fits(std::move(fits)) {
    for (std::size_t i = 0; i < m_texts.size(); ++i) {
      m_plain.push_back(plainOf(m_texts[i]));
      m_shown.push_back(tidy(cutMiddle(m_texts[i], i, m_fits)));
    }
  }

  std::vector<Runs> shown() {
    for (const auto way :
         {&Apart::leaveOutWords, &Apart::leaveOutLetters, &Apart::leaveOutLetters, &Apart::addNumbers})
      for (const std::vector<std::size_t>& group : alike()) (this->*way)(group);
    return std::move(m_shown);
  }

 private:
  bool isCut(std::size_t index) const { return plainOf(m_shown[index]) != m_plain[index]; }

  // Places that read the same now though the whole texts differ.
  std::vector<std::vector<std::size_t>> alike() const {
    std::map<QString, std::vector<std::size_t>> byText;
    for (std::size_t i = 0; i < m_shown.size(); ++i) byText[plainOf(m_shown[i])].push_back(i);
    std::vector<std::vector<std::size_t>> groups;
    for (auto& [text, group] : byText)
      if (different(group).size() > 1) groups.push_back(std::move(group));
    return groups;
  }
  QStringList different(const std::vector<std::size_t>& group) const {
    QStringList texts;
    for (const std::size_t i : group) texts.append(m_plain[i]);
    texts.removeDuplicates();
    return texts;
  }

  void leaveOutWords(const std::vector<std::size_t>& group) {
    const QStringList texts = different(group);
    const Shared shared = wholeWords(sharedOf(texts), texts.front());
    const auto whole = [&](const Shared& less) {
      return std::all_of(group.begin(), group.end(),
                         [&](std::size_t i) { return !isCut(i) || m_fits(i, without(m_texts[i], less)); });
    };
    Shared less = {shared.before, 0};
    if (!whole(less)) less = {0, shared.after};
    if (!whole(less)) less = shared;
    for (const std::size_t i : group)
      if (isCut(i)) m_shown[i] = tidy(cutMiddle(without(m_texts[i], less), i, m_fits));
  }
  // Leaves out letters that follow the place where the texts begin to differ.
  void leaveOutLetters(const std::vector<std::size_t>& group) {
    const Shared shared = sharedOf(different(group));
    for (const std::size_t i : group)
      if (isCut(i)) m_shown[i] = tidy(cutEnd(without(m_texts[i], {shared.before, 0}), i, m_fits));
  }
  void addNumbers(const std::vector<std::size_t>& group) {
    const QStringList texts = different(group);
    for (const std::size_t i : group) {
      Runs numbered = m_texts[i];
      TextRun number;
      number.text = QString::number(texts.indexOf(m_plain[i]) + 1) + QStringLiteral(" ");
      numbered.insert(numbered.begin(), std::move(number));
      if (isCut(i)) m_shown[i] = tidy(cutEnd(numbered, i, m_fits));
    }
  }

  std::vector<Runs> m_texts, m_shown;
  QStringList m_plain;
  Fits m_fits;
};

// Characters `from` to `to` of all of it.
Runs partOf(const Runs& runs, qsizetype from, qsizetype to) {
  Runs part;
  qsizetype at = 0;
  for (const TextRun& run : runs) {
    const qsizetype first = std::max(from, at), last = std::min(to, at + run.text.size());
    if (first < last) {
      part.push_back(run);
      part.back().text = run.text.mid(first - at, last - first);
    }
    at += run.text.size();
  }
  return part;
}

}  // namespace

namespace {

constexpr qsizetype kMostLetters = 1000;  // more fit into no line

// The ends of a name of thousands of letters: to lay it out again and again takes seconds.
Runs endsOf(const Runs& runs, qsizetype letters) {
  const qsizetype more = letters - kMostLetters;
  return more > 0 ? withoutCharacters(runs, kMostLetters / 2, more) : runs;
}

}  // namespace

std::vector<TextLine> linesApart(const std::vector<QString>& markups, const TextFont& font,
                                 const std::vector<double>& widths) {
  const auto widthOf = [&widths](std::size_t i) { return widths[std::min(i, widths.size() - 1)]; };
  std::vector<TextLine> lines;
  bool tooLong = false;
  for (std::size_t i = 0; i < markups.size(); ++i) {
    lines.emplace_back(markups[i], font);
    tooLong = tooLong || lines.back().width() > widthOf(i);
  }
  if (!tooLong) return lines;
  std::vector<Runs> texts;
  QStringList whole;
  for (const QString& markup : markups) {
    const Runs runs = parseMarkup(markup);
    whole.append(plainOf(runs));
    texts.push_back(endsOf(runs, whole.back().size()));
  }
  const auto fits = [&](std::size_t i, const Runs& runs) {
    return TextLine(runs, font).width() <= widthOf(i);
  };
  const std::vector<Runs> shown = Apart(texts, fits).shown();
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (plainOf(shown[i]) != whole[qsizetype(i)]) lines[i] = TextLine(shown[i], font, /*elided=*/true);
  return lines;
}

QStringList namesApart(const QStringList& names, qsizetype letters) {
  return namesApart(names, [letters](const QString& text) { return text.size() <= letters; });
}

QStringList namesApart(const QStringList& names, const std::function<bool(const QString& text)>& fitting) {
  std::vector<Runs> texts;
  for (const QString& name : names) {
    TextRun run;
    run.text = name;
    texts.push_back(fitting(name) ? Runs{run} : endsOf({run}, name.size()));
  }
  const auto fits = [&fitting](std::size_t, const Runs& runs) { return fitting(plainOf(runs)); };
  QStringList shown;
  for (const Runs& runs : Apart(std::move(texts), fits).shown()) shown.append(plainOf(runs));
  return shown;
}

namespace {

// Number of letters left out where a second line of the text begins at `at`; std::nullopt where none may.
std::optional<qsizetype> lineBreak(const QString& text, qsizetype at, bool inWords) {
  if (text[at].isSpace()) return 1;
  // "encoder.layers.4.self_attention"
  const QChar before = text[at - 1];
  const bool joint = before == u'.' || before == u'_' || before == u'/';
  return inWords && joint && text[at].isLetter() ? std::optional<qsizetype>(0) : std::nullopt;
}

}  // namespace

namespace {

// The rest of a text from `from` on, in at most `most` lines; empty where they are not enough.
std::vector<TextLine> linesFrom(const Runs& runs, const QString& plain, qsizetype from, int most,
                                const TextFont& font, double width) {
  TextLine whole(partOf(runs, from, plain.size()), font);
  if (whole.width() <= width) return {std::move(whole)};
  if (most <= 1) return {};
  std::vector<TextLine> lines;
  for (const bool inWords : {false, true}) {
    if (!lines.empty()) break;
    for (qsizetype at = from + 1; at < plain.size(); ++at) {
      const auto between = lineBreak(plain, at, inWords);
      if (!between) continue;
      TextLine first(partOf(runs, from, at), font);
      if (first.width() > width) break;
      auto rest = linesFrom(runs, plain, at + *between, most - 1, font, width);
      if (rest.empty()) continue;
      rest.insert(rest.begin(), std::move(first));
      if (lines.empty() || rest.size() <= lines.size()) lines = std::move(rest);
    }
  }
  return lines;
}

}  // namespace

std::vector<TextLine> fewLines(const QString& markup, const TextFont& font, double width, int most) {
  const Runs runs = parseMarkup(markup);
  const QString plain = plainOf(runs);
  if (plain.size() > kMostLetters) return {};
  return linesFrom(runs, plain, 0, most, font, width);
}

QString inTwoLines(const QString& text, const std::function<bool(const QString& line)>& fits) {
  if (fits(text)) return text;
  QString lines;
  if (text.size() > kMostLetters) return lines;
  for (qsizetype at = 1; at < text.size(); ++at) {
    const bool blank = text[at].isSpace();
    if (!blank && text[at - 1] != u'_' && text[at - 1] != u'/' && text[at - 1] != u'-') continue;
    const QString first = text.left(at).trimmed(), second = text.mid(at).trimmed();
    if (first.isEmpty() || second.isEmpty()) continue;
    if (!fits(first)) break;
    if (!fits(second)) continue;
    lines = first + QChar(QChar::LineSeparator) + second;  // the longest first line
  }
  return lines;
}

}  // namespace fathom
