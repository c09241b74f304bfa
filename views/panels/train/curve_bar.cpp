// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_bar.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "views/figures/training_curve_figure.h"
#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/train/curve_figure.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/flow_layout.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

constexpr CurveBand kSeedBands[] = {CurveBand::None, CurveBand::Deviation, CurveBand::Confidence95,
                                    CurveBand::StandardError, CurveBand::Range};
constexpr int kMetricCharacters = 16;

// The slider goes in hundredths; what is finer is typed.
constexpr double kMostSmoothing = 0.999;
constexpr int kSmoothingSteps = 100;
int positionOf(double smoothing) {
  return std::min(static_cast<int>(std::lround(smoothing * kSmoothingSteps)), kSmoothingSteps - 1);
}

// "updates" is "Updates" in a menu.
QString capitalised(QString text) {
  if (!text.isEmpty()) text[0] = text[0].toUpper();
  return text;
}

// Behind the kind of axis of an entry: the metric it stands for.
constexpr int kAxisMetric = Qt::UserRole + 1;

}  // namespace

CurveBar::CurveBar(QWidget* parent) : QWidget(parent) {
  auto* layout = new FlowLayout(this);
  layout->setContentsMargins(metrics::kGrid, metrics::kGrid, metrics::kGrid, metrics::kGrid);
  layout->setSpacing(metrics::kGrid);
  m_metrics =
      addButton({}, tr("Metrics shown"), tr("Metrics shown: the first one large, the others small below it"));
  m_metrics->setText(tr("Metric"));
  m_metricMenu = new QMenu(m_metrics);
  m_metrics->setMenu(m_metricMenu);
  m_axis = addChoice(tr("Horizontal axis"), {});
  for (const auto& axis : kCurveAxes)
    if (axis.value != CurveAxis::Metric)
      m_axis->addItem(capitalised(curveAxisName(axis.value)), int(axis.value));
  m_scale = addChoice(tr("Vertical scale"), {tr("Linear"), tr("Logarithmic"), tr("Symlog")});
  makeSeeds();
  makeSmoothing();
  auto* all = addButton(
      QStringLiteral("undo"), tr("Show all"),
      tr("Show everything (Home, or double click).\nDrag: move · wheel: zoom · Ctrl+wheel: "
         "zoom the values · Shift+drag: zoom to a stretch · Ctrl+drag: select curves · "
         "click: the run of the curve · a small curve: click makes it large, Esc brings it back, drag its "
         "title to move it"));
  connect(all, &QToolButton::clicked, this, &CurveBar::everythingAsked);
  makeMore();
}

QToolButton* CurveBar::addButton(const QString& iconName, const QString& name, const QString& tip) {
  QToolButton* button = flatButton(this, iconName, tip);
  button->setIconSize({metrics::kIcon, metrics::kIcon});
  button->setPopupMode(QToolButton::InstantPopup);
  button->setAccessibleName(name);
  layout()->addWidget(button);
  return button;
}

QComboBox* CurveBar::addChoice(const QString& name, const QStringList& titles) {
  auto* box = new QComboBox(this);
  box->addItems(titles);
  box->setAccessibleName(name);
  box->setToolTip(name);
  layout()->addWidget(box);
  connect(box, &QComboBox::activated, this, &CurveBar::choicesChanged);
  return box;
}

void CurveBar::makeSeeds() {
  const QString title = tr("Seeds of one configuration");
  m_seeds = addButton(QStringLiteral("seeds"), title, title);
  auto* menu = new QMenu(m_seeds);
  m_seedChoices = new QActionGroup(menu);
  for (const QString& choice :
       {tr("Every run"), tr("Mean ± sd"), tr("Mean, 95 %"), tr("Mean ± se"), tr("Mean, range")}) {
    QAction* action = menu->addAction(choice);
    action->setCheckable(true);
    action->setData(static_cast<int>(m_seedChoices->actions().size()));
    m_seedChoices->addAction(action);
  }
  m_seedChoices->actions().constFirst()->setChecked(true);
  m_seeds->setMenu(menu);
  const auto tell = [this, title] {
    const QAction* chosen = m_seedChoices->checkedAction();
    m_seeds->setToolTip(title + QStringLiteral(": ") + chosen->text());
    m_seeds->setAccessibleDescription(chosen->text());
  };
  tell();
  connect(m_seedChoices, &QActionGroup::triggered, this, [this, tell] {
    tell();
    Q_EMIT choicesChanged();
  });
}

