// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// The largest attention logit of a run of our own: as a scalar while it is trained, with a warning where the
// entropy is low, and as an analysis of its checkpoints. Trained by the real engine; the run is the same bits
// with and without.
#include <QFile>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "core/analysis/attention/attention_distribution.h"
#include "core/record/events/scalar_reader.h"
#include "core/record/runs/run_folder.h"
#include "tests/process/support_project_fixture.h"
#include "tests/process/support_word_pairs.h"

using namespace fathom;

class AttentionTrainingTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void scalarAndWarning();
  void analysisOfCheckpoints();
  void offCostsNothing();

 private:
  ShellResult ask(QStringList words, int seconds = 120) const {
    words.insert(1, QStringLiteral("--project"));
    words.insert(2, QString::fromStdString(m_fixture->path()));
    return m_fixture->fathom(words, {}, seconds);
  }
  std::string train(const char* name, const QStringList& options) const;
  static ScalarSeries series(const std::string& run, const std::string& metric);
  std::unique_ptr<ProjectFixture> m_fixture;
  std::string m_watched, m_plain;
};

std::string AttentionTrainingTest::train(const char* name, const QStringList& options) const {
  QStringList words = {QStringLiteral("train"), QStringLiteral("--name"), QString::fromUtf8(name),
                       QStringLiteral("--wait"), QStringLiteral("--json")};
  QStringList all = {QStringLiteral("data.train=") + m_fixture->file("pairs.tsv")};
  for (const char* option :
       {"data.vocabulary.kind=words", "data.validation_size=20", "data.test_size=0", "batch.max_tokens=256",
        "model.width=16", "model.heads=2", "model.feed_forward=32", "encoder.layers=2", "decoder.layers=2",
        "training.length=30u", "validation.interval=30u", "checkpoint.interval=15u", "lr_schedule=linear",
        "lr_schedule.rate=0.005", "lr_schedule.warmup=4", "device=cpu", "threads=1"})
    all << QString::fromUtf8(option);
  for (const QString& option : all + options) words << QStringLiteral("--set") << option;
  const ShellResult trained = ask(words);
  if (trained.exitCode != 0) {
    QTest::qFail(qPrintable(trained.out + trained.err), __FILE__, __LINE__);
    return {};
  }
  return trained.json()["run"]["path"].get<std::string>();
}

ScalarSeries AttentionTrainingTest::series(const std::string& run, const std::string& metric) {
  for (const ScalarSeries& each : readRunScalars(run).value())
    if (each.metric == metric) return each;
  return {};
}

void AttentionTrainingTest::initTestCase() {
  m_fixture = std::make_unique<ProjectFixture>();
  qputenv("FATHOM_ENGINE", FATHOM_BIN_DIR "/fathom-engine");
  test::writeWordPairs(m_fixture->file("pairs.tsv"));
  m_watched = train("watched",
                    {QStringLiteral("analysis.max_logit=10u"), QStringLiteral("analysis.collapse_below=50")});
  m_plain = train("plain", {});
  QVERIFY(!m_watched.empty() && !m_plain.empty());
}

void AttentionTrainingTest::scalarAndWarning() {
  const ScalarSeries logits = series(m_watched, "attention.max_logit");
  QVERIFY(logits.step == std::vector<double>({10, 20, 30}));
  for (const double value : logits.value) QVERIFY(std::isfinite(value));
  QVERIFY(logits.epoch.back() > 0);
  // No entropy reaches 50 nats: each attention is warned of once.
  const std::string log = RunFolder(m_watched).eventsPath(1);
  int warnings = 0;
  QFile events(QString::fromStdString(log));
  QVERIFY(events.open(QIODevice::ReadOnly));
  for (const QByteArray& line : events.readAll().split('\n'))
    if (line.contains("\"entropy_collapse\"")) ++warnings;
  QCOMPARE(warnings, 3);
}

void AttentionTrainingTest::analysisOfCheckpoints() {
  const ShellResult made =
      ask({QStringLiteral("analyse"), QStringLiteral("attention_logit"), QStringLiteral("--run"),
           QStringLiteral("watched"), QStringLiteral("--checkpoint"), QStringLiteral("all"),
           QStringLiteral("--examples"), QStringLiteral("0"), QStringLiteral("--figure"),
           m_fixture->file("logits.pdf"), QStringLiteral("--json")});
  QVERIFY2(made.exitCode == 0, qPrintable(made.out + made.err));
  const Json results = made.json()["results"];
  QCOMPARE(results.size(), std::size_t{3});  // init, 15, 30
  const auto last = distributionsFromJson(results.back()["result"]).value();
  QCOMPARE(last.quantity, std::string("attention_logit"));
  QCOMPARE(last.attentions.size(), std::size_t{3});
  double largest = -HUGE_VAL;
  for (const AttentionDistribution& attention : last.attentions)
    for (const auto& heads : attention.heads)
      for (const HeadDistribution& head : heads) largest = std::max(largest, head.values.fiveNumbers[4]);
  // The scalar is that of a part of these examples.
  const double scalar = series(m_watched, "attention.max_logit").value.back();
  QVERIFY2(scalar <= largest + 1e-4 && scalar > 0.3 * largest, qPrintable(QString::number(scalar)));
  const ShellResult drawn = ask(
      {QStringLiteral("export-figure"), QStringLiteral("--figure"), QStringLiteral("over_training"),
       QStringLiteral("--runs"), QStringLiteral("watched"), QStringLiteral("--set"),
       QStringLiteral("analysis=attention_logit"), QStringLiteral("--out"), m_fixture->file("course.pdf")});
  QVERIFY2(drawn.exitCode == 0, qPrintable(drawn.out + drawn.err));
}

void AttentionTrainingTest::offCostsNothing() {
  QVERIFY(series(m_plain, "attention.max_logit").value.empty());
  for (const char* metric : {"loss", "grad_norm", "valid.nll"})
    QVERIFY2(series(m_watched, metric).value == series(m_plain, metric).value, metric);
}

QTEST_GUILESS_MAIN(AttentionTrainingTest)
#include "tst_attention_training.moc"
