// SPDX-License-Identifier: Apache-2.0
// Messages lie at the top right of their page, on no control, and go with the page.
#include <QAbstractButton>
#include <QAction>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabBar>
#include <QTest>
#include <QWindow>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/form/option_form.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;
using test::settled;
using test::waitUntil;

class MessagePlaceTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void topRightOnNoControl_data() { addPages(); }
  void topRightOnNoControl();
  void goesWithThePage_data() { addPages(); }
  void goesWithThePage();
  void staysFreeWhereControlsFillTheTop();
  void leavesWhatItLiesOn();

 private:
  static void addPages();
  void show(const QString& action);
  QString covered() const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void MessagePlaceTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_fixture->addRun("one", 40);
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(
      waitUntil([&] { return m_window->train()->engine() != nullptr && m_window->service()->isReady(); }));
}

void MessagePlaceTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

void MessagePlaceTest::addPages() {
  QTest::addColumn<QString>("action");
  for (const char* action : {"view.train", "run.new", "view.attention", "view.errors", "view.figures"})
    QTest::newRow(action) << action;
}

void MessagePlaceTest::show(const QString& action) {
  m_window->action(action)->trigger();
  if (action == QLatin1String("run.new")) m_window->train()->newRunPage()->form()->finishBuilding();
  QVERIFY(settled(m_window));
}

// The first control that the card lies on, by its class and name.
QString MessagePlaceTest::covered() const {
  const MessageBar* card = m_window->messages();
  const QRect place(card->mapToGlobal(QPoint()), card->size());
  for (const QWidget* each : m_window->findChildren<QWidget*>()) {
    const bool control = qobject_cast<const QAbstractButton*>(each) != nullptr ||
                         qobject_cast<const QLineEdit*>(each) != nullptr ||
                         qobject_cast<const QComboBox*>(each) != nullptr ||
                         qobject_cast<const QTabBar*>(each) != nullptr;
    if (!control || !each->isVisible() || card->isAncestorOf(each)) continue;
    // Before the card lay there; it hides nothing of what is beside it.
    const QRegion seen = QRegion(QRect(each->mapToGlobal(QPoint()), each->size()));
    const QWidget* clip = each->parentWidget();
    const QRect inside(clip->mapToGlobal(QPoint()), clip->size());
    if (!seen.intersected(inside).intersected(place).isEmpty() && !each->visibleRegion().isEmpty())
      return QString::fromLatin1(each->metaObject()->className()) + u' ' + each->objectName();
  }
  return {};
}

void MessagePlaceTest::topRightOnNoControl() {
  QFETCH(QString, action);
  show(action);
  MessageBar* card = m_window->messages();
  card->showNote(QStringLiteral("figure.pdf was written to the folder of the project."),
                 QStringLiteral("Open"), [] {});
  QVERIFY(settled(m_window));
  QVERIFY(card->isVisible());
  QCOMPARE(covered(), QString());
  const QRect pane = card->parentWidget()->rect();
  QVERIFY2(pane.contains(card->geometry()), qPrintable(action));
  QVERIFY2(card->geometry().center().y() < pane.height() / 2, qPrintable(action));
  QVERIFY2(card->geometry().right() > pane.width() / 2, qPrintable(action));
}

void MessagePlaceTest::goesWithThePage() {
  QFETCH(QString, action);
  show(action);
  MessageBar* card = m_window->messages();
  card->showNote(QStringLiteral("done"), QStringLiteral("Undo"), [] {});
  card->showError(QStringLiteral("no"), QString(), QStringLiteral("origin"));
  QCOMPARE(card->count(), 2);
  m_window->action(action == "view.figures" ? QStringLiteral("view.errors") : QStringLiteral("view.figures"))
      ->trigger();
  QCOMPARE(card->count(), 0);
  QVERIFY(!card->isVisible());
}

void MessagePlaceTest::staysFreeWhereControlsFillTheTop() {
  QWidget over;
  over.resize(400, 300);
  QLineEdit line(&over);
  line.setGeometry(0, 0, 400, 60);
  auto* card = new MessageBar(&over);
  over.show();
  QVERIFY(QTest::qWaitForWindowExposed(&over));
  card->showNote(QStringLiteral("short"));
  QVERIFY(card->geometry().top() > line.geometry().bottom());
  QVERIFY(card->geometry().right() > over.width() - 20);
}

// What comes below a card that is there already is seen by it all the same, and so is what was under it.
void MessagePlaceTest::leavesWhatItLiesOn() {
  QWidget over;
  over.resize(400, 300);
  auto* card = new MessageBar(&over);
  over.show();
  QVERIFY(QTest::qWaitForWindowExposed(&over));
  card->showNote(QStringLiteral("short"));
  const QRect before = card->geometry();
  auto* button = new QPushButton(QStringLiteral("Run"), &over);
  button->setGeometry(before.adjusted(4, 4, -4, -4));  // hidden whole
  button->lower();
  button->show();
  bool pressed = false;
  connect(button, &QPushButton::clicked, this, [&pressed] { pressed = true; });
  card->place();
  QVERIFY(!card->geometry().intersects(button->geometry()));
  QTest::mouseClick(over.windowHandle(), Qt::LeftButton, {}, before.center());
  QVERIFY(pressed);
}

QTEST_MAIN(MessagePlaceTest)
#include "tst_message_place.moc"
