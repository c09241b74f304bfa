// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/panels/train/queue_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

#include "views/look/foreign_text.h"
#include "views/look/icons.h"
#include "views/look/theme.h"
#include "views/panels/widgets/boxes.h"
#include "views/panels/widgets/compact_table.h"
#include "views/panels/widgets/controls.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/flow_layout.h"
#include "views/tables/queue_model.h"

namespace fathom {

QueuePanel::QueuePanel(QueueModel* model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_stack(new QStackedWidget(this)),
      m_table(rowTable(model, tr("Queue"), this)),
      m_empty(new EmptyState(this)),
      m_pause(new QPushButton(icon(QStringLiteral("pause")), tr("Pause"), this)),
      m_up(flatButton(this, QStringLiteral("up"), tr("Earlier"))),
      m_down(flatButton(this, QStringLiteral("down"), tr("Later"))),
      m_remove(flatButton(this, QStringLiteral("trash"), tr("Take out of the queue"))),
      m_concurrent(new QSpinBox(this)),
      m_perGpu(new QSpinBox(this)),
      m_perGpuLabel(new QLabel(tr("per GPU"), this)),
      m_deviceBox(new QWidget(this)),
      m_runner(wrappedLabel(this)),
      m_start(new QPushButton(icon(QStringLiteral("run")), tr("Start"), this)) {
  m_table->setObjectName(QStringLiteral("queueTable"));
  m_table->setDragDropMode(QAbstractItemView::DragDrop);
  m_table->setDefaultDropAction(Qt::MoveAction);
  m_table->setDragDropOverwriteMode(false);
  m_table->horizontalHeader()->setHighlightSections(false);
  m_table->horizontalHeader()->setMinimumSectionSize(metrics::kFormRow);
  m_table->horizontalHeader()->setSectionResizeMode(QueueModel::Name, QHeaderView::Stretch);
  const int digit = fontMetrics().horizontalAdvance(QLatin1Char('0'));
  m_table->setColumnWidth(QueueModel::Position, 6 * digit);
  m_table->setColumnWidth(QueueModel::Kind, 9 * digit);
  m_table->setColumnWidth(QueueModel::Device, 9 * digit);
  m_empty->setText(tr("Nothing waits. “Add to queue” on the page of a new run puts runs here."));
  m_stack->addWidget(m_table);
  m_stack->addWidget(m_empty);
  m_pause->setCheckable(true);
  m_pause->setToolTip(tr("No new run starts while the queue is paused; running ones go on"));
  m_concurrent->setRange(1, 64);
  m_concurrent->setAccessibleName(tr("CPU runs at once"));
  m_concurrent->setToolTip(tr("How many runs share the processor; each gets cores ÷ this many threads"));
  m_perGpu->setRange(1, 16);
  m_perGpu->setAccessibleName(tr("Runs per GPU"));
  // One line where the panel is wide enough: the rows of the queue have the height.
  auto* head = new QWidget(this);
  auto* bar = new FlowLayout(head);
  bar->setContentsMargins(metrics::kMargin, metrics::kGrid, metrics::kMargin, metrics::kGrid);
  bar->setSpacing(metrics::kGrid);
  for (QWidget* each : std::initializer_list<QWidget*>{m_pause, m_up, m_down, m_remove,
                                                       new QLabel(tr("At once on CPU"), this), m_concurrent,
                                                       m_perGpuLabel, m_perGpu, m_deviceBox})
    bar->addWidget(each);
  makeRow(m_deviceBox, {}, kStyleGap, {metrics::kMargin, 0, 0, 0});
  m_runner->setContentsMargins(metrics::kMargin, 0, metrics::kMargin, metrics::kGrid);
  makeColumn(this, {head, {m_stack, 1}, makeRow({{m_runner, 1}, m_start})}, 0);
  m_start->setObjectName(QStringLiteral("startQueue"));
  m_start->setToolTip(tr("Work through what waits"));
  m_start->hide();
  // Unpaused settings set again start a runner where there is none.
  connect(m_start, &QPushButton::clicked, this, [this] { Q_EMIT settingsRequested(m_settings); });
  m_perGpu->hide();
  m_perGpuLabel->hide();
  m_deviceBox->hide();
  const QAction* withdraw = addKeyAction(m_table, tr("Take out of the queue"), QKeySequence::Delete);
  m_table->setContextMenuPolicy(Qt::ActionsContextMenu);
  connect(withdraw, &QAction::triggered, m_remove, &QToolButton::click);
  for (const auto& [button, key] : {std::pair{m_up, Qt::Key_Up}, std::pair{m_down, Qt::Key_Down}}) {
    const QAction* action = addKeyAction(m_table, button->toolTip(), QKeySequence(Qt::ALT | key));
    connect(action, &QAction::triggered, button, &QToolButton::click);
  }
  connect(m_pause, &QPushButton::clicked, this, &QueuePanel::request);
  connect(m_concurrent, &QSpinBox::valueChanged, this, &QueuePanel::request);
  connect(m_perGpu, &QSpinBox::valueChanged, this, &QueuePanel::request);
  connect(m_up, &QToolButton::clicked, this, [this] { move(-1); });
  connect(m_down, &QToolButton::clicked, this, [this] { move(2); });
  connect(m_remove, &QToolButton::clicked, this, [this] {
    if (const QStringList ids = selected(); !ids.isEmpty()) Q_EMIT removeRequested(ids);
  });
  connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueuePanel::updateState);
  // Another order is the same experiments: what was selected stays selected.
  connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this] { m_selected = selected(); });
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    select(m_selected);
    updateState();
  });
  orderTabs();
  updateState();
}

