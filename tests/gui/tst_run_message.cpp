// SPDX-License-Identifier: Apache-2.0
#include <QLabel>
#include <QRegularExpression>
#include <QTest>
#include <utility>
#include <vector>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/session/session_keys.h"
#include "app/window/session/session_store.h"
#include "app/window/train/train_workspace.h"
#include "core/base/json/phrase_json.h"
#include "core/record/runs/run_folder.h"
#include "tests/gui/support_window_fixture.h"
#include "views/look/engine_text.h"
#include "views/panels/train/run_details_panel.h"
#include "views/tables/log_model.h"
#include "views/tables/run_item.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

namespace {

// What engine and runner say of a run, with numbers and names in it.
std::vector<Phrase> everySentence() {
  const Phrase flat = Phrase::tr(
      "not learning: after %1 updates the validation nll %2 is still above %3 of the targets' unigram "
      "entropy "
      "(%4 nats)")(12, std::string("6.374"), std::string("0.97"), std::string("6.547"));
  const Phrase left = Phrase::tr("the engine %1")(Phrase::tr("left with exit code %1")(40));
  return {flat,
          Phrase::tr("%1; the run goes on to its end")(Phrase(flat)),
          Phrase::tr("the loss is not a number at update %1")(12),
          Phrase::tr("the loss stayed above %1 for %2 updates at update %3")(std::string("18.42"), 10, 12),
          Phrase::tr("imported from %1")(std::string("24.1")),
          Phrase::tr("aborted on request"),
          left,
          Phrase::tr("%1; it wrote: %2")(Phrase(left), std::string("0x7f")),
          usageError(Phrase::tr("the validation part is empty"),
                     Phrase::tr("name a file, or keep a part of the training data for it"))
              .phrase(),
          dataErrorAt("/x", 3, Phrase::tr("not UTF-8 at byte %1 of the line")(7)).phrase()};
}

// Words of English are longer than two letters; "nll", "float16" and "UTF-8" are said so in Chinese, too.
bool hasEnglish(QString text) {
  for (const char* term : {"nll", "float16", "BLEU", "UTF-8"}) text.remove(QLatin1String(term));
  return text.contains(QRegularExpression(QStringLiteral("[A-Za-z]{3,}")));
}

}  // namespace

// What happened to a run is said in the language of the window, from the facts that engine and runner wrote.
class RunMessageTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_fixture = std::make_unique<test::WindowFixture>(); }
  void cleanup() {
    m_host.reset();
    m_fixture.reset();
  }
  void recordsKeepThePhrase();
  void whatIsNotKnownIsShownAsStored();
  void everySentenceIsChinese();
  void chineseWindowSpeaksChinese();

 private:
  MainWindow* openChinese();
  std::string addFlatRun() const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

// A record keeps the English sentence, and beside it what another language needs.
void RunMessageTest::recordsKeepThePhrase() {
  for (const Phrase& sentence : everySentence()) {
    RunOutcome outcome;
    outcome.message = sentence;
    const Json json = outcomeToJson(outcome);
    QCOMPARE(json.at("message").get<std::string>(), sentence.english());
    QVERIFY(outcomeFromJson(json).value().message == sentence);
  }
}

// Records of before have the sentence alone; one whose parts say something else is not believed.
void RunMessageTest::whatIsNotKnownIsShownAsStored() {
  Json old = outcomeToJson({});
  old["message"] = "not learning: after 12";
  QCOMPARE(outcomeFromJson(old)->message.english(), std::string("not learning: after 12"));
  QVERIFY(outcomeFromJson(old)->message.verbatim);
  writePhrase(old, "message", everySentence().front());
  old["message"] = "another sentence";
  QCOMPARE(outcomeFromJson(old)->message.english(), std::string("another sentence"));
  QCOMPARE(logKindText(QStringLiteral("from_tomorrow")), QStringLiteral("from_tomorrow"));
}

MainWindow* RunMessageTest::openChinese() {
  {
    SessionStore session(m_fixture->sessionFile());
    session.setText(session::kLanguage, QStringLiteral("zh_CN"));
  }
  m_host = std::make_unique<WindowHost>(m_fixture->sessionFile());
  MainWindow* window = m_host->openWindow(m_fixture->project());
  const bool ready = QTest::qWaitForWindowActive(window) &&
                     waitUntil([&] { return window->service()->isReady() && window->jobs()->count() == 0; });
  return ready ? window : nullptr;
}

