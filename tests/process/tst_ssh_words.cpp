// SPDX-License-Identifier: Apache-2.0
// Words of ssh and facts of hosts, as they were recorded, and the sentence that a person gets: with the
// place, the other program's words, and what to do. No connection is made.
#include <QProcess>
#include <QTest>
#include <algorithm>

#include "app/runner/place_record.h"
#include "app/runner/ssh/host_check.h"
#include "app/runner/ssh/ssh_trouble.h"
#include "core/base/files/atomic_file.h"

using namespace fathom;

class SshWordsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void troublesAreSentences_data();
  void troublesAreSentences();
  void factsAreSentences_data();
  void factsAreSentences();
  void aGoodHostHasNone();
  void clocksAreCompared();
  void theRelayIsOneSmallFile();
};

namespace {

Json goodFacts() {
  return {{"host", "box"},
          {"root", "/home/me/.fathom"},
          {"writable", ""},
          {"locks", true},
          {"free", std::int64_t{50} << 30},
          {"glibc", "2.36"},
          {"clock_ahead", 0.0},
          {"kills", false},
          {"lingers", ""},
          {"torch", Json::array({{{"version", "2.11.0"}, {"path", "/opt/torch/lib"}}})},
          {"engine", {{"path", "/opt/fathom-engine"}, {"version", FATHOM_VERSION}, {"there", true}}}};
}

PlaceRecord boxRecord() {
  return placeFromJson("there", {{"launcher", "ssh"}, {"resources", {{"host", "box"}}}}, "places.json")
      .value();
}

}  // namespace

void SshWordsTest::troublesAreSentences_data() {
  QTest::addColumn<QString>("printed");
  QTest::addColumn<int>("code");
  QTest::addColumn<QString>("words");
  QTest::addColumn<QString>("advice");
  QTest::addColumn<bool>("lasting");
  const auto row = [](const char* name, const char* printed, int code, const char* words, const char* advice,
                      bool lasting) { QTest::newRow(name) << printed << code << words << advice << lasting; };
  row("changed key",
      "@@@@@@@@@@@@@@@@@@@@\r\n@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     "
      "@\r\n@@@@@@@@@@@@\r\n"
      "Host key for box has changed and you have requested strict checking.\r\nHost key verification "
      "failed.\r\n",
      255, "the key of host box is another than before", "ssh-keygen -R box", true);
  row("unknown key", "No ED25519 host key is known for box and you have requested strict checking.\r\n", 255,
      "the key of host box is not known yet", "fathom check-place there", true);
  row("password", "me@box: Permission denied (publickey,password).\r\n", 255,
      "does not let you in with a key alone: me@box: Permission denied (publickey,password).",
      "fathom check-place there", true);
  row("second factor",
      "Authenticated using \"publickey\" with partial success.\nme@box: Permission denied "
      "(keyboard-interactive).\r\n",
      255, "does not let you in with a key alone: me@box: Permission denied (keyboard-interactive).",
      "fathom check-place there", true);
  row("too many keys",
      "Received disconnect from 10.0.0.1 port 22:2: Too many authentication failures\r\nDisconnected from "
      "10.0.0.1 port 22\r\n",
      255, "lets nobody in who offers so many keys", "IdentitiesOnly yes", true);
  row("no name", "ssh: Could not resolve hostname box: Name or service not known\r\n", 255,
      "there is no host box", "look at the name", true);
  row("no jump host",
      "ssh: Could not resolve hostname gate: Temporary failure in name resolution\r\nkex_exchange_"
      "identification: Connection closed by remote host\r\n",
      255, "Could not resolve hostname gate: Temporary failure", "", false);
  row("away", "ssh: connect to host box port 22: No route to host\r\n", 255,
      "host box is not reached: ssh: connect to host box port 22: No route to host", "", false);
  row("slow", "ssh: connect to host box port 22: Connection timed out\r\n", 255, "Connection timed out", "",
      false);
  row("cut", "Timeout, server box not responding.\r\n", 255, "server box not responding", "", false);
  row("account", "This account is currently not available.\r\n", 1,
      "what was started on host box ended: This account is currently not available.", "", false);
  row("silent", "", 255, "the connection to host box ended", "", false);
}

void SshWordsTest::troublesAreSentences() {
  QFETCH(QString, printed);
  QFETCH(int, code);
  QFETCH(QString, words);
  QFETCH(QString, advice);
  QFETCH(bool, lasting);
  const SshTrouble trouble = sshTrouble("there", "box", printed.toStdString(), code);
  const QString text = QString::fromStdString(trouble.error.text());
  QVERIFY2(text.contains("there: ") && text.contains(words) && text.contains(advice), qPrintable(text));
  QCOMPARE(trouble.lasting, lasting);
  QCOMPARE(text.count('\n'), 0);
}

