// SPDX-License-Identifier: Apache-2.0
// ctest: threads
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <atomic>

#include "app/window/main/main_window.h"
#include "app/window/train/train_workspace.h"
#include "core/review/review.h"
#include "tests/gui/support_errors_window.h"
#include "views/panels/errors/open_page.h"
#include "views/panels/form/option_form.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/widgets/empty_state.h"
#include "views/tables/reviewed_predictions.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

// Another language makes the window anew, and nobody sees how: the next one comes with the project in it, and
// the former one goes without holding it up.
class LanguageChangeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_errors = std::make_unique<test::ErrorsWindow>(); }
  void cleanup() { m_errors.reset(); }
  void comesWithItsProject();
  void jobsThatGoOnHoldNothingUp();
  void aReviewOutOfSightWaitsUntilItIsShown();
  void theFormShowsWhatItShowed();
  void twiceInARowIsOnce();
  void isShownOnce();

 private:
  // A window in the language; null: it did not come in time.
  MainWindow* change(MainWindow* window, const char* id) const {
    const QWidgetList before = QApplication::topLevelWidgets();
    window->action(QStringLiteral("language.") + QLatin1String(id))->trigger();
    MainWindow* next = nullptr;
    const auto found = [&] {
      for (QWidget* each : QApplication::topLevelWidgets())
        if (auto* other = qobject_cast<MainWindow*>(each);
            other != nullptr && !before.contains(other) && other->isVisible())
          next = other;
      return next != nullptr;
    };
    return waitUntil(found) ? next : nullptr;
  }
  std::unique_ptr<test::ErrorsWindow> m_errors;
};

// What is painted of a window first.
class FirstSight : public QObject {
 public:
  FirstSight() { qApp->installEventFilter(this); }
  bool eventFilter(QObject* watched, QEvent* event) override {
    auto* window = qobject_cast<MainWindow*>(watched);
    if (event->type() != QEvent::Paint || window == nullptr || m_seen.contains(window)) return false;
    m_seen.insert(window);
    bool welcome = false;
    for (const EmptyState* each : window->findChildren<EmptyState*>())
      welcome =
          welcome || (each->isVisible() && each->parentWidget()->parentWidget() == window->centralWidget());
    m_whole = m_whole && window->service()->isReady() && !welcome;
    return false;
  }
  qsizetype windows() const { return m_seen.size(); }
  bool whole() const { return m_whole; }

 private:
  QSet<QObject*> m_seen;
  bool m_whole = true;
};

void LanguageChangeTest::comesWithItsProject() {
  MainWindow* window = m_errors->openWindow();
  QVERIFY(window != nullptr);
  const QPointer<MainWindow> former = window;
  const QRect place = window->geometry();
  FirstSight sight;
  MainWindow* next = change(window, "zh_CN");
  QVERIFY(next != nullptr);
  QVERIFY(waitUntil([&] { return former.isNull(); }));
  QVERIFY(next->isVisible() && next->service()->isReady());
  QVERIFY(sight.windows() > 0 && sight.whole());
  QCOMPARE(next->geometry(), place);
  QCOMPARE(next->action(QStringLiteral("run.new"))->iconText(), QStringLiteral("新建运行"));
  QVERIFY(change(next, "en") != nullptr);
}

// The former window is out of sight at once, and gone when its thread has ended.
void LanguageChangeTest::jobsThatGoOnHoldNothingUp() {
  MainWindow* window = m_errors->openWindow();
  QVERIFY(window != nullptr);
  const QPointer<MainWindow> former = window;
  std::atomic<bool> over = false, told = false;
  window->jobs()->start<bool>(
      QStringLiteral("work"), QStringLiteral("deaf"),
      [&over](Progress&, const StopToken&) -> Result<bool> {
        while (!over) QThread::msleep(5);
        return true;
      },
      [&told](const Result<bool>&) { told = true; });
  MainWindow* next = change(window, "zh_CN");
  QVERIFY(next != nullptr);
  QVERIFY(waitUntil([&] { return former.isNull() || former->isHidden(); }));
  QVERIFY(!former.isNull());
  QVERIFY(waitUntil([&] { return next->service()->isReady() && next->jobs()->count() == 0; }));
  over = true;
  QVERIFY(waitUntil([&] { return former.isNull(); }));
  QVERIFY(!told);  // nobody is there who wanted to know
  QVERIFY(change(next, "en") != nullptr);
}

