// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <QApplication>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <memory>

#include "app/command_line.h"
#include "app/window/window_host.h"

namespace {

fathom::StopToken* g_stop = nullptr;

extern "C" void onSignal(int) {
  if (g_stop) g_stop->requestStop();
}

void catchSignals() {
  struct sigaction action {};
  action.sa_handler = onSignal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

// Without words, or with a project folder alone, the program is a window.
bool opensWindow(const std::vector<std::string>& words) {
  return words.empty() || (words.size() == 1 && std::filesystem::exists(words[0] + "/library.sqlite"));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  fathom::StopToken stop;
  g_stop = &stop;
  catchSignals();
  if (opensWindow(words)) {
    QApplication application(argc, argv);
    return fathom::runWindow(words.empty() ? QString() : QString::fromStdString(words[0]));
  }
  std::unique_ptr<QApplication> painter;
  if (fathom::commandLineNeedsPainter(words)) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    painter = std::make_unique<QApplication>(argc, argv);
  }
  return fathom::runCommandLine(words, std::cout, std::cerr, isatty(STDERR_FILENO) == 1, stop);
}
