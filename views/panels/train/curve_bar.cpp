// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/curve_bar.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>
#include <algorithm>
#include <cmath>

#include "views/figure/figure_text.h"
#include "views/figures/training_curve_figure.h"
#include "views/look/engine_text.h"
#include "views/look/foreign_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/flow_layout.h"
#include "views/tables/run_item.h"

namespace fathom {

namespace {

constexpr CurveBand kSeedBands[] = {CurveBand::None, CurveBand::Deviation, CurveBand::Confidence95,
                                    CurveBand::StandardError, CurveBand::Range};
constexpr int kMetricCharacters = 16;

// The slider is finer where smoothing is strong: 0, ..., .9, .99, .999.
double smoothingOf(int position) {
  return position <= 0 ? 0 : 1 - std::pow(10.0, -3.0 * position / 100);
}
int positionOf(double smoothing) {
  return smoothing <= 0
             ? 0
             : static_cast<int>(std::lround(-std::log10(1 - std::min(smoothing, 0.999)) / 3 * 100));
}

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
  m_axis = addChoice(tr("Horizontal axis"), {tr("Updates"), tr("Time"), tr("Epochs")});
  m_scale = addChoice(tr("Vertical scale"), {tr("Linear"), tr("Logarithmic"), tr("Symlog")});
  makeSeeds();
  makeSmoothing();
  auto* all =
      addButton(QStringLiteral("undo"), tr("Show all"),
                tr("Show everything (Home, or double click).\nDrag: move · wheel: zoom · Ctrl+wheel: "
                   "zoom the values · Shift+drag: zoom to a stretch · Ctrl+drag: select curves · "
                   "click: the run of the curve · a small title: click makes it large, drag moves it"));
  connect(all, &QToolButton::clicked, this, &CurveBar::everythingAsked);
  makeMore();
}

QToolButton* CurveBar::addButton(const QString& iconName, const QString& name, const QString& tip) {
  auto* button = new QToolButton(this);
  if (!iconName.isEmpty()) button->setIcon(icon(iconName));
  button->setIconSize({metrics::kIcon, metrics::kIcon});
  button->setAutoRaise(true);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setFocusPolicy(Qt::StrongFocus);
  button->setAccessibleName(name);
  button->setToolTip(tip);
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
  auto* line = new QHBoxLayout(group);
  line->setContentsMargins(metrics::kGrid, 0, 0, 0);
  line->setSpacing(metrics::kGrid);
  auto* label = new QLabel(tr("EMA"), group);
  label->setToolTip(tr("Debiased moving average; the raw values stay visible behind"));
  m_smoothing = new QSlider(Qt::Horizontal, group);
  m_smoothing->setRange(0, 100);
  m_smoothing->setFixedWidth(72);
  m_smoothing->setToolTip(label->toolTip());
  m_smoothing->setAccessibleName(tr("Smoothing"));
  m_smoothingValue = new QLabel(QStringLiteral("0"), group);
  m_smoothingValue->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.999")));
  for (QWidget* part : {static_cast<QWidget*>(label), static_cast<QWidget*>(m_smoothing),
                        static_cast<QWidget*>(m_smoothingValue)})
    line->addWidget(part);
  layout()->addWidget(group);
  connect(m_smoothing, &QSlider::valueChanged, this, [this](int position) {
    m_smoothingValue->setText(QString::number(smoothingOf(position), 'g', 3));
    Q_EMIT choicesChanged();
  });
}

void CurveBar::makeMore() {
  auto* button = addButton(QStringLiteral("more"), tr("More"), tr("Table, copy, export, logarithmic x"));
  m_more = new QMenu(button);
  button->setMenu(m_more);
  m_logX = m_more->addAction(tr("Logarithmic horizontal axis"), this, &CurveBar::choicesChanged);
  m_logX->setCheckable(true);
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
  choices.axis = static_cast<CurveAxis>(m_axis->currentIndex());
  choices.scaleX = m_logX->isChecked() ? AxisScale::Log : AxisScale::Linear;
  choices.scaleY = static_cast<AxisScale>(m_scale->currentIndex());
  const int seeds = m_seedChoices->checkedAction()->data().toInt();
  choices.groupSeeds = seeds > 0;
  choices.band = kSeedBands[seeds];
  choices.smoothing = smoothingOf(m_smoothing->value());
  return choices;
}

void CurveBar::setChoices(const CurveChoices& choices) {
  const QSignalBlocker block(this);
  m_axis->setCurrentIndex(static_cast<int>(choices.axis));
  m_scale->setCurrentIndex(static_cast<int>(choices.scaleY));
  m_logX->setChecked(choices.scaleX == AxisScale::Log);
  const auto band = std::find(std::begin(kSeedBands), std::end(kSeedBands), choices.band);
  const auto seeds = choices.groupSeeds && band != std::end(kSeedBands) ? band - std::begin(kSeedBands) : 0;
  m_seedChoices->actions().at(seeds)->setChecked(true);
  m_smoothing->setValue(positionOf(choices.smoothing));
}

bool CurveBar::tableShown() const {
  return m_table->isChecked();
}

void CurveBar::showTable(bool on) {
  m_table->setChecked(on);
}

void CurveBar::setMetrics(const QStringList& known, const QStringList& shown,
                          const MetricCatalogue& metrics) {
  const QStringList state = known + QStringList(QString()) + shown;
  if (state == m_menuState) return;
  m_menuState = state;
  const QString title = metricTitle(metrics.of(toUtf8(shown.value(0))));
  const int room = fontMetrics().averageCharWidth() * kMetricCharacters;
  m_metrics->setText(fontMetrics().elidedText(title, Qt::ElideRight, room) + QLatin1Char(' '));
  fillMetricMenu(known, shown, metrics);
}

void CurveBar::fillMetricMenu(const QStringList& known, const QStringList& shown,
                              const MetricCatalogue& metrics) {
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

}  // namespace fathom
