// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QVector>
#include <QWidget>

#include "views/look/qt_names.h"

namespace fathom {

class EmptyState;
class QueueModel;

// Settings by which the runner works through the queue, as the panel shows them.
struct QueueSettingsView {
  bool paused = false;
  int concurrentCpuRuns = 1;
  int runsPerGpu = 1;
  QStringList devices;  // allowed; empty = all
  bool operator==(const QueueSettingsView&) const = default;
};

// A device as the panel offers it.
struct DeviceView {
  QString id, title, reason;
  bool available = true;
};

// The waiting experiments: order (drag, arrows), withdraw, pause, how many at once, which devices. The panel
// asks; the application changes the queue folder and shows what came of it.
class QueuePanel : public QWidget {
  Q_OBJECT
 public:
  // `model` is borrowed.
  explicit QueuePanel(QueueModel* model, QWidget* parent = nullptr);
  void setSettings(const QueueSettingsView& settings);
  const QueueSettingsView& settings() const { return m_settings; }
  void setDevices(const QVector<DeviceView>& devices);
  // "runner is working (process 1234)" or why not.
  // What is said about the runner; with a button that starts it where nobody works at the queue.
  void setRunnerText(const QString& text, bool canStart = false);
  QTableView* table() const { return m_table; }

 Q_SIGNALS:
  void settingsRequested(const fathom::QueueSettingsView& settings);
  void removeRequested(const QStringList& ids);

 private:
  void move(int by);
  void request();
  void updateState();
  void orderTabs();
  QStringList selected() const;
  void select(const QStringList& ids);
  QueueModel* m_model;
  QueueSettingsView m_settings;
  QStackedWidget* m_stack;
  QTableView* m_table;
  EmptyState* m_empty;
  QPushButton* m_pause;
  QToolButton* m_up;
  QToolButton* m_down;
  QToolButton* m_remove;
  QSpinBox* m_concurrent;
  QSpinBox* m_perGpu;
  QLabel* m_perGpuLabel;
  QWidget* m_deviceBox;
  QVector<QCheckBox*> m_devices;
  QLabel* m_runner;
  QPushButton* m_start;
  QStringList m_selected;  // while the rows are replaced
};

}  // namespace fathom
