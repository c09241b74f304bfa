// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_search.h"

#include <QStringView>

#include "views/look/engine_text.h"

namespace fathom {

namespace {

bool isValue(QStringView value, QStringView wanted) {
  bool isNumber = false, wantsNumber = false;
  const double number = value.toDouble(&isNumber), wantedNumber = wanted.toDouble(&wantsNumber);
  if (isNumber) return wantsNumber ? number == wantedNumber : wanted.isEmpty();
  return value.contains(wanted);
}

// Of the lines "key=value", one whose key is `name` or ends with it after a dot.
bool hasOption(QStringView lines, QStringView name, QStringView wanted) {
  for (const QStringView line : lines.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
    const qsizetype equals = line.indexOf(QLatin1Char('='));
    const QStringView key = line.left(equals);
    if (!key.endsWith(name)) continue;
    const bool whole = key.size() == name.size() || key[key.size() - name.size() - 1] == QLatin1Char('.');
    if (whole && isValue(line.mid(equals + 1), wanted)) return true;
  }
  return false;
}

}  // namespace

QString runSearchText(const RunItem& run) {
  QStringList words = {run.name,
                       runStateLook(run.state).word,
                       run.state,
                       run.cause,
                       runCauseText(run.cause),
                       run.preset,
                       runConfigText(run, QStringLiteral("task")),
                       run.note};
  words += run.tags;
  QStringList lines = {words.join(QLatin1Char(' ')).simplified()};
  for (const auto& [key, value] : run.config.items())
    lines.append(fromUtf8(key) + QLatin1Char('=') + runConfigText(run, fromUtf8(key)).simplified());
  return lines.join(QLatin1Char('\n')).toLower();
}

bool runMatches(const QString& searchText, const QString& columns, const QString& word) {
  const qsizetype end = searchText.indexOf(QLatin1Char('\n'));
  const QStringView words = QStringView(searchText).left(end < 0 ? searchText.size() : end);
  if (words.contains(word) || columns.contains(word)) return true;
  qsizetype sign = word.indexOf(QLatin1Char('='));
  if (sign < 0) sign = word.indexOf(QLatin1Char(':'));
  if (sign <= 0 || end < 0) return false;
  return hasOption(QStringView(searchText).mid(end + 1), QStringView(word).left(sign),
                   QStringView(word).mid(sign + 1));
}

}  // namespace fathom
