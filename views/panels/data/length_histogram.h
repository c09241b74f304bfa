// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVector>
#include <QWidget>

namespace fathom {

// Bars of one distribution: of lengths in tokens, or of what is counted under labels. The value under the
// pointer is shown as a tooltip; the accessible description says count, mean, median and longest, or each
// label with its count.
class LengthHistogram : public QWidget {
  Q_OBJECT
 public:
  struct Bin {
    qint64 from = 0, to = 0, count = 0;  // from <= length < to
  };
  struct Data {
    QString title;
    QVector<Bin> bins;
    qint64 count = 0, longest = 0;
    double mean = 0, median = 0;
    QStringList labels;  // of the bins; empty: they are lengths
  };
  explicit LengthHistogram(QWidget* parent = nullptr);
  void setData(const Data& data);
  QSize sizeHint() const override { return {280, 140}; }
  QSize minimumSizeHint() const override { return {160, 110}; }

 protected:
  void paintEvent(QPaintEvent* event) override;
  bool event(QEvent* event) override;

 private:
  QRectF plotArea() const;
  QRectF barOf(int bin) const;
  qint64 highest() const;
  QString description() const;
  QString binText(int bin) const;  // for its tooltip
  void paintLengthAxis(QPainter& painter, const QRectF& plot) const;
  void paintLabels(QPainter& painter) const;
  Data m_data;
};

}  // namespace fathom