void CurveBar::makeSmoothing() {
  auto* group = new QWidget(this);
  auto* label = new QLabel(tr("EMA"), group);
  label->setToolTip(tr(
      "Debiased moving average of what is recorded at single updates; the raw values stay visible behind"));
  m_smoothing = new QSlider(Qt::Horizontal, group);
  m_smoothing->setRange(0, kSmoothingSteps - 1);
  m_smoothing->setFixedWidth(72);
  m_smoothing->setToolTip(label->toolTip());
  m_smoothing->setAccessibleName(tr("Smoothing"));
  m_smoothingValue = new QDoubleSpinBox(group);
  m_smoothingValue->setDecimals(3);
  m_smoothingValue->setRange(0, kMostSmoothing);
  m_smoothingValue->setSingleStep(0.05);
  m_smoothingValue->setKeyboardTracking(false);
  m_smoothingValue->setButtonSymbols(QAbstractSpinBox::NoButtons);
  m_smoothingValue->setToolTip(label->toolTip());
  m_smoothingValue->setAccessibleName(tr("Weight of the smoothing"));
  makeRow(group, {label, m_smoothing, m_smoothingValue}, metrics::kGrid, {metrics::kGrid, 0, 0, 0});
  layout()->addWidget(group);
  connect(m_smoothing, &QSlider::valueChanged, this, [this](int position) {
    if (positionOf(m_smoothingValue->value()) != position)
      m_smoothingValue->setValue(static_cast<double>(position) / kSmoothingSteps);
  });
  connect(m_smoothingValue, &QDoubleSpinBox::valueChanged, this, [this](double weight) {
    m_smoothing->setValue(positionOf(weight));
    Q_EMIT choicesChanged();
  });
}

void CurveBar::makeMore() {
  auto* button = addButton(QStringLiteral("more"), tr("More"), tr("Table, copy, export, logarithmic x"));
  m_more = new QMenu(button);
  button->setMenu(m_more);
  m_logX = m_more->addAction(tr("Logarithmic horizontal axis"), this, &CurveBar::choicesChanged);
  m_logX->setCheckable(true);
  m_clip = m_more->addAction(tr("Clip outliers"), this, &CurveBar::choicesChanged);
  m_clip->setObjectName(QStringLiteral("clipOutliers"));
  m_clip->setCheckable(true);
  m_clip->setChecked(true);
  m_clip->setToolTip(tr("Values far from all others do not stretch the panel; ▲ marks where they are"));
  m_more->setToolTipsVisible(true);
  m_table = m_more->addAction(icon(QStringLiteral("columns")), tr("Show as table"));
  m_table->setCheckable(true);
  connect(m_table, &QAction::toggled, this, &CurveBar::tableToggled);
  m_more->addSeparator();
  QAction* copy = m_more->addAction(icon(QStringLiteral("copy")), tr("Copy"), this, &CurveBar::copyAsked);
  copy->setShortcut(QKeySequence::Copy);
  copy->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  parentWidget()->addAction(copy);
  m_more->addAction(icon(QStringLiteral("export")), tr("Export figure…"), this, &CurveBar::exportAsked);
}

CurveChoices CurveBar::choices() const {
  CurveChoices choices;
  choices.axis = static_cast<CurveAxis>(m_axis->currentData().toInt());
  choices.axisMetric = m_axis->currentData(kAxisMetric).toString();
  choices.scaleX = m_logX->isChecked() ? AxisScale::Log : AxisScale::Linear;
  choices.scaleY = static_cast<AxisScale>(m_scale->currentIndex());
  choices.clip = m_clip->isChecked();
  const int seeds = m_seedChoices->checkedAction()->data().toInt();
  choices.groupSeeds = seeds > 0;
  choices.band = kSeedBands[seeds];
  choices.smoothing = m_smoothingValue->value();
  return choices;
}

void CurveBar::setChoices(const CurveChoices& choices) {
  const QSignalBlocker block(this);
  chooseAxis(choices);
  m_scale->setCurrentIndex(static_cast<int>(choices.scaleY));
  m_logX->setChecked(choices.scaleX == AxisScale::Log);
  m_clip->setChecked(choices.clip);
  const auto band = std::find(std::begin(kSeedBands), std::end(kSeedBands), choices.band);
  const auto seeds = choices.groupSeeds && band != std::end(kSeedBands) ? band - std::begin(kSeedBands) : 0;
  m_seedChoices->actions().at(seeds)->setChecked(true);
  m_smoothingValue->setValue(choices.smoothing);
}

