// SPDX-License-Identifier: Apache-2.0
// Curves over every axis that a run tells, in the shell and in a figure: of an import, and of a program that
// names the axes of its metrics (define_metric).
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QTest>
#include <cmath>

#include "core/record/runs/run_folder.h"
#include "tests/process/support_project_fixture.h"

using namespace fathom;

class CurveAxesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_fixture = std::make_unique<ProjectFixture>(); }
  void everyAxisOfAnImport();
  void whatIsNotTold();
  void figuresTakeTheSameAxes();
  void definedByAProgram();

 private:
  ShellResult ask(QStringList words) const {
    words.insert(1, QStringLiteral("--project"));
    words.insert(2, QString::fromStdString(m_fixture->path()));
    return m_fixture->fathom(words);
  }
  Json x(const QStringList& axis, const QString& run = QStringLiteral("dated")) const {
    const ShellResult told = ask(QStringList{"curves", run, "--metric", "loss", "--json"} + axis);
    if (told.exitCode != 0) return told.err.toStdString();
    return told.json()["curves"][0].value("x", Json());
  }
  void import(const char* name, const QByteArray& text) const {
    QFile file(m_fixture->file(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(text) == text.size());
    file.close();
    const ShellResult told = ask({"import-run", file.fileName(), "--name", QString(name).section('.', 0, 0)});
    QVERIFY2(told.exitCode == 0, qPrintable(told.err));
  }
  void importDated() const {
    import("dated.csv",
           "step,time,epoch,tokens,loss,samples\n10,2026-11-30 10:00:00,1,100,4,\n"
           "20,2026-11-30 10:00:30.5,2,200,3,64\n30,2026-11-30 10:02:00,3,300,2,32\n");
  }
  std::unique_ptr<ProjectFixture> m_fixture;
};

void CurveAxesTest::everyAxisOfAnImport() {
  importDated();
  QVERIFY(x({}).is_null());  // as it always was
  QCOMPARE(x({"--x", "step"}), Json({10.0, 20.0, 30.0}));
  QCOMPARE(x({"--x", "time"}), Json({0.0, 30.5, 120.0}));
  QCOMPARE(x({"--x", "epoch"}), Json({1.0, 2.0, 3.0}));
  QCOMPARE(x({"--x", "tokens"}), Json({100.0, 200.0, 300.0}));
  QCOMPARE(x({"--x", "clock"}), Json({1796032800.0, 1796032830.5, 1796032920.0}));
  QCOMPARE(x({"--x", "samples"}), Json({Json(), 64.0, 32.0}));
  QCOMPARE(x({"--x", "metric:samples"}), x({"--x", "samples"}));
  const ShellResult csv = ask({"curves", "dated", "--metric", "loss", "--csv", "--x", "clock"});
  const QStringList lines = csv.out.split('\n', Qt::SkipEmptyParts);
  QCOMPARE(lines.size(), 4);
  QVERIFY2(lines[0].endsWith("seconds,value,x"), qPrintable(lines[0]));
  QVERIFY2(lines[2].endsWith(",30.5,3,2026-11-30T10:00:30.500Z"), qPrintable(lines[2]));
  const QString first =
      ask({"curves", "dated", "--metric", "loss", "--csv", "--x", "samples"}).out.split('\n')[1];
  QVERIFY2(first.endsWith(",4,"), qPrintable(first));
}

void CurveAxesTest::whatIsNotTold() {
  import("bare.csv", "step,loss\n1,3\n2,2\n");
  for (const char* axis : {"time", "clock", "epoch", "tokens"})
    QCOMPARE(x({"--x", QLatin1String(axis)}, "bare"), Json({Json(), Json()}));
  const ShellResult refused = ask({"curves", "bare", "--x", "epok"});
  QVERIFY(refused.exitCode != 0 && refused.out.isEmpty());
  QVERIFY2(refused.err.contains("has no metric 'epok'") && refused.err.contains("it has: loss"),
           qPrintable(refused.err));
}

void CurveAxesTest::figuresTakeTheSameAxes() {
  importDated();
  import("bare.csv", "step,loss\n1,3\n2,2\n");
  const QString out = m_fixture->file("figure.svg");
  const auto figure = [&](const QString& set) {
    QStringList words = {"export-figure", "--figure", "training_curve", "--runs", "dated",
                         "--runs",        "bare",     "--out",          out};
    for (const QString& each : set.split(u'+')) words << "--set" << each;
    const ShellResult told = ask(words);
    return told.exitCode == 0 ? QString() : told.err;
  };
  for (const char* axis : {"axis=clock", "axis=metric+axis_metric=samples", "axis=tokens"})
    QCOMPARE(figure(QLatin1String(axis)), QString());
  const QString refused = figure("axis=metric+axis_metric=nothing");
  QVERIFY2(refused.contains("has no value of nothing at its steps"), qPrintable(refused));
  QVERIFY(figure("axis=metric").contains("axis_metric"));
}

// The window offers such an axis by itself: it stands in run.json.
void CurveAxesTest::definedByAProgram() {
  const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
  if (python.isEmpty()) QSKIP("no python3 on this machine");
  QFile script(m_fixture->file("train.py"));
  QVERIFY(script.open(QIODevice::WriteOnly));
  script.write(
      "import fathom as wandb\n"
      "wandb.init(name='defined')\n"
      "wandb.define_metric('val/*', step_metric='epoch')\n"
      "wandb.define_metric('loss', step_metric='samples', goal='minimize')\n"
      "for i in range(6):\n"
      "    wandb.log({'loss': 1 / (i + 1), 'samples': 32 * (i + 1)})\n"
      "    if i % 3 == 2:\n"
      "        wandb.log({'epoch': i // 3 + 1, 'val/acc': i / 6})\n"
      "wandb.finish()\n");
  script.close();
  QProcess process;
  QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
  values.insert(QStringLiteral("PYTHONPATH"), QStringLiteral(FATHOM_SOURCE_DIR "/packaging/python"));
  values.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
  values.insert(QStringLiteral("FATHOM_PROJECT"), QString::fromStdString(m_fixture->path()));
  process.setProcessEnvironment(values);
  process.start(python, {script.fileName()});
  QVERIFY(process.waitForFinished(60000));
  QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
  const Json run = ask({"show", "defined", "--json"}).json()["run"];
  const RunIdentity identity = RunFolder(run["path"].get<std::string>()).identity().value();
  QCOMPARE(findMetric(identity.metrics, "val/acc")->stepMetric, std::string("epoch"));
  QCOMPARE(findMetric(identity.metrics, "loss")->stepMetric, std::string("samples"));
  QCOMPARE(findMetric(identity.metrics, "loss")->direction, MetricDirection::Lower);
  QCOMPARE(x({"--x", "samples"}, "defined"), Json({32.0, 64.0, 96.0, 128.0, 160.0, 192.0}));
  const Json accuracy =
      ask({"curves", "defined", "--metric", "val/acc", "--x", "metric:epoch", "--json"}).json();
  QCOMPARE(accuracy["curves"][0]["x"], Json({1.0, 2.0}));
}

QTEST_GUILESS_MAIN(CurveAxesTest)
#include "tst_curve_axes.moc"
