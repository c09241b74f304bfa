// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_written_run.h"

#include <QElapsedTimer>
#include <QStandardPaths>

namespace fathom::test {

QString modulePython() {
  static const QString found = [] {
    const QString python = QStandardPaths::findExecutable(QStringLiteral("python3"));
    const QString ask = QStringLiteral("import sys; sys.exit(sys.version_info < (3, 8))");
    return python.isEmpty() || QProcess::execute(python, {QStringLiteral("-c"), ask}) != 0 ? QString()
                                                                                           : python;
  }();
  return found;
}

QProcessEnvironment moduleEnvironment(const QStringList& more) {
  QProcessEnvironment values = QProcessEnvironment::systemEnvironment();
  for (const QString& name : values.keys())
    if (name.startsWith(QLatin1String("FATHOM_")) || name.startsWith(QLatin1String("WANDB_")) ||
        name.endsWith(QLatin1String("RANK")))
      values.remove(name);
  const QString module = QStringLiteral(FATHOM_SOURCE_DIR "/packaging/python");
  const QString path = values.value(QStringLiteral("PYTHONPATH"));
  values.insert(QStringLiteral("FATHOM_MODULE"), module);
  values.insert(QStringLiteral("PYTHONPATH"), path.isEmpty() ? module : module + QLatin1Char(':') + path);
  values.insert(QStringLiteral("PYTHONDONTWRITEBYTECODE"), QStringLiteral("1"));
  values.insert(QStringLiteral("PYTHONIOENCODING"), QStringLiteral("utf-8"));
  for (const QString& entry : more) values.insert(entry.section('=', 0, 0), entry.section('=', 1));
  return values;
}

std::unique_ptr<QProcess> startWritten(const QString& mode, const QString& folder, int rows,
                                       const QStringList& environment, const QStringList& before) {
  auto process = std::make_unique<QProcess>();
  process->setProcessEnvironment(
      moduleEnvironment(QStringList{QStringLiteral("FATHOM_RUN_DIR=") + folder} + environment));
  process->start(modulePython(),
                 before + QStringList{QStringLiteral(FATHOM_SOURCE_DIR "/tests/process/written_run.py"), mode,
                                      QString::number(rows)});
  if (!process->waitForStarted()) qFatal("python3 does not start");
  return process;
}

QByteArray finishWritten(QProcess& process) {
  process.closeWriteChannel();
  if (process.state() != QProcess::NotRunning && !process.waitForFinished(60000)) {
    process.kill();
    process.waitForFinished();
    return "timed out";
  }
  return process.readAllStandardOutput();
}

QByteArray waitForWord(QProcess& process, const QByteArray& word) {
  QByteArray said;
  QElapsedTimer timer;
  timer.start();
  while (!said.contains(word) && timer.elapsed() < 60000) {
    process.waitForReadyRead(100);
    said += process.readAllStandardOutput();
    if (process.state() == QProcess::NotRunning && process.bytesAvailable() == 0) break;
  }
  return said;
}

}  // namespace fathom::test
