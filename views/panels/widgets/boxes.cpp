// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/widgets/boxes.h"

#include <QSplitter>
#include <QWidget>

namespace fathom {

namespace {

template <typename Box>
Box* filled(Box* box, std::initializer_list<BoxPart> parts, int gap, const QMargins& margins) {
  box->setContentsMargins(margins);
  box->setSpacing(gap);
  for (const BoxPart& part : parts) part.addTo(box);
  return box;
}

}  // namespace

void BoxPart::addTo(QBoxLayout* box) const {
  if (m_widget != nullptr) {
    box->addWidget(m_widget, m_stretch, m_alignment);
  } else if (m_layout != nullptr) {
    box->addLayout(m_layout, m_stretch);
  } else if (m_pixels >= 0) {
    box->addSpacing(m_pixels);
  } else {
    box->addStretch(m_stretch);
  }
}

void BoxPart::addTo(QSplitter* splitter) const {
  splitter->addWidget(m_widget);
  if (m_stretch > 0) splitter->setStretchFactor(splitter->indexOf(m_widget), m_stretch);
}

QHBoxLayout* makeRow(QWidget* inside, std::initializer_list<BoxPart> parts, int gap,
                     const QMargins& margins) {
  return filled(new QHBoxLayout(inside), parts, gap, margins);
}

QHBoxLayout* makeRow(std::initializer_list<BoxPart> parts, int gap, const QMargins& margins) {
  return filled(new QHBoxLayout, parts, gap, margins);
}

QVBoxLayout* makeColumn(QWidget* inside, std::initializer_list<BoxPart> parts, int gap,
                        const QMargins& margins) {
  return filled(new QVBoxLayout(inside), parts, gap, margins);
}

QVBoxLayout* makeColumn(std::initializer_list<BoxPart> parts, int gap, const QMargins& margins) {
  return filled(new QVBoxLayout, parts, gap, margins);
}

void fillSplitter(QSplitter* splitter, std::initializer_list<BoxPart> parts, const QList<int>& sizes) {
  for (const BoxPart& part : parts) part.addTo(splitter);
  splitter->setChildrenCollapsible(false);
  if (!sizes.isEmpty()) splitter->setSizes(sizes);
}

void setTabOrders(const QList<QWidget*>& order) {
  for (qsizetype i = 1; i < order.size(); ++i) QWidget::setTabOrder(order[i - 1], order[i]);
}

}  // namespace fathom