// It is the same review, with what was judged and undone in it; until it is wanted its pages are not made.
void LanguageChangeTest::aReviewOutOfSightWaitsUntilItIsShown() {
  QVERIFY(m_errors->loadSample());
  MainWindow* window = m_errors->window();
  const Review* open = &m_errors->review()->review();
  const int example = m_errors->review()->currentExample();
  QTest::keyClick(window, Qt::Key_1, Qt::ControlModifier);
  for (const char* id : {"zh_CN", "en"}) {
    const QPointer<MainWindow> former = window;
    window = change(window, id);
    QVERIFY(window != nullptr);
    QVERIFY(waitUntil([&] { return former.isNull() && window->jobs()->count() == 0; }));
    QVERIFY(window->findChild<OpenPage*>() == nullptr);
  }
  QVERIFY(QTest::qWaitForWindowActive(window));  // shortcuts of another one are not heard
  QTest::keyClick(window, Qt::Key_3, Qt::ControlModifier);
  const ReviewedPredictions* review = window->errors()->sqlPage()->review();
  QVERIFY(waitUntil([&] { return !review->empty(); }));
  QCOMPARE(&review->review(), open);
  QCOMPARE(review->currentExample(), example);
}

void LanguageChangeTest::theFormShowsWhatItShowed() {
  MainWindow* window = m_errors->openWindow();
  QVERIFY(window != nullptr);
  window->action(QStringLiteral("run.new"))->trigger();
  OptionForm* form = window->train()->newRunPage()->form();
  form->finishBuilding();
  QTest::keyClicks(form->searchBox(), "seed");
  form->findChild<QPushButton*>(QStringLiteral("allOptions"))->click();
  const bool all = form->allShown();
  form->findChild<QCheckBox*>()->click();
  const bool unused = form->findChild<QCheckBox*>()->isChecked();
  for (const char* id : {"zh_CN", "en"}) {
    window = change(window, id);
    QVERIFY(window != nullptr);
    form = window->train()->newRunPage()->form();
    QVERIFY(form->isVisible());
    QCOMPARE(form->searchBox()->text(), QStringLiteral("seed"));
    QCOMPARE(form->allShown(), all);
    QCOMPARE(form->findChild<QCheckBox*>()->isChecked(), unused);
  }
}

void LanguageChangeTest::twiceInARowIsOnce() {
  MainWindow* window = m_errors->openWindow();
  QVERIFY(window != nullptr);
  const QPointer<MainWindow> former = window;
  window->action(QStringLiteral("language.zh_CN"))->trigger();
  window->action(QStringLiteral("language.en"))->trigger();
  QVERIFY(waitUntil([&] { return former.isNull(); }));
  qsizetype windows = 0;
  for (QWidget* each : QApplication::topLevelWidgets()) windows += qobject_cast<MainWindow*>(each) != nullptr;
  QCOMPARE(windows, qsizetype{1});
  m_errors->host().appearance()->setLanguage(QStringLiteral("en"));
}

// The project came and the patience with it ended: what hid the window since then stays.
void LanguageChangeTest::isShownOnce() {
  MainWindow* window = m_errors->openWindow();
  QVERIFY(window != nullptr);
  MainWindow* next = change(window, "zh_CN");
  QVERIFY(next != nullptr);
  next->hide();
  QVERIFY(waitUntil([&] { return next->service()->isReady(); }));
  constexpr int kPatienceAndMore = 300;
  QVERIFY(test::staysSo([&] { return next->isHidden(); }, kPatienceAndMore));
  next->show();
  QVERIFY(change(next, "en") != nullptr);
}

QTEST_MAIN(LanguageChangeTest)
#include "tst_language_change.moc"
