// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main/window_door.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QLocalServer>
#include <QLocalSocket>
#include <QStandardPaths>

namespace fathom {

namespace {

constexpr int kMillisecondsToConnect = 500;
constexpr int kMillisecondsToAnswer = 1500;
constexpr const char* kAnswer = "shown\n";

// Empty: the folder is not there, or there is no runtime folder.
QString doorOf(const QString& project) {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::RuntimeLocation);
  const QString path = QFileInfo(project).canonicalFilePath();
  if (folder.isEmpty() || path.isEmpty()) return {};
  const QByteArray hash =
      QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha256).toHex().left(16);
  return folder + QStringLiteral("/fathom-window-") + QString::fromLatin1(hash);
}

}  // namespace

WindowDoor::~WindowDoor() {
  answerFor({});
}

void WindowDoor::answerFor(const QStringList& projects) {
  QStringList wanted;
  for (const QString& project : projects)
    if (const QString path = QFileInfo(project).canonicalFilePath(); !path.isEmpty()) wanted.append(path);
  for (const QString& path : m_doors.keys())
    if (!wanted.contains(path)) delete m_doors.take(path);
  for (const QString& path : std::as_const(wanted))
    if (!m_doors.contains(path)) open(path);
}

void WindowDoor::open(const QString& project) {
  const QString door = doorOf(project);
  if (door.isEmpty()) return;
  QLocalSocket other;
  other.connectToServer(door);
  if (other.waitForConnected(kMillisecondsToConnect)) return;
  QLocalServer::removeServer(door);
  auto* server = new QLocalServer(this);
  server->setSocketOptions(QLocalServer::UserAccessOption);
  if (!server->listen(door)) {
    delete server;
    return;
  }
  connect(server, &QLocalServer::newConnection, this, [this, server, project] { answer(server, project); });
  m_doors.insert(project, server);
}

// A caller that says nothing, like the look of open(), changes nothing.
void WindowDoor::answer(QLocalServer* server, const QString& project) {
  while (QLocalSocket* caller = server->nextPendingConnection()) {
    connect(caller, &QLocalSocket::disconnected, caller, &QObject::deleteLater);
    const auto heard = [this, caller, project] {
      if (!caller->canReadLine()) return;
      caller->readAll();
      Q_EMIT knocked(project);
      caller->write(kAnswer);
      caller->flush();
    };
    connect(caller, &QLocalSocket::readyRead, this, heard);
    heard();
  }
}

bool WindowDoor::knock(const QString& project) {
  const QString door = doorOf(project);
  if (door.isEmpty()) return false;
  QLocalSocket socket;
  socket.connectToServer(door);
  if (!socket.waitForConnected(kMillisecondsToConnect)) return false;
  socket.write("show\n");
  socket.flush();
  return socket.waitForReadyRead(kMillisecondsToAnswer) && socket.readAll() == kAnswer;
}

}  // namespace fathom
