// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <QTimer>

#include "views/look/qt_names.h"

namespace fathom {

// Paths in the fields and in a list of a form: one that names nothing is red while it is typed. The
// application looks at the disk, which may be slow: it is asked once typing pauses, and tells.
class MissingPaths : public QObject {
  Q_OBJECT
 public:
  // A column of `files` has paths in Qt::UserRole; borrowed, and the parent.
  MissingPaths(QTreeWidget* files, int column);
  void watch(QLineEdit* field);
  // The files of the list are other ones.
  void askSoon();
  // The paths that are not there, of those that were asked about.
  void tell(const QStringList& missing);

 Q_SIGNALS:
  void asked(const QStringList& paths);
  // The first one that is not there; empty: all are.
  void told(const QString& missing);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void ask();
  void mark(QLineEdit* field, bool missing);
  QTreeWidget* m_files;
  int m_column;
  QList<QPointer<QLineEdit>> m_fields;
  QTimer m_rest;
};

}  // namespace fathom
