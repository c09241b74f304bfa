// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QByteArray>
#include <QProcessEnvironment>
#include <QStringList>

#include "core/base/json/json.h"

namespace fathom::test {

// A program that has ended, with what it printed; -1 where it did not start, end in 4 minutes, or crashed.
struct Ended {
  int code = -1;
  int signal = 0;  // which ended a fork (EngineForks); 0: none
  QByteArray out, err;
  Json json() const { return Json::parse(out.toStdString()); }
};
// Runs it to its end; an empty environment is this program's own.
Ended ran(const QString& program, const QStringList& words, const QProcessEnvironment& environment = {});

}  // namespace fathom::test
