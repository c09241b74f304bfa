// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QKeySequence>
#include <QList>
#include <QObject>

namespace fathom {

// Keys of Redo: Ctrl+Shift+Z and Ctrl+Y.
QList<QKeySequence> redoKeys();

// On some platforms text fields of Qt know the first key only: while this lives, Ctrl+Y is the same in every
// text field of the program. GUI thread.
class RedoKey : public QObject {
  Q_OBJECT
 public:
  explicit RedoKey(QObject* parent);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace fathom
