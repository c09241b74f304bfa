// SPDX-License-Identifier: Apache-2.0
// Conditions on runs: what they ask, how they are refused.
#include <QTemporaryDir>
#include <QTest>
#include <limits>

#include "core/base/errors/result.h"
#include "core/library/runs/run_condition.h"
#include "core/record/runs/attempt_place.h"

using namespace fathom;

namespace {

RunRow deepRow() {
  RunRow row;
  row.name = "Deep one";
  row.identity.created = "2026-11-20T12:00:00.000Z";
  row.state = RunState::Diverged;
  row.cause = "nan_loss";
  row.notes.tags = {"baseline", "old"};
  row.step = 1200;
  row.elapsed = 3 * 3600;
  row.best = {{"valid.bleu", 31.5}, {"valid.acc/ü", 0.5}};
  row.last = {{"valid.bleu", 29}, {"loss", std::numeric_limits<double>::quiet_NaN()}};
  row.options = {{"model.layers", 12}, {"encoder.layers", 6}, {"task", "nmt"},
                 {"lr", "0.1"},        {"fp16", true},        {"betas", {0.9, 0.98}}};
  return row;
}

bool holds(const std::string& text, const RunRow& row = deepRow()) {
  const auto condition = RunCondition::parse(text);
  if (!condition.ok()) qFatal("%s: %s", text.c_str(), condition.error().text().c_str());
  return condition->holds(row);
}

std::string refusal(const std::string& text) {
  const auto condition = RunCondition::parse(text);
  return condition.ok() ? std::string() : condition.error().text();
}

}  // namespace

class RunConditionTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void whatItAsks_data();
  void whatItAsks();
  void whatItRefuses_data();
  void whatItRefuses();
  void whatLooksLikeOne_data();
  void whatLooksLikeOne();
  void unmetNamesAreTold();
  void asksForOptionsOnlyWhereItMust();
  void placesAreAskedFor();
  void itHasAnEnd();
};

void RunConditionTest::whatItAsks_data() {
  QTest::addColumn<bool>("expected");
  const auto row = [](const char* text, bool expected) { QTest::newRow(text) << expected; };
  row("valid.bleu > 30 and layers >= 12", true);
  row("valid.bleu > 31.5", false);
  row("valid.bleu >= 31.5", true);
  row("last.valid.bleu > 30", false);
  row("best.valid.bleu > 30", true);
  row("BLEU > 30", true);
  row("acc/ü = 0.5", true);
  row("ü = 0.5", true);
  row("loss = nan", true);
  row("loss > 1", false);
  row("layers = 6", true);  // one of those that end so
  row("option.encoder.layers = 6 and model.layers = 12", true);
  row("layers = 7", false);
  row("layers != 7", true);
  row("layers != 6", false);
  row("ayers = 12", false);
  row("task = NMT", true);
  row("task = nm", false);
  row("task ~ nm", true);
  row("task !~ nm", false);
  row("lr = 0.1", true);  // a number as another program's text
  row("lr = 1e-1", true);
  row("lr < 0.2", true);
  row("fp16", true);
  row("fp16 = yes", true);
  row("fp16 = false", false);
  row("betas ~ 0.98", true);
  row("state = diverged", true);
  row("state in (failed, diverged)", true);
  row("state not in (failed, diverged)", false);
  row("state != finished && cause = nan_loss", true);
  row("tags = old", true);
  row("tag != baseline", false);
  row("tags != new", true);
  row("name ~ deep", true);
  row("name = 'Deep one'", true);
  row("notes", false);
  row("not notes", true);
  row("starred or updates >= 1k", true);
  row("updates > 1.2k", false);
  row("time > 2h and time <= 180min", true);
  row("time < 3h", false);
  row("started > 2026-11-19", true);
  row("started >= 2026-11 and started < 2026-12", true);
  row("started = 2026", true);
  row("started > 2026-11", false);
  row("20 < valid.bleu < 30", false);
  row("20 < valid.bleu <= 31.5", true);
  row("dropout != 0.1", false);  // it has none
  row("not dropout = 0.1", true);
  row("not (valid.bleu > 30 and layers > 12) and task = nmt", true);
  row("task = mlm and fp16 or state = diverged", true);
  row("task = mlm and (fp16 or state = diverged)", false);
  row("where `valid.bleu` > 30", true);
}

void RunConditionTest::whatItAsks() {
  QFETCH(bool, expected);
  QCOMPARE(holds(QTest::currentDataTag()), expected);
}

