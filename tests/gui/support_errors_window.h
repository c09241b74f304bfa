// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QApplication>
#include <QTest>
#include <memory>

#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/sql_review_page.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "tests/gui/support_window_fixture.h"

namespace fathom::test {

// The whole window with its Errors workspace on a project of its own; the sample on request.
class ErrorsWindow {
 public:
  ErrorsWindow();
  ~ErrorsWindow();
  // The project is open and idle, Train is in view. Null: it did not come in time.
  MainWindow* openWindow();
  // Also shows Errors.
  MainWindow* open();
  bool loadSample();
  // Closes the window, opens it again on the same session, waits for the predictions.
  bool restart();
  // By the menu: the window is made anew in the language, with the predictions of the one before.
  bool changeLanguage(const char* id);

  WindowHost& host() const { return *m_host; }
  MainWindow* window() const { return m_window; }
  ErrorsWorkspace* errors() const { return m_window->errors(); }
  ReviewedPredictions* review() const { return errors()->sqlPage()->review(); }
  QString project() const { return m_fixture.project(); }
  const WindowFixture& fixture() const { return m_fixture; }
  // Into whatever has the focus.
  static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(QApplication::focusWidget(), key, modifiers);
  }

 private:
  // Predictions of any kind.
  bool somethingIsOpen() const;

  WindowFixture m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

}  // namespace fathom::test
