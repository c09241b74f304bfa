// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDockWidget>
#include <QMainWindow>
#include <QTemporaryDir>
#include <QWidget>
#include <functional>
#include <memory>
#include <string>

#include "core/record/events/event_log.h"
#include "core/record/runs/run_folder.h"

namespace fathom::test {

// A project in a temporary folder with runs as an engine would have written them; engine, cache,
// configuration, state and runtime folder are the test's own.
class WindowFixture {
 public:
  WindowFixture();
  QString project() const { return m_folder.filePath(QStringLiteral("p.fathom")); }
  QString sessionFile() const { return m_folder.filePath(QStringLiteral("session.json")); }
  // A finished run with `steps` updates and two validations.
  std::string addRun(const std::string& name, int steps = 20, RunState state = RunState::Finished) const;
  // A run whose events the test goes on writing; locked like a live one is not, so its state is "lost" or
  // "crashed".
  std::unique_ptr<EventLog> beginRun(const std::string& name, std::string* path) const;
  // A run with one attempt and no events yet; returns its folder.
  std::string makeRun(const std::string& name) const;
  // A line of events.jsonl as an engine writes it, `time` in seconds since epoch.
  static std::string stepLine(int seq, int step, double time, double loss = 1, int version = 1);
  static void writeSteps(EventLog& log, int first, int last, double loss);

 private:
  QTemporaryDir m_folder;
};

// Lets the event loop work until it is true, at most ten seconds.
bool waitUntil(const std::function<bool()>& ready);
// Lets the event loop work for `milliseconds`; false as soon as it is not true. For what must not happen.
bool staysSo(const std::function<bool()>& so, int milliseconds = 60);
// Lets the event loop work until no widget of the window has moved, come or gone for a tenth of a second;
// false when that does not come within five seconds.
bool settled(const QWidget* window);
// The line right of the dock is dragged by so many pixels with the mouse, as somebody chooses its width;
// false when the dock's width does not follow.
bool dragLineBeside(QMainWindow* window, const QDockWidget* dock, int by);

}  // namespace fathom::test
