// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/run_table_model.h"

#include <QCoreApplication>
#include <QLocale>
#include <QMimeData>
#include <QPointer>
#include <QSet>
#include <QThreadPool>
#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "views/look/ago_text.h"
#include "views/look/engine_text.h"
#include "views/tables/grouping_choice.h"
#include "views/tables/run_eyes.h"
#include "views/tables/run_job_text.h"
#include "views/tables/run_names.h"

namespace fathom {

namespace {

QString stepText(const RunItem& run) {
  const QLocale locale;
  if (run.totalSteps > 0)
    return RunTableModel::tr("%1 of %2 updates")
        .arg(locale.toString(run.step), locale.toString(run.totalSteps));
  return run.step == 1 ? RunTableModel::tr("1 update")
                       : RunTableModel::tr("%1 updates").arg(locale.toString(run.step));
}

// "37 of 600 · 4:50 left".
QString liveText(const RunItem& run) {
  const QLocale locale;
  const QString done =
      RunTableModel::tr("%1 of %2").arg(locale.toString(run.step), locale.toString(run.totalSteps));
  if (run.remainingSeconds < 0) return done;
  return RunTableModel::tr("%1 · %2 left").arg(done, durationText(run.remainingSeconds));
}

// Followed, written by a program into the project, or imported.
QString sourceIcon(const RunItem& run) {
  if (run.source.isEmpty()) return {};
  if (run.followed) return QStringLiteral("state-running");
  return isLive(run.state) ? QStringLiteral("run") : QStringLiteral("import");
}

double fraction(const RunItem& run) {
  if (!run.doing.isEmpty()) return run.doingFraction;
  return run.totalSteps > 0 ? qBound(0.0, double(run.step) / double(run.totalSteps), 1.0) : -1;
}

}  // namespace

RunTableModel::RunTableModel(QObject* parent)
    : TableModel(parent), m_eyes(new RunEyes(this)), m_grouping(new GroupingChoice(this)) {
  connect(m_eyes, &RunEyes::changed, this, [this] {
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, Eye), index(rowCount() - 1, Eye), {EyeRole});
  });
}

void RunTableModel::setRuns(const QVector<RunItem>& runs) {
  QSet<QString> wanted;
  for (const RunItem& run : runs) wanted.insert(run.uuid);
  QStringList gone;
  for (auto run = m_runs.crbegin(); run != m_runs.crend(); ++run)
    if (!wanted.contains(run->uuid)) gone.append(run->uuid);
  removeRuns(gone);
  updateRuns(runs);
}

void RunTableModel::updateRuns(const QVector<RunItem>& runs) {
  QVector<const RunItem*> added;
  QSet<QString> fresh;
  int lowest = rowCount(), highest = -1;
  bool renamed = false;
  for (const RunItem& run : runs) {
    const int row = rowOf(run.uuid);
    if (row < 0 && fresh.contains(run.uuid)) continue;  // the same run twice: the first counts
    if (row < 0) {
      fresh.insert(run.uuid);
      added.append(&run);
      continue;
    }
    renamed = renamed || !areNamedAlike(m_runs[row], run);
    m_runs[row] = run;
    lowest = qMin(lowest, row);
    highest = qMax(highest, row);
  }
  if (highest >= 0) changedRows(lowest, highest);
  if (added.isEmpty()) {
    if (renamed) nameRuns();
    return;
  }
  const int first = rowCount();
  beginInsertRows({}, first, first + static_cast<int>(added.size()) - 1);
  m_runs.reserve(first + added.size());
  for (const RunItem* run : std::as_const(added)) {
    m_rows[run->uuid] = static_cast<int>(m_runs.size());
    m_runs.append(*run);
    m_names.append(run->name);
  }
  endInsertRows();
  m_eyes->setRuns(m_runs);
  nameRuns();
}

// One run more or less may change what the others have in common. Of thousands it takes longer than a frame:
// they bear their own names until it is known.
void RunTableModel::nameRuns() {
  constexpr qsizetype kNamedAtOnce = 300;
  ++m_naming;
  if (m_runs.size() <= kNamedAtOnce) return takeNames(shortRunNames(m_runs));
  if (std::exchange(m_namingBusy, true)) return;  // once more when that is there
  QThreadPool::globalInstance()->start([runs = m_runs, serial = m_naming, model = QPointer(this)] {
    const QStringList names = shortRunNames(runs);
    QMetaObject::invokeMethod(qApp, [model, serial, names] {
      if (model == nullptr) return;
      model->m_namingBusy = false;
      if (model->m_naming == serial)
        model->takeNames(names);
      else
        model->nameRuns();
    });
  });
}

