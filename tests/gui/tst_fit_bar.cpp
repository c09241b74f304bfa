// SPDX-License-Identifier: Apache-2.0
// "Can I run this?", presets in groups, essential options, and what a new run starts from, by clicks and
// keys.
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QPushButton>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "app/runs/own_presets.h"
#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/train/new_run_controller.h"
#include "app/window/train/preset_entries.h"
#include "app/window/train/train_workspace.h"
#include "core/library/queue/queue_folder.h"
#include "tests/gui/support_sample_engine.h"
#include "tests/gui/support_window_fixture.h"
#include "views/figure/figure_colours.h"
#include "views/look/theme.h"
#include "views/panels/form/option_form.h"
#include "views/panels/form/option_row.h"
#include "views/panels/train/fit_bar.h"
#include "views/panels/train/grid_editor.h"
#include "views/panels/train/new_run_page.h"
#include "views/panels/widgets/message_bar.h"

using namespace fathom;
using test::waitUntil;

class FitBarTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void cleanup();
  void numbersFollowTheForm();
  void whatCannotFitIsRefusedWithWhatWould();
  void theRefusalLeavesWithItsCause();
  void nothingOfAFormerPresetStays();
  void countsStandBeforeTheTime();
  void missingFilesAreLeftOutOfTheQuestion();
  void remediesOutliveTheirClick();
  void noEngineWorksForAFormThatWasLeft();
  void aGridIsLookedAtWhole();
  void missingFilesStandUnderTheirFieldAtOnce();
  void messagesSpeakOfFieldsAndCoverNoButton();
  void trainNowCarriesTheAccent();
  void presetsStandInGroups();
  void theFilterFindsPresets();
  void essentialOptionsStandAlone();
  void theSearchRanksWhatCanBeSet();
  void anotherPresetKeepsTheFiles();
  void aStartedRunLeavesNameAndSearchEmpty();
  void aPresetOfOnesOwn();

 private:
  void open();
  QLabel* label(const char* name) const { return m_window->findChild<QLabel*>(name); }
  QListWidget* list() const { return m_window->findChild<QListWidget*>("presets"); }
  QLineEdit* line(const char* name) const { return m_window->findChild<QLineEdit*>(name); }
  QPushButton* button(const char* name) const { return m_window->findChild<QPushButton*>(name); }
  ExperimentDraft* draft() const { return m_window->train()->newRun()->draft(); }
  FitBar* fit() const { return m_window->train()->newRunPage()->fit(); }
  void type(const char* key, const char* text) const;
  void clickPreset(const char* id) const;
  bool answered() const {
    return waitUntil([this] { return fit()->answered() && label("fitState")->text().isEmpty(); });
  }
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
  MainWindow* m_window = nullptr;
};

void FitBarTest::open() {
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  m_window = m_host->openWindow(m_fixture->project());
  QVERIFY(QTest::qWaitForWindowActive(m_window));
  QVERIFY(waitUntil([&] { return m_window->train()->engine() != nullptr; }));
}

void FitBarTest::init() {
  m_fixture = std::make_unique<test::WindowFixture>();
  open();
  m_window->train()->newRun()->setEngine(test::sampleEngine());
  QTest::keyClick(m_window, Qt::Key_R, Qt::ControlModifier);
  m_window->train()->newRunPage()->form()->finishBuilding();
}

void FitBarTest::cleanup() {
  m_host.reset();
  m_fixture.reset();
}

void FitBarTest::type(const char* key, const char* text) const {
  auto* editor = line(key);
  QVERIFY(editor != nullptr);
  editor->setFocus();
  editor->selectAll();
  QTest::keyClicks(editor, text);
}

void FitBarTest::clickPreset(const char* id) const {
  for (int row = 0; row < list()->count(); ++row) {
    QListWidgetItem* item = list()->item(row);
    if (item->data(Qt::UserRole).toString() != QLatin1String(id)) continue;
    list()->scrollToItem(item);
    QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, list()->visualItemRect(item).center());
  }
}