void RunMessageTest::everySentenceIsChinese() {
  QVERIFY(openChinese() != nullptr);
  for (const Phrase& sentence : everySentence()) {
    const QString text = phraseText(sentence);
    QVERIFY2(!hasEnglish(text), qPrintable(text));
    QVERIFY2(!text.contains(QLatin1Char('%')), qPrintable(text));
  }
  for (const char* cause : {"data", "config", "disk", "oom", "device_fault"})
    QVERIFY2(!hasEnglish(runCauseText(QString::fromLatin1(cause))), cause);
  for (const char* kind : {"run_started", "epoch", "validation", "sample", "checkpoint", "warning",
                           "diverged", "run_finished", "run_failed", "stderr"})
    QVERIFY2(!hasEnglish(logKindText(QString::fromLatin1(kind))), kind);
}

// As the engine leaves it: a warning when it is found, the verdict at the end.
std::string RunMessageTest::addFlatRun() const {
  std::string path;
  const auto log = m_fixture->beginRun("flat", &path);
  test::WindowFixture::writeSteps(*log, 1, 20, 6.6);
  RunOutcome outcome;
  outcome.state = RunState::Diverged;
  outcome.cause = "no_learning";
  outcome.message = everySentence().front();
  outcome.details = {{"step", 12}, {"nll", 6.374}, {"ratio", 0.97}, {"entropy", 6.547}};
  outcome.step = 20;
  outcome.finishedAt = isoTimeNow();
  Json warned = outcome.details;
  warned["goes_on"] = true;
  Json warning = {{"cause", outcome.cause}, {"details", warned}};
  writePhrase(warning, "message", everySentence()[1]);
  log->append("warning", warning).value();
  Json diverged = {{"cause", outcome.cause}, {"step", 12}, {"details", outcome.details}};
  writePhrase(diverged, "message", outcome.message);
  log->append("diverged", diverged).value();
  RunFolder(path).writeOutcome(1, outcome).value();
  return path;
}

void RunMessageTest::chineseWindowSpeaksChinese() {
  addFlatRun();
  MainWindow* window = openChinese();
  QVERIFY(window != nullptr);
  QVERIFY(waitUntil([&] { return window->train()->runModel()->rowCount() == 1; }));
  const QModelIndex state = window->train()->runModel()->index(0, RunTableModel::State);
  for (const int role : {Qt::DisplayRole, Qt::ToolTipRole}) {
    const QString text = state.data(role).toString();
    QVERIFY2(!text.isEmpty() && !hasEnglish(text), qPrintable(text));
  }
  const QString tip = state.data(Qt::ToolTipRole).toString();
  QVERIFY(tip.contains(QStringLiteral("6.374")));
  // The icon that a narrow column shows is said in words first.
  QVERIFY2(tip.startsWith(state.data().toString() + QLatin1Char('\n')), qPrintable(tip));
  const LogModel* log = window->findChild<LogModel*>();
  QVERIFY(waitUntil([&] { return log->rowCount() == 3; }));
  for (int row = 0; row < log->rowCount(); ++row) {
    const QString kind = log->index(row, LogModel::Kind).data().toString();
    const QString text = log->index(row, LogModel::Text).data().toString().remove(QStringLiteral("cpu"));
    QVERIFY2(!hasEnglish(kind) && !hasEnglish(text), qPrintable(kind + QLatin1Char(' ') + text));
  }
  // A narrow window keeps them away until they are wanted.
  window->resize(1600, 900);
  QVERIFY(waitUntil([&] { return window->train()->details()->isVisible(); }));
  bool told = false;
  const auto labels = window->train()->details()->findChildren<QLabel*>();
  for (const QLabel* label : labels) {
    if (!label->isVisible() || !label->text().contains(QStringLiteral("6.374"))) continue;
    told = true;
    QVERIFY2(!hasEnglish(label->text()), qPrintable(label->text()));
  }
  QVERIFY(told);
}

QTEST_MAIN(RunMessageTest)
#include "tst_run_message.moc"
