// SPDX-License-Identifier: Apache-2.0
// The page of places: added, edited, removed by clicks and keys; checked over an ssh that works on this
// machine (tests/fakes/ssh_here.sh), with hosts that are away, silent, or ask.
#include <QAction>
#include <QComboBox>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QTabWidget>
#include <QTest>
#include <QTreeWidget>

#include "app/runner/place_journal.h"
#include "app/runner/place_record.h"
#include "app/runs/training_request.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/places/place_form_dialog.h"
#include "app/window/places/place_rows.h"
#include "app/window/places/places_dialog.h"
#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/library/queue/queue_folder.h"
#include "tests/gui/support_window_fixture.h"

using namespace fathom;
using test::waitUntil;

class PlacesPageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void aPlaceIsAddedByKeys();
  void whatIsWrongStandsAtItsField();
  void aNameIsTakenOnce();
  void linesStayLines();
  void aPlaceIsEditedRemovedAndBroughtBack();
  void runsThatWaitAreAskedFor();
  void aHostIsCheckedInRows();
  void aHostThatIsAwayIsNamed();
  void aSilentHostFreezesNothing();
  void aHostThatAsksIsAnswered();
  void aTroubleIsSaidAtItsField();
  void theScriptIsShown();
  void damagedFilesAreNamedAndKept();
  void itIsOneAndGoesWithItsProject();

 private:
  std::string project() const { return m_fixture->project().toStdString(); }
  // "name": {"launcher": "ssh", …} over the ssh of the tests.
  void writePlaces(const std::vector<std::pair<std::string, std::string>>& nameAndHost) const;
  PlacesDialog* shown() const;
  PlaceFormDialog* form(PlacesDialog* page, QPushButton* button) const;
  void type(const QWidget* form, const char* key, const char* text) const;
  QString problem(const QWidget* form, const QString& key) const;
  // Text of a cell of the row of a place; a null text where there is no such row.
  QString cell(const PlacesDialog* page, const char* place, int column) const;
  QString found(const PlacesDialog* page, const char* what, int column) const;
  // A Slurm of this machine, whether it has one or not.
  void writeCluster(const Json& more) const;
  std::vector<PlaceRecord> written() const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void PlacesPageTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([&] { return m_window->service()->isReady(); }));
}

void PlacesPageTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

void PlacesPageTest::writePlaces(const std::vector<std::pair<std::string, std::string>>& nameAndHost) const {
  Json places = Json::object();
  for (const auto& [name, host] : nameAndHost)
    places[name] = {{"launcher", "ssh"},
                    {"root", project() + "/there of " + name},
                    {"resources",
                     {{"host", host},
                      {"program", FATHOM_SOURCE_DIR "/tests/fakes/ssh_here.sh"},
                      {"engine", FATHOM_BIN_DIR "/../tests/fake_engine"}}}};
  QVERIFY(writeFileAtomically(placesFile(project()), Json{{"format", 1}, {"places", places}}.dump()).ok());
}

PlacesDialog* PlacesPageTest::shown() const {
  m_window->action("file.places")->trigger();
  auto* page = m_window->findChild<PlacesDialog*>();
  return page != nullptr && waitUntil([&] { return page->hasLooked(); }) ? page : nullptr;
}

PlaceFormDialog* PlacesPageTest::form(PlacesDialog* page, QPushButton* button) const {
  QTest::mouseClick(button, Qt::LeftButton);
  auto* dialog = page->findChild<PlaceFormDialog*>();
  return dialog != nullptr && waitUntil([&] { return dialog->isVisible(); }) ? dialog : nullptr;
}

void PlacesPageTest::type(const QWidget* form, const char* key, const char* text) const {
  auto* line = form->findChild<QLineEdit*>(QString::fromLatin1(key));
  QVERIFY2(line != nullptr && line->isVisible(), key);
  line->setFocus();
  line->selectAll();
  QTest::keyClicks(line, text);
}