void FitBarTest::numbersFollowTheForm() {
  QVERIFY(answered());
  QCOMPARE(label("fitParameters")->text(), QStringLiteral("1.2 M"));
  QCOMPARE(label("fitMemory")->text(), QStringLiteral("412 MB of 22 GB free"));
  QVERIFY(label("fitMemory")->toolTip().contains(QStringLiteral("optimiser 10 MB")));
  QCOMPARE(label("fitTime")->text(), QStringLiteral("about 61 s, 0.042 s an update"));
  QCOMPARE(label("fitDisk")->text(), QStringLiteral("80 MB of 50 GB free"));
  QVERIFY(!label("fitRefusal")->isVisible());
  // While it is typed in, the numbers are those of before and say so.
  type("model.width", "96");
  QVERIFY(!fit()->answered());
  QVERIFY(answered());
  type("model.width", "x");
  QVERIFY(waitUntil([&] { return label("fitMemory")->text() == QStringLiteral("–"); }));
}

void FitBarTest::whatCannotFitIsRefusedWithWhatWould() {
  type("model.width", "16384");
  QVERIFY(answered());
  QVERIFY(label("fitRefusal")->isVisible());
  QVERIFY(label("fitRefusal")->text().contains(QStringLiteral("needs 47 GB of memory, and 22 GB are free")));
  QueueSettings paused;
  paused.paused = true;
  const QueueFolder queue(m_fixture->project().toStdString());
  QVERIFY(queue.setSettings(paused).ok());
  QTest::mouseClick(button("trainNow"), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return m_window->messages()->count() == 1; }));
  QVERIFY2(m_window->messages()->currentText().startsWith(QStringLiteral("Width d: ")),
           qPrintable(m_window->messages()->currentText()));
  QVERIFY(queue.entries()->empty());
  // One click makes it fit, and is one step that can be undone.
  auto* remedy = button("remedy");
  QVERIFY(remedy != nullptr && remedy->isVisible());
  QCOMPARE(remedy->text(), QStringLiteral("width 64 fits"));
  QTest::mouseClick(remedy, Qt::LeftButton);
  QCOMPARE(draft()->values().integer("model.width"), 64);
  QVERIFY(answered());
  QVERIFY(!label("fitRefusal")->isVisible());
  m_window->action("edit.undo")->trigger();
  QCOMPARE(draft()->values().integer("model.width"), 16384);
}

// Its red line and its message go with the first key in the option, before any engine has answered.
void FitBarTest::theRefusalLeavesWithItsCause() {
  type("model.width", "16384");
  QVERIFY(answered());
  QTest::mouseClick(button("trainNow"), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return m_window->messages()->count() == 1; }));
  QVERIFY(label("fitRefusal")->isVisible());
  type("model.width", "64");
  QVERIFY(!label("fitRefusal")->isVisible());
  QCOMPARE(m_window->messages()->count(), 0);
  QVERIFY(draft()->reasons(QStringLiteral("model.width")).isEmpty());
  QVERIFY(answered());
  QVERIFY(!label("fitRefusal")->isVisible());
}

void FitBarTest::nothingOfAFormerPresetStays() {
  type("model.width", "16384");
  QVERIFY(answered());
  type("model.width", "8192");  // and another question is about to be put
  clickPreset("mlm_quick");
  for (const char* name : {"fitParameters", "fitMemory", "fitTime", "fitDisk"})
    QCOMPARE(label(name)->text(), QStringLiteral("–"));
  QVERIFY(!label("fitRefusal")->isVisible());
  QVERIFY(answered());
  QCOMPARE(label("fitParameters")->text(), QStringLiteral("1.2 M"));
}

