// SPDX-License-Identifier: Apache-2.0
#include <QLabel>
#include <QRegularExpression>
#include <QTest>
#include <utility>
#include <vector>

#include "app/window/main/main_window.h"
#include "app/window/main/window_host.h"
#include "app/window/session_keys.h"
#include "app/window/session_store.h"
#include "app/window/train/train_workspace.h"
#include "tests/gui/support_window_fixture.h"
#include "views/panels/train/run_details_panel.h"
#include "views/tables/log_model.h"
#include "views/tables/run_message.h"
#include "views/tables/run_table_model.h"

using namespace fathom;
using test::waitUntil;

namespace {

using Facts = std::pair<std::string, Json>;

// Every sentence, with facts that are seen in it as they are.
std::vector<Facts> everySentence() {
  const Json flat = {{"step", 12}, {"nll", 6.374}, {"ratio", 0.97}, {"entropy", 6.547}};
  Json goesOn = flat;
  goesOn["goes_on"] = true;
  const Json failed = Json::object({{"exit_code", 40}});
  return {{"nan_loss", Json::object({{"step", 12}})},
          {"inf_loss", Json::object({{"step", 12}})},
          {"nonfinite_grad", Json::object({{"step", 12}})},
          {"nonfinite_grad", {{"step", 12}, {"skipped", 257}}},
          {"loss_above", {{"step", 12}, {"limit", 18.42}, {"updates", 10}}},
          {"no_learning", flat},
          {"no_learning", goesOn},
          {"checkpoint_skipped", {{"step", 12}, {"error", "/x %1"}}},
          {"checkpoint_damaged", Json::object({{"checkpoint", "0001-00000020"}})},
          {"analysis_failed", {{"analysis", "7"}, {"step", 12}, {"error", "/x"}}},
          {"", Json::object({{"imported_from", "24.1"}})},
          {"aborted", Json::object()},
          {"unknown", Json::object({{"unwatched", true}})},
          {"oom", {{"signal", 9}, {"memory_kill", true}}},
          {"killed", {{"signal", 9}, {"perhaps_memory", true}}},
          {"killed", Json::object({{"signal", 15}})},
          {"crash", {{"signal", 11}, {"last_words", "0x7f"}}},
          {"oom", failed},
          {"disk", failed},
          {"config", failed},
          {"device_fault", failed},
          {"unknown", failed}};
}

// Words of English are longer than two letters; "nll" and "float16" are said so in Chinese, too.
bool hasEnglish(QString text) {
  for (const char* term : {"nll", "float16", "BLEU"}) text.remove(QLatin1String(term));
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
  void sentencesHoldTheirFacts();
  void whatIsNotKnownIsShownAsStored();
  void everySentenceIsChinese();
  void chineseWindowSpeaksChinese();

 private:
  MainWindow* openChinese();
  std::string addFlatRun() const;
  std::unique_ptr<test::WindowFixture> m_fixture;
  std::unique_ptr<WindowHost> m_host;
};

void RunMessageTest::sentencesHoldTheirFacts() {
  for (const auto& [cause, details] : everySentence()) {
    const QString text = runMessageText(cause, details, "stored");
    QVERIFY2(text != QLatin1String("stored") && !text.isEmpty(), cause.c_str());
    QVERIFY2(details.contains("error") || !text.contains(QLatin1Char('%')), qPrintable(text));
    for (const auto& [name, value] : details.items()) {
      const bool hidden = value.is_boolean() || (cause == "oom" && name == "signal");
      const QString shown = value.is_string() ? QString::fromStdString(value.get<std::string>())
                                              : QString::fromStdString(value.dump());
      QVERIFY2(hidden || text.contains(shown), qPrintable(text + QStringLiteral(" lacks ") + shown));
    }
  }
  QCOMPARE(runMessageText("no_learning", everySentence()[5].second, ""),
           QStringLiteral("Not learning: after 12 updates the validation nll 6.374 is still above 0.97 × the "
                          "targets' unigram entropy (6.547 nats)."));
  QCOMPARE(runMessageText("data", Json::object(), "x.tsv:3: no tab"),
           QStringLiteral("The data cannot be read: x.tsv:3: no tab"));
}

// Records of before have no facts; a later engine may have other causes.
void RunMessageTest::whatIsNotKnownIsShownAsStored() {
  const Json without = Json::object();
  QCOMPARE(runMessageText("no_learning", without, "not learning: after 12"), "not learning: after 12");
  QCOMPARE(runMessageText("nan_loss", Json(), "the loss is not a number"), "the loss is not a number");
  QCOMPARE(runMessageText("loss_above", Json::object({{"step", 3}}), "old"), "old");
  QCOMPARE(runMessageText("from_tomorrow", Json::object({{"step", 3}}), "new"), "new");
  QCOMPARE(runMessageText("", without, ""), QString());
  QCOMPARE(runMessageText("disk", without, ""), QString());
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
                     waitUntil([&] { return window->service()->isOpen() && window->jobs()->count() == 0; });
  return ready ? window : nullptr;
}

void RunMessageTest::everySentenceIsChinese() {
  QVERIFY(openChinese() != nullptr);
  for (const auto& [cause, details] : everySentence()) {
    const QString text = runMessageText(cause, details, "stored words");
    QVERIFY2(!hasEnglish(text), qPrintable(text));
  }
  for (const char* cause : {"data", "config", "disk", "oom", "device_fault"}) {
    const QString text = runMessageText(cause, Json::object(), "x:3");
    QVERIFY2(!hasEnglish(text) && text.contains(QStringLiteral("x:3")) && text.size() > 5, qPrintable(text));
    QVERIFY2(!hasEnglish(runCauseText(QString::fromLatin1(cause))), cause);
  }
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
  outcome.message = "not learning: after 12 updates";
  outcome.details = {{"step", 12}, {"nll", 6.374}, {"ratio", 0.97}, {"entropy", 6.547}};
  outcome.step = 20;
  outcome.finishedAt = isoTimeNow();
  Json warned = outcome.details;
  warned["goes_on"] = true;
  log->append("warning", Json{{"message", "not learning: on"}, {"cause", outcome.cause}, {"details", warned}})
      .value();
  log->append("diverged", Json{{"cause", outcome.cause},
                               {"step", 12},
                               {"message", outcome.message},
                               {"details", outcome.details}})
      .value();
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
  QVERIFY(state.data(Qt::ToolTipRole).toString().contains(QStringLiteral("6.374")));
  const LogModel* log = window->findChild<LogModel*>();
  QVERIFY(waitUntil([&] { return log->rowCount() == 3; }));
  for (int row = 0; row < log->rowCount(); ++row) {
    const QString kind = log->index(row, LogModel::Kind).data().toString();
    const QString text = log->index(row, LogModel::Text).data().toString().remove(QStringLiteral("cpu"));
    QVERIFY2(!hasEnglish(kind) && !hasEnglish(text), qPrintable(kind + QLatin1Char(' ') + text));
  }
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
