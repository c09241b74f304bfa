// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>

#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/sample_steps.h"
#include "app/window/main/window_host.h"
#include "app/window/train/drawn_runs.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/widgets/empty_state.h"
#include "views/panels/widgets/message_bar.h"
#include "views/panels/widgets/step_strip.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// Somebody who has never seen the program: from the first window to a figure in a PDF, with the real engine.
class FirstMinuteSlowTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void sampleToPdf();

 private:
  void click(QWidget* widget) {
    QVERIFY(widget != nullptr && widget->isVisible() && widget->isEnabled());
    QTest::mouseClick(widget, Qt::LeftButton);
    ++m_clicks;
  }
  int m_clicks = 0;
};

namespace {

template <class Widget>
Widget* shown(const QWidget* over, const std::function<bool(const Widget*)>& wanted) {
  for (Widget* each : over->findChildren<Widget*>())
    if (each->isVisible() && wanted(each)) return each;
  return nullptr;
}

// The queue goes on with the window closed: its runner and engines would take the cores of other tests. While
// this lives, what has lost its parent becomes a child of this process; at its end every child is ended by
// its id, and theirs as they come.
class EndedChildren {
 public:
  EndedChildren() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }
  ~EndedChildren() {
    for (QList<pid_t> left = children(); !left.isEmpty(); left = children())
      for (const pid_t child : std::as_const(left)) {
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
      }
    ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  }
  static QList<pid_t> children() {
    QList<pid_t> found;
    for (const QString& thread :
         QDir(QStringLiteral("/proc/self/task")).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
      QFile file(QStringLiteral("/proc/self/task/%1/children").arg(thread));
      if (!file.open(QIODevice::ReadOnly)) continue;
      for (const QByteArray& word : file.readAll().simplified().split(' '))
        if (!word.isEmpty()) found.append(word.toInt());
    }
    return found;
  }
};

}  // namespace

void FirstMinuteSlowTest::sampleToPdf() {
  constexpr int kMostClicks = 8, kPatience = 90000;
  const test::WindowFixture fixture;
  const QTemporaryDir home;
  const EndedChildren ended;
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  qunsetenv("FATHOM_FAKE_DESCRIBE");
  qputenv("XDG_DATA_HOME", home.path().toUtf8());
  WindowHost host(fixture.sessionFile());
  MainWindow* window = host.openWindow({});
  QVERIFY(QTest::qWaitForWindowActive(window));
  click(
      shown<QPushButton>(window, [](const QPushButton* each) { return each->property("primary").toBool(); }));
  constexpr qsizetype kRuns = 5;  // with the one that was trained before
  const auto steps = [window] {
    const auto& runs = window->train()->runModel()->runs();
    return std::count_if(runs.begin(), runs.end(), [](const RunItem& run) { return run.step >= 3; }) >= kRuns;
  };
  QVERIFY2(QTest::qWaitFor(steps, kPatience), qPrintable(window->messages()->currentText()));
  // All of them are drawn, whatever is selected.
  const auto drawn = [window] {
    return drawnRuns(*window->train()->runModel(), window->selection()->of(Dimension::Run)).runs.size();
  };
  QTRY_COMPARE(drawn(), kRuns);
  StepStrip* strip = window->steps()->strip();
  QVERIFY(strip->isVisible());
  click(strip->button(SampleSteps::Export));
  FiguresWorkspace* figures = window->figures();
  QVERIFY(
      QTest::qWaitFor([&] { return figures->composition() != nullptr && figures->settled(); }, kPatience));
  const QAction* exporting = window->action(QStringLiteral("figures.export"));
  QVERIFY(QTest::qWaitFor([&] { return exporting->isEnabled(); }, kPatience));
  auto* button = shown<QAbstractButton>(window, [exporting](const QAbstractButton* each) {
    const auto* tool = qobject_cast<const QToolButton*>(each);
    return each->isEnabled() && ((tool != nullptr && tool->defaultAction() == exporting) ||
                                 each->text().remove(u'&') == exporting->text().remove(u'&'));
  });
  const QString pdf = home.filePath(QStringLiteral("curves.pdf"));
  QTimer answer;
  connect(&answer, &QTimer::timeout, this, [&] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (dialog == nullptr) return;
    answer.stop();
    auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    name->setText(pdf);
    for (QPushButton* each : dialog->findChildren<QPushButton*>())
      if (each->isDefault()) return click(each);
    dialog->reject();
  });
  answer.start(100);
  click(button);
  QVERIFY2(QTest::qWaitFor([&] { return QFileInfo(pdf).size() > 1000; }, kPatience),
           qPrintable(window->messages()->currentText()));
  QFile file(pdf);
  QVERIFY(file.open(QIODevice::ReadOnly) && file.read(5) == "%PDF-");
  QVERIFY(waitUntil([&] { return strip->done(SampleSteps::Export); }));
  QVERIFY2(m_clicks <= kMostClicks, qPrintable(QStringLiteral("%1 clicks").arg(m_clicks)));
  qInfo("%d clicks", m_clicks);
  // Nothing goes on training after the test.
  QStringList words = {QStringLiteral("abort"), QStringLiteral("--project"), window->service()->path()};
  for (const RunItem& run : window->train()->runModel()->runs()) words.append(run.uuid);
  QCOMPARE(QProcess::execute(QStringLiteral(FATHOM_BIN_DIR "/fathom"), words), 0);
}

QTEST_MAIN(FirstMinuteSlowTest)
#include "tst_first_minute_slow.moc"