QString PlacesPageTest::problem(const QWidget* form, const QString& key) const {
  const auto* label = form->findChild<QLabel*>(QStringLiteral("problem:") + key);
  return label != nullptr && label->isVisible() ? label->text() : QString();
}

QString PlacesPageTest::cell(const PlacesDialog* page, const char* place, int column) const {
  for (int row = 0; row < page->list()->topLevelItemCount(); ++row)
    if (const auto* item = page->list()->topLevelItem(row); item->text(kPlaceId) == QLatin1String(place))
      return item->text(column).isNull() ? QStringLiteral("") : item->text(column);
  return {};
}

QString PlacesPageTest::found(const PlacesDialog* page, const char* what, int column) const {
  for (int row = 0; row < page->findings()->topLevelItemCount(); ++row)
    if (const auto* item = page->findings()->topLevelItem(row); item->text(0) == QLatin1String(what))
      return item->text(column);
  return {};
}

std::vector<PlaceRecord> PlacesPageTest::written() const {
  std::vector<PlaceRecord> records;
  for (const PlaceRecord& each : readPlaces(project()).value())
    if (!each.file.empty()) records.push_back(each);
  return records;
}

void PlacesPageTest::aPlaceIsAddedByKeys() {
  PlacesDialog* page = shown();
  QVERIFY(page != nullptr);
  QCOMPARE(page->list()->topLevelItem(0)->text(kPlaceId), QStringLiteral("This machine"));
  QVERIFY(!page->editButton()->isEnabled() && !page->removeButton()->isEnabled());
  page->addButton()->setFocus();
  QTest::keyClick(page->addButton(), Qt::Key_Space);
  auto* dialog = page->findChild<PlaceFormDialog*>();
  QVERIFY(dialog != nullptr && waitUntil([&] { return dialog->isVisible(); }));
  type(dialog, "name", "box");
  type(dialog, "ssh.host", "ana@box");
  type(dialog, "ssh.running", "3");
  type(dialog, "root", "/data/runs of ana");
  QVERIFY(dialog->findChild<QLineEdit*>("slurm.partition") != nullptr);
  QVERIFY(!dialog->findChild<QLineEdit*>("slurm.partition")->isVisible());
  QTest::keyClick(dialog, Qt::Key_Return);
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceHost) == QLatin1String("ana@box"); }));
  QVERIFY(waitUntil([&] { return page->findChild<PlaceFormDialog*>() == nullptr; }));
  QCOMPARE(written().size(), std::size_t{1});
  const PlaceRecord box = written().front();
  QCOMPARE(box.file, placesFile(project()));
  QCOMPARE(box.launcher, std::string("ssh"));
  QCOMPARE(box.root, std::string("/data/runs of ana"));
  QCOMPARE(box.limits.integer("running"), std::int64_t{3});
  QCOMPARE(cell(page, "box", kPlaceState), QStringLiteral("not asked yet"));
  QCOMPARE(page->list()->currentItem()->text(kPlaceId), QStringLiteral("box"));
}

