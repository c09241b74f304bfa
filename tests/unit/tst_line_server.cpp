// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// Clients of a server on a local socket: what one of them does reaches no other.
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <fstream>
#include <functional>
#include <thread>

#include "core/base/files/path_facts.h"
#include "core/base/threads/error_boundary.h"
#include "core/base/threads/thread_start.h"
#include "core/serve/line_server.h"
#include "core/serve/serve_client.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;

namespace {

// The owner's side: answers each call with its own items, or with what `reply` makes of it.
class Owner {
 public:
  using Reply = std::function<Json(const ServeRequest&, const LineCall&)>;
  Owner(const std::string& path, const LineServerLimits& limits, Reply reply)
      : m_server(LineServer::open(path, limits, m_stop).value()) {
    m_thread = startThread([this, reply = std::move(reply)] {
      const auto thrown = errorThrownBy([&] { serve(reply); });
      m_failed = thrown.has_value();
    });
  }
  ~Owner() {
    m_stop.requestStop();
    m_thread.join();
  }
  LineServer& server() { return *m_server; }
  bool failed() const { return m_failed; }

 private:
  void serve(const Reply& reply) {
    while (!m_stop.stopRequested()) {
      const auto call = m_server->next(0.2);
      if (!call) continue;
      Json id;
      const auto request = serveRequestFromLine(call->line, id);
      if (!request.ok()) {
        m_server->answer(*call, serveErrorReply(id, request.error()).dump());
        continue;
      }
      Json json = serveReply(id);
      json.update(reply(*request, *call));
      m_server->answer(*call, json.dump());
    }
  }
  StopToken m_stop;
  std::unique_ptr<LineServer> m_server;
  std::thread m_thread;
  std::atomic<bool> m_failed{false};
};

Json echo(const ServeRequest& request, const LineCall&) {
  return {{"items", request.items}};
}

ServeRequest question(const std::string& text, int id = 1) {
  ServeRequest request;
  request.id = id;
  request.items = {text};
  return request;
}

Result<Json> askAt(const std::string& path, const ServeRequest& request, double seconds = 10) {
  Progress progress;
  FATHOM_TRY(ServeClient client, ServeClient::connect(path));
  return client.ask(request, seconds, progress, {});
}

bool answers(const std::string& path, const std::string& text) {
  const auto reply = askAt(path, question(text));
  return reply.ok() && (*reply)["items"] == Json::array({text});
}

void sendText(const LocalSocket& socket, const std::string& text) {
  std::size_t sent = 0;
  test::waitFor([&] {
    const ssize_t now = ::send(socket.fd(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (now > 0) sent += static_cast<std::size_t>(now);
    return sent == text.size() || (now < 0 && errno == EPIPE);
  });
}

// The next line, or what came until the other side closed.
std::string lineFrom(const LocalSocket& socket) {
  std::string line;
  test::waitFor([&] {
    char byte = 0;
    ssize_t got = 0;
    while ((got = ::read(socket.fd(), &byte, 1)) == 1) {
      if (byte == '\n') return true;
      line += byte;
    }
    return got == 0;
  });
  return line;
}

}  // namespace

class LineServerTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init() { m_folder = std::make_unique<QTemporaryDir>(); }

  void requestsAreChecked_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("words");
    QTest::newRow("no JSON") << "hello"
                             << "no JSON";
    QTest::newRow("list") << "[1]"
                          << "no object";
    QTest::newRow("version") << R"({"v":2,"op":"status"})"
                             << "version 2";
    QTest::newRow("no version") << R"({"op":"status"})"
                                << "version 0";
    QTest::newRow("op") << R"({"v":1,"op":"dance"})"
                        << "\"dance\"";
    QTest::newRow("id") << R"({"v":1,"id":[1],"op":"status"})"
                        << "\"id\"";
    QTest::newRow("no items") << R"({"v":1,"op":"predict"})"
                              << "\"items\"";
    QTest::newRow("items") << R"({"v":1,"op":"predict","items":[3]})"
                           << "item 0";
    QTest::newRow("set") << R"({"v":1,"op":"predict","items":["a"],"set":[1]})"
                         << "\"set\"";
    QTest::newRow("depth") << QString(R"({"v":1,"op":"predict","items":[)") + QString(100, '[') << "no JSON";
    QTest::newRow("many") << R"({"v":1,"op":"predict","items":[)" + QString(R"("a",)").repeated(64) +
                                 R"("a"]})"
                          << "65 items";
  }
  void requestsAreChecked() {
    QFETCH(QString, line);
    QFETCH(QString, words);
    Json id;
    const auto request = serveRequestFromLine(line.toStdString(), id);
    QVERIFY(!request.ok());
    QVERIFY2(request.error().text().find(words.toStdString()) != std::string::npos,
             request.error().text().c_str());
  }

