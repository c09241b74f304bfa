// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include "views/look/qt_names.h"

namespace fathom {

class HelpWindow;
struct EngineDescription;
class WindowActions;

// Help beside the pages of a workspace: all pages, the keys of this window (made from
// its actions), what changed from version to version, and what the program is made of.
class WindowHelp : public QObject {
  Q_OBJECT
 public:
  // Both are borrowed.
  WindowHelp(QWidget* window, const WindowActions* actions);
  void showContents();
  void showPages(const QStringList& ids);
  void showKeys();
  void showNews();
  // `engine`: null until it has answered.
  void about(const EngineDescription* engine);

 private:
  QString keysAsMarkdown() const;
  QWidget* m_window;
  const WindowActions* m_actions;
};

}  // namespace fathom
