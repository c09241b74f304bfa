// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "views/panels/figures/page_grid.h"

namespace fathom {

class DividerLine;

// Borders between rows and columns of a page that a hand moves: the pointer says where one is, a line with
// both sizes goes along, and the sizes are told when the button is let go. A double click makes all rows, or
// all columns, equal. Esc leaves everything as it was.
class PageDividers : public QObject {
  Q_OBJECT
 public:
  explicit PageDividers(PageView* view);
  void setReadOnly(bool readOnly) { m_readOnly = readOnly; }
  bool isActive() const { return m_held.has_value(); }

 Q_SIGNALS:
  // Sizes of all rows or columns, in mm.
  void moved(bool columns, const std::vector<double>& sizesMm);
  void evened(bool columns);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  bool hover(const QPointF& position);
  bool press(const QPointF& position);
  void drag(const QPointF& position);
  void release();
  void drop();
  // The page may have got another grid meanwhile.
  bool isThere() const;
  // Sizes of all tracks in mm with the border where it is held.
  std::vector<double> sizes() const;
  PageView* m_view;
  DividerLine* m_line;
  std::optional<PageBorder> m_held;
  double m_before = 0;
  bool m_readOnly = false;
};

}  // namespace fathom
