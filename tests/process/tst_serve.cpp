// SPDX-License-Identifier: Apache-2.0
// ctest: engine
// The real engine as a server, and free questions to a run whose data are gone, on a tiny run of the
// generated Text-to-SQL sample.
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTest>

#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/serve/serve_client.h"
#include "tests/process/support_project_fixture.h"
#include "tests/unit/support_waiting.h"

using namespace fathom;

namespace {

const QString kEngine = QStringLiteral(FATHOM_BIN_DIR "/fathom-engine");

// Learns in seconds to end its queries; what they say does not matter.
const QStringList kTinyModel = {"model=sql_sp",
                                "model.width=16",
                                "model.heads=2",
                                "model.feed_forward=32",
                                "encoder.layers=1",
                                "model.bert.max_positions=512",
                                "encoder.residual=pre_ln",
                                "model.dropout=0",
                                "model.attention_dropout=0",
                                "batch.examples=8",
                                "model.sql_sp.width=16",
                                "model.sql_sp.hidden=16",
                                "model.sql_sp.vector=16",
                                "model.sql_sp.decoder_heads=2",
                                "model.sql_sp.action_width=8",
                                "model.sql_sp.type_width=8",
                                "extra.layers=1",
                                "extra.attention=relation_aware",
                                "model.extra_layers.heads=2",
                                "model.extra_layers.feed_forward=16",
                                "optimizer=adam",
                                "lr_schedule=linear",
                                "lr_schedule.rate=0.01",
                                "lr_schedule.warmup=2",
                                "training.length=80u",
                                "validation.interval=80u",
                                "validation.score_interval=never",
                                "checkpoint.interval=80u",
                                "spider.max_train=64",
                                "spider.max_validation=2",
                                "device=cpu",
                                "threads=1"};

ServeRequest requestOf(Json item, std::vector<std::string> set = {}) {
  ServeRequest request;
  request.id = 1;
  request.items = {std::move(item)};
  request.set = std::move(set);
  return request;
}

}  // namespace

class ServeTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase();
  void freeQuestionsWithoutTheData();
  void serverAnswersWarm();
  void editedLinksChangeTheInput();
  void whatIsWrongIsSaid();
  void clientsComeAndGo();
  void idleServerEnds();
  void signalEndsItAtOnce();
  void secondServerIsRefused();
  void askCommand();
  void cleanupTestCase() { QVERIFY(end(m_server)); }

 private:
  struct Server {
    std::unique_ptr<QProcess> process;
    std::string socket;
  };
  Server start(const QStringList& more = {}) const {
    Server server;
    server.socket = m_fixture->file("s").toStdString() + std::to_string(++m_sockets);
    server.process = std::make_unique<QProcess>();
    server.process->start(
        kEngine,
        QStringList{"serve", "--run", m_run, "--socket", QString::fromStdString(server.socket)} + more);
    server.process->waitForStarted(30000);
    return server;
  }
  static Result<Json> ask(const Server& server, const ServeRequest& request) {
    Progress progress;
    test::waitFor([&] { return ServeClient::connect(server.socket).ok(); });
    FATHOM_TRY(ServeClient client, ServeClient::connect(server.socket));
    return client.ask(request, 60, progress, {});
  }
  static bool end(Server& server) {
    ServeRequest request;
    request.id = 9;
    request.op = ServeOp::End;
    return ask(server, request).ok() && server.process->waitForFinished(10000) &&
           server.process->exitCode() == 0 && !fileExists(server.socket);
  }
  ShellResult engine(const QStringList& words) const {
    m_fixture->setProgram(kEngine);
    ShellResult result = m_fixture->fathom(words, {}, 240);
    m_fixture->setProgram(QStringLiteral(FATHOM_BIN_DIR "/fathom"));
    return result;
  }
  QString write(const char* name, const QByteArray& text) const {
    QFile file(m_fixture->file(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size()) return {};
    return file.fileName();
  }
  std::unique_ptr<ProjectFixture> m_fixture;
  QString m_run;
  Server m_server;  // of the tests that end none
  mutable int m_sockets = 0;
};

