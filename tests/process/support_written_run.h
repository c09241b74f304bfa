// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <memory>

namespace fathom::test {

// Trainings of Python programs that packaging/python/fathom.py writes.

// python3 of version 3.8 or newer; empty where there is none.
QString modulePython();
// Without what would send runs elsewhere, and with the module where programs look for it.
QProcessEnvironment moduleEnvironment(const QStringList& more = {});
// written_run.py in `mode`, its run in `folder`. `before`: words between python3 and the script.
std::unique_ptr<QProcess> startWritten(const QString& mode, const QString& folder, int rows,
                                       const QStringList& environment = {}, const QStringList& before = {});
// Waits for its end, at most a minute; what it said. "timed out" where it had to be killed.
QByteArray finishWritten(QProcess& process);
// Reads until the process has said the word; what it said so far.
QByteArray waitForWord(QProcess& process, const QByteArray& word);

}  // namespace fathom::test
