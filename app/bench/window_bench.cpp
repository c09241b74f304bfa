// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/window_bench.h"

#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <functional>
#include <memory>

#include "app/bench/bench_clock.h"
#include "app/bench/window_wait.h"
#include "app/runner/engine_description.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/train_workspace.h"
#include "core/library/records/project_library.h"
#include "core/review/reviewed_sql.h"
#include "core/spider/data/made_spider.h"
#include "views/look/engine_text.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/option_row.h"
#include "views/panels/train/new_run_page.h"

namespace fathom {

namespace {

constexpr double kSoon = 100, kAllAnew = 300;
constexpr double kWork = 10;
constexpr double kRest = 1;
constexpr int kTurns = 50;  // of the event loop
constexpr int kMostWorks = 200;
constexpr qint64 kQuietMilliseconds = 500;  // longer than the window's own timers rest

class HandOnWindow {
 public:
  Status open();
  Status showForm();
  // From `act` until what it changed in sight is painted; then what is left of it is waited for.
  Status measure(WindowTime& time, const std::function<void()>& act);
  void trigger(const QString& action) { m_window->action(action)->trigger(); }
  void press(QWidget* into, int key, const QString& text = {}) {
    QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier, text);
    QApplication::sendEvent(into, &event);
  }
  // The line of the form in which the first file is named.
  QLineEdit* fileLine() {
    const auto& fields = m_window->train()->engine()->options.fields();
    const auto file = std::find_if(fields.begin(), fields.end(),
                                   [](const OptionField& field) { return field.type == OptionType::Path; });
    return file == fields.end() ? nullptr : lineOf(fromUtf8(file->key));
  }
  QLineEdit* search() { return form()->searchBox(); }

