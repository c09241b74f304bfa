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

// One whose key is `name` or ends with it after a dot.
bool hasOption(const SharedOptions& options, QStringView name, QStringView wanted) {
  for (const SharedOption* option : options.all()) {
    const QString& key = option->searchKey;
    if (!key.endsWith(name)) continue;
    const bool whole = key.size() == name.size() || key[key.size() - name.size() - 1] == QLatin1Char('.');
    if (whole && isValue(option->searchText, wanted)) return true;
  }
  return false;
}

}  // namespace

QString runSearchText(const RunItem& run, const QStringList& configColumns) {
  QStringList words = {run.name,
                       runStateLook(run.state, run.cause).word,
                       fromUtf8(runStateName(run.state)),
                       run.cause,
                       runCauseText(run.cause),
                       run.preset,
                       runConfigText(run, QStringLiteral("task")),
                       run.note,
                       run.source,
                       run.job.place,
                       run.job.id};
  words += run.tags + run.gridValues;
  if (!run.gridName.isEmpty()) words.append(run.gridName);
  for (const QString& key : configColumns) words.append(runConfigText(run, key));
  return words.join(QLatin1Char('\n')).toLower();
}

bool runMatches(const RunItem& run, const QString& searchText, const QString& word) {
  if (searchText.contains(word)) return true;
  qsizetype sign = word.indexOf(QLatin1Char('='));
  if (sign < 0) sign = word.indexOf(QLatin1Char(':'));
  return sign > 0 && hasOption(run.config, QStringView(word).left(sign), QStringView(word).mid(sign + 1));
}

}  // namespace fathom