// What is counted is shown while updates are timed, and is no answer yet.
void FitBarTest::countsStandBeforeTheTime() {
  FitBar bar;
  bar.showBusy();
  bar.showFirst({{"parameters", {{"total", 1234567}}},
                 {"memory", {{"needed", 412'000'000}, {"activations", nullptr}, {"free", 22'000'000'000}}},
                 {"time", {{"update", nullptr}, {"total", nullptr}}},
                 {"disk", {{"needed", 80'000'000}}},
                 {"fits", true}});
  const auto text = [&bar](const char* name) { return bar.findChild<QLabel*>(name)->text(); };
  QCOMPARE(text("fitParameters"), QStringLiteral("1.2 M"));
  QCOMPARE(text("fitMemory"), QStringLiteral("more than 412 MB of 22 GB free"));
  QCOMPARE(text("fitDisk"), QStringLiteral("80 MB"));
  QCOMPARE(text("fitTime"), QStringLiteral("–"));
  QCOMPARE(text("fitState"), QStringLiteral("Working it out…"));
  QVERIFY(!bar.answered());
}

// The engine opens what is named; the fake one refuses as it does.
void FitBarTest::missingFilesAreLeftOutOfTheQuestion() {
  QVERIFY(answered());
  type("data.train", "/nowhere/train.tsv");
  QVERIFY(!fit()->answered());
  QVERIFY2(answered(), qPrintable(label("fitState")->text()));
  QCOMPARE(label("fitParameters")->text(), QStringLiteral("1.2 M"));
}

// What a click leads to may be known at once: the button is there until its click is over.
void FitBarTest::remediesOutliveTheirClick() {
  FitBar bar;
  const Json report = {
      {"fits", false},
      {"remedies", {{{"words", {{"text", "width 64 fits"}}}, {"options", {{"model.width", 64}}}}}}};
  bar.showReport(report);
  const QPointer<QPushButton> remedy = bar.findChild<QPushButton*>(QStringLiteral("remedy"));
  QVERIFY(remedy != nullptr);
  bool there = false;
  connect(&bar, &FitBar::remedyChosen, &bar, [&] {
    bar.showReport({{"fits", true}});
    there = remedy != nullptr;
  });
  remedy->click();
  QVERIFY(there);
  QVERIFY(waitUntil([&] { return remedy.isNull(); }));
}

void FitBarTest::noEngineWorksForAFormThatWasLeft() {
  QVERIFY(answered());
  int asked = 0;
  connect(m_window->jobs(), &JobCenter::started, m_window, [&](const QString& owner) {
    if (owner != QLatin1String("estimate")) return;
    if (++asked == 1) m_window->action("view.attention")->trigger();  // before any engine can answer
  });
  type("model.width", "96");
  QVERIFY(waitUntil([&] { return asked == 1; }));
  QVERIFY(!fit()->answered());  // it is not worked on, and is asked anew where it is looked at
  m_window->action("run.new")->trigger();
  QVERIFY(waitUntil([&] { return asked == 2; }));
  QVERIFY(answered());
}

// Also where the footer has not answered yet.
void FitBarTest::aGridIsLookedAtWhole() {
  QTest::mouseClick(button("gridOver"), Qt::LeftButton);
  GridEditor* editor = m_window->train()->newRunPage()->gridEditor();
  editor->setRows({{QStringLiteral("fake.steps"), QStringLiteral("14, 20")}});
  QCOMPARE(editor->combinations(), 2);
  const QueueFolder queue(m_fixture->project().toStdString());
  QVERIFY(test::settled(m_window));
  QTest::mouseClick(button("launchGrid"), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return m_window->messages()->count() == 1; }));
  QVERIFY(m_window->messages()->currentText().contains(QStringLiteral("47 GB")));
  QVERIFY(queue.entries()->empty());
}

void FitBarTest::missingFilesStandUnderTheirFieldAtOnce() {
  type("data.train", "/nowhere/train.tsv");
  const OptionRow* row = m_window->train()->newRunPage()->form()->row(QStringLiteral("data.train"));
  QStringList texts;
  for (const QLabel* each : row->findChildren<QLabel*>())
    if (each->isVisible()) texts.append(each->text());
  QVERIFY2(texts.join('\n').contains(QStringLiteral("There is no file /nowhere/train.tsv.")),
           qPrintable(texts.join('\n')));
  type("data.train", m_fixture->sessionFile().toUtf8().constData());
  QVERIFY(draft()->reasons(QStringLiteral("data.train")).join(' ').size() == 0 ||
          !QFile::exists(m_fixture->sessionFile()));
}

void FitBarTest::messagesSpeakOfFieldsAndCoverNoButton() {
  type("data.train", "/nowhere/train.tsv");
  QTest::mouseClick(button("trainNow"), Qt::LeftButton);
  MessageBar* messages = m_window->messages();
  QVERIFY(waitUntil([&] { return messages->count() == 1; }));
  const QString text = messages->currentText();
  QVERIFY2(text.contains(QStringLiteral("Training file: there is no file /nowhere/train.tsv")),
           qPrintable(text));
  QVERIFY2(!text.contains(QStringLiteral("--set")) && !text.contains(QStringLiteral("data.train")),
           qPrintable(text));
  const QRect card(messages->mapToGlobal(QPoint()), messages->size());
  for (const QPushButton* each : m_window->findChildren<QPushButton*>()) {
    if (!each->isVisible() || messages->isAncestorOf(each)) continue;
    QVERIFY2(!card.intersects(QRect(each->mapToGlobal(QPoint()), each->size())), qPrintable(each->text()));
  }
  // Nor the numbers: what to do about them hangs on them.
  QVERIFY(fit()->isVisible() && !card.intersects(QRect(fit()->mapToGlobal(QPoint()), fit()->size())));
}

void FitBarTest::trainNowCarriesTheAccent() {
  for (const char* theme : {"theme.light", "theme.dark"}) {
    m_window->action(theme)->trigger();
    const Theme& colours = Theme::of(m_window->palette());
    const QImage picture = button("trainNow")->grab().toImage();
    const QColor middle = picture.pixelColor(picture.width() / 2, 4);
    QVERIFY2(contrastRatio(middle, colours.accent) < 1.3, qPrintable(middle.name()));
    QVERIFY(contrastRatio(colours.accent, colours.dark ? colours.window : colours.panel) >= 4.5);
    const QImage other = button("addToQueue")->grab().toImage();
    QVERIFY(contrastRatio(other.pixelColor(other.width() / 2, 4), colours.accent) > 1.5);
  }
  m_window->action("theme.light")->trigger();
}

void FitBarTest::presetsStandInGroups() {
  QStringList groups;
  for (int i = 0; i < list()->count(); ++i)
    if (list()->item(i)->data(Qt::UserRole).toString().isEmpty()) groups.append(list()->item(i)->text());
  QCOMPARE(groups, QStringList({"Quick", "Sample", "RealFormer"}));
  QCOMPARE(list()->currentItem()->data(Qt::UserRole).toString(), QStringLiteral("sample_small"));
  // Keys go over headings.
  QStringList ids;
  for (int i = 0; i < list()->count(); ++i) ids.append(list()->item(i)->data(Qt::UserRole).toString());
  ids.removeAll(QString());
  QVERIFY(ids.contains(QStringLiteral("mlm_quick")) && ids.last().startsWith(QStringLiteral("realformer_")));
  list()->setFocus();
  QTest::keyClick(list(), Qt::Key_Home);
  for (const QString& id : ids) {
    QCOMPARE(draft()->presetId(), id);
    QTest::keyClick(list(), Qt::Key_Down);
  }
  // A title needs no more width than there is: it breaks into lines.
  for (int i = 0; i < list()->count(); ++i)
    QVERIFY(list()->visualItemRect(list()->item(i)).width() <= list()->viewport()->width());
}

void FitBarTest::theFilterFindsPresets() {
  auto* filter = line("presetFilter");
  filter->setFocus();
  QTest::keyClicks(filter, "needs data");
  QStringList wanted, shown;
  std::optional<Error> problem;
  for (const PresetEntry& entry : presetEntries(draft()->schema(), &problem))
    if (entry.badges.contains(QStringLiteral("needs data"))) wanted.append(entry.id);
  int headings = 0;
  for (int i = 0; i < list()->count(); ++i) {
    if (list()->item(i)->isHidden()) continue;
    const QString id = list()->item(i)->data(Qt::UserRole).toString();
    if (id.isEmpty())
      ++headings;
    else
      shown.append(id);
  }
  QVERIFY(wanted.contains(QStringLiteral("mlm_quick")));
  QCOMPARE(shown, wanted);
  QCOMPARE(headings, 2);  // Quick, RealFormer
  filter->selectAll();
  QTest::keyClicks(filter, "zebra");
  for (int i = 0; i < list()->count(); ++i) QVERIFY(list()->item(i)->isHidden());
}

void FitBarTest::essentialOptionsStandAlone() {
  OptionForm* form = m_window->train()->newRunPage()->form();
  for (const char* key : {"task", "model.width", "encoder.layers", "data.train", "training.length", "seed"})
    QVERIFY2(!form->row(QLatin1String(key))->isHidden(), key);
  QVERIFY(form->row(QStringLiteral("checkpoint.keep_last"))->isHidden());
  QTest::mouseClick(button("allOptions"), Qt::LeftButton);
  QVERIFY(!form->row(QStringLiteral("checkpoint.keep_last"))->isHidden());
  QTest::mouseClick(button("allOptions"), Qt::LeftButton);
  // What was changed is never out of sight, nor what is asked for.
  QVERIFY(draft()->setText(QStringLiteral("checkpoint.keep_last"), QStringLiteral("7")));
  QVERIFY(!form->row(QStringLiteral("checkpoint.keep_last"))->isHidden());
  form->reveal(QStringLiteral("fake.steps"));
  QVERIFY(!form->row(QStringLiteral("fake.steps"))->isHidden());
}

void FitBarTest::theSearchRanksWhatCanBeSet() {
  OptionForm* form = m_window->train()->newRunPage()->form();
  form->searchBox()->setFocus();
  QTest::keyClicks(form->searchBox(), "width");
  QVERIFY(test::settled(m_window));
  const auto top = [form](const char* key) {
    OptionRow* row = form->row(QLatin1String(key));
    return row->isVisible() ? row->mapTo(form, QPoint()).y() : -1;
  };
  QVERIFY(top("model.width") >= 0);
  QVERIFY(top("model.width") < top("checkpoint.interval"));
  QVERIFY(top("checkpoint.interval") < top("unused.width"));
  form->searchBox()->clear();
  QVERIFY(!form->row(QStringLiteral("seed"))->isHidden());
}

void FitBarTest::anotherPresetKeepsTheFiles() {
  QVERIFY(draft()->setText(QStringLiteral("data.train"), QStringLiteral("/mine/pairs.tsv")));
  clickPreset("sample_deep");
  QCOMPARE(draft()->presetId(), QStringLiteral("sample_deep"));
  const std::string train = draft()->values().text("data.train");
  QVERIFY2(train == "/mine/pairs.tsv" || train.ends_with("/data/train.tsv"), train.c_str());
  QCOMPARE(draft()->values().integer("encoder.layers"), 18);
}

void FitBarTest::aStartedRunLeavesNameAndSearchEmpty() {
  QueueSettings paused;
  paused.paused = true;
  const QueueFolder queue(m_fixture->project().toStdString());
  QVERIFY(queue.setSettings(paused).ok());
  QTest::keyClicks(line("runName"), "mine");
  QTest::keyClicks(line("optionSearch"), "width");
  QVERIFY(draft()->setText(QStringLiteral("data.train"), QString::fromLatin1(FATHOM_BIN_DIR "/fathom")));
  QTest::mouseClick(button("addToQueue"), Qt::LeftButton);
  QVERIFY(waitUntil([&] { return queue.entries().value().size() == 1; }));
  QCOMPARE(queue.entries().value().front().config.value("name", ""), std::string("mine"));
  QTest::keyClick(m_window, Qt::Key_R, Qt::ControlModifier);
  QCOMPARE(line("runName")->text(), QString());
  QCOMPARE(line("optionSearch")->text(), QString());
}

void FitBarTest::aPresetOfOnesOwn() {
  QTest::keyClicks(line("runName"), "Narrow sample");
  type("model.width", "32");
  QTest::mouseClick(m_window->findChild<QToolButton*>("savePreset"), Qt::LeftButton);
  const auto own = findAnyPreset("mine_narrow_sample");
  QVERIFY(own.ok());
  QCOMPARE(own->options.at("model.width").get<int>(), 32);
  QVERIFY(!own->options.contains("data.train"));
  QCOMPARE(list()->item(0)->text(), QStringLiteral("Mine"));
  clickPreset("sample_deep");
  clickPreset("mine_narrow_sample");
  QCOMPARE(draft()->presetId(), QStringLiteral("mine_narrow_sample"));
  QCOMPARE(draft()->values().integer("model.width"), 32);
  // The same name: the same preset.
  type("model.width", "48");
  QTest::mouseClick(m_window->findChild<QToolButton*>("savePreset"), Qt::LeftButton);
  QCOMPARE(ownPresets()->size(), std::size_t{1});
  QCOMPARE(ownPresets()->front().options.at("model.width").get<int>(), 48);
}

QTEST_MAIN(FitBarTest)
#include "tst_fit_bar.moc"