void RunConditionTest::whatItRefuses_data() {
  QTest::addColumn<QString>("said");
  const auto row = [](const char* text, const char* said) { QTest::newRow(text) << QString(said); };
  row("valid.bleu >", "at the end of the condition a number or a word is expected");
  row("valid.bleu > much", "at character 14 of the condition a number is expected, not 'much'");
  row("ü > 3 layers", "at character 7 of the condition “and”, “or” or the end is expected, not 'layers'");
  row("(loss > 3", "at the end of the condition “and”, “or” or “)” is expected");
  row("and loss > 3",
      "at character 1 of the condition a metric, an option or “name”, “state”, “tags”, … is "
      "expected, not 'and'");
  row("state = finishd",
      "at character 9 of the condition a state (queued, running, finished, stopped, diverged, "
      "failed, crashed, killed, lost, ended) is expected, not 'finishd'");
  row("started > soon", "at character 11 of the condition a date such as 2026-11-30 is expected, not 'soon'");
  row("time > long", "at character 8 of the condition a time such as 90min or 2h is expected, not 'long'");
  row("task in nmt", "at character 9 of the condition “(” with the values is expected, not 'nmt'");
  row("task in (nmt", "at the end of the condition “,” or “)” is expected");
  row("task = 'nmt", "the quotation mark at character 8 has no second one");
  row("30", "at the end of the condition a comparison (=, !=, <, <=, >, >=) is expected");
  row("", "at the end of the condition a metric, an option or “name”, “state”, “tags”, … is expected");
}

void RunConditionTest::whatItRefuses() {
  QFETCH(QString, said);
  QCOMPARE(QString::fromStdString(refusal(QTest::currentDataTag())), said);
  QVERIFY(refusal(std::string(5000, '(')).find("less nesting") != std::string::npos);
  QVERIFY(!refusal("loss > \xff").empty());
}

void RunConditionTest::whatLooksLikeOne_data() {
  QTest::addColumn<bool>("expected");
  const auto row = [](const char* text, bool expected) { QTest::newRow(text) << expected; };
  row("nmt deep", false);
  row("layers=12", false);
  row("layers=12 sp", false);
  row("bert and ernie", false);
  row("/a<b/", true);  // the table asks for patterns before
  row("layers=12 and task=nmt", true);
  row("layers = 12", true);
  row("valid.bleu >", true);
  row("valid.bleu>30", true);
  row("task != nmt", true);
  row("where starred", true);
  row("name ~ 'open", true);
  row("", false);
}

void RunConditionTest::whatLooksLikeOne() {
  QFETCH(bool, expected);
  QCOMPARE(looksLikeCondition(QTest::currentDataTag()), expected);
}

void RunConditionTest::unmetNamesAreTold() {
  const RunCondition condition = RunCondition::parse("vaild.bleu > 30 or layers > 3 or quux").value();
  UnmetNames names(condition);
  QVERIFY(names.sentences().empty());  // no run was seen
  names.see(deepRow());
  const auto told = names.sentences();
  QCOMPARE(told.size(), std::size_t{2});
  QCOMPARE(told[0].english(), std::string("no run has 'vaild.bleu'; did you mean 'valid.bleu'?"));
  QCOMPARE(told[1].english(), std::string("no run has 'quux'"));
}

void RunConditionTest::asksForOptionsOnlyWhereItMust() {
  QVERIFY(!RunCondition::parse("best.valid.bleu > 30 and state = finished")->needsOptions());
  QVERIFY(RunCondition::parse("layers > 30")->needsOptions());
  QVERIFY(RunCondition::parse("source ~ wandb")->needsOptions());
}

// By the queue while it waits or works, by what its last attempt says afterwards; a run that nobody has
// written a place of is one of this machine, one of another program has none.
void RunConditionTest::placesAreAskedFor() {
  QTemporaryDir dir;
  const std::string path = dir.filePath("run").toStdString();
  RunIdentity identity;
  identity.uuid = "u";
  const RunFolder folder = RunFolder::create(path, identity).value();
  RunRow row = deepRow();
  row.path = path;
  row.attempts = folder.beginAttempt({{"format", 1}}).value();
  QVERIFY(holds("place = local", row) && !holds("place = box", row));
  QVERIFY(writeAttemptPlace(folder, 1, {"box", "17_3", "n7"}).ok());
  QVERIFY(holds("place = box", row) && holds("place in (desk, Box)", row) && !holds("place = local", row));
  const auto condition = RunCondition::parse("place = desk").value();
  QVERIFY(condition.holds(row, "desk") && !condition.holds(row));
  row.identity.provenance = {{"imported_from", "/there"}, {"format", "wandb"}};
  QVERIFY(holds("source ~ wandb", row) && !holds("place", row));
}

// Each part is a call within another.
void RunConditionTest::itHasAnEnd() {
  const auto many = [](int count, const char* word) {
    std::string text = "a";
    for (int i = 1; i < count; ++i) text += std::string(word) + "a";
    return RunCondition::parse(text);
  };
  QVERIFY(many(1000, " or ").ok());
  for (const char* word : {" or ", " and "}) {
    const auto refused = many(100'000, word);
    QVERIFY(!refused.ok());
    QVERIFY2(refused.error().text().find("more than 2,000 parts") != std::string::npos ||
                 refused.error().text().find("more than 2000 parts") != std::string::npos,
             refused.error().text().c_str());
  }
}

QTEST_APPLESS_MAIN(RunConditionTest)
#include "tst_run_condition.moc"
