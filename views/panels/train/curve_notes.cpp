// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_notes.h"

#include <QCoreApplication>
#include <algorithm>

#include "views/look/engine_text.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

constexpr qsizetype kNamesSaid = 4;

QString noteText(const char* text) {
  return QCoreApplication::translate("fathom::CurvePanel", text);
}

QString namesListed(const QStringList& names) {
  const qsizetype said = std::min(names.size(), kNamesSaid);
  QString text = QStringLiteral("“%1”").arg(names.mid(0, said).join(QStringLiteral("”, “")));
  if (names.size() > said)
    text = noteText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "%1 and %2 others"))
               .arg(text)
               .arg(names.size() - said);
  return text;
}

QString nonFiniteText(int stretches) {
  if (stretches == 1)
    return noteText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "✕ 1 stretch of values that are not finite"));
  return noteText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "✕ %1 stretches of values that are not finite"))
      .arg(stretches);
}

QString clippedText(const CurveFigure& figure) {
  const QString far = valueText(figure.farthest);
  if (figure.clipped == 1)
    return noteText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "▲ 1 outlier beyond the shown values (%1)"))
        .arg(far);
  return noteText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "▲ %1 outliers beyond the shown values, up to %2"))
      .arg(figure.clipped)
      .arg(far);
}

}  // namespace

// The selected runs whose history is known and that have no such curve.
QString CurveNotes::lacking(const CurveSet& set, const CurveLook& look, const QString& metric) const {
  QStringList without;
  for (const QString& run : look.selected)
    if (read.contains(run) && !set.has(run, metric)) without.append(names.value(run, run));
  if (without.isEmpty()) return {};
  return noteText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "%1: not recorded by %2"))
      .arg(metricTitle(set.catalogue().of(toUtf8(metric))), namesListed(without));
}

// Drawn runs of which the axis tells no position: their curves are not there.
QString CurveNotes::notPlaced(CurveSet& set, const CurveLook& look) const {
  QStringList without;
  for (const QString& metric : look.metrics)
    for (const QString& each : look.panelMetrics(metric))
      for (const QString& run : set.notPlaced(each, look.axis))
        if (const QString name = names.value(run, run); !without.contains(name)) without.append(name);
  if (without.isEmpty()) return {};
  const char* text = QT_TRANSLATE_NOOP("fathom::CurvePanel", "not drawn, %1 is not recorded: %2");
  const QString axis = look.axis == CurveAxis::Metric
                           ? metricTitle(set.catalogue().of(toUtf8(look.axisMetric)))
                           : curveAxisName(look.axis);
  return noteText(text).arg(axis, namesListed(without));
}

QStringList CurveNotes::sentences(CurveSet& set, const CurveLook& look, const CurveFigure& figure) const {
  QStringList all;
  if (nothingAboveZero(set, look))
    all.append(noteText(QT_TRANSLATE_NOOP("fathom::CurvePanel",
                                          "no value above 0: nothing can be shown on a logarithmic axis")));
  else if (figure.nonFinite > 0)
    all.append(nonFiniteText(figure.nonFinite));
  if (figure.clipped > 0) all.append(clippedText(figure));
  if (!hidden.isEmpty())
    all.append(noteText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "not drawn, the eye is closed: %1"))
                   .arg(namesListed(hidden)));
  if (const QString text = notPlaced(set, look); !text.isEmpty()) all.append(text);
  for (const QString& metric : look.metrics)
    for (const QString& each : look.panelMetrics(metric))
      if (const QString text = lacking(set, look, each); !text.isEmpty()) all.append(text);
  if (left > 0)
    all.append(
        noteText(QT_TRANSLATE_NOOP("fathom::CurvePanel", "%1 more runs are not drawn: too many at once"))
            .arg(left));
  return all;
}

}  // namespace fathom