void RunTableModel::takeNames(const QStringList& names) {
  int first = -1, last = -1;
  for (int row = 0; row < names.size(); ++row) {
    if (names[row] == m_names[row]) continue;
    if (first < 0) first = row;
    last = row;
  }
  m_names = names;
  if (first >= 0) Q_EMIT dataChanged(index(first, Name), index(last, Name));
}

void RunTableModel::removeRuns(const QStringList& uuids) {
  std::vector<int> rows;
  for (const QString& uuid : uuids)
    if (const int row = rowOf(uuid); row >= 0) rows.push_back(row);
  if (rows.empty()) return;
  std::sort(rows.begin(), rows.end(), std::greater<>());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  for (std::size_t i = 0; i < rows.size();) {
    const int last = rows[i];
    int first = last;
    while (++i < rows.size() && rows[i] == first - 1) first = rows[i];
    removeRange(first, last);
  }
  m_eyes->setRuns(m_runs);
  nameRuns();
}

// Rows that stand together go at once: whoever follows counts anew each time.
void RunTableModel::removeRange(int first, int last) {
  beginRemoveRows({}, first, last);
  for (int row = first; row <= last; ++row) m_rows.remove(m_runs[row].uuid);
  m_runs.remove(first, last - first + 1);
  m_names.remove(first, last - first + 1);
  for (int row = first; row < m_runs.size(); ++row) m_rows[m_runs[row].uuid] = row;
  endRemoveRows();
}

const RunItem* RunTableModel::run(const QString& uuid) const {
  const int row = rowOf(uuid);
  return row < 0 ? nullptr : &m_runs[row];
}

void RunTableModel::setMetricColumns(const QStringList& metrics) {
  if (metrics == m_metrics) return;
  replaceTable([&] { m_metrics = metrics; });
}

void RunTableModel::setConfigColumns(const QStringList& keys) {
  if (keys == m_configKeys) return;
  replaceTable([&] { m_configKeys = keys; });
}

void RunTableModel::setConfigTitles(const QHash<QString, QString>& titles) {
  m_configTitles = titles;
  if (columnCount() > FixedColumns) Q_EMIT headerDataChanged(Qt::Horizontal, FixedColumns, columnCount() - 1);
}

QStringList RunTableModel::knownMetrics() const {
  QSet<QString> names;
  for (const RunItem& run : m_runs)
    for (auto it = run.best.cbegin(); it != run.best.cend(); ++it) names.insert(it.key());
  QStringList list(names.cbegin(), names.cend());
  list.sort();
  return list;
}

QStringList RunTableModel::knownConfigKeys() const {
  QMap<QString, QSet<QString>> values;
  for (const RunItem& run : m_runs) {
    for (const SharedOption* option : run.config.all()) {
      QSet<QString>& seen = values[fromUtf8(option->key)];
      if (seen.size() < 2) seen.insert(option->text);
    }
  }
  QStringList different, same;
  for (auto it = values.cbegin(); it != values.cend(); ++it)
    (it->size() > 1 ? different : same).append(it.key());
  return different + same;
}

QStringList RunTableModel::differingConfigKeys() const {
  QMap<QString, const SharedOption*> first;
  QStringList keys;
  for (const RunItem& run : m_runs) {
    for (const SharedOption* option : run.config.all()) {
      if (!option->setsApart) continue;
      const QString key = fromUtf8(option->key);
      const SharedOption*& known = first[key];
      if (known == nullptr) known = option;
      if (known != option && !keys.contains(key)) keys.append(key);
    }
  }
  return keys;
}

QString RunTableModel::metricOf(int column) const {
  return m_metrics.value(column - FixedColumns);
}

QString RunTableModel::configKeyOf(int column) const {
  return m_configKeys.value(column - FixedColumns - static_cast<int>(m_metrics.size()));
}

QString RunTableModel::columnId(int column) const {
  static const char* const names[] = {"eye",     "star", "name",  "state",  "progress", "duration",
                                      "started", "tags", "notes", "source", "place",    "job"};
  if (column < FixedColumns) return QString::fromLatin1(names[column]);
  const QString metric = metricOf(column);
  return metric.isEmpty() ? QStringLiteral("config:") + configKeyOf(column)
                          : QStringLiteral("metric:") + metric;
}

void RunTableModel::setHeard(const QHash<QString, QDateTime>& heard) {
  m_heard = heard;
}

