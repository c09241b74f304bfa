// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <QTimer>

#include "core/base/json/json.h"

namespace fathom {

// The window's memory from one start to the next: geometry, docks, columns, language, theme, recent
// projects. One JSON file in the user's state folder ($XDG_STATE_HOME/fathom/session.json), written half a
// second after a change, atomically. A missing or damaged file means the defaults.
class SessionStore : public QObject {
  Q_OBJECT
 public:
  // `file` empty: the default place.
  explicit SessionStore(const QString& file = {}, QObject* parent = nullptr);
  ~SessionStore() override;
  static QString defaultFile();

  QString text(const char* key) const;
  void setText(const char* key, const QString& value);
  QByteArray bytes(const char* key) const;  // stored as base64
  void setBytes(const char* key, const QByteArray& value);

  // Last used first, at most ten; folders that are gone are left out.
  QStringList recentProjects() const;
  void addRecentProject(const QString& path);
  void removeRecentProject(const QString& path);
  // Writes now if something changed.
  void flush();

 private:
  void changed();
  QString m_file;
  Json m_values = Json::object();
  bool m_dirty = false;
  QTimer m_timer;
};

}  // namespace fathom
