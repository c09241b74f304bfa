// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/shell_program.h"

#include <unistd.h>

#include <QHashFunctions>
#include <clocale>
#include <csignal>
#include <iostream>

#include "app/runner/save_signal.h"
#include "core/base/files/standard_streams.h"

namespace fathom {

namespace {

StopToken* g_stop = nullptr;

extern "C" void onStopSignal(int) {
  if (g_stop) g_stop->requestStop();
}

void catchSignals() {
  struct sigaction action {};
  action.sa_handler = onStopSignal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  catchSaveSignal();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is an error like a full disk, not a sudden death
}

// Qt says that a folder is not named which no command needs: so it is in cron, in a container, under a
// scheduler.
void dropRuntimeNotice() {
  static QtMessageHandler s_before = nullptr;
  s_before =
      qInstallMessageHandler([](QtMsgType type, const QMessageLogContext& context, const QString& text) {
        if (!text.contains(QLatin1String("XDG_RUNTIME_DIR")) && s_before != nullptr)
          s_before(type, context, text);
      });
}

}  // namespace

ShellProgram::ShellProgram() {
  keepStandardStreams();
  // Qt writes the fonts of a PDF in the order of a hash table: a figure has the same bytes in every process.
  QHashSeed::setDeterministicGlobalSeed();
  g_stop = &m_stop;
  catchSignals();
}

int ShellProgram::run(const std::vector<std::string>& words, char** argv, const CommandSet& commands,
                      std::string* openProject) {
  static int s_nameOnly = 1;  // the words are the command's: Qt has a --style of its own
  if (commandLineNeedsPainter(words, commands)) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    dropRuntimeNotice();
    m_painter = std::make_unique<QApplication>(s_nameOnly, argv);
    keepDecimalPoints();
  }
  return runCommandLine(words, std::cout, std::cerr, isatty(STDERR_FILENO) == 1, m_stop, openProject,
                        commands);
}

void keepDecimalPoints() {
  std::setlocale(LC_NUMERIC, "C");
}

}  // namespace fathom
