// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace fathom {

// A header whose titles end with an ellipsis where they do not fit: with a style sheet Qt cuts them.
class ElidedHeader : public QHeaderView {
  Q_OBJECT
 public:
  explicit ElidedHeader(Qt::Orientation orientation, QWidget* parent = nullptr)
      : QHeaderView(orientation, parent) {
    setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  }

 protected:
  void initStyleOptionForIndex(QStyleOptionHeader* option, int section) const override {
    constexpr int kPadding = 18;  // the style's at both sides, and a hair
    QHeaderView::initStyleOptionForIndex(option, section);
    const QString title = model()->headerData(section, orientation()).toString();
    option->text = option->fontMetrics.elidedText(title, Qt::ElideRight, sectionSize(section) - kPadding);
  }
};

}  // namespace fathom
