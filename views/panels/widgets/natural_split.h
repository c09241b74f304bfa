// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>

#include "views/look/qt_names.h"

namespace fathom {

// Gives the first of two sides of a splitter the length that its content has, and the other one the rest, as
// long as nobody moved the handle: where a window is large no container stands half empty while the one
// beside it scrolls. The splitter's child.
class NaturalSplit : public QObject {
  Q_OBJECT
 public:
  struct Limits {
    double least = 0.2, most = 0.6;  // shares of the splitter
  };
  // `wanted`: pixels of the first side; asked when the splitter changes its size, and in refresh().
  NaturalSplit(QSplitter* splitter, std::function<int()> wanted, Limits limits);
  // The content changed.
  void refresh();
  // As somebody left it; empty where nobody moved it. What cannot be read is left out.
  QByteArray saved() const;
  void restore(const QByteArray& state);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fit();
  QSplitter* m_splitter;
  std::function<int()> m_wanted;
  Limits m_limits;
  bool m_moved = false, m_waiting = false;
};

}  // namespace fathom