void PlacesPageTest::whatIsWrongStandsAtItsField() {
  PlacesDialog* page = shown();
  PlaceFormDialog* dialog = form(page, page->addButton());
  QVERIFY(dialog != nullptr);
  type(dialog, "name", "a b");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY2(problem(dialog, "name").contains("'a b'"), qPrintable(problem(dialog, "name")));
  QCOMPARE(dialog->focusWidget()->objectName(), QStringLiteral("name"));
  type(dialog, "name", "local");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY2(problem(dialog, "name").contains("this machine"), qPrintable(problem(dialog, "name")));
  type(dialog, "name", "box");
  QVERIFY(problem(dialog, "name").isEmpty());
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY2(problem(dialog, "ssh.host").contains("no host"), qPrintable(problem(dialog, "ssh.host")));
  type(dialog, "ssh.host", "two words");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY2(problem(dialog, "ssh.host").contains("two words"), qPrintable(problem(dialog, "ssh.host")));
  type(dialog, "ssh.host", "box");
  type(dialog, "ssh.running", "0");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY(!problem(dialog, "ssh.running").isEmpty());
  QVERIFY(dialog->isVisible() && written().empty());
  // Another launcher has other fields, and its own faults.
  auto* launcher = dialog->findChild<QComboBox*>("launcher");
  QVERIFY(launcher != nullptr);
  launcher->setFocus();
  for (int i = 0; i < launcher->count() && launcher->currentData() != QLatin1String("slurm"); ++i)
    QTest::keyClick(launcher, i == 0 ? Qt::Key_Home : Qt::Key_Down);
  QCOMPARE(launcher->currentData().toString(), QStringLiteral("slurm"));
  QVERIFY(!dialog->findChild<QLineEdit*>("ssh.host")->isVisible());
  type(dialog, "slurm.time", "soon");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY2(problem(dialog, "slurm.time").contains("soon"), qPrintable(problem(dialog, "slurm.time")));
  QTest::keyClick(dialog, Qt::Key_Escape);
  QVERIFY(waitUntil([&] { return page->findChild<PlaceFormDialog*>() == nullptr; }));
  QVERIFY(page->isVisible() && written().empty());
}

void PlacesPageTest::aNameIsTakenOnce() {
  writePlaces({{"box", "box"}});
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return !cell(page, "box", kPlaceHost).isNull(); }));
  PlaceFormDialog* dialog = form(page, page->addButton());
  type(dialog, "name", "box");
  type(dialog, "ssh.host", "other");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return problem(dialog, "name").contains("already"); }));
  QVERIFY(dialog->saveButton()->isEnabled());
  QCOMPARE(written().front().resources.text("host"), std::string("box"));
  type(dialog, "name", "box2");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return cell(page, "box2", kPlaceHost) == QLatin1String("other"); }));
  QCOMPARE(written().size(), std::size_t{2});
}

// Commas and quotes are parts of a line of a shell.
void PlacesPageTest::linesStayLines() {
  writePlaces({{"box", "box"}});
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return !cell(page, "box", kPlaceHost).isNull(); }));
  page->choose(QStringLiteral("box"));
  PlaceFormDialog* dialog = form(page, page->editButton());
  QVERIFY(dialog != nullptr);
  QVERIFY(!dialog->findChild<QLineEdit*>("name")->isVisible());  // runs in the queue know it
  auto* before = dialog->findChild<QPlainTextEdit*>("before");
  QVERIFY(before != nullptr && before->isVisible());
  before->setFocus();
  QTest::keyClicks(before, "module load a, b");
  QTest::keyClick(before, Qt::Key_Return);
  QTest::keyClicks(before, "export X='1,2'");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return page->findChild<PlaceFormDialog*>() == nullptr; }));
  QCOMPARE(written().front().before, (std::vector<std::string>{"module load a, b", "export X='1,2'"}));
  QCOMPARE(written().front().resources.text("host"), std::string("box"));
  dialog = form(page, page->editButton());
  QCOMPARE(dialog->findChild<QPlainTextEdit*>("before")->toPlainText(),
           QStringLiteral("module load a, b\nexport X='1,2'"));
}

void PlacesPageTest::aPlaceIsEditedRemovedAndBroughtBack() {
  writePlaces({{"box", "box"}, {"desk", "desk"}});
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return !cell(page, "desk", kPlaceHost).isNull(); }));
  page->choose(QStringLiteral("box"));
  PlaceFormDialog* dialog = form(page, page->editButton());
  type(dialog, "ssh.host", "better");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceHost) == QLatin1String("better"); }));
  QVERIFY(!page->undoButton()->isVisible());
  QTest::mouseClick(page->removeButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceHost).isNull(); }));
  QCOMPARE(written().size(), std::size_t{1});
  QVERIFY(page->undoButton()->isVisible());
  QTest::mouseClick(page->undoButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceHost) == QLatin1String("better"); }));
  QVERIFY(waitUntil([&] { return !page->undoButton()->isVisible(); }));
  QCOMPARE(written().size(), std::size_t{2});
}

