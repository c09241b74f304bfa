// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QString>
#include <memory>
#include <string>

#include "app/window/attention/attention_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/attention/analysis_canvas.h"
#include "views/panels/attention/analysis_side.h"
#include "views/panels/attention/analysis_view.h"

namespace fathom::test {

// A window at its Attention workspace, on stored results and the fake engine.
class AttentionWindow {
 protected:
  void startUp() {
    m_fixture = std::make_unique<WindowFixture>();
    m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  }
  void shutDown() {
    m_host.reset();
    m_fixture.reset();
  }
  // Two runs; the older one has entropies of two checkpoints. False where the window never came to rest.
  bool open();
  bool idle() const { return m_window->jobs()->count() == 0 && !workspace()->busy(); }
  bool settle();
  void choose(const char* analysis);
  void tick(const QString& run, bool on);
  AttentionWorkspace* workspace() const { return m_window->attention(); }
  AnalysisSide* side() const { return workspace()->side(); }
  AnalysisView* view() const { return workspace()->view(); }
  AnalysisCanvas* canvas() const { return view()->canvas(); }
  const FigureSpec& spec() const { return canvas()->spec(); }
  bool shows(AnalysisView::Page page) const { return view()->pages()->currentIndex() == page; }
  QString current(Dimension dimension) const { return m_window->selection()->current(dimension); }
  void click(AnalysisCanvas* on, const QString& selection);
  std::unique_ptr<WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
  std::string m_plain, m_analysed;  // run folders
};

}  // namespace fathom::test
