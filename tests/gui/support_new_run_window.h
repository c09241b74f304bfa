// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QLineEdit>
#include <QListWidget>
#include <memory>

#include "app/runner/engine_description.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"

namespace fathom::test {

// An engine that has every option a preset sets.
EngineDescription engineOfPresets();

// A window at the page of a new run.
class NewRunWindow {
 protected:
  void startUp();
  void shutDown();
  void open();
  void clickPreset(const char* id);
  void openAgain();
  void typeWidth(const char* text);
  QLineEdit* name() const { return m_window->findChild<QLineEdit*>("runName"); }
  QListWidget* list() const { return m_window->findChild<QListWidget*>("presets"); }
  QString marked() const { return list()->currentItem()->data(Qt::UserRole).toString(); }
  ExperimentDraft* draft() const { return m_window->train()->newRun()->draft(); }
  std::unique_ptr<WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

}  // namespace fathom::test
