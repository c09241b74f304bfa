// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace fathom {

class MainWindow;

// The way through the sample: each step (SampleSteps::Step) leads to its workspace and to the place there by
// which it is done. GUI thread.
class WindowSteps {
 public:
  // The window is borrowed.
  explicit WindowSteps(MainWindow* window) : m_window(window) {}
  void take(int step) const;
  // Null while the place is not in sight.
  QWidget* placeOf(int step) const;
  void exportCurves() const;

 private:
  void chooseTrained() const;
  MainWindow* m_window;
};

}  // namespace fathom