void ServeTest::initTestCase() {
  QVERIFY(QFile::exists(kEngine));
  m_fixture = std::make_unique<ProjectFixture>();
  qputenv("FATHOM_ENGINE", kEngine.toUtf8());
  const QString sample = m_fixture->file("sample");
  const ShellResult made = engine({"sample", "--task", "text_to_sql", "--out", sample});
  QVERIFY2(made.exitCode == 0, qPrintable(made.err));
  QStringList words{"train", "--run", QString::fromStdString(m_fixture->path()) + "/runs/tiny", "--set",
                    "task=text_to_sql"};
  for (const auto& [key, file] : {std::pair{"data.train", "train.json"},
                                  {"data.validation", "validation.json"},
                                  {"spider.tables", "tables.json"},
                                  {"spider.vocabulary.file", "vocabulary.txt"}})
    words << "--set" << QStringLiteral("%1=%2/%3").arg(key, sample, file);
  for (const QString& option : kTinyModel) words << "--set" << option;
  const ShellResult trained = engine(words);
  QVERIFY2(trained.exitCode == 0, qPrintable(trained.err));
  m_run = words[2];
  QVERIFY(QDir(sample).removeRecursively());  // from now on the run stands alone
  m_server = start();
}

// A15: one SQL a line; what is wrong names file, line and the nearest database, however many lines come
// before.
void ServeTest::freeQuestionsWithoutTheData() {
  const QString one = write("one.txt", "town_library\tHow many readers are there?\n");
  const ShellResult right = engine({"predict", "--run", m_run, "--input", one, "--no-set"});
  QVERIFY2(right.exitCode == 0, qPrintable(right.err));
  QVERIFY2(right.out.startsWith("SELECT ") && right.out.contains(" FROM ") && right.out.count('\n') == 1,
           qPrintable(right.out));
  QByteArray many;
  for (int i = 0; i < 2100; ++i) many += "x\n";
  const QString noTab = write("many.txt", "town_library\tHow many?\n" + many);
  const ShellResult second = engine({"predict", "--run", m_run, "--input", noTab, "--no-set"});
  QCOMPARE(second.exitCode, 30);
  QVERIFY2(second.err.contains("many.txt:2: there is no TAB"), qPrintable(second.err));
  const QString unknown = write("unknown.txt", "town_library\tHow many?\ntown_libary\tHow many?\n");
  const ShellResult near = engine({"predict", "--run", m_run, "--input", unknown, "--no-set"});
  QCOMPARE(near.exitCode, 30);
  QVERIFY2(near.err.contains("unknown.txt:2") && near.err.contains("did you mean \"town_library\""),
           qPrintable(near.err));
}

void ServeTest::serverAnswersWarm() {
  const Server& server = m_server;
  const Json item = {{"database", "town_library"}, {"question", "How many readers are there?"}};
  const auto first = ask(server, requestOf(item));
  QVERIFY2(first.ok(), first.ok() ? "" : first.error().text().c_str());
  QElapsedTimer clock;
  clock.start();
  const auto second = ask(server, requestOf("town_library\tHow many readers are there?"));
  const qint64 milliseconds = clock.elapsed();
  QVERIFY(second.ok());
  QVERIFY2(milliseconds < 500, qPrintable(QString::number(milliseconds)));
  const Json &result = (*first)["results"][0], &same = (*second)["results"][0];
  QVERIFY(result["text"] == same["text"] && result["score"] == same["score"]);
  QVERIFY(result["input"] == same["input"]);
  QCOMPARE((*first)["checkpoint"].get<std::string>(), std::string("0001-00000080"));
  QVERIFY(result["input"]["tokens"].size() == 6 && !result["input"]["table_links"].empty());
  QVERIFY(result["input"]["items"]["tables"].size() > 1);
  // The same as the verb says.
  const QString one = write("same.txt", "town_library\tHow many readers are there?\n");
  const ShellResult verb = engine({"predict", "--run", m_run, "--input", one, "--no-set"});
  QCOMPARE(verb.out.trimmed().toStdString(), result["text"].get<std::string>());
  const auto other = ask(server, requestOf(item, {"predict.beam=1"}));
  QVERIFY(other.ok());
  QCOMPARE((*other)["decoding"]["predict.beam"].get<int>(), 1);
}

