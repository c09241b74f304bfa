// SPDX-License-Identifier: Apache-2.0
// Where the sockets of engines lie, and what becomes of those that nobody serves.
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "core/record/runs/run_lock.h"

using namespace fathom;
namespace fs = std::filesystem;

namespace {

const std::string kUuid = "0f0e0d0c-0b0a-4908-8706-050403020100";

// A listening socket; closed without being removed, as by kill -9.
class Server {
 public:
  explicit Server(const std::string& path) : m_fd(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size());
    m_serves = ::bind(m_fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
               ::listen(m_fd, 2) == 0;
  }
  ~Server() { ::close(m_fd); }
  bool serves() const { return m_serves; }
  bool wasCalled() const {
    pollfd waiting{m_fd, POLLIN, 0};
    return ::poll(&waiting, 1, 100) == 1;
  }

 private:
  int m_fd;
  bool m_serves = false;
};

}  // namespace

class ControlSocketTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void usualFolders();
  void takenFolderIsPassedOver_data();
  void takenFolderIsPassedOver();
  void everyNameTaken();
  void reasonsAreTheRightOnes();
  void namesFromElsewhere();
  void deadSockets();
  void copiedRunHasAnother();
  void commandsReachTheLocksHolderAlone();

 private:
  std::string path(const std::string& name) const { return m_dir->path().toStdString() + "/" + name; }
  std::string userFolder() const { return path("fathom-" + std::to_string(::geteuid())); }
  static bool isPrivate(const std::string& folder) {
    struct stat info {};
    return ::stat(folder.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && (info.st_mode & 077) == 0;
  }
  std::unique_ptr<QTemporaryDir> m_dir;
};

void ControlSocketTest::init() {
  qunsetenv("TMPDIR");
  m_dir = std::make_unique<QTemporaryDir>();
  qunsetenv("XDG_RUNTIME_DIR");
  qputenv("TMPDIR", m_dir->path().toUtf8());
}

void ControlSocketTest::usualFolders() {
  const ControlSocket fallback = chooseControlSocket(kUuid);
  QCOMPARE(fallback.path, userFolder() + "/" + kUuid + ".sock");
  QCOMPARE(fallback.note, std::string());
  QVERIFY(isPrivate(userFolder()));
  QVERIFY(fallback.path.size() <= 107);
  fs::create_directory(path("run"));
  qputenv("XDG_RUNTIME_DIR", QByteArray::fromStdString(path("run")));
  const ControlSocket usual = chooseControlSocket(kUuid);
  QCOMPARE(usual.path, path("run/fathom/") + kUuid + ".sock");
  QVERIFY(usual.note.empty() && isPrivate(path("run/fathom")));
}

void ControlSocketTest::takenFolderIsPassedOver_data() {
  QTest::addColumn<QString>("how");
  QTest::addColumn<QString>("reason");
  QTest::newRow("open to others") << "open"
                                  << "is open to others";
  QTest::newRow("a file") << "file"
                          << "is not a folder";
  QTest::newRow("a link") << "link"
                          << "is not a folder";
  if (::geteuid() == 0)
    QTest::newRow("somebody else's") << "foreign"
                                     << "belongs to user 65534";
}

// Whoever makes the folder first must not be able to keep others from training.
void ControlSocketTest::takenFolderIsPassedOver() {
  QFETCH(QString, how);
  QFETCH(QString, reason);
  const std::string taken = userFolder();
  if (how == "file") {
    std::ofstream(taken) << "x";
  } else if (how == "link") {
    fs::create_directory_symlink(m_dir->path().toStdString(), taken);
  } else {
    fs::create_directory(taken);
    QCOMPARE(::chmod(taken.c_str(), how == "open" ? 0777 : 0700), 0);
    if (how == "foreign") QCOMPARE(::chown(taken.c_str(), 65534, 65534), 0);
  }
  const ControlSocket chosen = chooseControlSocket(kUuid);
  const std::string folder = fs::path(chosen.path).parent_path().string();
  QVERIFY2(!chosen.path.empty() && folder != taken && isPrivate(folder), chosen.path.c_str());
  QVERIFY2(chosen.note.find(taken + " " + reason.toStdString()) != std::string::npos &&
               chosen.note.find(folder) != std::string::npos,
           chosen.note.c_str());
  QCOMPARE(chooseControlSocket(kUuid).path, chosen.path);  // the next run finds the same place
}