  void requestsAndErrorsComeThrough() {
    ServeRequest request = question("a \"line\"\n", 7);
    request.set = {"predict.beam=2"};
    Json id;
    std::string line = serveLine(request);
    QVERIFY(line.find('\n') == line.size() - 1);
    const auto read = serveRequestFromLine(line.substr(0, line.size() - 1), id);
    QVERIFY(read.ok());
    QVERIFY(id == 7 && read->items == request.items && read->set == request.set);
    const Error error = dataError(Phrase::tr("no text \"%1\"")("x"), Phrase::tr("the question is empty"));
    const Error same = serveErrorOf(serveErrorReply(id, error));
    QVERIFY(same.kind == ErrorKind::Data);
    QCOMPARE(same.text(), error.text());
    QVERIFY(same.phrase() == error.phrase());
    QVERIFY(serveErrorOf(serveErrorReply(id, unavailableError("gone"))).kind == ErrorKind::Resource);
  }

  void socketIsPrivate() {
    const std::string path = this->path("new/s");
    Owner owner(path, {}, echo);
    struct stat info {};
    QVERIFY(::stat(path.c_str(), &info) == 0 && S_ISSOCK(info.st_mode));
    QCOMPARE(int(info.st_mode & 0777), 0600);
    QVERIFY(::stat(this->path("new").c_str(), &info) == 0);
    QCOMPARE(int(info.st_mode & 0777), 0700);
    QVERIFY(answers(path, "hello"));
  }

  void aSecondServerIsRefused() {
    const std::string path = this->path("s");
    {
      Owner owner(path, {}, echo);
      const auto second = LineServer::open(path, {}, {});
      QVERIFY(!second.ok());
      QVERIFY2(second.error().text().find("served already") != std::string::npos,
               second.error().text().c_str());
      QVERIFY(answers(path, "still"));
    }
    QVERIFY(!fileExists(path) && !fileExists(path + ".lock"));
    Owner owner(path, {}, echo);
    QVERIFY(answers(path, "again"));
  }

  void aDeadSocketIsReplacedAndAFileIsNot() {
    const std::string path = this->path("s");
    {  // as kill -9 leaves it: the socket without its lock
      auto dead = LocalListener::open(path);
      QVERIFY(dead.ok());
      ::rename(path.c_str(), (path + ".kept").c_str());
    }
    ::rename((path + ".kept").c_str(), path.c_str());
    QVERIFY(fileExists(path));
    {
      Owner owner(path, {}, echo);
      QVERIFY(answers(path, "alive"));
    }
    std::ofstream(path) << "precious";
    const auto refused = LineServer::open(path, {}, {});
    QVERIFY(!refused.ok() && fileBytes(path) == 8);
    QVERIFY(!LineServer::open(std::string(200, 'x'), {}, {}).ok());
  }

  void severalClientsAndTheirOrder() {
    const std::string path = this->path("s");
    Owner owner(path, {}, echo);
    const LocalSocket first = connectLocal(path).value(), second = connectLocal(path).value();
    std::string all;
    for (int i = 0; i < 20; ++i) all += serveLine(question("first", i));  // more than may wait
    sendText(first, all);
    sendText(second, serveLine(question("second", 100)));
    QCOMPARE(Json::parse(lineFrom(second))["id"].get<int>(), 100);
    for (int i = 0; i < 20; ++i) QCOMPARE(Json::parse(lineFrom(first))["id"].get<int>(), i);
  }

