// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/review_texts.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "core/base/threads/thread_ranges.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr std::size_t kRemembered = 48;
constexpr std::size_t kSampleBytes = std::size_t{64} << 10;
constexpr int kMostPatternThreads = 8;
constexpr QChar kPatternMark(u'\n');  // no word has it

std::string lowered(const QString& text) {
  return text.toLower().toStdString();
}

// Looks for its rarest byte first.
class WordSearch {
 public:
  WordSearch(const std::string& word, const std::array<std::size_t, 256>& frequency) : m_word(word) {
    const auto rarer = [&frequency](char a, char b) {
      return frequency[static_cast<unsigned char>(a)] < frequency[static_cast<unsigned char>(b)];
    };
    m_rarest = static_cast<std::size_t>(std::min_element(word.begin(), word.end(), rarer) - word.begin());
  }
  bool in(std::string_view text) const {
    if (text.size() < m_word.size()) return false;
    const char* at = text.data() + m_rarest;
    const char* end = text.data() + text.size() - (m_word.size() - m_rarest) + 1;
    while (at < end) {
      at = static_cast<const char*>(std::memchr(at, m_word[m_rarest], static_cast<std::size_t>(end - at)));
      if (at == nullptr) return false;
      if (std::memcmp(at - m_rarest, m_word.data(), m_word.size()) == 0) return true;
      ++at;
    }
    return false;
  }

 private:
  const std::string& m_word;
  std::size_t m_rarest = 0;
};

bool isPlain(const QString& pattern) {
  static const QString kMeaning = QStringLiteral(".*+?|()[]\\{}^$#");
  return std::none_of(pattern.begin(), pattern.end(), [](QChar c) { return kMeaning.contains(c); });
}

void appendWide(QString& out, std::string_view text) {
  const bool ascii = std::none_of(text.begin(), text.end(), [](char c) { return c & 0x80; });
  if (!ascii) {
    out += QUtf8StringView(text.data(), qsizetype(text.size())).toString();
    return;
  }
  const qsizetype at = out.size();
  out.resize(at + qsizetype(text.size()));
  std::transform(text.begin(), text.end(), out.begin() + at, [](char c) { return QLatin1Char(c); });
}

// Texts that every match of a pattern has in it, in lower case, each one of several; fewer where that is not
// plain to see.
class NeededTexts {
 public:
  explicit NeededTexts(const QString& pattern) : m_pattern(pattern) {
    // Escapes and options may make anything of what follows.
    if (pattern.contains(QLatin1Char('\\')) || pattern.contains(QLatin1String("(?"))) return;
    while (m_sound && m_at < pattern.size()) take(pattern[m_at++]);
    close();
    if (!m_sound || m_depth != 0) m_texts.clear();
  }
  const std::vector<std::vector<std::string>>& texts() const { return m_texts; }

