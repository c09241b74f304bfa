// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_readings.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <optional>

#include "views/figure/distinct_text.h"
#include "views/figure/figure_text.h"
#include "views/look/engine_text.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

constexpr double kBoxPad = 6, kSwatchRoom = 10, kShortestReadName = 40, kBoxShare = 0.6;

QString readingText(const char* text) {
  return QCoreApplication::translate("fathom::CurvePanel", text);
}

// The recorded point nearest to `at`; none where the run was not there yet, or had ended.
std::optional<std::size_t> pointAt(const std::vector<double>& x, double at) {
  if (x.empty() || !(at >= x.front() && at <= x.back())) return std::nullopt;
  auto found = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), at) - x.begin());
  if (found == x.size() || (found > 0 && at - x[found - 1] < x[found] - at)) --found;
  return found;
}

QString valueAt(const CurveLine& line, std::size_t point) {
  QString text = valueText(line.raw.values()[point]);
  if (line.smooth.size() > point)
    text += readingText(QT_TRANSLATE_NOOP("fathom::CurvePanel", " (smoothed %1)"))
                .arg(valueText(line.smooth.values()[point]));
  if (line.lower.size() > point && std::isfinite(line.lower.values()[point]))
    text += QStringLiteral(" [%1, %2]")
                .arg(valueText(line.lower.values()[point]), valueText(line.upper.values()[point]));
  return text;
}

QString placeOf(const CurveLine& line, std::size_t point, const CurveSet& set, const CurveLook& look) {
  const double epoch = line.x(CurveAxis::Epoch)[point];
  QString text = readingText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "update %1 · epoch %2"))
                     .arg(line.x(CurveAxis::Step)[point], 0, 'g', 8)
                     .arg(std::isnan(epoch) ? QStringLiteral("–") : QString::number(epoch, 'f', 2));
  const double at = line.x(look.axis)[point];
  if (look.axis == CurveAxis::Clock) text += QStringLiteral(" · ") + momentText(at);
  if (look.axis == CurveAxis::Metric)
    text += QStringLiteral(" · %1 %2")
                .arg(metricTitle(set.catalogue().of(toUtf8(look.axisMetric))), valueText(at));
  return text;
}

void sortByValue(CurveReadings& readings, double pointer) {
  const auto rank = [](double value) {
    return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value;
  };
  std::stable_sort(
      readings.lines.begin(), readings.lines.end(),
      [&rank](const CurveReading& a, const CurveReading& b) { return rank(a.number) > rank(b.number); });
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < readings.lines.size(); ++i) {
    const double away = std::abs(readings.lines[i].number - pointer);
    if (!(away < best)) continue;
    best = away;
    readings.nearest = i;
  }
}

}  // namespace

CurveReadings readCurves(CurveSet& set, const CurveLook& look, const QStringList& metrics, double at,
                         double pointer, const Theme& theme) {
  CurveReadings readings;
  for (const QString& metric : metrics) {
    const QString suffix = metrics.size() > 1
                               ? QStringLiteral(" · ") + metricTitle(set.catalogue().of(toUtf8(metric)))
                               : QString();
    for (const CurveLine* line : set.lines(metric)) {
      for (const double dropped : droppedValues(*line, look.axis, at))
        readings.lines.push_back(
            {line->name + suffix,
             readingText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "%1, thrown away at a resume"))
                 .arg(valueText(dropped)),
             theme.secondary, dropped});
      const auto point = pointAt(line->x(look.axis), at);
      if (!point) continue;
      if (readings.title.isEmpty()) readings.title = placeOf(*line, *point, set, look);
      const double shown = line->shown().values()[*point];
      readings.lines.push_back({line->name + suffix, valueAt(*line, *point), theme.run(line->colour), shown});
    }
  }
  sortByValue(readings, pointer);
  return readings;
}

namespace {

// First and end of the lines that are shown where only `room` of them can be.
std::pair<std::size_t, std::size_t> shownReadings(const CurveReadings& readings, std::size_t room) {
  const std::size_t all = readings.lines.size();
  if (all <= room) return {0, all};
  const std::size_t half = room / 2;
  const std::size_t first = std::min(readings.nearest > half ? readings.nearest - half : 0, all - room);
  return {first, first + room};
}

// The lines that are shown, as wide as there is room for.
struct ReadingLines {
  std::vector<TextLine> names, values;
  std::size_t first = 0;
  double width = 0;
};

ReadingLines readingLines(const CurveReadings& readings, const TextFont& font, double room,
                          std::size_t most) {
  const auto [first, end] = shownReadings(readings, most);
  ReadingLines lines;
  lines.first = first;
  std::vector<QString> names;
  std::vector<double> rooms;
  for (std::size_t i = first; i < end; ++i) {
    names.push_back(escapeMarkup(readings.lines[i].name));
    lines.values.emplace_back(escapeMarkup(QStringLiteral(": ") + readings.lines[i].value), font);
    rooms.push_back(std::max(kShortestReadName, room - lines.values.back().width() - kSwatchRoom));
  }
  lines.names = linesApart(names, font, rooms);
  for (std::size_t i = 0; i < lines.names.size(); ++i)
    lines.width = std::max(lines.width, lines.names[i].width() + lines.values[i].width() + kSwatchRoom);
  return lines;
}

QRectF readingBox(const QSizeF& size, const QRectF& area, double x) {
  double left = x + 10;
  if (left + size.width() > area.right()) left = std::max(area.left(), x - 10 - size.width());
  return {QPointF(left, area.top() + 6), size};
}

}  // namespace

void drawReadings(QPainter& painter, const CurveReadings& readings, const FigureStyle& style,
                  const QRectF& area, double x) {
  const TextFont font = style.font(style.tickPoints);
  const TextLine title(escapeMarkup(readings.title), font);
  const double step = title.height() + 3, most = (area.height() - 2 * kBoxPad - 12) / step - 2;
  const ReadingLines lines =
      readingLines(readings, font, area.width() * kBoxShare, static_cast<std::size_t>(std::max(1.0, most)));
  const std::size_t left = readings.lines.size() - lines.names.size();
  const QString others = readingText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "and %1 others")).arg(left);
  const TextLine rest(left == 0 ? QString() : escapeMarkup(others), font);
  const double width = std::max({title.width(), rest.width(), lines.width});
  const auto count = static_cast<double>(lines.names.size() + 1 + (left > 0 ? 1 : 0));
  const QRectF box = readingBox({width + 2 * kBoxPad, step * count + 2 * kBoxPad}, area, x);
  QColor paper = style.background;
  paper.setAlphaF(0.92F);
  painter.setPen(style.separator);
  painter.setBrush(paper);
  painter.drawRect(box);
  double y = box.top() + kBoxPad;
  title.draw(painter, {box.left() + kBoxPad, y + title.ascent()}, style.text);
  for (std::size_t i = 0; i < lines.names.size(); ++i) {
    y += step;
    painter.fillRect(QRectF(box.left() + kBoxPad, y + step / 2 - 3, 6, 6),
                     readings.lines[lines.first + i].colour);
    const QPointF start(box.left() + kBoxPad + kSwatchRoom, y + title.ascent());
    lines.names[i].draw(painter, start, style.text);
    lines.values[i].draw(painter, start + QPointF(lines.names[i].width(), 0), style.text);
  }
  if (left > 0) rest.draw(painter, {box.left() + kBoxPad, y + step + title.ascent()}, style.secondary);
}

}  // namespace fathom
