// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace fathom {

// While a menu is open or the menu bar has the keyboard, letters belong to the menu: Qt would look first for
// actions of the menus that have the letter as their key (Errors judges with single keys), wherever these
// listen. GUI thread.
class MenuKeys : public QObject {
  Q_OBJECT
 public:
  explicit MenuKeys(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace fathom