void ControlSocketTest::everyNameTaken() {
  std::ofstream(userFolder()) << "x";
  for (int i = 1; i <= 9; ++i) std::ofstream(userFolder() + "-" + std::to_string(i)) << "x";
  const ControlSocket chosen = chooseControlSocket(kUuid);
  const std::string folder = fs::path(chosen.path).parent_path().string();
  QVERIFY2(isPrivate(folder), chosen.path.c_str());
}

// What was said of every folder: "belongs to somebody else or is open to others".
void ControlSocketTest::reasonsAreTheRightOnes() {
  const std::string longer = path(std::string(90, 'x'));
  fs::create_directory(longer);
  qputenv("XDG_RUNTIME_DIR", QByteArray::fromStdString(longer));
  const ControlSocket tooLong = chooseControlSocket(kUuid);
  QVERIFY2(tooLong.note.find("longer than 107 bytes") != std::string::npos, tooLong.note.c_str());
  QVERIFY(tooLong.note.find("belongs") == std::string::npos);
  QVERIFY(tooLong.path.starts_with(userFolder()));
  qputenv("XDG_RUNTIME_DIR", QByteArray::fromStdString(path("nowhere/at/all")));
  const ControlSocket missing = chooseControlSocket(kUuid);
  QVERIFY2(missing.note.find("cannot be made: No such file or directory") != std::string::npos,
           missing.note.c_str());
}

void ControlSocketTest::namesFromElsewhere() {
  const ControlSocket climbing = chooseControlSocket("../../../etc/passwd");
  QCOMPARE(fs::path(climbing.path).parent_path().string(), userFolder());
  QVERIFY(climbing.path.find("..") == std::string::npos);
  QVERIFY(chooseControlSocket(std::string(3000, 'u')).path.size() <= 107);
}

void ControlSocketTest::deadSockets() {
  const std::string socket = chooseControlSocket(kUuid).path;
  QVERIFY(deadSocketsOf(kUuid).empty());
  {
    const Server engine(socket);
    QVERIFY(engine.serves());
    QVERIFY(deadSocketsOf(kUuid).empty());
    removeDeadSockets(kUuid);
    QVERIFY(fs::exists(socket));
  }
  QVERIFY(fs::exists(socket));
  // One in a folder that is not the first choice today.
  fs::create_directory(userFolder() + "-3");
  const Server killed(userFolder() + "-3/" + kUuid + ".sock");
  QCOMPARE(deadSocketsOf(kUuid), std::vector<std::string>{socket});
  removeDeadSockets(kUuid);
  QVERIFY(!fs::exists(socket) && fs::exists(userFolder() + "-3/" + kUuid + ".sock"));
  std::ofstream(socket) << "no socket";
  QVERIFY(deadSocketsOf(kUuid).empty());
}

// A copy has the same UUID: its engine must not take the name of the original's, nor hear what is said to it.
void ControlSocketTest::copiedRunHasAnother() {
  for (const char* name : {"a", "b"}) fs::create_directory(path(name));
  const std::string first = chooseControlSocket(kUuid, path("a")).path;
  QVERIFY(first != chooseControlSocket(kUuid, path("b")).path);
  QVERIFY(first != chooseControlSocket(kUuid).path);
  QVERIFY(first.size() <= 107);
  fs::rename(path("a"), path("moved"));
  QCOMPARE(chooseControlSocket(kUuid, path("moved")).path, first);
  { const Server killed(first); }
  QCOMPARE(deadSocketsOf(kUuid), std::vector<std::string>{first});
}

void ControlSocketTest::commandsReachTheLocksHolderAlone() {
  const std::string copy = path("copy"), original = path("original");
  for (const std::string& folder : {copy, original}) fs::create_directory(folder);
  const ControlSocket socket = chooseControlSocket(kUuid, original);
  const Server engine(socket.path);
  // The lock of the copy still says what was copied with it.
  const auto lock = RunLock::acquire(copy, socket.path).value();
  QVERIFY(!sendControl(copy, "checkpoint").ok());
  QVERIFY(!engine.wasCalled());
  const auto own = RunLock::acquire(original, socket.path).value();
  QVERIFY(sendControl(original, "checkpoint").ok());
  QVERIFY(engine.wasCalled());
}

QTEST_APPLESS_MAIN(ControlSocketTest)
#include "tst_control_socket.moc"