 private:
  void take(QChar c) {
    static const QString kBreaks = QStringLiteral(".^$#");
    if (c == QLatin1Char('[')) return passClass();
    if (c == QLatin1Char('(') || c == QLatin1Char(')')) {
      close();
      if (c == QLatin1Char('(') && m_depth++ == 0) m_group = m_at;
      if (c == QLatin1Char(')') && --m_depth == 0)
        takeGroup(QStringView(m_pattern).mid(m_group, m_at - 1 - m_group));
    } else if (m_depth > 0) {
      return;
    } else if (c == QLatin1Char('|')) {
      m_sound = false;
    } else if (c == QLatin1Char('*') || c == QLatin1Char('?') || c == QLatin1Char('+') ||
               c == QLatin1Char('{')) {
      // The letter before may be missing.
      m_run.chop(!m_run.isEmpty() && m_run.back().isLowSurrogate() ? 2 : 1);
      close();
      if (c == QLatin1Char('{')) passTo(QLatin1Char('}'));
    } else if (kBreaks.contains(c)) {
      close();
    } else {
      m_run += c;
    }
  }
  // Words with "|" between, which may not be left out.
  void takeGroup(QStringView body) {
    static const QString kMayBeNone = QStringLiteral("*?{");
    if (m_at < m_pattern.size() && kMayBeNone.contains(m_pattern[m_at])) return;
    std::vector<std::string> words;
    for (const QStringView word : body.split(QLatin1Char('|'))) {
      if (word.isEmpty() || !isPlain(word.toString())) return;
      words.push_back(word.toString().toLower().toStdString());
    }
    m_texts.push_back(std::move(words));
  }
  void passTo(QChar end) {
    const qsizetype found = m_pattern.indexOf(end, m_at);
    m_sound = m_sound && found >= 0;
    m_at = found + 1;
  }
  void passClass() {
    close();
    const qsizetype begin = m_at;
    passTo(QLatin1Char(']'));
    const QStringView inside = QStringView(m_pattern).mid(begin, qMax<qsizetype>(0, m_at - 1 - begin));
    if (inside.isEmpty() || inside == QLatin1Char('^') || inside.contains(QLatin1Char('['))) m_sound = false;
  }
  void close() {
    if (!m_run.isEmpty()) m_texts.push_back({m_run.toLower().toStdString()});
    m_run.clear();
  }

  const QString& m_pattern;
  qsizetype m_at = 0, m_group = 0;
  int m_depth = 0;
  bool m_sound = true;
  QString m_run;
  std::vector<std::vector<std::string>> m_texts;
};

// True if a pattern that goes on with plain letters can only match where its beginning does.
bool onlyGoesOn(const QString& pattern, const QString& beginning) {
  return pattern.startsWith(beginning) && !beginning.contains(QLatin1Char('\\')) &&
         !beginning.contains(QLatin1String("(?")) && isPlain(pattern.mid(beginning.size()));
}

}  // namespace

void ReviewTexts::Texts::append(const std::string& text) {
  if (start.empty()) start.push_back(0);
  bytes += text;
  start.push_back(bytes.size());
}

void ReviewTexts::Texts::replace(std::size_t example, const std::string& text) {
  const std::size_t old = start[example + 1] - start[example];
  bytes.replace(start[example], old, text);
  for (std::size_t i = example + 1; i < start.size(); ++i) start[i] += text.size() - old;
}

std::string ReviewTexts::baseText(int example) const {
  return lowered(m_review->searchText(example));
}

void ReviewTexts::rebuild() {
  m_base = {};
  m_predicted.assign(std::size_t(m_review->models()), {});
  m_model = -1;
  m_found.clear();
  m_wide.clear();
  if (m_review->empty()) return;
  for (int i = 0; i < m_review->examples(); ++i) m_base.append(baseText(i));
  m_frequency.fill(0);
  for (const char c : std::string_view(m_base.bytes).substr(0, kSampleBytes))
    ++m_frequency[static_cast<unsigned char>(c)];
}

void ReviewTexts::reread(int example) {
  const std::string text = baseText(example);
  if (text == m_base.of(std::size_t(example))) return;
  m_base.replace(std::size_t(example), text);
  m_found.clear();
  m_wide.clear();
}

void ReviewTexts::setModel(int model) {
  if (model == m_model || model < 0) return;
  m_model = model;
  m_found.clear();
  m_wide.clear();
  Texts& texts = m_predicted[std::size_t(model)];
  if (!texts.start.empty()) return;
  texts.bytes.reserve(m_base.bytes.size());
  for (int i = 0; i < m_review->examples(); ++i) texts.append(lowered(m_review->predicted(model, i)));
}

const ReviewTexts::Rows* ReviewTexts::known(const QString& what) {
  const auto found =
      std::find_if(m_found.begin(), m_found.end(), [&what](const Found& each) { return each.what == what; });
  if (found == m_found.end()) return nullptr;
  std::rotate(found, found + 1, m_found.end());
  return &m_found.back().rows;
}

