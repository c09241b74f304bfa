// SPDX-License-Identifier: Apache-2.0
// "Run on" in the form of a new run and of a grid: which places are offered, what is said of them, and what
// the queue is given.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <map>

#include "app/runner/place_list.h"
#include "app/runner/place_notes.h"
#include "core/base/files/atomic_file.h"
#include "core/library/queue/queue_folder.h"
#include "tests/gui/support_new_run_window.h"
#include "views/panels/form/place_choice.h"
#include "views/panels/train/fit_bar.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/widgets/message_bar.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

class RunOnTest : public QObject, private test::NewRunWindow {
  Q_OBJECT
 private Q_SLOTS:
  void init() { startUp(); }
  void cleanup() { shutDown(); }
  void sharesByFreeSlots_data();
  void sharesByFreeSlots();
  void oneRunGoesToItsPlace();
  void aGridIsSharedOut();
  void troubleStandsAtTheField();
  void theRunTellsOfItsJob();
  void theChoiceIsRemembered();
  void damagedPlacesAreNamed();

 private:
  // An ssh that is never called: the runner of these tests is stopped before it starts anything.
  void writePlaces() const;
  void pause() const;
  PlaceChoice* choice() const { return m_window->train()->newRunPage()->places(); }
  QComboBox* one() const { return m_window->findChild<QComboBox*>("runOn"); }
  QLineEdit* several() const { return m_window->findChild<QLineEdit*>("runOnSeveral"); }
  QString said() const { return m_window->findChild<QLabel*>("placeSaid")->text(); }
  void choose(const QString& name) const;
  QueueFolder queue() const { return QueueFolder(m_fixture->project().toStdString()); }
  std::map<std::string, int> placed() const;
};

void RunOnTest::writePlaces() const {
  const char* text = R"({"format": 1, "places": {
    "box": {"launcher": "ssh", "resources": {"host": "box.invalid", "program": "/bin/false"}, "limits": {"running": 2}},
    "cluster": {"launcher": "ssh", "resources": {"host": "head.invalid", "program": "/bin/false"}, "limits": {"running": 16}},
    "broken": {"launcher": "ssh", "resources": {"host": "box.invalid", "program": "no-such-ssh"}}}})";
  QVERIFY(writeFileAtomically(m_fixture->project().toStdString() + "/places.json", text).ok());
  QVERIFY(waitUntil([&] { return one()->findText("cluster") >= 0; }));
}

// What is queued stays there.
void RunOnTest::pause() const {
  QueueSettings settings;
  settings.paused = true;
  QVERIFY(queue().setSettings(settings).ok());
}

void RunOnTest::choose(const QString& name) const {
  one()->setFocus();
  for (int i = 0; i < one()->count() && one()->currentText() != name; ++i)
    QTest::keyClick(one(), i == 0 ? Qt::Key_Home : Qt::Key_Down);
  QCOMPARE(one()->currentText(), name);
}

std::map<std::string, int> RunOnTest::placed() const {
  std::map<std::string, int> places;
  const auto entries = queue().entries();
  for (const QueueEntry& entry : *entries) ++places[entry.place];
  return places;
}

void RunOnTest::sharesByFreeSlots_data() {
  QTest::addColumn<QVector<int>>("taken");
  QTest::addColumn<QVector<int>>("most");
  QTest::addColumn<int>("runs");
  QTest::addColumn<QVector<int>>("given");
  QTest::newRow("in turn") << QVector<int>{0, 0} << QVector<int>{4, 4} << 4 << QVector<int>{2, 2};
  QTest::newRow("one is full") << QVector<int>{2, 0} << QVector<int>{2, 4} << 4 << QVector<int>{0, 4};
  QTest::newRow("small one fills first")
      << QVector<int>{0, 0} << QVector<int>{1, 8} << 6 << QVector<int>{1, 5};
  QTest::newRow("no limit takes the rest")
      << QVector<int>{0, 0} << QVector<int>{1, 0} << 9 << QVector<int>{1, 8};
  QTest::newRow("all full: by size") << QVector<int>{1, 3} << QVector<int>{1, 3} << 8 << QVector<int>{2, 6};
}

void RunOnTest::sharesByFreeSlots() {
  QFETCH(QVector<int>, taken);
  QFETCH(QVector<int>, most);
  QFETCH(int, runs);
  QFETCH(QVector<int>, given);
  const std::vector<PlaceLoad> loads = {{"a", taken[0], most[0]}, {"b", taken[1], most[1]}};
  const auto places = shareOut(std::size_t(runs), loads);
  QCOMPARE(std::count(places.begin(), places.end(), "a"), given[0]);
  QCOMPARE(std::count(places.begin(), places.end(), "b"), given[1]);
}

void RunOnTest::oneRunGoesToItsPlace() {
  QCOMPARE(one()->currentText(), QStringLiteral("This machine"));
  QCOMPARE(one()->findText("ssh"), -1);  // a host that nobody named is no place
  writePlaces();
  pause();
  FitBar* fit = m_window->train()->newRunPage()->fit();
  QVERIFY(fit->isVisible());
  choose(QStringLiteral("box"));
  QVERIFY2(said().contains("Host over ssh") && said().contains("2 at once"), qPrintable(said()));
  QVERIFY(!fit->isVisible());  // it would speak of this machine
  QTest::mouseClick(m_window->findChild<QPushButton*>("addToQueue"), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return placed() == std::map<std::string, int>{{"box", 1}}; }));
  // The next one is told of it.
  QTest::keyClick(m_window, Qt::Key_R, Qt::ControlModifier);
  QVERIFY(waitUntil([&] { return said().contains("1 waiting"); }));
}

