// SPDX-License-Identifier: Apache-2.0
// ctest: engine two_cores
// The quick start with the real engine: the small model reaches BLEU 95, twelve layers of Post-LN do not
// learn, Pre-LN and Admin do, and the figure is there.
#include <QDir>
#include <QFile>
#include <QTest>

#include "tests/process/support_project_fixture.h"

using namespace fathom;

class QuickStartTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void trainsAndDraws() {
    const QString engine = QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");
    QVERIFY2(QFile::exists(engine), "fathom-engine is not built");
    const ProjectFixture fixture;
    const QString out = fixture.file("out");
    const ShellResult result =
        fixture.fathom({"quick-start", "--out", out, "--json"}, {"FATHOM_ENGINE=" + engine}, 590);
    QVERIFY2(result.exitCode == 0, qPrintable(result.out + result.err));
    const Json json = result.json();
    QCOMPARE(json["runs"].size(), std::size_t{4});
    QVERIFY(json["runs"][0]["last"]["valid.bleu"].get<double>() >= 95);
    QVERIFY(json["runs"][0]["step"].get<int>() <= 800);
    QVERIFY(json["runs"][1]["last"]["valid.nll"].get<double>() >= 3.3);
    QVERIFY(json["runs"][1]["last"]["valid.bleu"].get<double>() < 2);
    QCOMPARE(json["runs"][1]["cause"].get<std::string>(), std::string("no_learning"));
    QCOMPARE(json["runs"][1]["step"].get<int>(), 500);  // the curve is whole
    QVERIFY(json["runs"][2]["last"]["valid.nll"].get<double>() <= 1.5);
    QVERIFY(json["runs"][3]["last"]["valid.nll"].get<double>() <= 1.5);
    QVERIFY(QFile(out + "/training_curve.pdf").size() > 1000);
    // Every run has what the figure of its epochs needs: two ends.
    for (const Json& run : json["runs"]) {
      const QDir norms(QString::fromStdString(run["path"].get<std::string>()) + "/analyses/epoch_norm");
      QVERIFY(norms.entryList(QDir::Dirs | QDir::NoDotAndDotDot).size() >= 2);
    }
    // Again: nothing is trained twice.
    const ShellResult again =
        fixture.fathom({"quick-start", "--out", out, "--json"}, {"FATHOM_ENGINE=" + engine}, 60);
    QCOMPARE(again.exitCode, 0);
    QVERIFY(again.json()["runs"][0]["uuid"] == json["runs"][0]["uuid"]);
  }
};

QTEST_GUILESS_MAIN(QuickStartTest)
#include "tst_quick_start_slow.moc"
