// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace fathom {

class FileChoice;
class SessionStore;

// The folders in which dialogs begin, one for each kind of file. Choosing a file elsewhere moves them on.
class FolderPreferences : public QWidget {
  Q_OBJECT
 public:
  // Both are borrowed.
  FolderPreferences(SessionStore* session, FileChoice* files, QWidget* parent = nullptr);
};

}  // namespace fathom
