// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/dropped_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <array>

#include "core/imports/import_entry.h"
#include "core/record/runs/project_folder.h"
#include "core/record/runs/run_folder.h"
#include "core/spider/data/prediction_file.h"
#include "core/tasks/data_set.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {

constexpr qint64 kBeginning = 64 * 1024;
constexpr std::array kStepNames = {"\"step\"",  "\"_step\"",       "\"global_step\"",
                                   "\"epoch\"", "\"num_updates\"", "\"iteration\""};

bool isEventFile(const QString& name) {
  return name.contains(QLatin1String("tfevents"));
}

bool isArchive(const QString& name) {
  constexpr std::array<const char*, 4> kEnds = {".tar", ".tar.gz", ".tgz", ".tar.zst"};
  for (const char* end : kEnds)
    if (name.endsWith(QLatin1String(end))) return true;
  return false;
}

// Whole lines of the beginning.
QByteArray beginningOf(const QString& path) {
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) return {};
  QByteArray text = file.read(kBeginning);
  if (!file.atEnd()) text.truncate(text.lastIndexOf('\n') + 1);
  return text;
}

// True if the SQL column of a record, or the first word of plain lines, looks like SQL.
bool looksLikeSql(const QString& path, const QString& name) {
  const QByteArray text = beginningOf(path);
  if (text.isEmpty()) return false;
  const bool columns = name.endsWith(QLatin1String(".csv")) || name.endsWith(QLatin1String(".tsv"));
  if (columns) {
    const auto read = parsePredictionText({text.constData(), std::size_t(text.size())}, toUtf8(path));
    return read.ok() && !read->sqlColumn.empty();
  }
  const QByteArray start = text.trimmed().left(6).toLower();
  return start == "select" || start.startsWith("with ");
}

// JSON that some importer knows as its own, or whose first object has a step.
bool looksLikeCurves(const QString& path) {
  const auto entry = recognisedImport(toUtf8(path));
  if (entry.ok() && (*entry)->id != "json") return true;
  const QByteArray text = beginningOf(path).trimmed();
  if (text.startsWith("[[")) return true;  // TensorBoard's download
  const qsizetype begin = text.indexOf('{'), end = text.indexOf('}', begin);
  if (begin < 0 || end < 0) return false;
  const QByteArray first = text.mid(begin, end - begin);
  return std::any_of(kStepNames.begin(), kStepNames.end(),
                     [&first](const char* name) { return first.contains(name); });
}

// A file whose first bytes are those of a program's log: not what is only text.
bool isForeignLog(const QString& path) {
  const auto entry = recognisedImport(toUtf8(path));
  return entry.ok() && (*entry)->id != "csv" && (*entry)->id != "json";
}

bool isDataSet(const QString& path) {
  return findDataSet(toUtf8(path)).has_value();
}

}  // namespace

QString projectFolderOf(const QString& path) {
  const QFileInfo info(path);
  if (info.isDir()) return info.absoluteFilePath();
  return info.fileName() == QLatin1String(kLibraryName) ? info.absolutePath() : QString();
}

DroppedKind droppedKind(const QString& path) {
  const QFileInfo info(path);
  const QString name = info.fileName().toLower();
  if (info.isDir()) {
    const QDir folder(path);
    if (folder.exists(QLatin1String(kLibraryName))) return DroppedKind::Project;
    if (RunFolder(toUtf8(path)).exists()) return DroppedKind::RunFolder;
    if (isDataSet(path)) return DroppedKind::DataSet;
    return DroppedKind::Log;  // its import says what is in it, or what is wrong
  }
  if (info.exists() && !info.isFile()) return DroppedKind::Log;  // a pipe, a device: its import says so
  if (!info.isFile()) return DroppedKind::Unknown;
  if (name == QLatin1String(kLibraryName)) return DroppedKind::Project;
  if (isEventFile(name) || isArchive(name)) return DroppedKind::Log;
  const QString end = info.suffix().toLower();
  const bool json = end == QLatin1String("json") || end == QLatin1String("jsonl");
  if (json && looksLikeCurves(path)) return DroppedKind::Log;
  if (json) return isDataSet(path) ? DroppedKind::DataSet : DroppedKind::Predictions;
  if (end == QLatin1String("sql")) return DroppedKind::Predictions;
  if (end == QLatin1String("csv") || end == QLatin1String("tsv") || end == QLatin1String("txt") ||
      end == QLatin1String("log"))
    return looksLikeSql(path, name) ? DroppedKind::Predictions
           : isDataSet(path)        ? DroppedKind::DataSet
                                    : DroppedKind::Log;
  if (isForeignLog(path)) return DroppedKind::Log;
  return isDataSet(path) ? DroppedKind::DataSet : DroppedKind::Unknown;
}

}  // namespace fathom