void PlacesPageTest::runsThatWaitAreAskedFor() {
  writePlaces({{"box", "box"}});
  const QueueFolder queue(project());
  QueueSettings settings;
  settings.paused = true;
  QVERIFY(queue.setSettings(settings).ok());
  RunConfig config;
  config.name = "waits";
  QueueEntry entry = trainingEntry(project(), config);
  entry.place = "box";
  QVERIFY(queue.add(entry).ok());
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceWaiting) == QLatin1String("1"); }));
  page->choose(QStringLiteral("box"));
  QTest::mouseClick(page->removeButton(), Qt::LeftButton);
  auto* box = page->findChild<QMessageBox*>();
  QVERIFY(box != nullptr && box->text().contains("box"));
  QTest::keyClick(box, Qt::Key_Escape);
  QVERIFY(waitUntil([&] { return page->findChild<QMessageBox*>() == nullptr; }));
  QCOMPARE(written().size(), std::size_t{1});
  QTest::mouseClick(page->removeButton(), Qt::LeftButton);
  box = page->findChild<QMessageBox*>();
  QVERIFY(box != nullptr);
  for (QAbstractButton* button : box->buttons())
    if (box->buttonRole(button) == QMessageBox::DestructiveRole) QTest::mouseClick(button, Qt::LeftButton);
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceWaiting).isNull(); }));
  QCOMPARE(queue.entries()->size(), std::size_t{1});  // it waits on
}

void PlacesPageTest::aHostIsCheckedInRows() {
  writePlaces({{"box", "box"}});
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return !cell(page, "box", kPlaceHost).isNull(); }));
  page->choose(QStringLiteral("box"));
  QCOMPARE(page->findings()->topLevelItemCount(), 1);  // nobody has looked yet
  QTest::mouseClick(page->checkButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return !found(page, "Engine", 1).isEmpty(); }));
  QVERIFY2(found(page, "Engine", 1).contains("fake_engine"), qPrintable(found(page, "Engine", 1)));
  QVERIFY2(found(page, "Folder there", 1).contains("there of box"),
           qPrintable(found(page, "Folder there", 1)));
  QVERIFY(!found(page, "Processors", 1).isEmpty() && !found(page, "glibc", 1).isEmpty());
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceState) == QLatin1String("answers"); }));
  QVERIFY2(cell(page, "box", kPlaceHeard).contains("ago"), qPrintable(cell(page, "box", kPlaceHeard)));
  QVERIFY(!cell(page, "box", kPlaceFree).isEmpty());
  QVERIFY(page->journal()->topLevelItemCount() > 0);
  // An engine that cannot measure is a trouble.
  QVERIFY(waitUntil([&] { return page->measureButton()->isEnabled(); }));
  QTest::mouseClick(page->measureButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return found(page, "Sum over processes", 1).contains("could not be measured"); }));
  // Without an engine it says what to do.
  page->choose(QStringLiteral("box"));
  PlaceFormDialog* dialog = form(page, page->editButton());
  type(dialog, "ssh.engine", "/nowhere/fathom-engine");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return page->findChild<PlaceFormDialog*>() == nullptr; }));
  QVERIFY(waitUntil([&] { return page->checkButton()->isEnabled(); }));
  QTest::mouseClick(page->checkButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return found(page, "Engine", 1).contains("/nowhere/fathom-engine"); }));
  QVERIFY(!found(page, "Engine", 2).isEmpty());
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceTrouble).contains("/nowhere/fathom-engine"); }));
}

void PlacesPageTest::aHostThatIsAwayIsNamed() {
  writePlaces({{"box", "away.invalid"}});
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return !cell(page, "box", kPlaceHost).isNull(); }));
  page->choose(QStringLiteral("box"));
  QTest::mouseClick(page->checkButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceState) == QLatin1String("not reached"); }));
  QVERIFY2(page->message().contains("Connection refuse"), qPrintable(page->message()));
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceTrouble).contains("Connection refuse"); }));
  QVERIFY(page->checkButton()->isEnabled());
  const auto lines = PlaceJournal(project(), "box").lines(10);
  QVERIFY(!lines.empty() && lines.back().trouble);
}