 private:
  Status openReview();
  OptionForm* form() { return m_window->train()->newRunPage()->form(); }
  QLineEdit* lineOf(const QString& key) { return qobject_cast<QLineEdit*>(form()->row(key)->editor()); }
  double quiet();
  QTemporaryDir m_folder;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

// Lets everything that was left for later be done; the longest time the loop did not come round.
double HandOnWindow::quiet() {
  QElapsedTimer clock, round;
  clock.start();
  double longest = 0;
  int works = 0;
  QTimer wake;
  wake.start(2);
  while (clock.elapsed() < kQuietMilliseconds) {
    round.start();
    QApplication::processEvents(QEventLoop::AllEvents, 1);
    if (milliseconds(round) > kWork && ++works < kMostWorks) clock.restart();
    longest = std::max(longest, milliseconds(round));
    QApplication::processEvents(QEventLoop::WaitForMoreEvents, 2);
  }
  return longest;
}

Status HandOnWindow::open() {
  const QString project = m_folder.filePath(QStringLiteral("bench.fathom"));
  if (const auto made = ProjectLibrary::openOrCreate(toUtf8(project)); !made.ok()) return made.error();
  m_host = std::make_unique<WindowHost>(m_folder.filePath(QStringLiteral("session.json")));
  m_window = m_host->openWindow(project);
  m_window->resize(1280, 800);
  FATHOM_CHECK(waitForWindow(
      [this] { return m_window->service()->isReady() && m_window->train()->engine() != nullptr; }));
  for (const char* id : {"attention", "figures", "errors"}) m_window->showWorkspace(QString::fromLatin1(id));
  return openReview();
}

Status HandOnWindow::openReview() {
  const std::string folder = toUtf8(m_folder.filePath(QStringLiteral("sql")));
  FATHOM_CHECK(writeMadeSpider(makeSpiderData(), folder));
  ReviewSources sources{kSqlReviewId, folder + "/dev_gold.sql"};
  sources.files = {{"tables", folder + "/tables.json"}, {"questions", folder + "/dev.json"}};
  for (const char* name : {"careful", "hasty"})
    sources.predictions.push_back(reviewPredictions(folder + "/predictions/" + name + ".sql"));
  ErrorsWorkspace* errors = m_window->errors();
  errors->open(sources);
  return waitForWindow([this, errors] {
    return errors->page() != ErrorsWorkspace::kLoading && m_window->jobs()->count() == 0;
  });
}

Status HandOnWindow::showForm() {
  m_window->action(QStringLiteral("run.new"))->trigger();
  form()->finishBuilding();
  form()->setAllShown(true);
  quiet();
  return {};
}

Status HandOnWindow::measure(WindowTime& time, const std::function<void()>& act) {
  QPointer<MainWindow> before = m_window;
  const PaintedWindows paints;
  QElapsedTimer timer;
  timer.start();
  const double worked = processorOfThread();
  act();
  for (QWidget* each : QApplication::topLevelWidgets())
    if (auto* window = qobject_cast<MainWindow*>(each); window != nullptr && window != before)
      m_window = window;
  if (m_window != before) {
    // It comes with the project in it; rows of its form follow in slices, while it answers.
    FATHOM_CHECK(waitForWindow([&] { return paints.contains(m_window); }));
  }
  // Until the event loop has nothing to do: layouts and paints may come in several turns.
  QElapsedTimer turn;
  for (int turns = 0; turns < kTurns && m_window == before; ++turns) {
    turn.start();
    QApplication::processEvents();
    if (paints.contains(m_window) && milliseconds(turn) < kRest) break;
  }
  time.painted.push_back(milliseconds(timer));
  time.processor.push_back(processorOfThread() - worked);
  if (!paints.contains(m_window)) return internalError(time.what + ": the window was not painted");
  for (std::vector<double>* each : {&time.painted, &time.processor}) std::sort(each->begin(), each->end());
  time.pause = std::max(time.pause, quiet());
  return {};
}

}  // namespace

Result<std::vector<WindowTime>> benchWindow(int rounds, Progress& progress, const StopToken& stop) {
  HandOnWindow hand;
  FATHOM_CHECK(hand.open());
  FATHOM_CHECK(hand.showForm());
  std::vector<WindowTime> times = {{"theme", "theme", kAllAnew},
                                   {"text_size", "size of texts", kAllAnew},
                                   {"key", "a key in the form", kSoon},
                                   {"first_letter", "first letter of the search", kSoon},
                                   {"letter", "a further letter of the search", kSoon},
                                   {"language", "language, the new window", kAllAnew}};
  enum { Theme, Size, Key, First, Letter, Language };
  progress.begin("measuring", "rounds", rounds);
  const QString word = QStringLiteral("dropout");
  for (int round = 0; round < rounds; ++round) {
    if (stop.stopRequested()) return interruptedError();
    for (const char* id : {"theme.dark", "theme.light"})
      FATHOM_CHECK(hand.measure(times[Theme], [&] { hand.trigger(QString::fromLatin1(id)); }));
    for (const char* id : {"view.larger", "view.usual_size"})
      FATHOM_CHECK(hand.measure(times[Size], [&] { hand.trigger(QString::fromLatin1(id)); }));
    for (const QChar letter : QStringLiteral("ab"))
      FATHOM_CHECK(hand.measure(times[Key], [&] { hand.press(hand.fileLine(), 0, letter); }));
    for (int i = 0; i < 2; ++i)
      FATHOM_CHECK(hand.measure(times[Key], [&] { hand.press(hand.fileLine(), Qt::Key_Backspace); }));
    for (qsizetype i = 0; i < word.size(); ++i)
      FATHOM_CHECK(hand.measure(times[i == 0 ? First : Letter],
                                [&] { hand.press(hand.search(), 0, QString(word[i])); }));
    hand.search()->clear();
    progress.report(round + 1);
  }
  for (int round = 0; round < rounds; ++round) {
    for (const char* id : {"language.zh_CN", "language.en"}) {
      FATHOM_CHECK(hand.measure(times[Language], [&] { hand.trigger(QString::fromLatin1(id)); }));
      FATHOM_CHECK(hand.showForm());
    }
  }
  return times;
}

}  // namespace fathom
