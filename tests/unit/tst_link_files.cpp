// SPDX-License-Identifier: Apache-2.0
// Links, concepts, word forms and values that are read from files: used alike, refused where they are of
// other data (docs/schema_linking.md).
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "core/spider/linking/linking_report.h"
#include "core/spider/linking/rat_linking.h"
#include "core/spider/linking/word_forms.h"
#include "tests/unit/support_schema_links.h"

using namespace fathom;
using namespace fathom::linking_case;

class TestLinkFiles : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void conceptsOfAFile() {
    QTemporaryDir folder;
    const SpiderSchemas schemas = singerSchemas();
    LinkingSources sources;
    sources.schemas = &schemas;
    sources.concepts = folder.filePath("concepts.json").toStdString();
    writeText(folder.filePath("concepts.json"), R"({"is_a":{"oslo":["citi"]},"related_to":{}})");
    const auto linked =
        openSchemaLinker("stems", sources).value().linker->link("concert", {"in", "Oslo"}).value();
    QCOMPARE(columnRow(linked.links, 7), std::string("03"));
    for (const char* broken : {"[]", R"({"is_a":{}})", R"({"is_a":{"a":[1]},"related_to":{}})", "{"}) {
      writeText(folder.filePath("concepts.json"), broken);
      const auto refused = openSchemaLinker("stems", sources);
      QVERIFY(!refused.ok() && refused.error().file == sources.concepts);
    }
  }

  // What a run keeps links as the files did, whatever becomes of them.
  void keptFilesLinkAlike() {
    QTemporaryDir folder;
    writeSmallWordNet(folder.path());
    const SpiderSchemas schemas = singerSchemas();
    LinkingSources sources;
    sources.schemas = &schemas;
    sources.wordnet = folder.path().toStdString();
    sources.concepts = folder.filePath("concepts.json").toStdString();
    sources.keep = true;
    writeText(folder.filePath("concepts.json"),
              R"({"is_a":{"oslo":["mountain","city"],"rome":["mountain"]},"related_to":{"rome":["name"]}})");
    const Words words = {"Men",  "and",  "singers", "in", "Oslo",      "or",
                         "Rome", "flew", "to",      "a",  "metropolis"};
    std::map<std::string, std::string> files;
    for (const std::string id : {"dt_fixup_like", "rat_sql_like"}) {
      const auto opened = openSchemaLinker(id, sources).value();
      LinkingSources later = sources;
      later.wordnet = later.concepts = "/nowhere";
      later.kept = &opened.kept;
      later.mayReplace = false;
      const auto again = openSchemaLinker(id, later).value();
      QCOMPARE(again.used, id);
      QVERIFY(again.note.empty() && again.kept == opened.kept);
      const auto before = opened.linker->link("concert", words).value(),
                 after = again.linker->link("concert", words).value();
      QCOMPARE(after.tokens, before.tokens);
      QVERIFY(after.links.column == before.links.column && after.links.table == before.links.table);
      if (id == "dt_fixup_like") files = opened.kept;
    }
    QCOMPARE(files.size(), std::size_t{2});
    QVERIFY(files.at("concepts.json").find("mountain") == std::string::npos);
    // Where nothing was kept, stems are no answer.
    LinkingSources bare = sources;
    bare.wordnet = "/nowhere";
    bare.mayReplace = false;
    const auto refused = openSchemaLinker("dt_fixup_like", bare);
    QCOMPARE(refused.error().kind, ErrorKind::Resource);
    QVERIFY(refused.error().text().find("wordnet-base") != std::string::npos);
    bare.kept = &files;
    for (const char* damaged :
         {"", "{", "[]", R"({"format":1,"kind":"WordNet forms"})",
          R"({"format":1,"kind":"WordNet forms","noun":{"words":1,"exceptions":{}}})"}) {
      files["wordnet.json"] = damaged;
      const auto broken = openSchemaLinker("dt_fixup_like", bare);
      QVERIFY2(!broken.ok() && broken.error().file == "artifacts/wordnet.json", damaged);
    }
    // Of another tables.json.
    files["wordnet.json"] = R"({"format":1,"kind":"WordNet forms","synonyms":{},"noun":{"words":"",
      "exceptions":{}},"verb":{"words":"","exceptions":{}}})";
    const auto other = openSchemaLinker("dt_fixup_like", bare).value().linker->link("concert", words);
    QVERIFY(!other.ok() && other.error().message.find("singer") != std::string::npos);
  }

  void filesOfLinks() {
    const SpiderSchemas schemas = singerSchemas();
    const StoredValues values = singerValues();
    LinkingSources sources;
    sources.schemas = &schemas;
    sources.values = &values;
    const Words words = {"Names", "of", "singers", "in", "'", "New", "York", "'"};
    const auto linked = openSchemaLinker("stems", sources).value().linker->link("concert", words).value();
    QTemporaryDir folder;
    sources.links = folder.filePath("links.jsonl").toStdString();
    const std::string head = linkFileHead("stems", "hash");
    const std::string line = linkFileLine("concert", words, linked);
    writeText(folder.filePath("links.jsonl"), head + line + line);
    auto opened = openSchemaLinker("file", sources).value();
    const auto again = opened.linker->link("concert", words).value();
    QCOMPARE(again.tokens, linked.tokens);
    QVERIFY(again.links.column == linked.links.column && again.links.table == linked.links.table);
    sources.keep = true;
    const auto kept = openSchemaLinker("file", sources).value().kept;
    LinkingSources later = sources;
    later.links = "/nowhere";
    later.kept = &kept;
    const auto alike = openSchemaLinker("file", later).value().linker->link("concert", words).value();
    QVERIFY(alike.links.column == linked.links.column && alike.links.table == linked.links.table);
    const auto other = opened.linker->link("concert", {"Who", "?"});
    QVERIFY(!other.ok() && other.error().file == sources.links);
    QVERIFY(other.error().message.find("Who ?") != std::string::npos);
    // What another program writes may be cut in other words than ours.
    const std::string foreign =
        R"({"db_id":"concert","question":"a b","tokens":["a b"],"table_links":[[2,0,1]],"column_links":[]})";
    const auto own = LinkFile::parse(foreign, "made", schemas).value().find("concert", {"a", "b"}).value();
    QCOMPARE(own.tokens.size(), std::size_t{1});
    QCOMPARE(own.links.tableLink(2, 0), LinkCode::Partial);
  }

  void linksOfOtherDataAreRefused_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("says");
    const char* start = R"({"db_id":"concert","question":"q","tokens":["q"],)";
    const auto row = [&](const char* name, const QString& line, const char* says) {
      QTest::newRow(name) << line << says;
    };
    row("database", R"({"db_id":"pets","question":"q","tokens":["q"],"table_links":[],"column_links":[]})",
        "\"pets\"");
    row("column", QString(start) + R"("table_links":[],"column_links":[[9,0,1]]})", "[9,0,1]");
    row("token", QString(start) + R"("table_links":[[0,1,1]],"column_links":[]})", "[0,1,1]");
    row("code", QString(start) + R"("table_links":[[0,0,6]],"column_links":[]})", "[0,0,6]");
    row("negative", QString(start) + R"("table_links":[[-1,0,1]],"column_links":[]})", "[-1,0,1]");
    row("text", QString(start) + R"("table_links":[["a",0,1]],"column_links":[]})", "[\"a\",0,1]");
    row("count", QString(start) + R"("columns":10,"table_links":[],"column_links":[]})", "\"columns\" is 10");
    row("bodies", QString(start) + R"("bodies":[],"table_links":[],"column_links":[]})", "0 \"bodies\"");
    row("no list", QString(start) + R"("column_links":[]})", "\"table_links\"");
    row("no object", "[]", "object");
    row("no JSON", "{", "");
    row("second", QString(start) + R"("table_links":[[0,0,1]],"column_links":[]})", "second time");
  }

  void linksOfOtherDataAreRefused() {
    QFETCH(QString, line);
    QFETCH(QString, says);
    const SpiderSchemas schemas = singerSchemas();
    const std::string sound =
        R"({"db_id":"concert","question":"q","tokens":["q"],"table_links":[],"column_links":[]})";
    const auto read = LinkFile::parse(linkFileHead("x", "y") + sound + "\n" + line.toStdString() + "\n",
                                      "links.jsonl", schemas);
    QVERIFY(!read.ok());
    QCOMPARE(read.error().file, std::string("links.jsonl"));
    QCOMPARE(read.error().line, std::int64_t{3});
    QVERIFY2(read.error().message.find(says.toStdString()) != std::string::npos,
             read.error().message.c_str());
    QVERIFY(!LinkFile::parse("", "links.jsonl", schemas).ok());
    QVERIFY(!LinkFile::parse(R"({"kind":"database values","format":1})", "links.jsonl", schemas).ok());
  }

  void preparedFilesOfValuesAreChecked() {
    const std::string head = R"({"format":1,"kind":"database values"})";
    const auto lineOf = [&](const std::string& line) {
      const auto read = parseStoredValues(head + "\n" + line + "\n", "v", {"concert"});
      return read ? std::int64_t{0} : read.error().line;
    };
    QCOMPARE(lineOf(R"({"database":"concert","columns":[{"table":"T","column":"C","values":["x"]}]})"), 0);
    QCOMPARE(lineOf(R"({"database":"other","columns":3})"), 0);  // not asked for
    for (const char* broken :
         {R"({"database":"concert"})", R"({"database":"concert","columns":[3]})",
          R"({"database":"concert","columns":[{"table":"t","column":"c","values":[1]}]})",
          R"({"database":"concert","columns":[{"column":"c","values":[]}]})", "[]", "{"})
      QCOMPARE(lineOf(broken), 2);
    for (const char* wrong : {"", "{}", "[]", R"({"format":2,"kind":"database values"})", "x"})
      QVERIFY(!parseStoredValues(wrong, "v", {"concert"}).ok());
  }
};

QTEST_GUILESS_MAIN(TestLinkFiles)
#include "tst_link_files.moc"
