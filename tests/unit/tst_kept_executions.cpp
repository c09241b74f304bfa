// SPDX-License-Identifier: Apache-2.0
// ctest: sqlrun
// What executed queries gave, kept: the same after reading, another file for everything that could change it,
// bounded, damaged files are left out with a word.
#include <QTemporaryDir>
#include <QTest>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/review/kept_executions.h"

using namespace fathom;
namespace fs = std::filesystem;

class KeptExecutionsTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void init();
  void comesBackAsItWas();
  void everythingThatDecidesIsInTheKey();
  void damagedFilesGoWithAWord();
  void fewStay();
  void nothingIsWrittenWhereItMustNot();

 private:
  std::string at(const char* name) const { return m_folder->filePath(name).toStdString(); }
  KeptExecutions store() const { return {at("kept"), true}; }
  static KeptExecution someEvidence();
  std::unique_ptr<QTemporaryDir> m_folder;
};

void KeptExecutionsTest::init() {
  m_folder = std::make_unique<QTemporaryDir>();
  qputenv("FATHOM_SQLRUN", FATHOM_BIN_DIR "/fathom-sqlrun");
  (void)writeFileAtomically(at("tables.json"), "[]");
  (void)makeFolders(at("db/a"));
  (void)writeFileAtomically(at("db/a/a.sqlite"), "one");
}

KeptExecution KeptExecutionsTest::someEvidence() {
  KeptExecution kept;
  kept.facts.declared["a"] = Json::parse(R"({"tables":[{"name":"t","columns":[]}]})");
  kept.facts.notes = {"b is missing"};
  ExecutionEvidence equal;
  equal.comparable = equal.equal = true;
  equal.words = Phrase::tr("the same number of rows (%1)")(3);
  ExecutionEvidence refused;
  refused.refused = refused.distinctIgnored = true;
  refused.words = Phrase::words("no such column: \"é\"");
  kept.evidence = {equal, refused, {}};
  return kept;
}

void KeptExecutionsTest::comesBackAsItWas() {
  std::vector<Phrase> notes;
  const KeptExecution before = someEvidence();
  QVERIFY(!store().find("k", 3, notes));
  store().keep("k", before, notes);
  const auto after = store().find("k", 3, notes);
  QVERIFY(after && notes.empty());
  QCOMPARE(after->facts.declared, before.facts.declared);
  QCOMPARE(after->facts.notes, before.facts.notes);
  QCOMPARE(after->evidence.size(), std::size_t(3));
  for (std::size_t i = 0; i < 3; ++i) {
    QCOMPARE(after->evidence[i].comparable, before.evidence[i].comparable);
    QCOMPARE(after->evidence[i].equal, before.evidence[i].equal);
    QCOMPARE(after->evidence[i].refused, before.evidence[i].refused);
    QCOMPARE(after->evidence[i].distinctIgnored, before.evidence[i].distinctIgnored);
    QVERIFY(after->evidence[i].words == before.evidence[i].words);
  }
}

void KeptExecutionsTest::everythingThatDecidesIsInTheKey() {
  const std::vector<SpiderPair> pairs = {{"a", "SELECT 1", "SELECT 2"}};
  ExecutionOptions options;
  options.databases = at("db");
  const auto key = [&](const std::vector<SpiderPair>& of) {
    return KeptExecutions::key(of, at("tables.json"), options, {});
  };
  std::set<std::string> keys = {key(pairs)};
  QVERIFY(keys.begin()->size() == 32 && key(pairs) == *keys.begin());
  const auto isAnother = [&](const std::string& other) {
    return !other.empty() && keys.insert(other).second;
  };
  QVERIFY(isAnother(key({{"a", "SELECT 1", "SELECT  2"}})));
  QVERIFY(isAnother(key({{"a", "SELECT 1SELECT 2", ""}})));
  QVERIFY(isAnother(key({{"b", "SELECT 1", "SELECT 2"}})));
  QVERIFY(isAnother(key({pairs[0], pairs[0]})));
  options.plugValues = true;
  QVERIFY(isAnother(key(pairs)));
  options.plugValues = false;
  QVERIFY(isAnother(KeptExecutions::key(pairs, at("tables.json"), options, {.seconds = 2})));
  (void)writeFileAtomically(at("tables.json"), "[ ]");
  QVERIFY(isAnother(key(pairs)));
  (void)writeFileAtomically(at("db/a/a.sqlite"), "other");
  QVERIFY(isAnother(key(pairs)));
  fs::last_write_time(at("db/a/a.sqlite"), fs::file_time_type::clock::now() + std::chrono::seconds(5));
  QVERIFY(isAnother(key(pairs)));
  (void)writeFileAtomically(at("db/a/a.sqlite-wal"), "more");
  QVERIFY(isAnother(key(pairs)));
  fs::remove(at("tables.json"));
  QCOMPARE(key(pairs), std::string());
}

void KeptExecutionsTest::damagedFilesGoWithAWord() {
  std::vector<Phrase> notes;
  store().keep("k", someEvidence(), notes);
  const std::string file = at("kept/k.json"), whole = readFile(file).value();
  const std::string changed = [&] {
    std::string text = whole;
    text[text.size() / 2] ^= 1;
    return text;
  }();
  for (const std::string& text : {std::string(), std::string("\n"), whole.substr(0, whole.size() / 2),
                                  changed, "x" + whole, whole + "\n"}) {
    (void)writeFileAtomically(file, text);
    notes.clear();
    QVERIFY(!store().find("k", 3, notes));
    QCOMPARE(notes.size(), std::size_t(1));
    QVERIFY(notes[0].english().find(file) != std::string::npos);
    QVERIFY(!fileExists(file));
  }
  // Another file's content under this name, and one of other examples.
  notes.clear();
  (void)writeFileAtomically(at("kept/other.json"), whole);
  QVERIFY(!store().find("other", 3, notes));
  (void)writeFileAtomically(file, whole);
  QVERIFY(!store().find("k", 4, notes));
  QCOMPARE(notes.size(), std::size_t(2));
}

void KeptExecutionsTest::fewStay() {
  std::vector<Phrase> notes;
  const auto file = [&](std::size_t i) { return at("kept") + "/" + std::to_string(i) + ".json"; };
  for (std::size_t i = 0; i < KeptExecutions::kMostFiles + 3; ++i) {
    store().keep(std::to_string(i), {}, notes);
    fs::last_write_time(file(i), fs::file_time_type::clock::now() - std::chrono::hours(1000 - i));
    if (i == 0) QVERIFY(store().find("0", 0, notes));  // used now
  }
  store().keep("last", {}, notes);
  QVERIFY(notes.empty());
  QVERIFY(fileExists(file(0)) && fileExists(at("kept/last.json")) && !fileExists(file(1)));
  QCOMPARE(listFolder(at("kept")).size(), KeptExecutions::kMostFiles);
}

void KeptExecutionsTest::nothingIsWrittenWhereItMustNot() {
  std::vector<Phrase> notes;
  KeptExecutions(at("kept"), false).keep("k", someEvidence(), notes);
  KeptExecutions("", true).keep("k", someEvidence(), notes);
  store().keep("", someEvidence(), notes);
  QVERIFY(!fileExists(at("kept")) && notes.empty());
  // A file where the folder should be: said, no error.
  (void)writeFileAtomically(at("kept"), "");
  store().keep("k", someEvidence(), notes);
  QCOMPARE(notes.size(), std::size_t(1));
}

QTEST_MAIN(KeptExecutionsTest)
#include "tst_kept_executions.moc"
