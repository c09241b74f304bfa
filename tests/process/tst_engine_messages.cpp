// SPDX-License-Identifier: Apache-2.0
#include <QTemporaryDir>
#include <QTest>

#include "app/runner/attempt_outcome.h"
#include "app/runner/engine_messages.h"
#include "core/base/json/json_members.h"

using namespace fathom;

// What is told of an engine that died is what it said of it, not how far it was.
class EngineMessagesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void progressIsLeftOut();
  void longWordsAreCutAtTheirBeginning();
  void outcomesKeepThem();
};

void EngineMessagesTest::progressIsLeftOut() {
  QCOMPARE(lastMessage(""), std::string());
  const std::string progress =
      "reading train pairs 0/12233 bytes  0:00\n"
      "epoch_norm at update 6: 0.0 s\n"
      "update 12: valid.nll 3.653 valid.ppl 38.6\n"
      "training 12/100 updates  loss 3.100  ppl 22.2  4000 tokens/s  0:04 spent, 1:02:31 left\n";
  QCOMPARE(lastMessage(progress), std::string());
  QCOMPARE(
      lastMessage(progress + "terminate called after throwing an instance of 'std::bad_alloc'\n" + progress),
      std::string("terminate called after throwing an instance of 'std::bad_alloc'"));
  QCOMPARE(lastMessage("\r\033[Ktraining 1/9 updates  0:01\r\033[Kerror: one 1/2 of it\nand more \n"),
           std::string("error: one 1/2 of it\nand more"));
}

void EngineMessagesTest::longWordsAreCutAtTheirBeginning() {
  const std::string line(300, 'x');
  QCOMPARE(lastMessage("first\n" + line + "\n" + line + "\n"), line);
  QCOMPARE(lastMessage(std::string(1000, 'a') + "b").size(), std::size_t{600});
  QVERIFY(lastMessage(std::string(1000, 'a') + "b").ends_with("ab"));
}

// Other programs read outcome.json: its keys stay what they were.
void EngineMessagesTest::outcomesKeepThem() {
  const QTemporaryDir folder;
  const std::string run = folder.filePath("run").toStdString();
  RunIdentity identity;
  identity.uuid = "3d1f5a52-0001-4000-8000-000000000001";
  const auto outcome =
      settleAttempt(run, identity, Json::object(), {.exitCode = 139, .lastMessage = "out of range"});
  QVERIFY2(outcome.ok(), outcome.ok() ? "" : outcome.error().text().c_str());
  const Json written = readJsonFile(RunFolder(run).attemptPath(1) + "/outcome.json").value();
  QCOMPARE(written.at("details"), Json({{"signal", 11}, {"last_words", "out of range"}}));
}

QTEST_GUILESS_MAIN(EngineMessagesTest)
#include "tst_engine_messages.moc"