// The window goes on while a host says nothing, and the question can be given up.
void PlacesPageTest::aSilentHostFreezesNothing() {
  writePlaces({{"box", "silent.invalid"}, {"desk", "desk"}});
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return !cell(page, "box", kPlaceHost).isNull(); }));
  page->choose(QStringLiteral("box"));
  QVERIFY(!page->cancelButton()->isEnabled());
  QTest::mouseClick(page->checkButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceState).contains("being checked"); }));
  QVERIFY(page->cancelButton()->isEnabled() && !page->checkButton()->isEnabled());
  QElapsedTimer clock;
  clock.start();
  QCoreApplication::processEvents();
  page->choose(QStringLiteral("desk"));
  QVERIFY2(clock.elapsed() < 2000, qPrintable(QString::number(clock.elapsed())));
  QTest::mouseClick(page->cancelButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return page->checkButton()->isEnabled() && !page->cancelButton()->isEnabled(); }));
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceState) == QLatin1String("not asked yet"); }));
}

// ssh starts `fathom`, which asks this window; what is typed goes to ssh alone.
void PlacesPageTest::aHostThatAsksIsAnswered() {
  writePlaces({{"box", "asks.invalid"}});
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return !cell(page, "box", kPlaceHost).isNull(); }));
  page->choose(QStringLiteral("box"));
  const auto question = [page]() -> QDialog* {
    auto* dialog = page->findChild<QDialog*>("placeQuestion");
    return dialog != nullptr && dialog->isVisible() ? dialog : nullptr;
  };
  QTest::mouseClick(page->checkButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return question() != nullptr; }));
  QVERIFY(question()->findChild<QLabel*>("placeQuestionText")->text().contains("asks.invalid's password"));
  auto* line = question()->findChild<QLineEdit*>();
  QCOMPARE(line->echoMode(), QLineEdit::Password);
  QTest::keyClicks(line, "open barley");
  QTest::keyClick(line, Qt::Key_Return);
  QVERIFY(waitUntil([&] { return page->message().contains("does not let you in"); }));
  QVERIFY(waitUntil([&] { return page->findChild<QDialog*>("placeQuestion") == nullptr; }));
  QTest::mouseClick(page->checkButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return question() != nullptr; }));
  QTest::keyClicks(question()->findChild<QLineEdit*>(), "open sesame");
  QTest::keyClick(question(), Qt::Key_Return);
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceState) == QLatin1String("answers"); }));
  for (const PlaceLine& said : PlaceJournal(project(), "box").lines(100))
    QVERIFY(said.asked.find("sesame") == std::string::npos &&
            said.answer.find("sesame") == std::string::npos);
  // Given up, the question goes.
  QTest::mouseClick(page->checkButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return question() != nullptr; }));
  page->cancelButton()->click();  // the question is in front of it
  QVERIFY(waitUntil([&] { return page->findChild<QDialog*>("placeQuestion") == nullptr; }));
  QVERIFY(waitUntil([&] { return page->checkButton()->isEnabled(); }));
}

void PlacesPageTest::writeCluster(const Json& more) const {
  Json json = {{"launcher", "slurm"}};
  json.update(more);
  const std::string file = placesFile(project());
  QVERIFY(savePlace(file, placeFromJson("cluster", json, file).value()).ok());
}

