// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>

namespace fathom {

class MessageBar;

// What a person does with a file that the window has just written: opens it with the desktop's program for
// its kind, or looks at it in its folder. GUI thread.
class WrittenFile {
  Q_DECLARE_TR_FUNCTIONS(WrittenFile)
 public:
  // `text` says what was written and where; with *Open* and *Show in folder*.
  static void tell(MessageBar* messages, const QString& text, const QString& file);
  // Both begin a program of the desktop and return why that could not be; empty: it could.
  static QString open(const QString& file);
  static QString showInFolder(const QString& file);
  static QString openWord();
  static QString folderWord();
};

}  // namespace fathom
