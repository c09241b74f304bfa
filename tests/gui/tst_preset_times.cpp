// SPDX-License-Identifier: Apache-2.0
#include <QLineEdit>
#include <QListWidget>
#include <QTest>

#include "app/runs/preset_times.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/preset_clock.h"
#include "app/window/train/preset_entries.h"
#include "app/window/train/train_workspace.h"
#include "core/base/files/atomic_file.h"
#include "core/record/presets.h"
#include "tests/gui/support_sample_engine.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/form/option_form.h"
#include "views/panels/train/fit_bar.h"
#include "views/panels/train/new_run_page.h"

using namespace fathom;
using test::waitUntil;

// Badges of presets say how long they take, as somebody has measured it: runs of the project, dry runs of
// this machine, else a machine that is named.
class PresetTimesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void aDryRunOfThePresetIsKept();
  void runsOfTheProjectComeFirst();
  void damagedTimesTellNothing();

 private:
  void open();
  QListWidget* list() const { return m_window->findChild<QListWidget*>("presets"); }
  QListWidgetItem* item(const QString& id) const {
    for (int row = 0; row < list()->count(); ++row)
      if (list()->item(row)->data(Qt::UserRole).toString() == id) return list()->item(row);
    return nullptr;
  }
  void click(const QString& id) const {
    list()->scrollToItem(item(id));
    QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, list()->visualItemRect(item(id)).center());
  }
  // Badges and where they come from, as a screen reader says them.
  QString told(const QString& id) const { return item(id)->data(Qt::AccessibleDescriptionRole).toString(); }
  bool answered() const {
    return waitUntil([this] { return m_window->train()->newRunPage()->fit()->answered(); });
  }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void PresetTimesTest::open() {
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([&] { return m_window->train()->engine() != nullptr; }));
  m_window->train()->newRun()->setEngine(test::sampleEngine());
  QTest::keyClick(m_window, Qt::Key_R, Qt::ControlModifier);
  m_window->train()->newRunPage()->form()->finishBuilding();
}

void PresetTimesTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  open();
}

void PresetTimesTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

// In this window and in the next; another width is another training.
void PresetTimesTest::aDryRunOfThePresetIsKept() {
  const QString shipped = QStringLiteral("Measured on two cores of an Intel Xeon.");
  QVERIFY2(told("sample_deep").startsWith(QStringLiteral("4 min. ") + shipped),
           qPrintable(told("sample_deep")));
  click("mlm_quick");
  auto* width = m_window->findChild<QLineEdit*>("model.width");
  width->setFocus();
  width->selectAll();
  QTest::keyClicks(width, "96");
  QVERIFY(answered());
  QVERIFY2(told("mlm_quick").contains(shipped), qPrintable(told("mlm_quick")));
  click("sample_deep");
  QVERIFY(answered());
  const QString here = QStringLiteral("1 min. Measured on this machine, by a dry run of ");
  QVERIFY2(told("sample_deep").startsWith(here), qPrintable(told("sample_deep")));
  QVERIFY(item("sample_deep")->toolTip().contains(QStringLiteral("by a dry run of")));
  m_host.reset();
  open();
  QVERIFY2(told("sample_deep").startsWith(here), qPrintable(told("sample_deep")));
  // Of exactly these options.
  const auto preset = findPreset("sample_deep").value();
  PresetEntry entry;
  entry.id = QStringLiteral("sample_deep");
  entry.config.options = preset.options;
  const PresetTimes times;
  QVERIFY(times.find("sample_deep", timedOptions(entry)) != nullptr);
  QCOMPARE(times.find("sample_deep", timedOptions(entry))->seconds, 61.0);
  entry.config.options["model.width"] = 65;
  QVERIFY(times.find("sample_deep", timedOptions(entry)) == nullptr);
}

void PresetTimesTest::runsOfTheProjectComeFirst() {
  const OptionSchema schema = test::sampleEngine().options;
  RunItem run;
  run.name = QStringLiteral("deep one");
  run.preset = QStringLiteral("sample_deep");
  run.state = RunState::Finished;
  run.durationSeconds = 754;
  Json options = findPreset("sample_deep").value().options;
  options["seed"] = 7;
  options["data.train"] = "/data/mine.tsv";
  run.config = options;
  const auto toldWith = [&schema](const QVector<RunItem>& runs, const char* id = "sample_deep") {
    std::optional<Error> problem;
    QVector<PresetEntry> entries = presetEntries(schema, &problem);
    PresetEntry grid;  // of options that this engine has not
    grid.id = QStringLiteral("reclor_depth");
    grid.config.options = findPreset("reclor_depth").value().options;
    entries.append(grid);
    PresetTimes times;
    for (const PresetEntry& entry : entries)
      if (entry.id == QLatin1String("sample_deep") &&
          !times.keep("sample_deep", timedOptions(entry), 1234 * 60).ok())
        return QStringLiteral("not kept");
    tellMeasuredTimes(entries, runs, PresetTimes(), schema);
    for (const PresetEntry& entry : entries)
      if (entry.id == QLatin1String(id)) return entry.badges.value(0) + QStringLiteral(". ") + entry.timeTip;
    return QString();
  };
  QCOMPARE(toldWith({run}), QStringLiteral("13 min. Measured: “deep one” of this project took 12:34."));
  RunItem other = run;
  other.durationSeconds = 854;
  QCOMPARE(toldWith({run, other}),
           QStringLiteral("13 min. Measured: 2 runs of it in this project took 13:24 each."));
  // Another training, another machine, another program, or no end: the dry run.
  const QString dry = QStringLiteral("21 h. Measured on this machine, by a dry run of ");
  const auto isDry = [&](const RunItem& one) { return toldWith({one}).startsWith(dry); };
  options["encoder.layers"] = 6;
  other.config = options;
  QVERIFY2(isDry(other), qPrintable(toldWith({other})));
  other = run;
  other.job.place = QStringLiteral("box");
  QVERIFY(isDry(other));
  other = run;
  other.origin = QStringLiteral("/runs/wandb");
  QVERIFY(isDry(other));
  other = run;
  other.state = RunState::Diverged;
  QVERIFY(isDry(other));
  // A grid is all of its runs: 2 schemes of 2 depths.
  other = run;
  other.preset = QStringLiteral("reclor_depth");
  other.durationSeconds = 90;
  other.config = findPreset("reclor_depth").value().options;
  QCOMPARE(toldWith({other}, "reclor_depth"),
           QStringLiteral("6 min. Measured: runs of it in this project took 1:30 each, and it has 4."));
}

void PresetTimesTest::damagedTimesTellNothing() {
  PresetTimes times;
  const Json options = {{"a", 1}};
  QVERIFY(times.keep("one", options, 60).ok());
  QVERIFY(PresetTimes().find("one", options) != nullptr);
  const std::string whole = readFile(presetTimesFile(), 10'000).value();
  for (const std::string& damaged : {std::string("{"), std::string("[]"), std::string(R"({"hosts": 3})"),
                                     std::string(whole).replace(whole.find("60"), 2, "\"x\""),
                                     std::string(whole).replace(whole.find("60"), 2, "-6")}) {
    QVERIFY(writeFileAtomically(presetTimesFile(), damaged).ok());
    QVERIFY2(PresetTimes().find("one", options) == nullptr, damaged.c_str());
  }
  // And are replaced.
  QVERIFY(PresetTimes().keep("one", options, 30).ok());
  QCOMPARE(PresetTimes().find("one", options)->seconds, 30.0);
}

QTEST_MAIN(PresetTimesTest)
#include "tst_preset_times.moc"
