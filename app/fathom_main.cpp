// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QEvent>
#include <QTimer>
#include <chrono>
#include <iostream>
#include <optional>

#include "app/runner/places/ask_program.h"
#include "app/shell_program.h"
#include "app/window/main/display_guard.h"
#include "app/window/main/window_host.h"
#include "core/base/files/path_facts.h"
#include "core/base/text/utf8.h"
#include "core/record/runs/project_folder.h"

namespace {

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

// For `fathom-bench start`: tells the moment after the first window was painted, and leaves.
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

// SIGTERM and Ctrl+C close the windows as a click would: layout and session are kept.
void closeWhenAsked(QTimer& timer, const fathom::StopToken& stop) {
  constexpr int kMilliseconds = 250;
  QObject::connect(&timer, &QTimer::timeout, [&timer, &stop] {
    if (!stop.stopRequested()) return;
    timer.stop();
    QApplication::closeAllWindows();
    QCoreApplication::quit();
  });
  timer.start(kMilliseconds);
}

int showWindow(int& argc, char** argv, const std::string& project, const fathom::StopToken& stop) {
  std::optional<fathom::DisplayGuard> guard(std::in_place);
  QApplication application(argc, argv);
  guard.reset();
  fathom::keepDecimalPoints();
  QTimer stopTimer;
  closeWhenAsked(stopTimer, stop);
  FirstPaint firstPaint;
  if (qEnvironmentVariableIsSet("FATHOM_REPORT_FIRST_PAINT")) application.installEventFilter(&firstPaint);
  return fathom::runWindow(QString::fromStdString(project));
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (const auto answered = fathom::answerForSsh(words)) return *answered;
  fathom::ShellProgram program;
  if (opensWindow(words))
    return showWindow(argc, argv, words.empty() ? std::string() : projectNamed(words[0]), program.stop());
  std::string openProject;
  const int code = program.run(words, argv, fathom::fathomCommands(), &openProject);
  return openProject.empty() || program.painted() ? code
                                                  : showWindow(argc, argv, openProject, program.stop());
}