void SshWordsTest::factsAreSentences_data() {
  QTest::addColumn<QString>("change");
  QTest::addColumn<QString>("words");
  QTest::addColumn<QString>("advice");
  const auto row = [](const char* name, const Json& change, const char* words, const char* advice) {
    QTest::newRow(name) << QString::fromStdString(change.dump()) << words << advice;
  };
  row("clock ahead", {{"clock_ahead", 600.2}}, "the clock of host box differs by 600 s", "NTP");
  row("clock behind", {{"clock_ahead", -599.7}}, "the clock of host box differs by -600 s", "NTP");
  row("no locks", {{"locks", false}}, "the file system of /home/me/.fathom on host box keeps no locks",
      "add-place --root");
  row("full", {{"writable", "cannot open /home/me/.fathom/.locks: No space left on device"}},
      "cannot be written: cannot open /home/me/.fathom/.locks: No space left on device", "add-place --root");
  row("quota", {{"writable", "cannot open /home/me/.fathom/.locks: Disk quota exceeded"}},
      "Disk quota exceeded", "add-place --root");
  row("little room", {{"free", 300 << 20}}, "host box has 300 MB left", "add-place --root");
  row("logout", {{"kills", true}}, "ends a user's processes", "loginctl enable-linger");
  row("glibc",
      {{"glibc", "2.28"},
       {"engine", {{"path", "/e"}, {"there", true}, {"words", "version `GLIBC_2.34' not found"}}}},
      "host box has glibc 2.28, the engine needs 2.34", "build the engine there");
  row("no engine", {{"engine", {{"path", "/e"}, {"there", false}}}}, "host box has no engine at /e",
      "fathom prepare-place there");
  row("other version", {{"engine", {{"path", "/e"}, {"there", true}, {"version", "0.0.7"}}}},
      "the engine on host box is version 0.0.7", "fathom prepare-place there");
}

void SshWordsTest::factsAreSentences() {
  QFETCH(QString, change);
  QFETCH(QString, words);
  QFETCH(QString, advice);
  Json facts = goodFacts();
  facts.update(Json::parse(change.toStdString()));
  const std::vector<Error> troubles = hostTroubles(boxRecord(), facts);
  const bool said = std::any_of(troubles.begin(), troubles.end(), [&](const Error& trouble) {
    const QString text = QString::fromStdString(trouble.text());
    return text.contains(words) && text.contains(advice);
  });
  QStringList all;
  for (const Error& trouble : troubles) all << QString::fromStdString(trouble.text());
  QVERIFY2(said, qPrintable(all.join('\n')));
}

// An engine that was built there starts whatever the host's glibc is.
void SshWordsTest::aGoodHostHasNone() {
  QVERIFY(hostTroubles(boxRecord(), goodFacts()).empty());
  Json old = goodFacts();
  old["glibc"] = "2.28";
  old["kills"] = true;
  old["lingers"] = "yes";
  old["clock_ahead"] = 1.5;
  QVERIFY(hostTroubles(boxRecord(), old).empty());
}

void SshWordsTest::clocksAreCompared() {
  QCOMPARE(clockAhead(100, 101, 103), 0.0);
  QCOMPARE(clockAhead(100, 703, 103), 600.0);
  QCOMPARE(clockAhead(700, 100, 703), -600.0);
}

// It is brought to hosts of any age: without a loader, and small enough for a slow connection.
void SshWordsTest::theRelayIsOneSmallFile() {
  const auto relay = readFile(FATHOM_BIN_DIR "/fathom-relay").value();
  QVERIFY(
      relay.starts_with("\x7f"
                        "ELF"));
  QVERIFY2(relay.size() <= std::size_t{3} << 20, std::to_string(relay.size()).c_str());
  QVERIFY(relay.find("/lib64/ld-linux") == std::string::npos);
  QProcess process;
  process.start(QStringLiteral(FATHOM_BIN_DIR "/fathom-relay"), {"--version"});
  QVERIFY(process.waitForFinished());
  QCOMPARE(process.readAllStandardOutput().trimmed(), QByteArray("fathom-relay " FATHOM_VERSION));
}

QTEST_GUILESS_MAIN(SshWordsTest)
#include "tst_ssh_words.moc"