void RunOnTest::aGridIsSharedOut() {
  writePlaces();
  pause();
  QTest::mouseClick(m_window->findChild<QPushButton*>("gridOver"), Qt::LeftButton);
  QVERIFY(several()->isVisible() && !one()->isVisible());
  QTest::mouseClick(m_window->findChild<QToolButton*>("tickPlaces"), Qt::LeftButton);
  auto* list = qobject_cast<QListWidget*>(QApplication::activePopupWidget());
  QVERIFY(list != nullptr);
  QCOMPARE(list->item(0)->checkState(), Qt::Checked);
  QTest::keyClick(list, Qt::Key_Space);  // not here
  for (int row = 1; row < list->count(); ++row) {
    QTest::keyClick(list, Qt::Key_Down);
    const QString name = list->currentItem()->text();
    if (name == QLatin1String("box") || name == QLatin1String("cluster"))
      QTest::keyClick(list, Qt::Key_Space);
  }
  QTest::keyClick(list, Qt::Key_Return);
  QCOMPARE(several()->text(), QStringLiteral("box, cluster"));
  auto* seeds = m_window->findChild<QLineEdit*>("values");
  QVERIFY(seeds != nullptr);
  seeds->setFocus();
  seeds->selectAll();
  QTest::keyClicks(seeds, "1,2,3,4,5,6");
  QVERIFY(waitUntil([&] { return said() == QStringLiteral("box: 2, cluster: 4"); }));
  QTest::mouseClick(m_window->findChild<QPushButton*>("launchGrid"), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return placed() == std::map<std::string, int>{{"box", 2}, {"cluster", 4}}; }));
}

void RunOnTest::troubleStandsAtTheField() {
  writePlaces();
  pause();
  choose(QStringLiteral("broken"));
  QVERIFY2(said().contains("no-such-ssh") && said().contains("OpenSSH"), qPrintable(said()));
  QTest::mouseClick(m_window->findChild<QPushButton*>("addToQueue"), Qt::LeftButton);
  QVERIFY(m_window->messages()->isVisible());
  QCOMPARE(QApplication::focusWidget(), one());
  QVERIFY(placed().empty());
  // Several are typed; one that is not there is named with those that are.
  QTest::mouseClick(m_window->findChild<QPushButton*>("gridOver"), Qt::LeftButton);
  several()->setFocus();
  several()->selectAll();
  QTest::keyClicks(several(), "box, nowhere");
  QVERIFY2(said().contains("nowhere") && said().contains("cluster"), qPrintable(said()));
  QVERIFY(!choice()->trouble().isEmpty());
  several()->selectAll();
  QTest::keyClicks(several(), "this machine, cluster");
  QCOMPARE(choice()->trouble(), QString());
  QCOMPARE(choice()->chosen(), QStringList({"local", "cluster"}));
}

void RunOnTest::theRunTellsOfItsJob() {
  writePlaces();
  pause();
  choose(QStringLiteral("cluster"));
  QTest::mouseClick(m_window->findChild<QPushButton*>("addToQueue"), Qt::LeftButton);
  const RunTableModel* runs = m_window->train()->runModel();
  const auto cellOf = [runs](int column) {
    return runs->rowCount() == 1 ? runs->index(0, column).data().toString() : QString();
  };
  const auto state = [&] { return cellOf(RunTableModel::State); };
  const auto place = [&] { return cellOf(RunTableModel::Place) + u' ' + cellOf(RunTableModel::Job); };
  QVERIFY2(waitUntil([&] { return place() == QStringLiteral("cluster "); }), qPrintable(place()));
  QVERIFY2(state().startsWith("queued"), qPrintable(state()));
  PlaceNote note;
  note.place = "cluster";
  note.job = "17_3";
  note.state = "waiting";
  note.reason = "Priority";
  const std::string uuid = queue().entries()->at(0).uuid;
  QVERIFY(writePlaceNote(m_fixture->project().toStdString(), uuid, note).ok());
  QVERIFY2(waitUntil([&] { return place() == QStringLiteral("cluster 17_3"); }), qPrintable(place()));
  QVERIFY2(state().contains("Priority"), qPrintable(state()));
  note.state = "stuck";
  note.silentFrom = "2026-01-02T03:04:05Z";
  QVERIFY(writePlaceNote(m_fixture->project().toStdString(), uuid, note).ok());
  QVERIFY2(waitUntil([&] { return state().contains(QStringLiteral("will not start by itself")); }),
           qPrintable(state()));
  QVERIFY2(state().contains(QStringLiteral("nothing heard since 2 Jan 2026")), qPrintable(state()));
}

void RunOnTest::theChoiceIsRemembered() {
  writePlaces();
  choose(QStringLiteral("cluster"));
  openAgain();
  QVERIFY(waitUntil([&] { return one()->currentText() == QLatin1String("cluster"); }));
  // Taken out of the file it is this machine, which is said.
  QVERIFY(writeFileAtomically(m_fixture->project().toStdString() + "/places.json",
                              R"({"format": 1, "places": {}})")
              .ok());
  QVERIFY(waitUntil([&] { return one()->currentText() == QLatin1String("This machine"); }));
  QVERIFY2(said().contains("cluster"), qPrintable(said()));
}

void RunOnTest::damagedPlacesAreNamed() {
  QVERIFY(writeFileAtomically(m_fixture->project().toStdString() + "/places.json",
                              R"({"format": 1, "places": {"box": {"launcher": "ssh", "hosts": 1}}})")
              .ok());
  QVERIFY(waitUntil([&] { return said().contains("hosts"); }));
  QVERIFY2(said().contains("box"), qPrintable(said()));
  QCOMPARE(one()->currentText(), QStringLiteral("This machine"));
}

QTEST_MAIN(RunOnTest)
#include "tst_run_on.moc"
