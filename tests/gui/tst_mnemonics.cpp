// SPDX-License-Identifier: Apache-2.0
// Alt and a letter mean one thing: within every page together with the menu bar, and within every menu.
#include <QAbstractButton>
#include <QAction>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QStackedWidget>
#include <QTabBar>
#include <QTest>
#include <map>

#include "app/window/attention/attention_workspace.h"
#include "app/window/errors/errors_workspace.h"
#include "app/window/errors/sql_review_page.h"
#include "app/window/figures/figures_workspace.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/attention/analysis_view.h"

using namespace fathom;
using test::waitUntil;

class MnemonicsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void init();
  void cleanup();
  void welcome_data() { languages(); }
  void welcome();
  void train_data() { languages(); }
  void train();
  void attention_data() { languages(); }
  void attention();
  void errors_data() { languages(); }
  void errors();
  void figures_data() { languages(); }
  void figures();
  void menus_data() { languages(); }
  void menus();
  void equalOnesAreSeen_data() {
    QTest::addColumn<QString>("language");
    QTest::newRow("en") << "en";
  }
  void equalOnesAreSeen();

 private:
  static void languages() {
    QTest::addColumn<QString>("language");
    for (const char* language : {"en", "zh_CN"}) QTest::newRow(language) << language;
  }
  void openWindow(const QString& project);
  bool idle() const { return m_window->service()->isReady() && m_window->jobs()->count() == 0; }
  bool settle() {
    return waitUntil([this] { return idle(); });
  }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

namespace {

// Texts by their mnemonic ("Alt+A").
using Known = std::multimap<QString, QString>;

void note(Known& known, const QString& text) {
  const QKeySequence keys = QKeySequence::mnemonic(text);
  if (!keys.isEmpty()) known.emplace(keys.toString(), text);
}

QStringList equalOnes(const Known& known) {
  QStringList equal;
  for (auto each = known.begin(); each != known.end(); each = known.upper_bound(each->first)) {
    if (known.count(each->first) < 2) continue;
    QStringList texts;
    for (auto [at, end] = known.equal_range(each->first); at != end; ++at) texts.append(at->second);
    equal.append(each->first + QStringLiteral(": ") + texts.join(QStringLiteral(", ")));
  }
  return equal;
}

QStringList equalOnes(const QWidget* page, const QMenuBar* bar) {
  Known known;
  if (bar != nullptr)
    for (const QAction* action : bar->actions())
      if (action->isVisible()) note(known, action->text());
  for (const auto* button : page->findChildren<QAbstractButton*>())
    if (button->isVisible()) note(known, button->text());
  for (const auto* label : page->findChildren<QLabel*>())
    if (label->isVisible() && label->buddy() != nullptr) note(known, label->text());
  for (const auto* tabs : page->findChildren<QTabBar*>())
    for (int i = 0; i < tabs->count() && tabs->isVisible(); ++i) note(known, tabs->tabText(i));
  return equalOnes(known);
}

QStringList equalOnes(const MainWindow* window) {
  return equalOnes(window, window->menuBar());
}

}  // namespace

#define NO_EQUAL_MNEMONICS(...)                                               \
  do {                                                                        \
    const QStringList equal = equalOnes(__VA_ARGS__);                         \
    QVERIFY2(equal.isEmpty(), qUtf8Printable(equal.join(QLatin1Char('\n')))); \
  } while (false)

void MnemonicsTest::initTestCase() {
  qputenv("FATHOM_SQLRUN", FATHOM_BIN_DIR "/fathom-sqlrun");
}

void MnemonicsTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_fixture->addRun("one");
  m_fixture->addRun("two");
  openWindow(m_fixture->project());
  QVERIFY(settle());
}

void MnemonicsTest::openWindow(const QString& project) {
  QFETCH(QString, language);
  m_host.reset();
  QFile::remove(m_fixture->sessionFile());
  {
    SessionStore session(m_fixture->sessionFile());
    session.setText(session::kLanguage, language);
  }
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(project);
  QVERIFY(QTest::qWaitForWindowActive(m_window));
}

void MnemonicsTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

void MnemonicsTest::welcome() {
  openWindow({});
  QVERIFY(!m_window->service()->isOpen());
  NO_EQUAL_MNEMONICS(m_window);
}

void MnemonicsTest::train() {
  NO_EQUAL_MNEMONICS(m_window);
  m_window->action("run.new")->trigger();
  QVERIFY(waitUntil([this] { return m_window->train()->engine() != nullptr && idle(); }));
  NO_EQUAL_MNEMONICS(m_window);
  m_window->action("run.data")->trigger();
  QVERIFY(settle());
  NO_EQUAL_MNEMONICS(m_window);
}

void MnemonicsTest::attention() {
  m_window->action("view.attention")->trigger();
  QVERIFY(waitUntil([this] { return idle() && !m_window->attention()->busy(); }));
  QCOMPARE(m_window->attention()->view()->pages()->currentIndex(), int(AnalysisView::kMessage));
  NO_EQUAL_MNEMONICS(m_window);
}

void MnemonicsTest::errors() {
  m_window->action("view.errors")->trigger();
  QVERIFY(settle());
  NO_EQUAL_MNEMONICS(m_window);
  m_window->action("errors.open")->trigger();
  NO_EQUAL_MNEMONICS(m_window);
  m_window->action("errors.sample")->trigger();
  QVERIFY(waitUntil([this] { return !m_window->errors()->sqlPage()->review()->empty() && idle(); }));
  NO_EQUAL_MNEMONICS(m_window);
  m_window->action("errors.compare")->trigger();
  QVERIFY(settle());
  NO_EQUAL_MNEMONICS(m_window);
}

void MnemonicsTest::figures() {
  m_window->action("view.figures")->trigger();
  QVERIFY(settle());
  NO_EQUAL_MNEMONICS(m_window);
  m_window->action("figures.new")->trigger();
  QVERIFY(settle());
  NO_EQUAL_MNEMONICS(m_window);
}

void MnemonicsTest::menus() {
  const QList<QMenu*> menus = m_window->menuBar()->findChildren<QMenu*>();
  QVERIFY(menus.size() > 8);
  for (const QMenu* menu : menus) {
    Known known;
    for (const QAction* action : menu->actions())
      if (action->isVisible() && !action->isSeparator()) note(known, action->text());
    NO_EQUAL_MNEMONICS(known);
  }
}

void MnemonicsTest::equalOnesAreSeen() {
  QAbstractButton* second = nullptr;
  for (auto* button : m_window->findChildren<QAbstractButton*>())
    if (button->isVisible()) second = button;
  QVERIFY(second != nullptr);
  second->setText(QStringLiteral("&%1").arg(
      QKeySequence::mnemonic(m_window->menuBar()->actions().first()->text()).toString().right(1)));
  QCOMPARE(equalOnes(m_window).size(), 1);
}

QTEST_MAIN(MnemonicsTest)
#include "tst_mnemonics.moc"
