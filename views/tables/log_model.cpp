// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tables/log_model.h"

#include <QBrush>
#include <QDateTime>
#include <QGuiApplication>
#include <QLocale>
#include <QPalette>

#include "core/base/json/json_members.h"
#include "core/base/json/phrase_json.h"
#include "views/look/engine_text.h"
#include "views/look/theme.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

QString memberWords(const Json& members, const char* key) {
  return fromUtf8(memberText(members, key));
}

// The sentence of a warning, a divergence or a failure.
QString messageOf(const Json& members) {
  return phraseText(readPhrase(members, "message"));
}

struct KindTitle {
  const char* kind;
  Phrase::Text title;
};
constexpr KindTitle kKinds[] = {
    {"run_started", Phrase::tr("start")},     {"epoch", Phrase::tr("epoch")},
    {"validation", Phrase::tr("validation")}, {"sample", Phrase::tr("examples")},
    {"checkpoint", Phrase::tr("checkpoint")}, {"warning", Phrase::tr("warning")},
    {"diverged", Phrase::tr("diverged")},     {"run_finished", Phrase::tr("end")},
    {"progress", Phrase::tr("phase")},        {"run_failed", Phrase::tr("failure")},
    {"stderr", Phrase::tr("engine")},
};

QString countOf(const Json& members, const char* key) {
  return members.contains(key) && members[key].is_number()
             ? QLocale().toString(static_cast<qlonglong>(members[key].get<double>()))
             : QStringLiteral("?");
}

QString metricsOf(const Event& event, const MetricCatalogue& metrics) {
  QStringList parts;
  for (const auto& [name, value] : event.scalars)
    parts.append(metricTitle(metrics.of(name)) + QLatin1Char(' ') + metricText(value));
  return parts.join(QStringLiteral(" · "));
}

// Which texts of an item are input and reference stands beside them; runs of older versions translated.
QString samplesOf(const Json& members) {
  const Json& fields = memberObject(members, "fields");
  const std::string input = memberText(fields, "input", "source"),
                    reference = memberText(fields, "reference", "reference");
  QStringList lines;
  for (const Json& item : memberList(members, "items"))
    if (item.is_object())
      lines.append(LogModel::tr("%1 → %2 (reference: %3)")
                       .arg(memberWords(item, input.c_str()), memberWords(item, "hypothesis"),
                            memberWords(item, reference.c_str())));
  return lines.join(QStringLiteral("  |  "));
}

}  // namespace

QString logKindText(const QString& kind) {
  for (const KindTitle& entry : kKinds)
    if (kind == QLatin1String(entry.kind)) return phraseText(entry.title);
  return kind;
}

std::optional<LogLine> logLineOf(const Event& event, const MetricCatalogue& metrics) {
  const Json& m = event.members;
  LogLine line{event.time, LogLine::Level::Info, fromUtf8(event.kind), {}};
  if (event.kind == "run_started") {
    const QString from = memberWords(m, "resumed_from");
    if (m.contains("message")) {
      line.level = LogLine::Level::Warning;
      line.text = messageOf(m);
      return line;
    }
    line.text = from.isEmpty() ? LogModel::tr("Started on %1").arg(memberWords(m, "device"))
                               : LogModel::tr("Resumed from %1 on %2").arg(from, memberWords(m, "device"));
  } else if (event.kind == "progress") {
    // Long work that begins before the first update is news; the same between updates comes all the time.
    const std::string phase = memberText(m, "phase");
    const bool begins = m.contains("done") && m["done"] == 0;
    if (phase.empty() || !begins || memberText(m, "unit") == "updates") return std::nullopt;
    if (event.step >= 0) line.level = LogLine::Level::Detail;
    line.text = engineText(phase);
  } else if (event.kind == "epoch") {
    line.text =
        LogModel::tr("Epoch %1 finished after %2 updates").arg(countOf(m, "epoch"), countOf(m, "step"));
  } else if (event.kind == "validation") {
    line.text = LogModel::tr("Update %1: %2").arg(countOf(m, "step"), metricsOf(event, metrics));
  } else if (event.kind == "sample") {
    line.text = samplesOf(m);
  } else if (event.kind == "checkpoint") {
    line.text = LogModel::tr("Checkpoint %1 saved").arg(memberWords(m, "name"));
  } else if (event.kind == "warning") {
    line.level = LogLine::Level::Warning;
    line.text = messageOf(m);
  } else if (event.kind == "diverged") {
    line.level = LogLine::Level::Error;
    line.text = LogModel::tr("Diverged at update %1 (%2). %3")
                    .arg(countOf(m, "step"), runCauseText(memberWords(m, "cause")), messageOf(m));
  } else if (event.kind == "run_finished") {
    const bool stopped = m.contains("stopped") && m["stopped"] == true;
    line.text = (stopped ? LogModel::tr("Stopped and saved after %1 updates. %2")
                         : LogModel::tr("Finished after %1 updates. %2"))
                    .arg(countOf(m, "step"), metricsOf(event, metrics));
  } else if (event.kind == "run_failed") {
    line.level = LogLine::Level::Error;
    line.text = messageOf(m);
  } else {
    return std::nullopt;
  }
  return line;
}

void LogModel::clear() {
  replaceTable([&] { m_lines.clear(); });
}

void LogModel::append(const QVector<LogLine>& lines) {
  if (lines.isEmpty()) return;
  const int first = static_cast<int>(m_lines.size());
  beginInsertRows({}, first, first + static_cast<int>(lines.size()) - 1);
  m_lines += lines;
  endInsertRows();
  const int excess = static_cast<int>(m_lines.size()) - kLimit;
  if (excess <= 0) return;
  beginRemoveRows({}, 0, excess - 1);
  m_lines.remove(0, excess);
  endRemoveRows();
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const LogLine& line = m_lines[index.row()];
  switch (role) {
    case Qt::DisplayRole:
      if (index.column() == Time)
        return line.time > 0 ? QDateTime::fromMSecsSinceEpoch(qint64(line.time * 1000))
                                   .toString(QStringLiteral("HH:mm:ss"))
                             : QString();
      return index.column() == Kind ? logKindText(line.kind) : line.text;
    case Qt::ToolTipRole:
      return line.text;
    case Qt::ForegroundRole: {
      const Theme& theme = Theme::of(QGuiApplication::palette());
      if (line.level == LogLine::Level::Error) return QBrush(theme.failed);
      if (line.level == LogLine::Level::Warning) return QBrush(theme.diverged);
      return index.column() == Text ? QVariant() : QVariant(QBrush(theme.secondary));
    }
    case LevelRole:
      return static_cast<int>(line.level);
    default:
      return {};
  }
}

QString LogModel::title(int column) const {
  const QString titles[] = {tr("Time"), tr("Kind"), tr("What happened")};
  return titles[column];
}

void LogFilterModel::setMinimumLevel(LogLine::Level level) {
  m_level = level;
  invalidateFilter();
}

void LogFilterModel::setText(const QString& text) {
  m_text = text.trimmed();
  invalidateFilter();
}

bool LogFilterModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex text = sourceModel()->index(row, LogModel::Text, parent);
  if (text.data(LogModel::LevelRole).toInt() < static_cast<int>(m_level)) return false;
  return m_text.isEmpty() || text.data().toString().contains(m_text, Qt::CaseInsensitive);
}

}  // namespace fathom