// "box, heard 4 s ago".
QString RunTableModel::placeText(const RunItem& run) const {
  const auto heard = m_heard.constFind(run.job.place);
  if (run.job.place.isEmpty() || heard == m_heard.cend() || !isOpen(run.state)) return run.job.place;
  return tr("%1, heard %2").arg(run.job.place, agoText(*heard, QDateTime::currentDateTime()));
}

// A run that has ended names its place in its columns and its details alone.
QString RunTableModel::jobWords(const RunItem& run) const {
  if (run.job.place.isEmpty() || !isOpen(run.state)) return {};
  return m_placeApart ? jobReasonText(run.job) : jobText(run.job);
}

QVariant RunTableModel::displayData(const RunItem& run, int column) const {
  switch (column) {
    case Eye:
    case Star:
      return {};
    case Name:
      return shownName(run.uuid);
    case State: {
      const QString word = runStateLook(run.state, run.cause).word;
      const QString cause = runCauseText(run.cause);
      if (run.silentMinutes > 0) return tr("%1: not heard for %2 min").arg(word).arg(run.silentMinutes);
      if (run.followed) return tr("%1: followed").arg(word);
      if (const QString job = jobWords(run); !job.isEmpty()) return tr("%1: %2").arg(word, job);
      return cause.isEmpty() || cause == word ? word : tr("%1: %2").arg(word, cause);
    }
    case Progress:
      if (!run.doing.isEmpty()) return run.doing;
      if (isLive(run.state) && run.totalSteps > 0) return liveText(run);
      return run.totalSteps > 0 || run.step > 0 ? QLocale().toString(run.step) : QString();
    case Duration:
      return run.durationSeconds > 0 ? durationText(run.durationSeconds) : QStringLiteral("–");
    case Started:
      return run.created.isValid() ? QLocale().toString(run.created.toLocalTime(), QLocale::ShortFormat)
                                   : QString();
    case Tags:
      return run.tags.join(QStringLiteral(", "));
    case Notes:
      return run.note.simplified();
    case Source:
      return run.source;
    case Place:
      return placeText(run);
    case Job:
      return run.job.place.isEmpty() ? QString() : run.job.id;
    default:
      break;
  }
  const QString metric = metricOf(column);
  if (metric.isEmpty()) return runConfigText(run, configKeyOf(column));
  const auto found = run.best.constFind(metric);
  return found == run.best.constEnd() ? QStringLiteral("–") : metricColumnText(run, metric, *found);
}

QVariant RunTableModel::sortData(const RunItem& run, int column) const {
  switch (column) {
    case Eye:
      return m_eyes->isOpen(run.uuid) ? 0 : 1;
    case Star:
      return run.star ? 0 : 1;
    case Progress:
      return double(run.step);
    case Duration:
      return run.durationSeconds > 0 ? QVariant(run.durationSeconds) : QVariant();
    case Place:  // while it is heard the text changes all the time
      return run.job.place.isEmpty() ? QVariant() : QVariant(run.job.place.toLower());
    case Started:
      if (run.listed.isValid()) return run.listed.toMSecsSinceEpoch();
      return run.created.isValid() ? QVariant(run.created.toMSecsSinceEpoch()) : QVariant();
    default:
      break;
  }
  if (column < FixedColumns) return displayData(run, column).toString().toLower();
  if (const QString metric = metricOf(column); !metric.isEmpty()) {
    const auto found = run.best.constFind(metric);
    return found == run.best.constEnd() || std::isnan(*found) ? QVariant() : QVariant(*found);
  }
  const SharedOption* option = run.config.find(toUtf8(configKeyOf(column)));
  if (option != nullptr && option->value.is_number()) return option->value.get<double>();
  return option == nullptr || option->text.isEmpty() ? QVariant() : QVariant(option->text.toLower());
}

