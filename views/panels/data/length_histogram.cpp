// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/data/length_histogram.h"

#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>

#include "views/look/theme.h"

namespace fathom {

LengthHistogram::LengthHistogram(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LengthHistogram::setData(const Data& data) {
  m_data = data;
  setAccessibleName(data.title);
  setAccessibleDescription(description());
  update();
}

QString LengthHistogram::description() const {
  const QLocale locale;
  if (m_data.labels.isEmpty())
    return tr("%1 sentences, mean %2 tokens, median %3, longest %4")
        .arg(locale.toString(m_data.count), locale.toString(m_data.mean, 'f', 1),
             locale.toString(m_data.median, 'f', 1), locale.toString(m_data.longest));
  QStringList counts;
  for (int bin = 0; bin < m_data.bins.size(); ++bin) counts.append(binText(bin));
  return counts.join(QLatin1Char('\n'));
}

QString LengthHistogram::binText(int bin) const {
  const Bin& at = m_data.bins[bin];
  const QLocale locale;
  if (bin < m_data.labels.size())
    return tr("%1: %2", "label and count").arg(m_data.labels[bin], locale.toString(at.count));
  const QString lengths = at.to - at.from <= 1
                              ? locale.toString(at.from)
                              : tr("%1 to %2").arg(locale.toString(at.from), locale.toString(at.to - 1));
  return tr("%1 tokens: %2 sentences").arg(lengths, locale.toString(at.count));
}

void LengthHistogram::paintLengthAxis(QPainter& painter, const QRectF& plot) const {
  const QLocale locale;
  const int line = fontMetrics().height();
  const QRectF labels(plot.left(), plot.bottom(), plot.width(), line);
  painter.drawText(labels, Qt::AlignLeft, locale.toString(m_data.bins.first().from));
  painter.drawText(labels, Qt::AlignHCenter, tr("tokens"));
  painter.drawText(labels, Qt::AlignRight, locale.toString(m_data.bins.last().to));
  const QString summary = tr("mean %1 · median %2 · longest %3")
                              .arg(locale.toString(m_data.mean, 'f', 1),
                                   locale.toString(m_data.median, 'f', 1), locale.toString(m_data.longest));
  painter.drawText(labels.translated(0, line), Qt::AlignLeft,
                   fontMetrics().elidedText(summary, Qt::ElideRight, int(plot.width())));
}

void LengthHistogram::paintLabels(QPainter& painter) const {
  for (int bin = 0; bin < m_data.labels.size(); ++bin) {
    const QRectF bar = barOf(bin);
    const QRectF place(bar.left(), bar.bottom(), bar.width(), fontMetrics().height());
    painter.drawText(place, Qt::AlignHCenter,
                     fontMetrics().elidedText(m_data.labels[bin], Qt::ElideRight, int(bar.width())));
  }
}

QRectF LengthHistogram::plotArea() const {
  const int line = fontMetrics().height();
  return QRectF(rect()).adjusted(metrics::kMargin, line + metrics::kMargin, -metrics::kMargin,
                                 -2 * line - metrics::kGrid);
}

qint64 LengthHistogram::highest() const {
  qint64 most = 1;
  for (const Bin& bin : m_data.bins) most = qMax(most, bin.count);
  return most;
}

QRectF LengthHistogram::barOf(int bin) const {
  const QRectF plot = plotArea();
  const double width = plot.width() / static_cast<double>(m_data.bins.size());
  const double height = plot.height() * double(m_data.bins[bin].count) / double(highest());
  return {plot.left() + width * bin, plot.bottom() - height, qMax(1.0, width - 1), height};
}

void LengthHistogram::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& theme = Theme::of(palette());
  const QLocale locale;
  const int line = fontMetrics().height();
  painter.setPen(theme.text);
  painter.drawText(QRect(metrics::kMargin, 0, width() - 2 * metrics::kMargin, line), Qt::AlignLeft,
                   fontMetrics().elidedText(m_data.title, Qt::ElideRight, width() - 2 * metrics::kMargin));
  if (m_data.bins.isEmpty()) return;
  const QRectF plot = plotArea();
  for (int bin = 0; bin < m_data.bins.size(); ++bin)
    if (m_data.bins[bin].count > 0) painter.fillRect(barOf(bin), theme.accent);
  painter.setPen(theme.separator);
  painter.drawLine(plot.bottomLeft(), plot.bottomRight());
  painter.setPen(theme.secondary);
  const QRect head(metrics::kMargin, 0, width() - 2 * metrics::kMargin, line);
  painter.drawText(head, Qt::AlignRight, tr("highest bar: %1").arg(locale.toString(highest())));
  if (m_data.labels.isEmpty())
    paintLengthAxis(painter, plot);
  else
    paintLabels(painter);
}

bool LengthHistogram::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip || m_data.bins.isEmpty()) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  const QRectF plot = plotArea();
  const int bin = int((help->pos().x() - plot.left()) / plot.width() * double(m_data.bins.size()));
  if (bin < 0 || bin >= m_data.bins.size()) {
    QToolTip::hideText();
    return true;
  }
  QToolTip::showText(help->globalPos(), binText(bin), this);
  return true;
}

}  // namespace fathom
