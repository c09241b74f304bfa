// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QFileDialog>
#include <QString>
#include <QStringList>

#include "views/look/qt_names.h"

namespace fathom {

class SessionStore;

// Purpose of a file: each kind has a folder of its own where its dialogs start.
enum class FileKind { Project, Figure, Table, Archive, Predictions, Data, Source };

// Asks for files and folders. A dialog starts beside what the field names, else in the folder where the last
// file of its kind was chosen, also in the next session and in another window; a folder that is gone is
// forgotten, projects are at home among documents. No file is opened for its icon. Every method returns what
// was chosen, empty when the dialog was closed without a choice. GUI thread.
class FileChoice {
  Q_DECLARE_TR_FUNCTIONS(FileChoice)
 public:
  // `session` is borrowed.
  explicit FileChoice(SessionStore* session) : m_session(session) {}
  // A file to write. `name`: what it may be called, or a whole path, whose folder comes first then. `filter`
  // as QFileDialog wants it.
  QString toWrite(QWidget* over, FileKind kind, const QString& title, const QString& name,
                  const QString& filter = {});
  // A name for a file that is about `words`: without blanks, which LaTeX and shells split, and without what
  // they or a file system take for something else.
  static QString nameOf(const QString& words);
  // Files for a figure, of which the numbers alone may be wanted, too, and for a table.
  QString figureToWrite(QWidget* over, const QString& name, bool numbers = true, const QString& title = {});
  QString tableToWrite(QWidget* over, const QString& name);
  // A file to read; the same for several, and for a folder. `before`: what was chosen for this, or empty.
  QString toRead(QWidget* over, FileKind kind, const QString& title, const QString& before = {},
                 const QString& filter = {});
  QStringList severalToRead(QWidget* over, FileKind kind, const QString& title, const QString& filter,
                            const QString& before = {});
  // Files, or the folder that is marked or, where none is, looked into, by a button of its own.
  QStringList filesOrFolder(QWidget* over, FileKind kind, const QString& title);
  QString folder(QWidget* over, FileKind kind, const QString& title, const QString& before = {});
  // Folder where a dialog of this kind starts if none was chosen before; empty = where the program was
  // started.
  QString start(FileKind kind) const;

 private:
  struct Wish {
    QString title, before, filter;
    QFileDialog::FileMode mode;
    bool folderToo = false;
  };
  QStringList ask(QWidget* over, FileKind kind, const Wish& wish);
  SessionStore* m_session;
};

}  // namespace fathom
