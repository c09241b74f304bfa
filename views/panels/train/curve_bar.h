// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

#include "core/analysis/training/training_curve.h"
#include "core/library/runs/metric_catalogue.h"
#include "views/figure/figure_spec.h"
#include "views/look/qt_names.h"

namespace fathom {

// View of the curves, as the bar above them says it.
struct CurveChoices {
  CurveAxis axis = CurveAxis::Step;
  QString axisMetric;  // of CurveAxis::Metric
  AxisScale scaleX = AxisScale::Linear, scaleY = AxisScale::Linear;
  bool groupSeeds = false;
  CurveBand band = CurveBand::None;
  bool clip = true;      // values far from all others do not stretch a panel
  double smoothing = 0;  // weight of the moving average, 0 ... .999
};

// The controls above the curves. In one line where there is room, else in several: nothing is hidden behind
// an arrow.
class CurveBar : public QWidget {
  Q_OBJECT
 public:
  explicit CurveBar(QWidget* parent = nullptr);
  CurveChoices choices() const;
  void setChoices(const CurveChoices& choices);  // emits nothing
  // Metrics that the drawn runs declare as axes. One that is chosen stays, whatever is drawn.
  void setStepMetrics(const MetricCatalogue& metrics);
  // `known` can be shown, `shown` are, the first one large; `large`: all that its panel shows.
  void setMetrics(const QStringList& known, const QStringList& shown, const QStringList& large,
                  const MetricCatalogue& metrics);
  bool tableShown() const;
  void showTable(bool on);
  // The actions of the last button, which are those of the context menu, too.
  QMenu* menu() const { return m_more; }

 Q_SIGNALS:
  void choicesChanged();
  void metricToggled(const QString& metric, bool shown);
  void metricEnlarged(const QString& metric);
  void metricJoined(const QString& metric, bool on);  // in the large panel
  void everythingAsked();
  void tableToggled(bool shown);
  void copyAsked();
  void exportAsked();

 private:
  QToolButton* addButton(const QString& iconName, const QString& name, const QString& tip);
  QComboBox* addChoice(const QString& name, const QStringList& titles);
  void chooseAxis(const CurveChoices& choices);
  void makeSeeds();
  void makeSmoothing();
  void makeMore();
  void fillMetricMenu(const QStringList& known, const QStringList& shown, const MetricCatalogue& metrics);
  void addJoinMenu(const QStringList& known, const QStringList& large, const MetricCatalogue& metrics);
  QToolButton* m_metrics;
  QMenu* m_metricMenu;
  QComboBox *m_axis, *m_scale;
  QToolButton* m_seeds = nullptr;
  QActionGroup* m_seedChoices = nullptr;
  QSlider* m_smoothing = nullptr;
  QDoubleSpinBox* m_smoothingValue = nullptr;
  QMenu* m_more = nullptr;
  QAction *m_logX = nullptr, *m_clip = nullptr, *m_table = nullptr;
  QStringList m_menuState;  // what the metric menu was made from
};

}  // namespace fathom
