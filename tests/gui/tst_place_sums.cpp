// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// What more processes bring at a place, below the form: from how fast they add up there, once that was
// measured.
#include <QComboBox>
#include <QLabel>
#include <QTest>

#include "app/runner/place_journal.h"
#include "core/base/files/atomic_file.h"
#include "tests/gui/support_new_run_window.h"
#include "views/panels/form/experiment_draft.h"
#include "views/panels/form/place_choice.h"
#include "views/panels/train/fit_bar.h"
#include "views/panels/train/new_run_page.h"

using namespace fathom;
using test::waitUntil;

class PlaceSumsTest : public QObject, private test::NewRunWindow {
  Q_OBJECT
 private Q_SLOTS:
  void init() { startUp(); }
  void cleanup() { shutDown(); }
  void aMeasuredPlaceIsPredicted();

 private:
  QComboBox* one() const { return m_window->findChild<QComboBox*>("runOn"); }
  FitBar* fit() const { return m_window->train()->newRunPage()->fit(); }
  void choose(const QString& name) const;
};

void PlaceSumsTest::choose(const QString& name) const {
  one()->setFocus();
  for (int i = 0; i < one()->count() && one()->currentText() != name; ++i)
    QTest::keyClick(one(), i == 0 ? Qt::Key_Home : Qt::Key_Down);
  QCOMPARE(one()->currentText(), name);
}

void PlaceSumsTest::aMeasuredPlaceIsPredicted() {
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  m_window->train()->newRun()->setEngine(describeEngine({}, StopToken()).value());
  m_window->train()->newRunPage()->form()->finishBuilding();
  const std::string project = m_fixture->project().toStdString();
  const char* text = R"({"format": 1, "places": {
    "box": {"launcher": "ssh", "resources": {"host": "box.invalid", "program": "/bin/false"}}}})";
  QVERIFY(writeFileAtomically(project + "/places.json", text).ok());
  QVERIFY(waitUntil([&] { return one()->findText("box") >= 0; }));
  draft()->setValue("parallel.ranks", 4);
  draft()->setValue("training.accumulation", 4);
  draft()->endEdit();
  choose("box");
  QVERIFY(!fit()->isVisible());  // nobody has measured it
  PlaceJournal(project, "box")
      .keepLook({{"at", 1.0}, {"facts", {{"all_reduce", {{"bandwidth", 1e9}, {"latency", 1e-5}}}}}});
  choose("This machine");
  choose("box");
  QVERIFY(fit()->isVisible());
  auto* words = fit()->findChild<QLabel*>("fitRanks");
  for (int i = 0; i < 6 && !words->isVisible(); ++i)  // a machine at work takes its time
    waitUntil([&] { return words->isVisible(); });
  QVERIFY2(words->isVisible(), qPrintable(fit()->findChild<QLabel*>("fitState")->text()));
  QVERIFY2(words->text().startsWith("4 predicted: "), qPrintable(words->text()));
  QVERIFY2(words->toolTip().contains("At box, as measured"), qPrintable(words->toolTip()));
  QCOMPARE(fit()->findChild<QLabel*>("fitMemory")->text(), QStringLiteral("–"));
  draft()->setValue("parallel.ranks", 1);
  draft()->endEdit();
  QVERIFY(waitUntil([&] { return !fit()->isVisible(); }));
}

QTEST_MAIN(PlaceSumsTest)
#include "tst_place_sums.moc"
