// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/curve_panel.h"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QSlider>
#include <QStackedWidget>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "views/figure/figure_text.h"
#include "views/figures/training_curve_figure.h"
#include "views/panels/curve_canvas.h"
#include "views/panels/curve_table_model.h"
#include "views/panels/empty_state.h"
#include "views/panels/icons.h"
#include "views/panels/theme.h"

namespace fathom {

namespace {

constexpr int kRedrawMs = 50;
constexpr CurveBand kSeedBands[] = {CurveBand::None, CurveBand::Deviation, CurveBand::Confidence95,
                                    CurveBand::StandardError, CurveBand::Range};

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

CurvePanel::CurvePanel(QWidget* parent)
    : QWidget(parent),
      m_canvas(new CurveCanvas(this)),
      m_stack(new QStackedWidget(this)),
      m_empty(new EmptyState(this)),
      m_table(new QTableView(this)),
      m_tableModel(new CurveTableModel(this)) {
  m_note = new QLabel(this);
  m_note->setWordWrap(true);
  m_note->hide();
  buildBar();
  m_table->setModel(m_tableModel);
  m_table->setAccessibleName(tr("Values of the curves"));
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->verticalHeader()->setDefaultSectionSize(metrics::kTableRow);
  m_table->setTabKeyNavigation(false);
  m_stack->addWidget(m_canvas);
  m_stack->addWidget(m_table);
  m_stack->addWidget(m_empty);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  layout->addWidget(m_bar);
  layout->addWidget(m_stack, 1);
  layout->addWidget(m_note);
  m_empty->setText(tr("No curves yet. Start a run, or select runs in the table."));
  m_canvas->setMinimumSize(160, 100);
  m_canvas->setAccessibleName(tr("Curves"));
  m_timer.setSingleShot(true);
  m_timer.setInterval(kRedrawMs);
  connect(&m_timer, &QTimer::timeout, this, &CurvePanel::drawNow);
  connectCanvas();
  updateStack();
}

CurvePanel::~CurvePanel() = default;

QComboBox* CurvePanel::addChoice(const QString& name, const QStringList& titles) {
  auto* box = new QComboBox(this);
  box->addItems(titles);
  box->setAccessibleName(name);
  box->setToolTip(name);
  m_bar->addWidget(box);
  connect(box, &QComboBox::activated, this, &CurvePanel::applyChoices);
  return box;
}

void CurvePanel::buildBar() {
  m_bar = new QToolBar(this);
  m_bar->setIconSize(QSize(metrics::kIcon, metrics::kIcon));
  m_metricButton = new QToolButton(this);
  m_metricMenu = new QMenu(m_metricButton);
  m_metricButton->setMenu(m_metricMenu);
  m_metricButton->setPopupMode(QToolButton::InstantPopup);
  m_metricButton->setText(tr("Metric"));
  m_metricButton->setToolTip(tr("Metrics shown: the first one large, the others small below it"));
  m_metricButton->setAccessibleName(tr("Metrics shown"));
  m_metricButton->setFocusPolicy(Qt::StrongFocus);
  m_bar->addWidget(m_metricButton);
  m_axisBox = addChoice(tr("Horizontal axis"), {tr("Updates"), tr("Time"), tr("Epochs")});
  m_scaleBox = addChoice(tr("Vertical scale"), {tr("Linear"), tr("Log"), tr("Symlog")});
  m_logX = m_bar->addAction(tr("Log x"), this, &CurvePanel::applyChoices);
  m_logX->setCheckable(true);
  m_logX->setToolTip(tr("Logarithmic horizontal axis"));
  m_seedBox = addChoice(tr("Seeds of one configuration"), {tr("Every run"), tr("Mean ± sd"), tr("Mean, 95 %"),
                                                           tr("Mean ± se"), tr("Mean, range")});
  auto* label = new QLabel(tr("EMA"), this);
  label->setToolTip(tr("Debiased moving average; the raw values stay visible behind"));
  label->setContentsMargins(metrics::kMargin, 0, metrics::kGrid, 0);
  m_bar->addWidget(label);
  m_smoothing = new QSlider(Qt::Horizontal, this);
  m_smoothing->setRange(0, 100);
  m_smoothing->setFixedWidth(90);
  m_smoothing->setAccessibleName(tr("Smoothing"));
  m_bar->addWidget(m_smoothing);
  m_smoothingValue = new QLabel(QStringLiteral("0"), this);
  m_smoothingValue->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.999 ")));
  m_bar->addWidget(m_smoothingValue);
  connect(m_smoothing, &QSlider::valueChanged, this, &CurvePanel::applyChoices);
  QAction* all = m_bar->addAction(icon(QStringLiteral("undo")), tr("Show all"), this, &CurvePanel::resetView);
  all->setToolTip(tr("Show everything (Home, or double click)"));
  m_tableAction = m_bar->addAction(icon(QStringLiteral("columns")), tr("Show as table"));
  m_tableAction->setCheckable(true);
  connect(m_tableAction, &QAction::toggled, this, &CurvePanel::showTable);
  QAction* copyAction = m_bar->addAction(icon(QStringLiteral("copy")), tr("Copy"), this, &CurvePanel::copy);
  copyAction->setShortcut(QKeySequence::Copy);
  copyAction->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(copyAction);
  m_bar->addAction(icon(QStringLiteral("export")), tr("Export figure…"), this, &CurvePanel::exportRequested);
}

void CurvePanel::connectCanvas() {
  connect(m_canvas, &CurveCanvas::panned, this, &CurvePanel::pan);
  connect(m_canvas, &CurveCanvas::zoomed, this, &CurvePanel::zoom);
  connect(m_canvas, &CurveCanvas::resetAsked, this, &CurvePanel::resetView);
  connect(m_canvas, &CurveCanvas::hovered, this, &CurvePanel::readValues);
  connect(m_canvas, &CurveCanvas::left, this, [this] { m_canvas->showCrosshair({}, 0, {}, {}); });
  connect(m_canvas, &CurveCanvas::stepped, this, &CurvePanel::stepCurrent);
  connect(m_canvas, &CurveCanvas::rangeChosen, this, [this](double low, double high) {
    m_look.rangeX = AxisRange{low, high};
    draw();
    Q_EMIT viewChanged();
  });
  connect(m_canvas, &CurveCanvas::chosen, this, [this] {
    if (!m_look.current.isEmpty()) Q_EMIT runClicked(m_look.current, false);
  });
  connect(m_canvas, &CurveCanvas::clicked, this, [this](const QString& selection, bool additive) {
    constexpr QLatin1String kRun("run:");
    if (!selection.startsWith(kRun)) return;
    setCurrentRun(selection.mid(kRun.size()));
    Q_EMIT runClicked(m_look.current, additive);
  });
}

void CurvePanel::setSeries(CurveSeries series) {
  m_set.set(std::move(series));
  schedule();
}

void CurvePanel::appendSeries(const CurveSeries& more) {
  m_set.append(more);
  schedule();
}

void CurvePanel::removeRun(const QString& run) {
  m_set.removeRun(run);
  schedule();
}

void CurvePanel::setOutcome(const QString& run, const QString& outcome) {
  m_set.setOutcome(run, outcome);
  schedule();
}

void CurvePanel::clear() {
  m_set.clear();
  schedule();
}

void CurvePanel::keepRuns(const QStringList& runs) {
  for (const QString& run : m_set.runs())
    if (!runs.contains(run)) m_set.removeRun(run);
  schedule();
}

void CurvePanel::setMetrics(const QStringList& metrics) {
  m_look.metrics = metrics;
  m_look.rangesY.clear();
  schedule();
}

void CurvePanel::setCurrentRun(const QString& run) {
  if (m_look.current == run) return;
  m_look.current = run;
  schedule();
}

void CurvePanel::setEmptyState(const QString& text, const QList<QAction*>& actions) {
  m_empty->setText(text);
  m_empty->setActions(actions);
}

void CurvePanel::schedule() {
  if (!m_timer.isActive()) m_timer.start();
}

void CurvePanel::updateStack() {
  QWidget* wanted = m_set.empty() ? static_cast<QWidget*>(m_empty)
                                  : (m_tableAction->isChecked() ? static_cast<QWidget*>(m_table) : m_canvas);
  m_stack->setCurrentWidget(wanted);
  m_bar->setEnabled(!m_set.empty());
}

void CurvePanel::fillMetricMenu() {
  const QStringList state = m_set.metrics() + QStringList(QString()) + m_look.metrics;
  if (state == m_menuState) return;
  m_menuState = state;
  m_metricMenu->clear();
  for (const QString& metric : m_set.metrics()) {
    const QString title = plainText(QString::fromStdString(metricLabel(metric.toStdString())));
    QAction* action =
        m_metricMenu->addAction(title == metric ? title : title + QStringLiteral("  (%1)").arg(metric));
    action->setCheckable(true);
    action->setChecked(m_look.metrics.contains(metric));
    connect(action, &QAction::toggled, this, [this, metric](bool shown) { toggleMetric(metric, shown); });
  }
  m_metricMenu->addSeparator();
  QMenu* large = m_metricMenu->addMenu(tr("Large"));
  for (const QString& metric : m_look.metrics)
    large->addAction(metric, this, [this, metric] {
      QStringList metrics = m_look.metrics;
      metrics.removeAll(metric);
      metrics.prepend(metric);
      setMetrics(metrics);
      Q_EMIT viewChanged();
    });
}

void CurvePanel::toggleMetric(const QString& metric, bool shown) {
  QStringList metrics = m_look.metrics;
  metrics.removeAll(metric);
  if (shown) metrics << metric;
  if (metrics.isEmpty()) metrics << metric;  // one is always there
  setMetrics(metrics);
  Q_EMIT viewChanged();
}

void CurvePanel::applyChoices() {
  const auto axis = static_cast<CurveAxis>(m_axisBox->currentIndex());
  const AxisScale scaleX = m_logX->isChecked() ? AxisScale::Log : AxisScale::Linear;
  const auto scaleY = static_cast<AxisScale>(m_scaleBox->currentIndex());
  if (axis != m_look.axis || scaleX != m_look.scaleX) m_look.rangeX.reset();
  if (scaleY != m_look.scaleY) m_look.rangesY.clear();
  m_look.axis = axis;
  m_look.scaleX = scaleX;
  m_look.scaleY = scaleY;
  const double smoothing = smoothingOf(m_smoothing->value());
  m_smoothingValue->setText(QString::number(smoothing, 'g', 3));
  m_set.setSmoothing(smoothing);
  const int seeds = m_seedBox->currentIndex();
  if ((seeds > 0) != m_set.grouped() || (seeds > 0 && kSeedBands[seeds] != m_set.band()))
    m_set.setGrouping(seeds > 0, kSeedBands[seeds]);
  schedule();
  Q_EMIT viewChanged();
}

void CurvePanel::drawNow() {
  m_timer.stop();
  updateStack();
  const QStringList known = m_set.metrics();
  if (known.isEmpty()) return;
  if (m_look.metrics.isEmpty()) m_look.metrics = QStringList{known.front()};
  fillMetricMenu();
  draw();
  m_canvas->setAccessibleDescription(summary());
  const QString metric = m_look.metrics.front();
  if (m_tableAction->isChecked()) m_tableModel->setCurves(m_set.runCurves(metric), metric);
}

void CurvePanel::draw() {
  const QStringList known = m_set.metrics();
  if (known.isEmpty()) return;
  CurveLook look = m_look;
  look.metrics.removeIf([&known](const QString& metric) { return !known.contains(metric); });
  if (look.metrics.isEmpty()) look.metrics = QStringList{known.front()};
  look.columns = std::clamp(static_cast<int>(m_canvas->width() * m_canvas->devicePixelRatioF()), 200, 4000);
  m_metricButton->setText(look.metrics.front() + QStringLiteral(" "));
  CurveFigure figure = curveFigure(m_set, look);
  const FigureStyle style =
      screenStyle(Theme::of(palette()).dark, font().pointSizeF() > 0 ? font().pointSizeF() : 9);
  const bool same = m_builtOnce && m_canvas->style().id == style.id &&
                    m_canvas->style().labelPoints == style.labelPoints && m_canvas->sameAxes(figure.spec);
  if (same) {
    m_canvas->setMarks(std::move(figure.spec));
  } else if (!m_canvas->setFigure(figure.spec, style).ok()) {
    return;
  }
  m_builtOnce = true;
  for (std::size_t i = 0; i < figure.ranges.size(); ++i) m_canvas->setRanges(i, figure.ranges[i]);
  m_canvas->replot(QCustomPlot::rpQueuedRefresh);
  m_note->setVisible(figure.nonFinite > 0);
  if (figure.nonFinite > 0)
    m_note->setText(tr("✕ %n stretch(es) of values that are not finite", nullptr, figure.nonFinite));
}

AxisRange CurvePanel::shownX() {
  return m_look.rangeX.value_or(curveExtent(m_set, m_look).x);
}

void CurvePanel::pan(double unitsX, double unitsY, int panel) {
  AxisRange range = shownX();
  range.low += unitsX;
  range.high += unitsX;
  m_look.rangeX = range;
  const QString metric = m_look.metrics.value(panel);
  const auto chosen = m_look.rangesY.find(metric);
  if (chosen != m_look.rangesY.end()) {  // values follow the data until they are zoomed
    chosen->second.low += unitsY;
    chosen->second.high += unitsY;
  }
  draw();
  Q_EMIT viewChanged();
}

void CurvePanel::zoom(double factor, double centreX, double centreY, bool vertical, int panel) {
  const auto scaled = [factor](const AxisRange& range, double centre) {
    return AxisRange{centre + (range.low - centre) * factor, centre + (range.high - centre) * factor};
  };
  constexpr double kSmallest = 1e-9;
  if (vertical) {
    const AxisRange range = scaled(m_canvas->ranges(static_cast<std::size_t>(panel)).y, centreY);
    if (range.size() > kSmallest) m_look.rangesY[m_look.metrics.value(panel)] = range;
  } else {
    const AxisRange range = scaled(shownX(), centreX), all = curveExtent(m_set, m_look).x;
    if (range.size() > kSmallest * std::max(1.0, all.size())) m_look.rangeX = range;
    if (range.size() > 3 * all.size()) m_look.rangeX.reset();  // far out is everything
  }
  draw();
  Q_EMIT viewChanged();
}

void CurvePanel::resetView() {
  m_look.rangeX.reset();
  m_look.rangesY.clear();
  draw();
  Q_EMIT viewChanged();
}

// Exact values of every curve at the recorded point nearest to the pointer.
void CurvePanel::readValues(double unitX, int panel) {
  const QString metric = m_look.metrics.value(panel);
  const CurveExtent extent = curveExtent(m_set, m_look);
  FigureAxis axis;
  axis.scale = m_look.scaleX;
  const double at = AxisMap(axis).fromUnit(unitX) * extent.divisor;
  std::vector<CurveCanvas::Reading> readings;
  QString title;
  constexpr std::size_t kMost = 12;
  for (const CurveLine* line : m_set.lines(metric)) {
    const std::vector<double>& x = line->x(m_look.axis);
    if (x.empty() || readings.size() >= kMost) continue;
    if (at < x.front() || at > x.back()) continue;  // this run was not there yet, or had ended
    auto found = static_cast<std::size_t>(std::lower_bound(x.begin(), x.end(), at) - x.begin());
    if (found == x.size() || (found > 0 && at - x[found - 1] < x[found] - at)) --found;
    if (title.isEmpty())
      title = tr("update %1 · epoch %2")
                  .arg(line->positions[0][found], 0, 'g', 8)
                  .arg(line->positions[2][found], 0, 'f', 2);
    QString text = QStringLiteral("%1: %2").arg(line->name, valueText(line->raw.values()[found]));
    if (line->smooth.size() > found)
      text += tr(" (smoothed %1)").arg(valueText(line->smooth.values()[found]));
    if (line->lower.size() > found && std::isfinite(line->lower.values()[found]))
      text += QStringLiteral(" [%1, %2]")
                  .arg(valueText(line->lower.values()[found]), valueText(line->upper.values()[found]));
    readings.push_back({text, Theme::of(palette()).run(line->colour)});
  }
  m_canvas->showCrosshair(unitX, static_cast<std::size_t>(panel), title, std::move(readings));
}

void CurvePanel::stepCurrent(int direction) {
  QStringList runs;
  for (const CurveLine* line : m_set.lines(m_look.metrics.value(0)))
    if (!line->run.isEmpty()) runs << line->run;
  if (runs.isEmpty()) return;
  const auto at = static_cast<int>(runs.indexOf(m_look.current));
  const int count = static_cast<int>(runs.size());
  setCurrentRun(runs[at < 0 ? 0 : (at + direction + count) % count]);
}

void CurvePanel::showTable(bool shown) {
  const QString metric = m_look.metrics.value(0);
  m_tableModel->setCurves(shown ? m_set.runCurves(metric) : std::vector<RunCurve>(), metric);
  updateStack();
}

// Picture and numbers, so that both a document and a spreadsheet take what they can use.
void CurvePanel::copy() {
  if (m_set.empty()) return;
  auto* data = new QMimeData;
  CurveTableModel table;
  table.setCurves(m_set.runCurves(m_look.metrics.value(0)), m_look.metrics.value(0));
  data->setText(table.csv());
  data->setImageData(m_canvas->grab().toImage());
  QGuiApplication::clipboard()->setMimeData(data);
}

FigureSpec CurvePanel::figure() {
  return curveExport(m_set, m_look);
}

QString CurvePanel::summary() {
  const QString metric = m_look.metrics.value(0);
  const std::vector<const CurveLine*> lines = m_set.lines(metric);
  QString text = tr("%1, %n curve(s).", nullptr, static_cast<int>(lines.size()))
                     .arg(plainText(QString::fromStdString(metricLabel(metric.toStdString()))));
  constexpr std::size_t kMost = 8;
  for (std::size_t i = 0; i < lines.size() && i < kMost; ++i) {
    const CurveLine& line = *lines[i];
    const auto values = line.raw.values();
    const CurveBlock all = line.raw.query(0, values.size());
    text += u' ';
    if (all.finite == 0) {
      text += tr("%1: no finite value.").arg(line.name);
      continue;
    }
    const auto last =
        std::find_if(values.rbegin(), values.rend(), [](double value) { return std::isfinite(value); });
    const auto at = static_cast<std::size_t>(values.rend() - last) - 1;
    text += tr("%1: %2 at update %3, between %4 and %5.")
                .arg(line.name, valueText(*last))
                .arg(line.positions[0][at], 0, 'g', 8)
                .arg(valueText(all.minimum), valueText(all.maximum));
    if (all.nonFinite() > 0)
      text += u' ' + tr("%n value(s) not finite.", nullptr, static_cast<int>(all.nonFinite()));
  }
  return text;
}

QByteArray CurvePanel::saveView() const {
  Json metrics = Json::array();
  for (const QString& metric : m_look.metrics) metrics.push_back(metric.toStdString());
  const Json json = {{"metrics", metrics},
                     {"axis", m_axisBox->currentIndex()},
                     {"scale", m_scaleBox->currentIndex()},
                     {"log_x", m_logX->isChecked()},
                     {"seeds", m_seedBox->currentIndex()},
                     {"smoothing", m_set.smoothing()}};
  return QByteArray::fromStdString(json.dump());
}

void CurvePanel::restoreView(const QByteArray& text) {
  const Result<Json> json = parseJson(text.toStdString(), "session");
  if (!json.ok() || !json->is_object()) return;
  const auto index = [&](const char* key, QComboBox* box) {
    if (json->contains(key) && (*json)[key].is_number_integer())
      box->setCurrentIndex(std::clamp((*json)[key].get<int>(), 0, box->count() - 1));
  };
  index("axis", m_axisBox);
  index("scale", m_scaleBox);
  index("seeds", m_seedBox);
  if (json->contains("log_x") && (*json)["log_x"].is_boolean())
    m_logX->setChecked((*json)["log_x"].get<bool>());
  if (json->contains("smoothing") && (*json)["smoothing"].is_number())
    m_smoothing->setValue(positionOf((*json)["smoothing"].get<double>()));
  QStringList metrics;
  for (const Json& metric : json->value("metrics", Json::array()))
    if (metric.is_string()) metrics << QString::fromStdString(metric.get<std::string>());
  if (!metrics.isEmpty()) setMetrics(metrics);
  applyChoices();
}

void CurvePanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) schedule();
}

void CurvePanel::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  schedule();
}

void CurvePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  drawNow();
}

}  // namespace fathom
