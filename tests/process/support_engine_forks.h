// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QProcess>
#include <QTemporaryDir>

#include "tests/process/support_ended.h"

namespace fathom::test {

// The engine's command line as forks of one process that has loaded LibTorch (device_checks forks,
// tests/device): the same code without its half second of loading. For tests of verbs, whose main() and
// loading others try. It cannot start itself anew: no ranks, and no program that lies beside it.
class EngineForks {
 public:
  // `libraries`: a folder in which libraries are looked for first, or "".
  explicit EngineForks(const QString& libraries = {});
  ~EngineForks();
  EngineForks(const EngineForks&) = delete;
  EngineForks& operator=(const EngineForks&) = delete;

  // To its end. In the environment of this program as it is now, and `more`: NAME=value. Its standard input
  // is the file `input`, or nothing.
  Ended run(const QStringList& words, const QStringList& more = {}, const QString& input = {});

 private:
  QString m_libraries;
  QTemporaryDir m_folder;
  QProcess m_process;
};

}  // namespace fathom::test
