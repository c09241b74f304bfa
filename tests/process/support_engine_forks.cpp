// SPDX-License-Identifier: Apache-2.0
#include "tests/process/support_engine_forks.h"

#include <QFile>
#include <QProcessEnvironment>

#include "core/base/json/json.h"

namespace fathom::test {

namespace {

constexpr int kForkPatience = 240'000;  // milliseconds
const QString kForksProgram = QStringLiteral(FATHOM_BIN_DIR "/../device/device_checks");

QByteArray bytesOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

EngineForks::EngineForks(const QString& libraries) : m_libraries(libraries) {}

EngineForks::~EngineForks() {
  m_process.closeWriteChannel();
  if (m_process.state() != QProcess::NotRunning && !m_process.waitForFinished(10'000)) m_process.kill();
}

Ended EngineForks::run(const QStringList& words, const QStringList& more, const QString& input) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  if (!m_libraries.isEmpty()) environment.insert(QStringLiteral("LD_LIBRARY_PATH"), m_libraries);
  if (m_process.state() == QProcess::NotRunning) {
    m_process.setProcessEnvironment(environment);
    m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    m_process.start(kForksProgram, {QStringLiteral("forks")});
  }
  for (const QString& pair : more) environment.insert(pair.section(u'=', 0, 0), pair.section(u'=', 1));
  const QString out = m_folder.filePath(QStringLiteral("out")),
                err = m_folder.filePath(QStringLiteral("err"));
  Json said = {{"words", Json::array()},
               {"environment", Json::object()},
               {"in", (input.isEmpty() ? QStringLiteral("/dev/null") : input).toStdString()},
               {"out", out.toStdString()},
               {"err", err.toStdString()}};
  for (const QString& word : words) said["words"].push_back(word.toStdString());
  for (const QString& name : environment.keys())
    said["environment"][name.toStdString()] = environment.value(name).toStdString();
  m_process.write(QByteArray::fromStdString(said.dump()) + '\n');
  Ended ended;
  while (!m_process.canReadLine())
    if (!m_process.waitForReadyRead(kForkPatience)) {
      m_process.kill();
      m_process.waitForFinished();
      ended.err = "no answer of device_checks forks";
      return ended;
    }
  const Json answer = Json::parse(m_process.readLine().toStdString());
  ended.code = answer.value("code", -1);
  ended.signal = answer.value("signal", 0);
  ended.out = bytesOf(out);
  ended.err = bytesOf(err);
  return ended;
}

}  // namespace fathom::test