QVariant RunTableModel::toolTip(const RunItem& run, int column) const {
  switch (column) {
    case Eye:
      return (m_eyes->isOpen(run.uuid) ? tr("Drawn; click or Space hides its curves")
                                       : tr("Not drawn; click or Space shows its curves")) +
             QLatin1Char('\n') + tr("Alt and click: this run alone");
    case Star:
      return run.star ? tr("Starred; click to take the star away") : tr("Click to star this run");
    case Name: {
      QString tip = run.name + QLatin1Char('\n') + run.folder;
      if (!run.origin.isEmpty()) tip += QLatin1Char('\n') + tr("from %1").arg(run.origin);
      if (!run.note.isEmpty()) tip += QLatin1Char('\n') + run.note;
      return tip;
    }
    case State: {
      // A narrow column shows the icon alone.
      const QString word = displayData(run, State).toString();
      QStringList lines = {word, growthText(run), run.message};
      lines.removeAll(QString());
      return lines.join(QLatin1Char('\n'));
    }
    case Progress: {
      QString tip = stepText(run);
      if (!run.doing.isEmpty()) tip += QLatin1Char('\n') + run.doing;
      if (run.remainingSeconds >= 0)
        tip += QLatin1Char('\n') + tr("about %1 left").arg(durationText(run.remainingSeconds));
      return tip;
    }
    case Notes:
      return run.note;
    case Source: {
      const QString followed = run.followed ? tr("followed as it grows") : tr("read once");
      QStringList lines = {run.source, run.source.isEmpty() ? QString() : followed, growthText(run)};
      lines.removeAll(QString());
      return lines.join(QLatin1Char('\n'));
    }
    default:
      break;
  }
  const QString metric = metricOf(column);
  if (!metric.isEmpty() && run.best.contains(metric))
    return tr("best %1 of %2 at update %3; latest %4")
        .arg(metricTitle(MetricCatalogue(run.metrics).of(toUtf8(metric))),
             QString::number(run.best[metric], 'g', 9), QLocale().toString(run.bestStep.value(metric)),
             metricText(run.last.value(metric, std::nan(""))));
  return displayData(run, column);
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const RunItem& run = m_runs[index.row()];
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      return displayData(run, column);
    case Qt::EditRole:
      return column == Name ? QVariant(run.name) : displayData(run, column);
    case Qt::ToolTipRole:
      return toolTip(run, column);
    case Qt::AccessibleTextRole:
      if (column == Eye) return m_eyes->isOpen(run.uuid) ? tr("drawn") : tr("not drawn");
      return column == Star ? QVariant(run.star ? tr("starred") : tr("not starred"))
                            : displayData(run, column);
    case Qt::TextAlignmentRole:
      return column == Progress || column == Duration || !metricOf(column).isEmpty()
                 ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                 : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case SortRole:
      return sortData(run, column);
    case UuidRole:
      return run.uuid;
    case StateRole:
      return static_cast<int>(run.state);
    case CauseRole:
      return run.cause;
    case ColourRole:
      return run.colour;
    case FractionRole:
      return fraction(run);
    case StarRole:
      return run.star;
    case EyeRole:
      return m_eyes->isOpen(run.uuid);
    case MembersRole:
      return QStringList(run.uuid);
    case SourceRole:
      return sourceIcon(run);
    default:
      return {};
  }
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
  const QString uuid = m_runs[index.row()].uuid;
  if (index.column() == Name && role == Qt::EditRole) {
    const QString name = value.toString().trimmed();
    if (!name.isEmpty() && name != m_runs[index.row()].name) Q_EMIT renameRequested(uuid, name);
    return true;
  }
  if (index.column() == Star && role == StarRole) {
    Q_EMIT starRequested(uuid, value.toBool());
    return true;
  }
  return false;
}

QString RunTableModel::title(int column) const {
  const QString fixed[] = {QString(),     QString(),  tr("Run"),   tr("State"),  tr("Updates"), tr("Time"),
                           tr("Started"), tr("Tags"), tr("Notes"), tr("Source"), tr("Place"),   tr("Job")};
  if (column < FixedColumns) return fixed[column];
  const QString metric = metricOf(column), key = configKeyOf(column);
  return metric.isEmpty() ? m_configTitles.value(key, key)
                          : metricTitle(metricCatalogue().of(toUtf8(metric)));
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role == Qt::ToolTipRole && section >= FixedColumns) {
    const QString metric = metricOf(section);
    return metric.isEmpty() ? configKeyOf(section) : tr("best value of %1").arg(metric);
  }
  if (section == Eye && (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole))
    return tr("Drawn as curves");
  if (role == Qt::AccessibleTextRole && section == Star) return tr("Star");
  if (role == Qt::AccessibleTextRole && section == State) return tr("State");
  return TableModel::headerData(section, orientation, role);
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  if (!index.isValid()) return flags;
  flags |= Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
  if (index.column() == Name) flags |= Qt::ItemIsEditable;
  return flags;
}

QStringList RunTableModel::mimeTypes() const {
  return {QLatin1String(kMime)};
}

QMimeData* RunTableModel::mimeData(const QModelIndexList& indexes) const {
  QStringList uuids;
  for (const QModelIndex& index : indexes) {
    const QString uuid = index.data(UuidRole).toString();
    if (!uuids.contains(uuid)) uuids.append(uuid);
  }
  auto* data = new QMimeData;
  data->setData(QLatin1String(kMime), uuids.join(QLatin1Char('\n')).toUtf8());
  return data;
}

}  // namespace fathom
