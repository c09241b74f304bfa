// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractScrollArea>
#include <QPoint>
#include <functional>
#include <optional>

namespace fathom {

// Something in the viewport of a list or page that is taken by the mouse and put elsewhere in the window. The
// press stays the widget's, so that a click selects as before; the drag begins where a press may be one and
// the pointer has gone as far as the desktop wants, and ends where the button is let go, or with Esc. Other
// buttons do nothing meanwhile. Places are global.
class DragGesture : public QObject {
  Q_OBJECT
 public:
  // Both are borrowed; `mayBegin` judges a place in the viewport.
  DragGesture(QAbstractScrollArea* area, std::function<bool(const QPoint& position)> mayBegin);
  bool isActive() const { return m_active; }

 Q_SIGNALS:
  void begun(const QPoint& position);  // in the viewport, of the press
  void moved(const QPoint& global);
  void dropped(const QPoint& global);
  void cancelled();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool move(const QPoint& position, const QPoint& global);
  void end();
  void cancel();
  QAbstractScrollArea* m_area;
  std::function<bool(const QPoint&)> m_mayBegin;
  std::optional<QPoint> m_pressed;
  bool m_active = false;
};

}  // namespace fathom
