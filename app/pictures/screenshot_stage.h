// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QSize>
#include <QString>
#include <QStringList>
#include <functional>
#include <map>

#include "core/base/errors/result.h"

namespace fathom {

class MainWindow;
class WindowHost;

// Windows for pictures of the program, opened when first asked for. Only Scene::Project shows the project of
// the caller, as a copy, and nothing is changed in it; the others are on projects of the stage's own. GUI
// thread.
class ScreenshotStage {
 public:
  enum class Scene {
    Project,  // as it is
    Fresh,    // an empty project
    Welcome,  // a window without a project
    Review,   // predictions: those the project looked at last, else the made data
    Pages,    // the project's runs linked, with figures that may be changed
    Streams   // a made run on long documents
  };
  // Everything is borrowed; `folder` is for the stage's own projects and must be empty.
  ScreenshotStage(WindowHost* host, QString project, QString folder, const QSize& size);
  Result<MainWindow*> window(Scene scene);
  const QString& project() const { return m_project; }
  // For what views need besides.
  const QString& folder() const { return m_folder; }
  // Lets the event loop work until `ready` or twenty seconds are over.
  static bool waitFor(const std::function<bool()>& ready, int atLeastMilliseconds = 0);
  // True once nothing is read, computed or drawn in a window any more.
  static bool settle(MainWindow* window, int atLeastMilliseconds = 200);
  // No part of it has moved for a while: on a busy machine layouts come late.
  static bool rest(const QWidget* window);

 private:
  Result<QString> projectFor(Scene scene);
  Status linkRuns(const QString& into) const;
  // The caller's project with its documents and its queue copied and its runs linked: what the window writes
  // goes there. Made once.
  Result<QString> shownProject();
  WindowHost* m_host;
  QString m_project, m_folder, m_shown;
  QSize m_size;
  std::map<Scene, MainWindow*> m_windows;
};

// A view to be taken: the window, or a dialog over it.
struct ShownView {
  QWidget* widget = nullptr;
  std::function<void()> after;  // puts back what other views do not expect; may be empty
};

// One picture, or several of one kind: every analysis, every dialog of a command.
struct ScreenshotView {
  QString name;  // of the file; a variant follows after "_"
  ScreenshotStage::Scene scene = ScreenshotStage::Scene::Project;
  // Classes of the window's parts that must be visible in it, without namespace.
  QStringList shows;
  // Names of the pictures; empty list: this project has none. Absent = one without a name.
  std::function<QStringList(ScreenshotStage&, MainWindow&)> variants;
  // Brings it into view. An error says why it cannot be taken.
  std::function<Result<ShownView>(ScreenshotStage&, MainWindow&, const QString& variant)> show;
};

// One picture without variants.
ScreenshotView singleView(const char* name, ScreenshotStage::Scene scene, QStringList shows,
                          std::function<Result<ShownView>(MainWindow&)> show);
// The window as it is.
Result<ShownView> wholeWindow(MainWindow& window, std::function<void()> after = {});

// Every page, dialog and state of the window. To add one: an entry in screenshot_train_views.cpp,
// screenshot_new_run_views.cpp, screenshot_place_views.cpp, screenshot_workspace_views.cpp (Attention,
// Errors), screenshot_figure_views.cpp or screenshot_dialog_views.cpp. A workspace of workspaces.list has one
// as it is, unless they have some of it.
QList<ScreenshotView> screenshotViews();
QList<ScreenshotView> trainScreenshotViews();
QList<ScreenshotView> newRunScreenshotViews();
QList<ScreenshotView> placeScreenshotViews();
QList<ScreenshotView> workspaceScreenshotViews();
QList<ScreenshotView> textReviewViews();
QList<ScreenshotView> figureScreenshotViews();
QList<ScreenshotView> dialogScreenshotViews();

}  // namespace fathom
