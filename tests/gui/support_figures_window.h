// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QTest>
#include <QTreeWidget>
#include <memory>

#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/figures/composition_form.h"

namespace fathom::test {

// A test of the Figures workspace in the whole window, on a project with the runs "first" and "second".
class FiguresWindowTest : public QObject {
 protected:
  void begin() {
    m_fixture = std::make_unique<WindowFixture>();
    m_fixture->addRun("first");
    m_fixture->addRun("second");
    m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  }
  void end() {
    m_host.reset();
    m_fixture.reset();
  }
  FiguresWorkspace* figures() const { return m_window->figures(); }
  int selectedPanel() const {
    return figures()
        ->form()
        ->findChild<QTreeWidget*>("panelList")
        ->currentItem()
        ->data(0, Qt::UserRole)
        .toInt();
  }
  bool open() {
    m_window = m_host->openWindow(m_fixture->project());
    if (!QTest::qWaitForWindowActive(m_window)) return false;
    if (!waitUntil([this] { return m_window->service()->isReady() && m_window->jobs()->count() == 0; }))
      return false;
    QTest::keyClick(m_window, Qt::Key_4, Qt::ControlModifier);
    return figures()->widget()->isVisible() && settled();
  }
  bool settled() const {
    return waitUntil([this] { return figures()->settled() && m_window->jobs()->count() == 0; });
  }
  bool add(const char* kind) const {
    figures()->list()->setCurrent(QLatin1String(kind));
    figures()->list()->tree()->setFocus();
    QTest::keyClick(figures()->list()->tree(), Qt::Key_Return);
    return settled();
  }
  const FigureComposition& page() const { return *figures()->composition(); }
  std::string projectPath() const { return m_fixture->project().toStdString(); }
  std::unique_ptr<WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

}  // namespace fathom::test
