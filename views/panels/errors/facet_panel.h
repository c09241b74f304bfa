// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTreeWidget>
#include <vector>

#include "views/tables/review_filter.h"

namespace fathom {

// The facets of a filter as a tree with boxes to tick and counts. Values without any row are hidden unless
// they are ticked.
class FacetPanel : public QTreeWidget {
  Q_OBJECT
 public:
  explicit FacetPanel(QWidget* parent = nullptr);
  // Pixels that what is unfolded takes.
  int naturalHeight() const;
  // Builds the tree anew where the values are other ones, else changes counts and ticks alone.
  void showFilter(const ReviewFilter& filter);

 Q_SIGNALS:
  void ticked(int facet, int value, bool on);

 private:
  // As it is shown.
  struct Value {
    QString word;
    QTreeWidgetItem* item;
    int count = -1;  // never yet
    bool on = false;
    bool hidden() const { return count == 0 && !on; }
  };
  bool sameValues(const ReviewFilter& filter) const;
  void build(const ReviewFilter& filter);
  void showValue(int count, bool on, Value& value);
  std::vector<std::vector<Value>> m_values;  // per facet
  bool m_filling = false;
};

}  // namespace fathom