const ReviewTexts::Rows& ReviewTexts::keep(const QString& what, Rows rows) {
  if (m_found.size() >= kRemembered) m_found.erase(m_found.begin());
  m_found.push_back({what, std::move(rows)});
  return m_found.back().rows;
}

// Rows of a word that is part of this one: nothing else can have it.
const ReviewTexts::Rows* ReviewTexts::narrower(const QString& word) {
  for (auto found = m_found.rbegin(); found != m_found.rend(); ++found)
    if (!found->what.startsWith(kPatternMark) && word.contains(found->what)) return &found->rows;
  return nullptr;
}

const ReviewTexts::Rows& ReviewTexts::withWord(const std::string& word) {
  const QString name = fromUtf8(word);
  if (const Rows* rows = known(name)) return *rows;
  const Rows* candidates = narrower(name);
  const WordSearch search(word, m_frequency);
  const Texts& predicted = m_predicted[std::size_t(m_model)];
  Rows rows(std::size_t(m_review->examples()), 0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (candidates != nullptr && (*candidates)[i] == 0) continue;
    rows[i] = search.in(m_base.of(i)) || search.in(predicted.of(i));
  }
  return keep(name, std::move(rows));
}

void ReviewTexts::prepareForPatterns() {
  if (!m_wide.isEmpty()) return;
  const Texts& predicted = m_predicted[std::size_t(m_model)];
  m_wide.reserve(qsizetype(m_base.bytes.size() + predicted.bytes.size() + m_base.start.size()));
  m_wideStart = {0};
  for (std::size_t i = 0; i + 1 < m_base.start.size(); ++i) {
    appendWide(m_wide, m_base.of(i));
    m_wide += QLatin1Char('\n');
    appendWide(m_wide, predicted.of(i));
    m_wideStart.push_back(m_wide.size());
  }
}

const ReviewTexts::Rows& ReviewTexts::withPattern(const QRegularExpression& pattern) {
  if (!pattern.pattern().isEmpty() && isPlain(pattern.pattern()))
    return withWord(pattern.pattern().toLower().toStdString());
  const QString name = kPatternMark + pattern.pattern();
  if (const Rows* rows = known(name)) return *rows;
  Rows candidates(std::size_t(m_review->examples()), 1);
  const auto narrow = [&candidates](const Rows& found) {
    for (std::size_t i = 0; i < candidates.size(); ++i) candidates[i] &= found[i];
  };
  for (auto found = m_found.rbegin(); found != m_found.rend(); ++found) {
    const bool pattern = found->what.startsWith(kPatternMark);
    if (!pattern || !onlyGoesOn(name, found->what)) continue;
    narrow(found->rows);
    break;
  }
  const QString body = pattern.pattern();
  const NeededTexts needed(body);
  for (const std::vector<std::string>& words : needed.texts()) {
    Rows any(candidates.size(), 0);
    for (const std::string& word : words) {
      const Rows& found = withWord(word);
      for (std::size_t i = 0; i < any.size(); ++i) any[i] |= found[i];
    }
    narrow(any);
  }
  prepareForPatterns();
  Rows rows(std::size_t(m_review->examples()), 0);
  const auto look = [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      if (candidates[i] == 0) continue;
      const QStringView text = QStringView(m_wide).mid(m_wideStart[i], m_wideStart[i + 1] - m_wideStart[i]);
      rows[i] = pattern
                    .match(text, 0, QRegularExpression::NormalMatch,
                           QRegularExpression::DontCheckSubjectStringMatchOption)
                    .hasMatch();
    }
  };
  // A thread costs less than a tenth of what it saves from some thousand texts on.
  constexpr std::size_t kTextsOfAThread = 2000;
  const int cores = std::clamp(int(std::thread::hardware_concurrency()), 1, kMostPatternThreads);
  const int threads = std::clamp(int(rows.size() / kTextsOfAThread), 1, cores);
  if (!forRanges(rows.size(), threads, look).ok()) look(0, rows.size());
  return keep(name, std::move(rows));
}

}  // namespace fathom
