// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_group_row.h"

#include <QCoreApplication>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "views/look/engine_text.h"
#include "views/tables/grouping_choice.h"
#include "views/tables/run_eyes.h"
#include "views/tables/run_table_model.h"

namespace fathom {

namespace {

using Runs = QVector<const RunItem*>;

QString groupText(const char* text) {
  return QCoreApplication::translate("fathom::RunFoldModel", text);
}

// The state that one asks about first: what works, what waits, what went wrong.
const RunItem& tellingRun(const Runs& runs) {
  const auto find = [&runs](auto is) {
    return std::find_if(runs.cbegin(), runs.cend(), [&is](const RunItem* run) { return is(*run); });
  };
  for (const auto& found : {find([](const RunItem& run) { return isLive(run.state); }),
                            find([](const RunItem& run) { return isOpen(run.state); }),
                            find([](const RunItem& run) { return endedBadly(run); })})
    if (found != runs.cend()) return **found;
  return *runs.first();
}

// "2 finished, 1 diverged"; the word alone where it is true of all.
QString statesText(const Runs& runs) {
  QStringList words;
  std::map<QString, int> counts;
  for (const RunItem* run : runs) {
    const QString word = runStateLook(run->state, run->cause).word;
    if (counts[word]++ == 0) words.append(word);
  }
  if (words.size() == 1) return words.first();
  for (QString& word : words) word = QStringLiteral("%1 %2").arg(counts[word]).arg(word);
  return words.join(QStringLiteral(", "));
}

// With as many decimals as the mean beside it.
QString deviationText(const RunItem& run, const QString& metric, double deviation) {
  const int decimals = MetricCatalogue(run.metrics).of(toUtf8(metric)).decimals;
  if (decimals < 0) return metricText(deviation);
  QLocale locale;
  locale.setNumberOptions(QLocale::OmitGroupSeparator);
  return locale.toString(deviation, 'f', decimals);
}

QString scoreText(const Runs& runs, const QString& metric) {
  std::vector<double> values;
  for (const RunItem* run : runs)
    if (const auto found = run->best.constFind(metric); found != run->best.cend() && std::isfinite(*found))
      values.push_back(*found);
  if (values.empty()) return QStringLiteral("–");
  double mean = 0, square = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  for (const double value : values) square += (value - mean) * (value - mean);
  QString text = metricColumnText(*runs.first(), metric, mean);
  if (values.size() > 1)
    text += QStringLiteral(" ± ") +
            deviationText(*runs.first(), metric, std::sqrt(square / static_cast<double>(values.size() - 1)));
  // Runs without the score are never left out silently.
  if (std::ssize(values) < runs.size())
    text += QStringLiteral(" (%1/%2)").arg(values.size()).arg(runs.size());
  return text;
}

QString optionTextOfAll(const Runs& runs, const QString& key) {
  const QString text = runConfigText(*runs.first(), key);
  const bool same = std::all_of(runs.cbegin(), runs.cend(),
                                [&](const RunItem* run) { return runConfigText(*run, key) == text; });
  return same ? text : QStringLiteral("…");
}

double fractionOf(const Runs& runs) {
  double done = 0, all = 0;
  for (const RunItem* run : runs) {
    done += static_cast<double>(run->step);
    all += static_cast<double>(run->totalSteps);
  }
  return all > 0 ? std::clamp(done / all, 0.0, 1.0) : -1;
}

QString progressText(const Runs& runs) {
  const auto done =
      std::count_if(runs.cbegin(), runs.cend(), [](const RunItem* run) { return !isOpen(run->state); });
  if (done == runs.size()) return QLocale().toString(tellingRun(runs).step);
  return groupText(QT_TRANSLATE_NOOP("fathom::RunFoldModel", "%1 of %2 runs")).arg(done).arg(runs.size());
}

QString groupCell(const Runs& runs, const QString& name, const RunTableModel& model, int column) {
  switch (column) {
    case RunTableModel::Eye:
    case RunTableModel::Star:
    case RunTableModel::Notes:
      return {};
    case RunTableModel::Name:
      return groupText(QT_TRANSLATE_NOOP("fathom::RunFoldModel", "%1   n = %2")).arg(name).arg(runs.size());
    case RunTableModel::State:
      return statesText(runs);
    case RunTableModel::Progress:
      return progressText(runs);
    case RunTableModel::Duration: {
      double seconds = 0;
      for (const RunItem* run : runs) seconds += run->durationSeconds;
      return seconds > 0 ? durationText(seconds) : QStringLiteral("–");
    }
    case RunTableModel::Started: {
      QDateTime first;
      for (const RunItem* run : runs)
        if (run->created.isValid() && (!first.isValid() || run->created < first)) first = run->created;
      return first.isValid() ? QLocale().toString(first.toLocalTime(), QLocale::ShortFormat) : QString();
    }
    case RunTableModel::Tags: {
      QStringList tags;
      for (const RunItem* run : runs) tags += run->tags;
      tags.removeDuplicates();
      return tags.join(QStringLiteral(", "));
    }
    case RunTableModel::Source: {
      QStringList sources;
      for (const RunItem* run : runs) sources.append(run->source);
      sources.removeDuplicates();
      return sources.size() == 1 ? sources.first() : QStringLiteral("…");
    }
    case RunTableModel::Place: {
      QStringList places;
      for (const RunItem* run : runs)
        if (!run->job.place.isEmpty()) places.append(run->job.place);
      places.removeDuplicates();
      return places.join(QStringLiteral(", "));
    }
    case RunTableModel::Job:
      return {};
    default:
      break;
  }
  const QString id = model.columnId(column), word = id.section(QLatin1Char(':'), 1);
  return id.startsWith(QLatin1String("metric:")) ? scoreText(runs, word) : optionTextOfAll(runs, word);
}

QString groupToolTip(const Runs& runs, const QString& cell, const RunTableModel& model, int column) {
  if (column == RunTableModel::Eye)
    return groupText(
        QT_TRANSLATE_NOOP("fathom::RunFoldModel", "Click or Space draws or hides all of its runs"));
  if (column != RunTableModel::Name) return cell;
  QStringList lines = {groupText(QT_TRANSLATE_NOOP("fathom::RunFoldModel",
                                                   "Runs that differ only in the seed; → or a click on the "
                                                   "arrow shows them, ← folds them"))};
  if (!model.grouping()->bySeeds())
    lines = {groupText(QT_TRANSLATE_NOOP("fathom::RunFoldModel",
                                         "Runs that are grouped by %1; → or a click on the arrow shows them, "
                                         "← folds them"))
                 .arg(fromUtf8(model.grouping()->grouping().text()))};
  constexpr qsizetype kMostListed = 10;
  for (const RunItem* run : runs.mid(0, kMostListed)) lines.append(run->name);
  if (runs.size() > kMostListed) lines.append(QStringLiteral("…"));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

QString runGroupName(const Runs& runs) {
  if (runs.isEmpty()) return {};
  QStringList values = runs.first()->gridValues;
  for (const RunItem* run : runs)
    for (qsizetype i = 0; i < values.size(); ++i)
      if (run->gridValues.value(i) != values[i]) values[i].clear();
  values.removeAll(QString());
  if (!values.isEmpty()) return values.join(QStringLiteral(" · "));
  return runs.first()->gridName.isEmpty() ? runs.first()->name : runs.first()->gridName;
}

QVariant runGroupData(const Runs& runs, const QString& name, const RunTableModel& model, int column,
                      int role) {
  if (runs.isEmpty()) return {};
  const auto all = [&runs](auto is) { return std::all_of(runs.cbegin(), runs.cend(), is); };
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return groupCell(runs, name, model, column);
    case Qt::AccessibleTextRole:
      if (column == RunTableModel::Eye) {
        const bool open = runGroupData(runs, name, model, column, RunTableModel::EyeRole).toBool();
        return open ? RunTableModel::tr("drawn") : RunTableModel::tr("not drawn");
      }
      return groupCell(runs, name, model, column);
    case Qt::ToolTipRole:
      return groupToolTip(runs, groupCell(runs, name, model, column), model, column);
    case Qt::TextAlignmentRole:
      return model.index(model.rowOf(runs.first()->uuid), column).data(role);
    case RunTableModel::UuidRole:
      return runs.first()->uuid;
    case RunTableModel::StateRole:
      return static_cast<int>(tellingRun(runs).state);
    case RunTableModel::CauseRole:
      return tellingRun(runs).cause;
    case RunTableModel::ColourRole:
      return runs.first()->colour;
    case RunTableModel::FractionRole:
      return fractionOf(runs);
    case RunTableModel::SourceRole:
      return model.index(model.rowOf(tellingRun(runs).uuid), column).data(role);
    case RunTableModel::StarRole:
      return all([](const RunItem* run) { return run->star; });
    case RunTableModel::EyeRole:
      return !all([&model](const RunItem* run) { return !model.eyes()->isOpen(run->uuid); });
    case RunTableModel::MembersRole: {
      QStringList uuids;
      for (const RunItem* run : runs) uuids.append(run->uuid);
      return uuids;
    }
    default:
      return {};
  }
}

}  // namespace fathom