// The form of a place begins where the last look found something that its site does not take.
void PlacesPageTest::aTroubleIsSaidAtItsField() {
  writeCluster({{"resources", {{"partition", "nope"}, {"account", "ours"}}}});
  PlaceLook look;
  look.facts["slurm"] = "22.05.8";
  look.troubles.push_back(aboutKey("partition", unavailableError(Phrase::words("Slurm has no partition nope"),
                                                                 Phrase::words("there are: main"))));
  PlaceJournal(project(), "cluster").keepLook(keptLookToJson({1.7e9, look}));
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return !cell(page, "cluster", kPlaceState).isNull(); }));
  page->choose(QStringLiteral("cluster"));
  QVERIFY2(found(page, "Partitions", 1).contains("no partition nope"),
           qPrintable(found(page, "Partitions", 1)));
  PlaceFormDialog* dialog = form(page, page->editButton());
  QVERIFY2(dialog->message().contains("no partition nope"), qPrintable(dialog->message()));
  const QWidget* row = dialog->findChild<QWidget*>("slurm.partition");
  QVERIFY(row != nullptr && dialog->focusWidget() != nullptr);
  QVERIFY(row == dialog->focusWidget() || row->isAncestorOf(dialog->focusWidget()));
  // It keeps nobody from writing the place down as it is.
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return page->findChild<PlaceFormDialog*>() == nullptr; }));
}

// As the place is written down now; places without jobs have none.
void PlacesPageTest::theScriptIsShown() {
  writePlaces({{"box", "box"}});
  writeCluster({{"head", {"#SBATCH --exclude=n7"}}, {"before", {"module load it"}}});
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return !cell(page, "cluster", kPlaceState).isNull(); }));
  auto* tabs = page->findChild<QTabWidget*>();
  const int tab = tabs->indexOf(page->script());
  page->choose(QStringLiteral("box"));
  QVERIFY(!tabs->isTabVisible(tab));
  page->choose(QStringLiteral("cluster"));
  QVERIFY(tabs->isTabVisible(tab));
  for (const char* line : {"#SBATCH --exclude=n7\n", "\nmodule load it\n", "train --or-resume"})
    QVERIFY2(page->script()->toPlainText().contains(line), line);
  PlaceFormDialog* dialog = form(page, page->editButton());
  auto* head = dialog->findChild<QPlainTextEdit*>("head");
  head->setFocus();
  QTest::keyClicks(head, "#SBATCH --mail-type=END");
  QTest::keyClick(head, Qt::Key_Return);
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return page->script()->toPlainText().contains("--mail-type=END"); }));
}

void PlacesPageTest::damagedFilesAreNamedAndKept() {
  const std::string damaged = R"({"format": 1, "places": {"a b": {"launcher": "ssh"}}})";
  QVERIFY(writeFileAtomically(placesFile(project()), damaged).ok());
  PlacesDialog* page = shown();
  QVERIFY(waitUntil([&] { return page->message().contains("'a b'"); }));
  QVERIFY2(page->message().contains("places.json"), qPrintable(page->message()));
  PlaceFormDialog* dialog = form(page, page->addButton());
  type(dialog, "name", "box");
  type(dialog, "ssh.host", "box");
  QTest::mouseClick(dialog->saveButton(), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return page->findChild<PlaceFormDialog*>() == nullptr; }));
  // The new one may be beside the wrong one, which is as it was.
  const auto text = readFile(placesFile(project()));
  QVERIFY(text.ok() && text->find("a b") != std::string::npos);
  writePlaces({{"box", "box"}});
  QVERIFY(waitUntil([&] { return cell(page, "box", kPlaceHost) == QLatin1String("box"); }));
  QVERIFY(!page->message().contains("'a b'"));
}

void PlacesPageTest::itIsOneAndGoesWithItsProject() {
  PlacesDialog* page = shown();
  QVERIFY(page != nullptr);
  QCOMPARE(shown(), page);
  QCOMPARE(m_window->findChildren<PlacesDialog*>().size(), 1);
  const QString other = m_fixture->project() + QStringLiteral("/../other.fathom");
  m_window->service()->open(other, true);
  QVERIFY(waitUntil([&] { return m_window->findChild<PlacesDialog*>() == nullptr; }));
}

QTEST_MAIN(PlacesPageTest)
#include "tst_places_page.moc"
