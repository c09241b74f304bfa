// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_ended.h"

#include <QProcess>

namespace fathom::test {

Ended ran(const QString& program, const QStringList& words, const QProcessEnvironment& environment) {
  QProcess process;
  if (!environment.isEmpty()) process.setProcessEnvironment(environment);
  process.start(program, words);
  Ended ended;
  if (process.waitForFinished(240000) && process.exitStatus() == QProcess::NormalExit)
    ended.code = process.exitCode();
  ended.out = process.readAllStandardOutput();
  ended.err = process.readAllStandardError();
  return ended;
}

}  // namespace fathom::test
