// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_pictured_runs.h"

#include <QTest>
#include <iterator>

#include "tests/process/support_project_fixture.h"
#include "tests/process/support_word_pairs.h"

namespace fathom {

void makePicturedRuns(const ProjectFixture& fixture) {
  const QString pairs = fixture.file("pairs.tsv");
  test::writeWordPairs(pairs);
  QStringList line = {"train", "--project", QString::fromStdString(fixture.path()), "--wait"};
  for (const QString& option : {QStringLiteral("data.train=") + pairs,
                                QStringLiteral("data.vocabulary.kind=words"),
                                QStringLiteral("data.validation_size=20"),
                                QStringLiteral("data.test_size=0"),
                                QStringLiteral("batch.max_tokens=256"),
                                QStringLiteral("model.width=16"),
                                QStringLiteral("model.heads=2"),
                                QStringLiteral("model.feed_forward=32"),
                                QStringLiteral("encoder.layers=2"),
                                QStringLiteral("decoder.layers=2"),
                                QStringLiteral("training.length=2e"),
                                QStringLiteral("checkpoint.interval=1e"),
                                QStringLiteral("lr_schedule=linear"),
                                QStringLiteral("lr_schedule.rate=0.005"),
                                QStringLiteral("lr_schedule.warmup=4"),
                                QStringLiteral("analysis.interval=1e"),
                                QStringLiteral("analysis.ids=attention_entropy"),
                                QStringLiteral("analysis.epoch_norms=true"),
                                QStringLiteral("device=cpu"),
                                QStringLiteral("threads=1")})
    line << QStringLiteral("--set") << option;
  for (const QString& seed : {QStringLiteral("1"), QStringLiteral("2")}) {
    const QStringList own = {"--name", "RUN " + seed, "--set", "seed=" + seed};
    const ShellResult trained = fixture.fathom(line + own, {}, 180);
    QVERIFY2(trained.exitCode == 0, qPrintable(trained.err));
  }
}

}  // namespace fathom