// A metric that no run that is drawn declares is an entry, too: it was chosen before.
void CurveBar::chooseAxis(const CurveChoices& choices) {
  for (int i = 0; i < m_axis->count(); ++i)
    if (m_axis->itemData(i) == int(choices.axis) &&
        m_axis->itemData(i, kAxisMetric).toString() == choices.axisMetric)
      return m_axis->setCurrentIndex(i);
  m_axis->addItem(choices.axisMetric, int(choices.axis));
  m_axis->setItemData(m_axis->count() - 1, choices.axisMetric, kAxisMetric);
  m_axis->setCurrentIndex(m_axis->count() - 1);
}

void CurveBar::setStepMetrics(const MetricCatalogue& metrics) {
  QStringList wanted;
  for (const std::string& id : metrics.stepMetrics()) wanted << fromUtf8(id);
  const CurveChoices chosen = choices();
  if (chosen.axis == CurveAxis::Metric && !wanted.contains(chosen.axisMetric)) wanted << chosen.axisMetric;
  QStringList there;
  for (int i = 0; i < m_axis->count(); ++i)
    if (const QString metric = m_axis->itemData(i, kAxisMetric).toString(); !metric.isEmpty())
      there << metric;
  if (there == wanted) return;
  const QSignalBlocker block(m_axis);
  while (m_axis->count() >= int(kCurveAxisCount)) m_axis->removeItem(m_axis->count() - 1);
  for (const QString& metric : std::as_const(wanted)) {
    m_axis->addItem(metricTitle(metrics.of(toUtf8(metric))), int(CurveAxis::Metric));
    m_axis->setItemData(m_axis->count() - 1, metric, kAxisMetric);
  }
  chooseAxis(chosen);
}

bool CurveBar::tableShown() const {
  return m_table->isChecked();
}

void CurveBar::showTable(bool on) {
  m_table->setChecked(on);
}

void CurveBar::setMetrics(const QStringList& known, const QStringList& shown, const QStringList& large,
                          const MetricCatalogue& metrics) {
  const QStringList state = known + QStringList(QString()) + shown + QStringList(QString()) + large;
  if (state == m_menuState) return;
  m_menuState = state;
  const QString title = metricTitle(metrics.of(toUtf8(shown.value(0))));
  const int room = fontMetrics().averageCharWidth() * kMetricCharacters;
  m_metrics->setText(fontMetrics().elidedText(title, Qt::ElideRight, room) + QLatin1Char(' '));
  fillMetricMenu(known, shown, metrics);
  addJoinMenu(known, large, metrics);
}

void CurveBar::fillMetricMenu(const QStringList& known, const QStringList& shown,
                              const MetricCatalogue& metrics) {
  // Nobody else takes them away: clear() leaves them, and one of them may be what was just clicked.
  for (QMenu* menu : m_metricMenu->findChildren<QMenu*>(Qt::FindDirectChildrenOnly)) {
    menu->setObjectName({});
    menu->deleteLater();
  }
  m_metricMenu->clear();
  for (const QString& metric : known) {
    const QString title = metricTitle(metrics.of(toUtf8(metric)));
    QAction* action = m_metricMenu->addAction(
        literalActionText(title == metric ? title : title + QStringLiteral("  (%1)").arg(metric)));
    action->setCheckable(true);
    action->setChecked(shown.contains(metric));
    connect(action, &QAction::toggled, this, [this, metric](bool on) { Q_EMIT metricToggled(metric, on); });
  }
  m_metricMenu->addSeparator();
  QMenu* large = m_metricMenu->addMenu(tr("Large"));
  for (const QString& metric : shown)
    large->addAction(literalActionText(metricTitle(metrics.of(toUtf8(metric)))), this,
                     [this, metric] { Q_EMIT metricEnlarged(metric); });
}

// Metrics that have several names ("loss", "train/loss") belong into one panel.
void CurveBar::addJoinMenu(const QStringList& known, const QStringList& large,
                           const MetricCatalogue& metrics) {
  QMenu* menu = m_metricMenu->addMenu(tr("In one panel with the large one"));
  menu->setObjectName(QStringLiteral("joinMetrics"));
  for (const QString& metric : known) {
    if (metric == large.value(0)) continue;
    const QString title = metricTitle(metrics.of(toUtf8(metric)));
    QAction* action = menu->addAction(
        literalActionText(title == metric ? title : title + QStringLiteral("  (%1)").arg(metric)));
    action->setData(metric);
    action->setCheckable(true);
    action->setChecked(large.contains(metric));
    connect(action, &QAction::toggled, this, [this, metric](bool on) { Q_EMIT metricJoined(metric, on); });
  }
  menu->setEnabled(!menu->isEmpty());
}

}  // namespace fathom
