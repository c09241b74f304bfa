// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/support_golden_text.h"

#include <QStringList>
#include <algorithm>

#include "core/base/files/atomic_file.h"

namespace fathom::test {

QString goldenProblem(const std::string& text, const std::string& file) {
  const std::string path = std::string(FATHOM_SOURCE_DIR) + "/tests/golden/figures/" + file;
  if (qEnvironmentVariableIsSet("FATHOM_REGENERATE")) {
    const Status written = writeFileAtomically(path, text);
    return written.ok() ? QString() : QString::fromStdString(written.error().text());
  }
  const Result<std::string> golden = readFile(path);
  if (!golden.ok()) return QString::fromStdString(golden.error().text());
  if (text == *golden) return {};
  const QStringList lines = QString::fromStdString(text).split(u'\n');
  const QStringList wanted = QString::fromStdString(*golden).split(u'\n');
  const auto at = std::mismatch(lines.begin(), lines.end(), wanted.begin(), wanted.end());
  const auto number = at.first - lines.begin();
  return QStringLiteral("line %1 of %2:\n%3\ninstead of\n%4")
      .arg(number + 1)
      .arg(QString::fromStdString(file), lines.value(number), wanted.value(number));
}

}  // namespace fathom::test
