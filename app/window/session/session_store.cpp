// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session/session_store.h"

#include <QDir>
#include <QFileInfo>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "views/look/engine_text.h"

namespace fathom {

namespace {
constexpr int kWriteAfterMilliseconds = 500;
constexpr int kRecentProjects = 10;
}  // namespace

QString SessionStore::defaultFile() {
  // Qt 6.4 knows no state folder (StateLocation came later).
  QString base = qEnvironmentVariable("XDG_STATE_HOME");
  if (base.isEmpty()) base = QDir::homePath() + QStringLiteral("/.local/state");
  return base + QStringLiteral("/fathom/session.json");
}

SessionStore::SessionStore(const QString& file, QObject* parent)
    : QObject(parent), m_file(file.isEmpty() ? defaultFile() : file) {
  if (QFileInfo::exists(m_file)) {
    const auto json = readJsonFile(toUtf8(m_file));
    if (json.ok() && json->is_object()) m_values = *json;
  }
  m_timer.setSingleShot(true);
  m_timer.setInterval(kWriteAfterMilliseconds);
  connect(&m_timer, &QTimer::timeout, this, &SessionStore::flush);
}

SessionStore::~SessionStore() {
  flush();
}

void SessionStore::changed() {
  m_dirty = true;
  m_timer.start();
}

void SessionStore::flush() {
  m_timer.stop();
  if (!m_dirty) return;
  m_dirty = false;
  const std::string file = toUtf8(m_file);
  Status status = makeFolders(toUtf8(QFileInfo(m_file).absolutePath()));
  if (status.ok()) status = writeFileAtomically(file, m_values.dump(1) + "\n");
  // A session that cannot be kept must not disturb the work.
  if (!status.ok()) qWarning("the session was not saved: %s", status.error().text().c_str());
}

QString SessionStore::text(const char* key) const {
  return fromUtf8(memberText(m_values, key));
}

void SessionStore::setText(const char* key, const QString& value) {
  if (text(key) == value) return;
  m_values[key] = toUtf8(value);
  changed();
}

QByteArray SessionStore::bytes(const char* key) const {
  return QByteArray::fromBase64(text(key).toLatin1());
}

void SessionStore::setBytes(const char* key, const QByteArray& value) {
  setText(key, QString::fromLatin1(value.toBase64()));
}

QStringList SessionStore::recentProjects() const {
  QStringList paths;
  if (!m_values.contains("recent") || !m_values["recent"].is_array()) return paths;
  for (const Json& path : m_values["recent"])
    if (path.is_string()) paths.append(fromUtf8(path.get<std::string>()));
  return paths;
}

void SessionStore::addRecentProject(const QString& path) {
  QStringList paths = recentProjects();
  paths.removeAll(path);
  paths.prepend(path);
  Json list = Json::array();
  for (const QString& each : std::as_const(paths))
    if (list.size() < kRecentProjects && QFileInfo::exists(each)) list.push_back(toUtf8(each));
  if (m_values.contains("recent") && m_values["recent"] == list) return;
  m_values["recent"] = list;
  changed();
}

void SessionStore::removeRecentProject(const QString& path) {
  QStringList paths = recentProjects();
  if (paths.removeAll(path) == 0) return;
  Json list = Json::array();
  for (const QString& each : std::as_const(paths)) list.push_back(toUtf8(each));
  m_values["recent"] = list;
  changed();
}

}  // namespace fathom