  // Garbage, half a line, a line without end, a closed pipe: the next client is served all the same.
  void onesFaultIsNobodyElses() {
    const std::string path = this->path("s");
    LineServerLimits limits;
    limits.lineBytes = 10'000;
    Owner owner(path, limits, echo);
    const LocalSocket garbage = connectLocal(path).value();
    sendText(garbage, std::string("\0\xff\xfe{{{", 6) + "\n" + serveLine(question("sound")));
    QVERIFY(Json::parse(lineFrom(garbage))["ok"] == false);
    QVERIFY(Json::parse(lineFrom(garbage))["items"][0] == "sound");
    {
      const LocalSocket half = connectLocal(path).value();
      sendText(half, "{\"v\":1,");
    }
    const LocalSocket silent = connectLocal(path).value();
    sendText(silent, "{\"v\":1,\"op\"");
    QVERIFY(answers(path, "beside a silent one"));
    const LocalSocket endless = connectLocal(path).value();
    sendText(endless, std::string(50'000, 'x'));
    const std::string said = lineFrom(endless);
    QVERIFY2(said.find("more than 10000 bytes") != std::string::npos, said.c_str());
    QCOMPARE(lineFrom(endless), std::string());  // and it is closed
    {
      const LocalSocket gone = connectLocal(path).value();
      sendText(gone, serveLine(question("nobody waits")));
    }
    QVERIFY(answers(path, "after them"));
    QVERIFY(!owner.failed());
  }

  // It asks and asks and reads nothing: it is let go, and others are served meanwhile.
  void whoDoesNotReadIsLetGo() {
    const std::string path = this->path("s");
    LineServerLimits limits;
    limits.unsentBytes = 1 << 20;
    const std::string large(300'000, 'y');
    Owner owner(path, limits, [&](const ServeRequest& request, const LineCall&) -> Json {
      return {{"items", request.items}, {"ballast", request.id == 1 ? "" : large}};
    });
    const LocalSocket deaf = connectLocal(path).value();
    std::string all;
    for (int i = 0; i < 8; ++i) all += serveLine(question("again", 2));
    sendText(deaf, all);
    QVERIFY(answers(path, "meanwhile"));
    pollfd watched{deaf.fd(), 0, 0};
    QVERIFY(test::waitFor([&] { return ::poll(&watched, 1, 0) == 1 && (watched.revents & POLLHUP) != 0; }));
    QVERIFY(answers(path, "afterwards"));
  }

  void roomIsMadeByTheSilent() {
    const std::string path = this->path("s");
    LineServerLimits limits;
    limits.clients = 3;
    Owner owner(path, limits, echo);
    std::vector<LocalSocket> idle;
    for (int i = 0; i < 6; ++i) idle.push_back(connectLocal(path).value());
    QVERIFY(answers(path, "in spite of them"));
  }

  // A call ends when its time is up, and when its client is gone.
  void callsAreStopped() {
    const std::string path = this->path("s");
    LineServerLimits limits;
    limits.callSeconds = 0.1;
    std::atomic<int> begun{0}, stopped{0};
    Owner owner(path, limits, [&](const ServeRequest& request, const LineCall& call) -> Json {
      if (request.items[0] == "quick") return {{"items", request.items}};
      ++begun;
      if (request.items[0] == "long") owner.server().allow(1000);
      stopped += test::waitFor([&] { return call.stop.stopRequested(); }) ? 1 : 0;
      return {{"items", {"stopped"}}};
    });
    const auto reply = askAt(path, question("slow"));
    QVERIFY(reply.ok() && (*reply)["items"][0] == "stopped");
    {
      const LocalSocket gone = connectLocal(path).value();
      sendText(gone, serveLine(question("long")));
      QVERIFY(test::waitFor([&] { return begun == 2; }));
    }
    QVERIFY(test::waitFor([&] { return stopped == 2; }));
    QVERIFY(answers(path, "quick"));
  }

  void askingCanBeCancelled() {
    const std::string path = this->path("s");
    Owner owner(path, {}, [](const ServeRequest&, const LineCall& call) -> Json {
      test::waitFor([&] { return call.stop.stopRequested(); });
      return Json::object();
    });
    StopToken stop;
    Progress progress;
    std::thread other = startThread([&] { (void)errorThrownBy([&] { stop.requestStop(); }); });
    auto client = ServeClient::connect(path);
    const auto reply = client->ask(question("x"), 20, progress, stop);
    other.join();
    QVERIFY(!reply.ok() && reply.error().kind == ErrorKind::Interrupted);
    const auto late = askAt(path, question("y"), 0.1);
    QVERIFY(!late.ok() && late.error().text().find("within") != std::string::npos);
  }

  void progressIsToldToAll() {
    const std::string path = this->path("s");
    StopToken stop;
    const auto server = LineServer::open(path, {}, stop).value();
    ServeClient client = ServeClient::connect(path).value();
    std::vector<std::string> phases;
    Progress progress([&](const ProgressUpdate& update) { phases.push_back(update.phase); });
    std::thread owner = startThread([&] {
      (void)errorThrownBy([&] {
        const auto call = server->next(10);
        server->tellAll(R"({"v":1,"event":"progress","phase":"reading","unit":"","done":1,"total":2})");
        server->answer(*call, serveReply(1).dump());
      });
    });
    const auto reply = client.ask(question("x"), 10, progress, {});
    owner.join();
    QVERIFY(reply.ok());
    QVERIFY(!phases.empty() && phases.front() == "reading");
    // Who comes later hears how far it is, as long as it is so.
    const LocalSocket later = connectLocal(path).value();
    QVERIFY(lineFrom(later).find("reading") != std::string::npos);
    server->tellNoMore();
    const LocalSocket last = connectLocal(path).value();
    pollfd watched{last.fd(), POLLIN, 0};
    QCOMPARE(::poll(&watched, 1, 200), 0);
    QVERIFY(!server->next(0.05).has_value());  // idle
  }

  void aServerThatEndsIsSaidToHaveEnded() {
    const std::string path = this->path("s");
    auto server = LineServer::open(path, {}, {}).value();
    ServeClient client = ServeClient::connect(path).value();
    std::thread owner = startThread([&] {
      (void)errorThrownBy([&] {
        (void)server->next(10);
        server.reset();
      });
    });
    Progress progress;
    const auto reply = client.ask(question("x"), 10, progress, {});
    owner.join();
    QVERIFY(!reply.ok());
    QVERIFY2(reply.error().text().find("ended before") != std::string::npos, reply.error().text().c_str());
    QVERIFY(!ServeClient::connect(path).ok());
  }

 private:
  std::string path(const char* name) const { return m_folder->filePath(name).toStdString(); }
  std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_APPLESS_MAIN(LineServerTest)
#include "tst_line_server.moc"
