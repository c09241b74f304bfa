// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/errors/question_links.h"

#include <QHash>
#include <QRegularExpression>
#include <QSet>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr int kLongestRun = 5;  // words of a name
constexpr int kShortestPart = 3;

struct Names {
  QStringList tables, columns;
};

// "Singers" -> "singer": enough to find a name, not a stemmer.
QString singular(const QString& word) {
  const QString lower = word.toLower();
  if (lower.size() > 4 && lower.endsWith(QLatin1String("ies"))) return lower.chopped(3) + QLatin1Char('y');
  if (lower.size() > 4 && (lower.endsWith(QLatin1String("sses")) || lower.endsWith(QLatin1String("xes"))))
    return lower.chopped(2);
  if (lower.size() > 3 && lower.endsWith(QLatin1Char('s')) && !lower.endsWith(QLatin1String("ss")))
    return lower.chopped(1);
  return lower;
}

QString key(const QStringList& words) {
  QStringList parts;
  for (const QString& word : words) parts.append(singular(word));
  return parts.join(QLatin1Char(' '));
}

QStringList wordsOf(const std::string& name) {
  static const QRegularExpression apart(QStringLiteral("[^\\p{L}\\p{N}]+"));
  return fromUtf8(name).split(apart, Qt::SkipEmptyParts);
}

bool isSmallWord(const QString& word) {
  static const QSet<QString> small = {
      QStringLiteral("the"),  QStringLiteral("and"),  QStringLiteral("for"),   QStringLiteral("are"),
      QStringLiteral("was"),  QStringLiteral("what"), QStringLiteral("which"), QStringLiteral("that"),
      QStringLiteral("with"), QStringLiteral("each"), QStringLiteral("all"),   QStringLiteral("how"),
      QStringLiteral("many"), QStringLiteral("who"),  QStringLiteral("not"),   QStringLiteral("has"),
      QStringLiteral("have"), QStringLiteral("from"), QStringLiteral("than")};
  return word.size() < kShortestPart || small.contains(word);
}

class Linker {
 public:
  explicit Linker(const SpiderSchema& schema) {
    for (const SpiderTable& table : schema.tables) add(table.name, fromUtf8(table.originalName), true);
    for (std::size_t i = 1; i < schema.columns.size(); ++i)
      add(schema.columns[i].name, fromUtf8(schema.columnText(int(i))), false);
  }
  const Names* exact(const QStringList& words) const { return find(m_exact, key(words)); }
  const Names* partial(const QString& word) const { return find(m_partial, singular(word)); }

 private:
  void add(const std::string& name, const QString& shown, bool table) {
    const QStringList words = wordsOf(name);
    put(m_exact[key(words)], shown, table);
    if (words.size() < 2) return;
    for (const QString& word : words)
      if (!isSmallWord(word.toLower())) put(m_partial[singular(word)], shown, table);
  }
  static void put(Names& names, const QString& shown, bool table) {
    (table ? names.tables : names.columns).append(shown);
  }
  static const Names* find(const QHash<QString, Names>& in, const QString& wanted) {
    const auto found = in.constFind(wanted);
    return found == in.constEnd() ? nullptr : &*found;
  }
  QHash<QString, Names> m_exact, m_partial;
};

}  // namespace

QVector<QuestionLink> questionLinks(const QString& question, const SpiderSchema& schema) {
  const Linker linker(schema);
  static const QRegularExpression word(QStringLiteral("[\\p{L}\\p{N}]+"));
  QVector<QPair<qsizetype, QString>> words;
  for (auto found = word.globalMatch(question); found.hasNext();) {
    const auto match = found.next();
    words.append({match.capturedStart(), match.captured()});
  }
  QVector<QuestionLink> links;
  for (qsizetype i = 0; i < words.size(); ++i) {
    const Names* names = nullptr;
    qsizetype taken = 0;
    for (qsizetype run = qMin<qsizetype>(kLongestRun, words.size() - i); run > 0 && names == nullptr; --run) {
      QStringList part;
      for (qsizetype j = i; j < i + run; ++j) part.append(words[j].second);
      names = linker.exact(part);
      taken = run;
    }
    QuestionLink link;
    link.exact = names != nullptr;
    if (names == nullptr && !isSmallWord(words[i].second.toLower())) {
      names = linker.partial(words[i].second);
      taken = 1;
    }
    if (names == nullptr) continue;
    const auto& last = words[i + taken - 1];
    link.begin = words[i].first;
    link.length = last.first + last.second.size() - link.begin;
    link.table = !names->tables.isEmpty();
    link.names = names->tables + names->columns;
    links.append(link);
    i += taken - 1;
  }
  return links;
}

QString questionHtml(const QString& question, const QVector<QuestionLink>& links, const QString& tableColour,
                     const QString& columnColour) {
  QString html;
  qsizetype at = 0;
  for (const QuestionLink& link : links) {
    html += question.mid(at, link.begin - at).toHtmlEscaped();
    const QString look = QStringLiteral("color:%1;%2")
                             .arg(link.table ? tableColour : columnColour,
                                  link.exact ? QStringLiteral("text-decoration:underline;font-weight:600")
                                             : QStringLiteral("text-decoration:underline"));
    html += QStringLiteral("<span style=\"%1\">%2</span>")
                .arg(look, question.mid(link.begin, link.length).toHtmlEscaped());
    at = link.begin + link.length;
  }
  return html + question.mid(at).toHtmlEscaped();
}

}  // namespace fathom
