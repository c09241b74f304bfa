// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBoxLayout>
#include <QList>
#include <QMargins>
#include <initializer_list>

#include "views/look/qt_names.h"

namespace fathom {

// The style's own gap and margins.
inline constexpr int kStyleGap = -1;
inline constexpr QMargins kStyleMargins{-1, -1, -1, -1};

// Part of a box: a widget or a layout with its stretch, or room.
class BoxPart {
 public:
  BoxPart(QWidget* widget, int stretch = 0, Qt::Alignment alignment = {})
      : m_widget(widget), m_stretch(stretch), m_alignment(alignment) {}
  BoxPart(QLayout* layout, int stretch = 0) : m_layout(layout), m_stretch(stretch) {}
  // Room that takes what is left, or that has a length in pixels.
  static BoxPart stretch(int share = 0) { return {share, -1}; }
  static BoxPart gap(int pixels) { return {0, pixels}; }
  void addTo(QBoxLayout* box) const;
  void addTo(QSplitter* splitter) const;  // a widget

 private:
  BoxPart(int share, int pixels) : m_stretch(share), m_pixels(pixels) {}
  QWidget* m_widget = nullptr;
  QLayout* m_layout = nullptr;
  int m_stretch = 0, m_pixels = -1;
  Qt::Alignment m_alignment;
};

// Parts beside each other, or below each other: as the layout of `inside`, or to be put into another layout.
QHBoxLayout* makeRow(QWidget* inside, std::initializer_list<BoxPart> parts, int gap = kStyleGap,
                     const QMargins& margins = {});
QHBoxLayout* makeRow(std::initializer_list<BoxPart> parts, int gap = kStyleGap, const QMargins& margins = {});
QVBoxLayout* makeColumn(QWidget* inside, std::initializer_list<BoxPart> parts, int gap = kStyleGap,
                        const QMargins& margins = {});
QVBoxLayout* makeColumn(std::initializer_list<BoxPart> parts, int gap = kStyleGap,
                        const QMargins& margins = {});

// Puts widgets into a splitter; none of them can be dragged away. `sizes` in pixels, in proportion where
// there is more or less room.
void fillSplitter(QSplitter* splitter, std::initializer_list<BoxPart> parts, const QList<int>& sizes = {});

// Tab goes from each to the next.
void setTabOrders(const QList<QWidget*>& order);

}  // namespace fathom
