// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <QApplication>
#include <QEvent>
#include <QHashFunctions>
#include <QTimer>
#include <chrono>
#include <clocale>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>

#include "app/command_line.h"
#include "app/runner/save_signal.h"
#include "app/window/main/display_guard.h"
#include "app/window/main/window_host.h"
#include "core/base/files/path_facts.h"
#include "core/base/files/standard_streams.h"
#include "core/base/text/utf8.h"
#include "core/record/runs/project_folder.h"

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
  fathom::catchSaveSignal();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit is an error like a full disk, not a sudden death
}

// The project that a word alone names: its folder, or the library in it, as a desktop opens it; "" = none.
std::string projectNamed(const std::string& word) {
  const fathom::ProjectFolder project(word);
  // A folder of nothing but runs, as other programs make it, becomes a project when it is opened.
  const bool runs = word.ends_with(".fathom") && fathom::folderExists(project.runsPath());
  if (runs || fathom::fileExists(project.libraryPath())) return word;
  const std::string end = fathom::ProjectFolder("").libraryPath();
  const bool here = word == fathom::kLibraryName;
  if ((!here && !word.ends_with(end)) || !fathom::fileExists(word)) return {};
  return here ? "." : word.substr(0, word.size() - end.size());
}

// Without words, or with a project alone, the program is a window.
bool opensWindow(const std::vector<std::string>& words) {
  return words.empty() ||
         (words.size() == 1 && fathom::validUtf8(words[0]) && !projectNamed(words[0]).empty());
}

// For `fathom bench start`: tells the moment after the first window was painted, and leaves.
class FirstPaint : public QObject {
 public:
  bool eventFilter(QObject* object, QEvent* event) override {
    if (event->type() == QEvent::Paint && object->isWidgetType() && !m_seen) {
      m_seen = true;
      QTimer::singleShot(0, [] {
        std::cout << std::chrono::steady_clock::now().time_since_epoch().count() << std::endl;
        QCoreApplication::exit(0);
      });
    }
    return false;
  }

 private:
  bool m_seen = false;
};

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

// QApplication takes over the desktop's language. What is written into files has decimal points in all of
// them; what is said in the window is written by QLocale, which does not ask here.
void keepDecimalPoints() {
  std::setlocale(LC_NUMERIC, "C");
}

// SIGTERM and Ctrl+C close the windows as a click would: layout and session are kept.
void closeWhenAsked(QTimer& timer) {
  constexpr int kMilliseconds = 250;
  QObject::connect(&timer, &QTimer::timeout, [&timer] {
    if (!g_stop->stopRequested()) return;
    timer.stop();
    QApplication::closeAllWindows();
    QCoreApplication::quit();
  });
  timer.start(kMilliseconds);
}

int showWindow(int& argc, char** argv, const std::string& project) {
  std::optional<fathom::DisplayGuard> guard(std::in_place);
  QApplication application(argc, argv);
  guard.reset();
  keepDecimalPoints();
  QTimer stopTimer;
  closeWhenAsked(stopTimer);
  FirstPaint firstPaint;
  if (qEnvironmentVariableIsSet("FATHOM_REPORT_FIRST_PAINT")) application.installEventFilter(&firstPaint);
  return fathom::runWindow(QString::fromStdString(project));
}

}  // namespace

int main(int argc, char** argv) {
  fathom::keepStandardStreams();
  // Qt writes the fonts of a PDF in the order of a hash table: a figure has the same bytes in every process.
  QHashSeed::setDeterministicGlobalSeed();
  const std::vector<std::string> words(argv + 1, argv + argc);
  fathom::StopToken stop;
  g_stop = &stop;
  catchSignals();
  if (opensWindow(words))
    return showWindow(argc, argv, words.empty() ? std::string() : projectNamed(words[0]));
  std::unique_ptr<QApplication> painter;
  int nameOnly = 1;  // the words are the command's: Qt has a --style of its own
  if (fathom::commandLineNeedsPainter(words)) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    dropRuntimeNotice();
    painter = std::make_unique<QApplication>(nameOnly, argv);
    keepDecimalPoints();
  }
  std::string openProject;
  const int code =
      fathom::runCommandLine(words, std::cout, std::cerr, isatty(STDERR_FILENO) == 1, stop, &openProject);
  return openProject.empty() || painter ? code : showWindow(argc, argv, openProject);
}