void ServeTest::editedLinksChangeTheInput() {
  const Server& server = m_server;
  const auto found = ask(server, requestOf("town_library\tHow many readers are there?"));
  QVERIFY(found.ok());
  Json item = (*found)["results"][0]["input"];
  const double score = (*found)["results"][0]["score"].get<double>();
  item.erase("items");
  const auto again = ask(server, requestOf(item));
  QVERIFY(again.ok());
  QCOMPARE((*again)["results"][0]["score"].get<double>(), score);
  item["table_links"] = {{0, 0, 2}, {1, 1, 1}};
  item["column_links"] = {{4, 2, 3}};
  const auto edited = ask(server, requestOf(item));
  QVERIFY(edited.ok());
  QVERIFY((*edited)["results"][0]["score"].get<double>() != score);
  QVERIFY((*edited)["results"][0]["input"]["column_links"] == item["column_links"]);
}

void ServeTest::whatIsWrongIsSaid() {
  const Server& server = m_server;
  const auto words = [&](const ServeRequest& request) {
    const auto reply = ask(server, request);
    return reply.ok() ? std::string("no error") : reply.error().text();
  };
  const auto says = [&](const ServeRequest& request, const char* part) {
    const std::string text = words(request);
    if (text.find(part) == std::string::npos) qWarning("%s", text.c_str());
    return text.find(part) != std::string::npos;
  };
  QVERIFY(says(requestOf("no tab"), "item 0: there is no TAB"));
  QVERIFY(says(requestOf("town_libary\tHow?"), "did you mean \"town_library\""));
  const Json base = {{"database", "town_library"}, {"question", "How many?"}};
  QVERIFY(says(requestOf({{"database", "town_libary"}, {"question", "How?"}}), "did you mean"));
  QVERIFY(says(requestOf({{"database", 3}, {"question", "How?"}}), "\"database\""));
  QVERIFY(says(requestOf({{"database", "town_library"}, {"question", " "}}), "empty"));
  Json links = base;
  links["table_links"] = {{99, 0, 2}};
  links["column_links"] = Json::array();
  QVERIFY(says(requestOf(links), "\"table_links\": [99,0,2]"));
  QVERIFY(says(requestOf(base, {"model.width=3"}), "no option of decoding"));
  QVERIFY(says(requestOf(base, {"predict.beam=none"}), "predict.beam"));
  Json endless = base;
  endless["question"] = QString("word ").repeated(10'000).toStdString();
  QVERIFY(says(requestOf(endless), "longer than a batch may be (spider.max_pieces)"));
  QVERIFY(ask(server, requestOf(base)).ok());
}

// Killed in the middle of a question, garbage, half a line: the server goes on.
void ServeTest::clientsComeAndGo() {
  const Server& server = m_server;
  QVERIFY(ask(server, requestOf("town_library\tHow many readers are there?")).ok());
  for (const std::string& text : {serveLine(requestOf("town_library\tWhich books?")),
                                  std::string("garbage\n"), std::string("{\"v\":1,\"op\":\"pre")}) {
    const LocalSocket client = connectLocal(server.socket).value();
    QVERIFY(::send(client.fd(), text.data(), text.size(), MSG_NOSIGNAL) > 0);
  }
  const LocalSocket silent = connectLocal(server.socket).value();
  ServeRequest status;
  status.id = 2;
  status.op = ServeOp::Status;
  const auto reply = ask(server, status);
  QVERIFY(reply.ok() && (*reply)["state"] == "ready");
  QVERIFY(ask(server, requestOf("town_library\tWhich books?")).ok());
  QVERIFY(server.process->state() == QProcess::Running);
}

void ServeTest::idleServerEnds() {
  Server server = start({"--idle-seconds", "1"});
  QVERIFY(ask(server, requestOf("town_library\tWhich books?")).ok());
  QVERIFY(server.process->waitForFinished(20000));
  QCOMPARE(server.process->exitCode(), 0);
  QVERIFY(!fileExists(server.socket));
}

void ServeTest::signalEndsItAtOnce() {
  Server server = start();
  QVERIFY(ask(server, requestOf("town_library\tWhich books?")).ok());
  QElapsedTimer clock;
  clock.start();
  server.process->terminate();
  QVERIFY(server.process->waitForFinished(20000));
  QVERIFY2(clock.elapsed() < 3000, qPrintable(QString::number(clock.elapsed())));
  QCOMPARE(server.process->exitCode(), 10);
  QVERIFY(!fileExists(server.socket));
}

void ServeTest::secondServerIsRefused() {
  Server server = start();
  QVERIFY(ask(server, requestOf("town_library\tWhich books?")).ok());
  const QString socket = QString::fromStdString(server.socket);
  const ShellResult second = engine({"serve", "--run", m_run, "--socket", socket});
  QCOMPARE(second.exitCode, 30);
  QVERIFY2(second.err.contains("served already"), qPrintable(second.err));
  QVERIFY(ask(server, requestOf("town_library\tWhich books?")).ok());
  // Killed on the spot it leaves its socket; the next one takes its place.
  server.process->kill();
  QVERIFY(server.process->waitForFinished(10000));
  QVERIFY(fileExists(server.socket));
  server.process->start(kEngine, {"serve", "--run", m_run, "--socket", socket});
  QVERIFY(test::waitFor([&] { return ServeClient::connect(server.socket).ok(); }));
  QVERIFY(ask(server, requestOf("town_library\tWhich books?")).ok());
  QVERIFY(end(server));
  const ShellResult noRun = engine({"serve", "--run", m_run + "gone", "--socket", socket});
  QCOMPARE(noRun.exitCode, 30);
}

void ServeTest::askCommand() {
  const QStringList words = {"ask",        "How many readers are there?",
                             "--run",      m_run,
                             "--project",  QString::fromStdString(m_fixture->path()),
                             "--database", "town_library",
                             "--json"};
  const ShellResult alone = m_fixture->fathom(words, {}, 120);
  QVERIFY2(alone.exitCode == 0, qPrintable(alone.out + alone.err));
  const Json json = alone.json();
  QCOMPARE(json["task"].get<std::string>(), std::string("text_to_sql"));
  const std::string sql = json["results"][0]["text"].get<std::string>();
  QVERIFY(QString::fromStdString(sql).startsWith("SELECT"));
  const std::string socket =
      serveSocketPath(m_run.toStdString(), json["checkpoint"].get<std::string>()).value();
  QVERIFY(test::waitFor([&] { return !fileExists(socket); }));  // it did not stay
  // Kept warm: the second question finds it.
  const ShellResult kept = m_fixture->fathom(words + QStringList{"--keep", "20", "--beam", "2"}, {}, 120);
  QVERIFY2(kept.exitCode == 0, qPrintable(kept.out + kept.err));
  QVERIFY(ServeClient::connect(socket).ok());
  const ShellResult again = m_fixture->fathom(words, {}, 120);
  QVERIFY2(again.exitCode == 0, qPrintable(again.out + again.err));
  QCOMPARE(again.json()["results"][0]["text"].get<std::string>(), sql);
  // What is wrong with a question is said of its words.
  QStringList bare = words;
  bare.removeAt(bare.indexOf("--database") + 1);
  bare.removeAll("--database");
  const ShellResult wrong = m_fixture->fathom(bare, {}, 120);
  QCOMPARE(wrong.exitCode, 30);
  const std::string said = wrong.json()["error"]["message"].get<std::string>();
  QVERIFY2(said.starts_with("\"How many readers are there?\": there is no TAB"), said.c_str());
  Progress progress;
  ServeRequest end;
  end.id = 1;
  end.op = ServeOp::End;
  QVERIFY(ServeClient::connect(socket)->ask(end, 10, progress, {}).ok());
  const ShellResult gone = m_fixture->fathom(words + QStringList{"--checkpoint", "12"}, {}, 120);
  QVERIFY(gone.exitCode != 0);
  QVERIFY2(gone.out.contains("0001-00000080"), qPrintable(gone.out));
}

QTEST_GUILESS_MAIN(ServeTest)
#include "tst_serve.moc"