QStringList QueuePanel::selected() const {
  QStringList ids;
  for (const QModelIndex& row : m_table->selectionModel()->selectedRows())
    ids.append(row.data(QueueModel::IdRole).toString());
  return ids;
}

void QueuePanel::select(const QStringList& ids) {
  QItemSelection rows;
  QModelIndex first;
  for (int row = 0; row < m_model->rowCount(); ++row) {
    const QModelIndex index = m_model->index(row, QueueModel::Name);
    if (!ids.contains(index.data(QueueModel::IdRole).toString())) continue;
    rows.select(index, index);
    if (!first.isValid()) first = index;
  }
  m_table->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
  if (first.isValid()) m_table->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
}

void QueuePanel::move(int by) {
  const QModelIndexList rows = m_table->selectionModel()->selectedRows();
  if (rows.size() != 1) return;
  const int target = rows.first().row() + by;
  if (target >= 0 && target <= m_model->rowCount())
    Q_EMIT m_model->moveRequested(rows.first().data(QueueModel::IdRole).toString(), target);
}

void QueuePanel::updateState() {
  const QModelIndexList rows = m_table->selectionModel()->selectedRows();
  const bool one = rows.size() == 1;
  m_up->setEnabled(one && rows.first().row() > 0);
  m_down->setEnabled(one && rows.first().row() + 1 < m_model->rowCount());
  m_remove->setEnabled(!rows.isEmpty());
  m_stack->setCurrentWidget(m_model->rowCount() > 0 ? static_cast<QWidget*>(m_table) : m_empty);
}

void QueuePanel::setSettings(const QueueSettingsView& settings) {
  m_settings = settings;
  const QSignalBlocker blockConcurrent(m_concurrent), blockGpu(m_perGpu);
  m_pause->setChecked(settings.paused);
  m_pause->setText(settings.paused ? tr("Paused") : tr("Pause"));
  if (!m_concurrent->hasFocus()) m_concurrent->setValue(settings.concurrentCpuRuns);
  if (!m_perGpu->hasFocus()) m_perGpu->setValue(settings.runsPerGpu);
  for (QCheckBox* device : std::as_const(m_devices))
    device->setChecked(device->isEnabled() &&
                       (settings.devices.isEmpty() || settings.devices.contains(device->objectName())));
}

void QueuePanel::setDevices(const QVector<DeviceView>& devices) {
  qDeleteAll(m_devices);
  m_devices.clear();
  bool anyGpu = false;
  for (const DeviceView& device : devices) {
    auto* box = new QCheckBox(literalActionText(device.id), m_deviceBox);
    box->setObjectName(device.id);
    box->setEnabled(device.available);
    box->setToolTip(device.available ? device.title : device.title + QLatin1Char('\n') + device.reason);
    m_deviceBox->layout()->addWidget(box);
    connect(box, &QCheckBox::clicked, this, &QueuePanel::request);
    m_devices.append(box);
    anyGpu = anyGpu || (device.available && device.id.startsWith(QLatin1String("cuda")));
  }
  m_deviceBox->setVisible(devices.size() > 1);
  m_perGpu->setVisible(anyGpu);
  m_perGpuLabel->setVisible(anyGpu);
  orderTabs();
  setSettings(m_settings);
}

// Tab goes from left to right and down, like reading.
void QueuePanel::orderTabs() {
  QList<QWidget*> order = {m_pause, m_up, m_down, m_remove, m_concurrent, m_perGpu};
  for (QCheckBox* device : std::as_const(m_devices)) order.append(device);
  order << m_table << m_start;
  setTabOrders(order);
}

void QueuePanel::setRunnerText(const QString& text, bool canStart) {
  showText(m_runner, text);
  m_start->setVisible(canStart);
}

void QueuePanel::request() {
  QueueSettingsView wanted{m_pause->isChecked(), m_concurrent->value(), m_perGpu->value(), {}};
  bool all = true;
  for (const QCheckBox* device : std::as_const(m_devices)) {
    all = all && (device->isChecked() || !device->isEnabled());
    const bool kept = !device->isEnabled() && m_settings.devices.contains(device->objectName());
    if (device->isChecked() || kept) wanted.devices.append(device->objectName());
  }
  if (all) wanted.devices.clear();
  if (wanted != m_settings) Q_EMIT settingsRequested(wanted);
}

}  // namespace fathom
