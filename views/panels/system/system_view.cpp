// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/system/system_view.h"

#include <QEvent>
#include <QLabel>
#include <QScrollArea>
#include <QToolButton>
#include <utility>

#include "views/look/engine_text.h"
#include "views/look/name_text.h"
#include "views/look/theme.h"
#include "views/panels/system/system_figure.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/mark_canvas_view.h"

namespace fathom {

namespace {

constexpr int kLookMilliseconds = 1000;
constexpr int kChartHeight = 150, kChartWidth = 300;
constexpr double kBytesOfGib = double(1 << 30);

}  // namespace

SystemView::SystemView(QWidget* parent)
    : QWidget(parent),
      m_content(new QWidget(this)),
      m_memory(wrappedLabel(m_content, QStringLiteral("systemMemory"))),
      m_ask(flatTextButton(m_content, tr("Estimate"),
                           tr("Ask the engine how much memory the run needs: nothing is trained"))),
      m_remark(wrappedLabel(m_content, QStringLiteral("systemRemark"))),
      m_scroll(new QScrollArea(m_content)),
      m_canvas(new MarkCanvasView),
      m_empty(new EmptyState(this)) {
  m_memory->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_ask->setObjectName(QStringLiteral("systemEstimate"));
  m_canvas->setAccessibleName(tr("Load of the machine over time"));
  m_scroll->setWidget(m_canvas);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* row = makeRow({{m_memory, 1}, m_ask}, kStyleGap,
                      {metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kGrid});
  makeColumn(m_content, {row, m_remark, {m_scroll, 1}}, 0);
  makeColumn(this, {m_content, m_empty});
  m_next.setSingleShot(true);
  m_next.setInterval(kLookMilliseconds);
  connect(&m_next, &QTimer::timeout, this, &SystemView::ask);
  connect(m_ask, &QToolButton::clicked, this, [this] { Q_EMIT estimateRequested(m_run.uuid); });
  refresh();
}

void SystemView::setRun(const Run& run) {
  const bool another = run.uuid != m_run.uuid;
  const bool changed = another || run.begun != m_run.begun || run.live != m_run.live;
  m_run = run;
  if (another) {
    m_system.reset();
    m_estimate = 0;
    m_remark->clear();
  }
  if (!changed) return;
  refresh();
  ask();
}

// Samples are read only while they can be seen.
void SystemView::ask() {
  m_next.stop();
  if (isVisible() && m_run.begun) Q_EMIT wanted(m_run.uuid, m_system != nullptr);
}

void SystemView::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (std::exchange(m_oldLook, false)) refresh();
  ask();
}

void SystemView::setSystem(const QString& uuid, const RunSystemPtr& system) {
  if (uuid != m_run.uuid) return;
  if (system != nullptr) {
    m_system = system;
    refresh();
  }
  if (m_run.live) m_next.start();
}

void SystemView::showEstimating() {
  m_ask->setEnabled(false);
  showText(m_remark, tr("The engine works out what the run needs…"));
}

void SystemView::setEstimate(const QString& uuid, qint64 bytes) {
  m_ask->setEnabled(true);
  if (uuid != m_run.uuid) return;
  m_estimate = bytes;
  m_remark->clear();
  refresh();
}

void SystemView::showProblem(const QString& uuid, const QString& text) {
  m_ask->setEnabled(true);
  if (uuid == m_run.uuid) showText(m_remark, text);
}

qint64 SystemView::neededBytes() const {
  if (m_estimate > 0) return m_estimate;
  return m_system != nullptr ? qint64(m_system->machine.neededBytes) : 0;
}

void SystemView::refresh() {
  const bool any = m_system != nullptr && !m_system->series.empty();
  m_content->setVisible(any);
  m_empty->setVisible(!any);
  if (!m_run.begun) {
    m_empty->setText(tr("Known when the run has started."));
  } else if (m_system == nullptr) {
    m_empty->setText(tr("Reading the samples…"));
  } else if (!any && m_run.live) {
    m_empty->setText(tr("No sample yet: the first one comes a few seconds after the start."));
  } else if (!any) {
    m_empty->setText(
        tr("Nobody noted what this run took of its machine. It is noted of runs that the queue "
           "trains on this machine, and of those that fathom.py, W&B or trackio write."));
  }
  if (m_system != nullptr && m_system->problem && !any)
    m_empty->setText(phraseText(m_system->problem->phrase()));
  if (!any) return;
  showMemory();
  draw();
}

void SystemView::showMemory() {
  const bool onCard = m_system->machine.device.starts_with("cuda");
  const double measured = measuredMemory(*m_system, onCard);
  const qint64 needed = neededBytes();
  QStringList parts;
  if (needed > 0) parts.append(tr("estimate %1").arg(sizeText(quint64(needed))));
  if (measured > 0) parts.append(tr("measured %1").arg(sizeText(quint64(measured * kBytesOfGib))));
  const QString what = onCard ? tr("Memory of the card: %1") : tr("Memory: %1");
  m_memory->setText(parts.isEmpty() ? QString() : what.arg(parts.join(QStringLiteral(" · "))));
  m_memory->setToolTip(
      tr("Measured: the most that its processes have had. Estimate: what the dry run said."));
  m_ask->setVisible(needed == 0 && m_run.askable);
  if (m_system->problem)
    m_remark->setText(phraseText(m_system->problem->phrase()));
  else if (m_system->badLines > 0 && m_remark->text().isEmpty())
    m_remark->setText(tr("Damaged lines of the samples, skipped: %1.").arg(m_system->badLines));
  m_remark->setVisible(!m_remark->text().isEmpty());
}

int SystemView::columnsThatFit() const {
  return qMax(1, width() / kChartWidth);
}

void SystemView::draw() {
  m_columns = columnsThatFit();
  const FigureSpec spec = systemFigure(*m_system, neededBytes(), m_columns);
  int rows = 1;
  for (const FigurePanel& panel : spec.panels) rows = qMax(rows, panel.row + 1);
  m_canvas->setMinimumHeight(rows * kChartHeight);
  const bool drawn = m_canvas->setFigure(spec, screenStyle(Theme::of(palette()).dark, font())).ok();
  m_canvas->setVisible(drawn);
  if (drawn) m_canvas->replot();
  m_canvas->setAccessibleDescription(phraseText(spec.summary));
}

void SystemView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (m_columns > 0 && columnsThatFit() != m_columns) refresh();
}

void SystemView::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const bool looks = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange;
  if (!looks || m_columns == 0) return;
  m_oldLook = !isVisible();
  if (!m_oldLook) refresh();
}

}  // namespace fathom
