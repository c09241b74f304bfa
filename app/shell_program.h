// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <memory>
#include <string>
#include <vector>

#include "app/command_line.h"

namespace fathom {

// The frame around the command line of a program: standard streams, signals, and a painter without a display
// for what draws. One in a process, made first in main().
class ShellProgram {
 public:
  ShellProgram();

  // Set by SIGINT and SIGTERM.
  const StopToken& stop() const { return m_stop; }
  // Runs the line and returns the exit code. `argv` is main()'s: Qt takes the program's name from it.
  int run(const std::vector<std::string>& words, char** argv, const CommandSet& commands = fathomCommands(),
          std::string* openProject = nullptr);
  // True if a command has drawn: then no window can follow.
  bool painted() const { return m_painter != nullptr; }

 private:
  StopToken m_stop;
  std::unique_ptr<QApplication> m_painter;
};

// QApplication takes over the desktop's language. What is written into files has decimal points in all of
// them; what is said in the window is written by QLocale, which does not ask here.
void keepDecimalPoints();

}  // namespace fathom
