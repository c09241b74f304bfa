// SPDX-License-Identifier: Apache-2.0
// Which words of a question name which tables and columns (docs/schema_linking.md): words, lemmas and stems,
// the rules of both papers, files of links, hostile sizes, and the shares on Spider's dev set where it is.
#include <QDir>
#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/review/spider_values.h"
#include "core/spider/data/spider_tables.h"
#include "core/spider/linking/linking_report.h"
#include "core/spider/linking/name_linking.h"
#include "core/spider/linking/rat_linking.h"
#include "core/spider/linking/word_forms.h"
#include "support_fixtures.h"
#include "tests/unit/support_program.h"

using namespace fathom;

namespace {

using Words = std::vector<std::string>;

// Words whose bodies are their lower case.
std::vector<QuestionToken> plainTokens(const Words& words) {
  std::vector<QuestionToken> tokens;
  for (const auto& word : words) tokens.push_back({word, numberBody(unicodeLower(word))});
  return tokens;
}

NamedSchema namesOf(const Words& tables, const Words& columns) {
  NamedSchema schema;
  for (const auto& name : tables) schema.tables.add(name);
  for (const auto& name : columns) schema.columns.add(name);
  return schema;
}

// The codes of an item's row as digits: "0220".
std::string columnRow(const SchemaLinks& links, int item) {
  std::string row;
  for (int token = 0; token < links.tokens; ++token)
    row += std::to_string(static_cast<int>(links.columnLink(item, token)));
  return row;
}

SpiderSchemas singerSchemas() {
  const char* text = R"([{"db_id":"concert","table_names":["singer","concert hall"],
    "table_names_original":["Singer","Concert_Hall"],
    "column_names":[[-1,"*"],[0,"singer id"],[0,"name"],[0,"birth year"],[1,"hall name"],[1,"city"],[1,"opened"]],
    "column_names_original":[[-1,"*"],[0,"Singer_ID"],[0,"Name"],[0,"Birth_Year"],[1,"Hall_Name"],[1,"City"],[1,"Opened"]],
    "column_types":["text","number","text","number","text","text","time"],"primary_keys":[1],"foreign_keys":[]}])";
  return parseSpiderTables(text, "made").value();
}

StoredValues singerValues() {
  StoredDatabase database;
  database.columns = {{"singer", "name", {"ann lee", "o'neil", "bob_x"}, ""},
                      {"concert_hall", "city", {"new york", "rome"}, ""},
                      {"concert_hall", "opened", {"may 1990"}, ""}};
  return {{"concert", database}};
}

void writeText(const QString& path, const std::string& text) {
  if (!writeFileAtomically(path.toStdString(), text).ok()) qFatal("cannot write");
}

// Four nouns and two verbs, as WordNet's files say them.
void writeSmallWordNet(const QString& folder) {
  const std::string licence = "  1 This software and database is offered to all here.\n";
  const std::string first = "00000055 06 n 02 city 0 Metropolis 0 000 | a large town\n";
  const std::string data = licence + first;
  if (data.find("00000055") != licence.size() || licence.size() != 55) qFatal("offset %zu", licence.size());
  writeText(folder + "/data.noun", data);
  writeText(folder + "/index.noun",
            licence +
                "city n 1 0 1 0 00000055\nfly n 1 1 @ 1 0 00000055\nman n 1 0 1 0 00000055\n"
                "singer n 1 0 1 0 00000055\n");
  writeText(folder + "/noun.exc", "oxen ox\nmen man\n");
  writeText(folder + "/data.verb", data);
  writeText(folder + "/index.verb", licence + "live v 1 0 1 0 00000055\nfly v 1 0 1 0 00000055\n");
  writeText(folder + "/verb.exc", "flew fly\n");
  for (const char* part : {"adj", "adv"}) {
    for (const char* kind : {"data.", "index."}) writeText(folder + "/" + kind + part, licence);
    writeText(folder + "/" + part + ".exc", "");
  }
}

const std::string kRealWordnet = kWordnetFolder;

}  // namespace

class TestSchemaLinking : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void wordsOfQuestions() {
    const auto joined = [](const Words& words) {
      std::string out;
      for (const auto& word : questionWords(words)) out += word + "/";
      return out;
    };
    QCOMPARE(
        normalisedQuestion({"id", "Id", ",", "ID", "iD", "of", "ids", "idle", "|d", "i|", "d", "id", "?"}),
        std::string("ID Id , ID iD of ids idle 'd i' d ID ?"));
    QCOMPARE(joined({"``", "Colorado", "''", "?"}), std::string("'/Colorado/'/?/"));
    QCOMPARE(joined({"'catnip", "'", "it", "'s", "x'"}), std::string("'/catnip/'/it/'s/x/'/"));
    QVERIFY(questionWords({" ", ""}).empty());
    QCOMPARE(wordsOfText("How many \"old\" singers don't live in the U.S.? Ann's, 3.5."),
             (Words{"How", "many", "\"", "old", "\"", "singers", "do", "n't", "live", "in", "the", "U.S.",
                    "?", "Ann", "'s", ",", "3.5", "."}));
    for (const auto& [body, expected] : std::map<std::string, std::string>{{"1599", "number"},
                                                                           {"1600", "year"},
                                                                           {"2199", "year"},
                                                                           {"2200", "number"},
                                                                           {"12:30", "number"},
                                                                           {"-3.5", "number"},
                                                                           {"1,000", "1,000"},
                                                                           {"x1", "x1"},
                                                                           {".", "."},
                                                                           {"", ""}})
      QCOMPARE(numberBody(body), expected);
    QCOMPARE(unicodeLower("ÄRA Łódź"), std::string("ära łódź"));
  }

  void firstWhoWritesWins() {
    // "name" of "first name" is exact with its neighbour; later partial links leave it alone.
    NamedSchema schema = namesOf({}, {"first name", "name"});
    const auto links = linkNames(schema, plainTokens({"first", "name", "name"})).links;
    QCOMPARE(columnRow(links, 0), std::string("221"));
    QCOMPARE(columnRow(links, 1), std::string("002"));  // several tokens matched: the scan jumped over them
  }

  void quotesWrapAround() {
    NamedSchema schema = namesOf({}, {"title"});
    schema.values.add(0, "jazz");
    schema.values.add(0, "fusion");
    // Position 0 looks at the last word; a quote of two words is seen as a whole, one of three is not.
    QCOMPARE(columnRow(linkNames(schema, plainTokens({"odd", "jazz", "'", "x", "'"})).links, 0),
             std::string("33000"));
    QCOMPARE(columnRow(linkNames(schema, plainTokens({"'", "odd", "fusion", "'"})).links, 0),
             std::string("0330"));
    QCOMPARE(columnRow(linkNames(schema, plainTokens({"'", "odd", "old", "fusion", "'"})).links, 0),
             std::string("00030"));
  }

  void partsOfNames() {
    NamedSchema schema = namesOf({}, {"average salary"});
    QCOMPARE(columnRow(linkNames(schema, plainTokens({"age", "the", "average", "a"})).links, 0),
             std::string("1010"));
    NamedSchema whole{NameIndex(PartialRule::WholeWords), NameIndex(PartialRule::WholeWords), {}};
    whole.columns.add("average salary");
    QCOMPARE(columnRow(linkNames(whole, plainTokens({"age", "salary", "average", "salary"})).links, 0),
             std::string("0122"));
  }

  void synonymsLeaveAPartAlone() {
    NamedSchema schema;
    schema.columns.add("nation code", {"nation", "state"});
    QCOMPARE(columnRow(linkNames(schema, plainTokens({"nation", "state"})).links, 0), std::string("12"));
  }

  void longNamesAreJumpedOver() {
    NamedSchema schema = namesOf({"red wine list"}, {"color", "wine"});
    schema.values.add(0, "red");
    const auto found = linkNames(schema, plainTokens({"Red", "Wine", "List", "red"}));
    QCOMPARE(found.consumed, (std::vector<bool>{true, true, true, false}));
    QCOMPARE(columnRow(found.links, 0), std::string("0003"));  // no values where a table's name stands
    QCOMPARE(columnRow(found.links, 1), std::string("0200"));
  }

  void ratSqlNames() {
    RatSchema schema;
    schema.columns = 4;
    schema.tables = 1;
    const char* names[] = {"name of the singer", "singer name", "age-group", "the"};
    for (int i = 0; i < 4; ++i) schema.columnNames.add(i, names[i]);
    const auto links = linkRat(schema, plainTokens({"name", "of", "singer", "name", "age", "the"}));
    QCOMPARE(columnRow(links, 0), std::string("110100"));  // only what begins the name, in whole words
    QCOMPARE(columnRow(links, 1), std::string("002200"));
    QCOMPARE(columnRow(links, 2), std::string("000010"));
    QCOMPARE(columnRow(links, 3), std::string("000002"));  // stop words are equal, never a part
    QVERIFY(isRatStopWord("the") && isRatStopWord("?") && !isRatStopWord("singer") && !isRatStopWord("--"));
  }

  void ratSqlCells() {
    QVERIFY(isRatNumber("12") && isRatNumber("-1.5e3") && isRatNumber("+7") && isRatNumber("inf"));
    QVERIFY(!isRatNumber("1,000") && !isRatNumber("x") && !isRatNumber("") && !isRatNumber("+-1"));
    RatSchema schema;
    schema.columns = 4;
    schema.numberColumns = {0};
    schema.timeColumns = {1};
    schema.columnNames.add(2, "york");
    for (const char* value : {"New York City", "o'neil", "100%", "a b_c"}) schema.cells.add(3, value);
    schema.cells.add(2, "york");
    const auto links =
        linkRat(schema, plainTokens({"12", "York", "o'neil", "new", "the", "city", "1_0_", "b%"}));
    QCOMPARE(columnRow(links, 0), std::string("40000000"));
    QCOMPARE(columnRow(links, 1), std::string("50000000"));
    QCOMPARE(columnRow(links, 2), std::string("02000000"));  // names go before cells
    QCOMPARE(columnRow(links, 3),
             std::string("03030333"));  // a quote breaks the query, _ and % are wildcards
    QVERIFY(matchesLike("abc", "a%") && matchesLike("abc", "_b_") && matchesLike("", "%"));
    QVERIFY(matchesLike("ä", "_") && !matchesLike("abc", "b%") && !matchesLike("ab", "a"));
    QVERIFY(!matchesLike(std::string(5000, 'a'), "%a%a%a%a%a%a%a%a%b"));
  }

  void lemmasOfASmallWordNet() {
    QTemporaryDir folder;
    writeSmallWordNet(folder.path());
    const auto net = WordNet::read(folder.path().toStdString()).value();
    QCOMPARE(net->baseForms("cities", WordNet::Part::Noun), Words{"city"});
    QCOMPARE(net->baseForms("men", WordNet::Part::Noun), Words{"man"});  // exception and rule
    QCOMPARE(net->baseForms("Cities", WordNet::Part::Noun), Words());    // case counts
    QCOMPARE(net->baseForms("oxen", WordNet::Part::Noun), Words());      // its form is not in the index
    QCOMPARE(net->lemma("living", WordNet::Part::Verb), std::string("live"));
    QCOMPARE(net->lemma("flew", WordNet::Part::Verb), std::string("fly"));
    QCOMPARE(net->synonyms("cities").value(), (Words{"city", "metropolis"}));
    const WordForm form = wordnetForm(net);
    QCOMPARE(form("Singers"), std::string("singer"));
    QCOMPARE(form("flies"), std::string("fly"));
    QCOMPARE(form("living"), std::string("live"));
    QCOMPARE(form("IDs"), std::string("id"));
    QCOMPARE(form("Unheard"), std::string("unheard"));
    // What is damaged is named with its line; what is absent is no fault of the data.
    writeText(folder.path() + "/index.verb", "live v 1 0 1 0 00000055\nnonsense\n");
    const auto damaged = WordNet::read(folder.path().toStdString());
    QVERIFY(!damaged.ok() && damaged.error().kind == ErrorKind::Data && damaged.error().line == 2);
    QVERIFY(damaged.error().message.find("nonsense") != std::string::npos);
    writeText(folder.path() + "/index.verb", "live v 1 0 1 0 00000055\n");
    writeText(folder.path() + "/index.noun", "city n 1 0 1 0 00009999\n");
    QVERIFY(!WordNet::read(folder.path().toStdString()).value()->synonyms("city").ok());
    QVERIFY(QFile::remove(folder.path() + "/noun.exc"));
    QCOMPARE(WordNet::read(folder.path().toStdString()).error().kind, ErrorKind::Resource);
  }

  void lemmasOfTheWholeWordNet() {
    if (!folderExists(kRealWordnet)) QSKIP("no WordNet");
    const auto net = WordNet::read(kRealWordnet).value();
    const WordForm form = wordnetForm(net);
    for (const auto& [word, expected] : std::map<std::string, std::string>{{"children", "child"},
                                                                           {"countries", "country"},
                                                                           {"wives", "wife"},
                                                                           {"boxes", "box"},
                                                                           {"women", "woman"},
                                                                           {"singing", "singing"},
                                                                           {"hired", "hire"},
                                                                           {"is", "be"}})
      QCOMPARE(form(word), expected);
    const auto car = net->synonyms("car").value();
    QVERIFY(std::find(car.begin(), car.end(), "automobile") != car.end());
    QVERIFY(net->synonyms("song title").value().empty());
  }

  void stemsNeedNoData() {
    const WordForm form = stemForm().value();
    QCOMPARE(form("Countries"), std::string("countri"));
    QCOMPARE(form("country"), std::string("countri"));
    const SpiderSchemas schemas = singerSchemas();
    LinkingSources sources;
    sources.schemas = &schemas;
    sources.wordnet = "/nowhere";
    for (const char* asked : {"dt_fixup_like", "rat_sql_like"}) {
      const auto opened = openSchemaLinker(asked, sources).value();
      QCOMPARE(opened.used, std::string("stems"));
      QVERIFY(opened.note.english().find("wordnet-base") != std::string::npos);
      const auto linked = opened.linker->link("concert", {"the", "singers"}).value();
      QCOMPARE(linked.links.tableLink(0, 1), LinkCode::Exact);
    }
    QVERIFY(openSchemaLinker("stems", sources).value().note.empty());
    QCOMPARE(openSchemaLinker("spacy", sources).error().kind, ErrorKind::Usage);
    QCOMPARE(openSchemaLinker("file", sources).error().kind, ErrorKind::Usage);
    QCOMPARE(schemaLinkings().front().id, std::string("dt_fixup_like"));
  }

  // Expanded ids: 0 the global star, 1 and 2 those of the tables, then the columns.
  void itemsAndValuesOfASchema() {
    QTemporaryDir folder;
    writeSmallWordNet(folder.path());
    const SpiderSchemas schemas = singerSchemas();
    const StoredValues values = singerValues();
    LinkingSources sources;
    sources.schemas = &schemas;
    sources.values = &values;
    sources.wordnet = folder.path().toStdString();
    const Words words = {"Name", "of", "singers", "of", "1990", "in", "New", "York", ",", "metropolis"};
    const auto opened = openSchemaLinker("dt_fixup_like", sources).value();
    const auto linked = opened.linker->link("concert", words).value();
    QCOMPARE(linked.links.columns, 9);
    QCOMPARE(linked.links.tables, 3);
    QCOMPARE(linked.tokens[2], (QuestionToken{"singers", "singer"}));
    QCOMPARE(linked.tokens[4], (QuestionToken{"1990", "year"}));
    QCOMPARE(columnRow(linked.links, 0), std::string("0000000000"));
    QCOMPARE(columnRow(linked.links, 3), std::string("0010000000"));  // singer id
    QCOMPARE(columnRow(linked.links, 4), std::string("2000000000"));  // name
    QCOMPARE(columnRow(linked.links, 5), std::string("0000100000"));  // birth year
    QCOMPARE(columnRow(linked.links, 7), std::string("0000003302"));  // city: values, a synonym
    QCOMPARE(linked.links.tableLink(0, 2), LinkCode::Exact);
    const auto rat = openSchemaLinker("rat_sql_like", sources).value().linker->link("concert", words).value();
    QCOMPARE(rat.tokens[4].body, std::string("1990"));
    QCOMPARE(columnRow(rat.links, 3), std::string("0010400000"));
    QCOMPARE(columnRow(rat.links, 5), std::string("0000400000"));
    QCOMPARE(columnRow(rat.links, 7), std::string("0000003300"));
    for (const char* unknown : {"nowhere", ""}) QVERIFY(!opened.linker->link(unknown, words).ok());
    QVERIFY(!opened.linker->link("concert", {}).ok());
    QVERIFY(!opened.linker->link("concert", {" "}).ok());
  }

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

  void examplesThatCannotBeLinkedAreNamed() {
    const SpiderSchemas schemas = singerSchemas();
    LinkingSources sources;
    sources.schemas = &schemas;
    SpiderDataset data;
    data.examples = {{"concert", "Names of singers?", "SELECT name FROM singer", {}},
                     {"nowhere", "Who?", "SELECT 1", {"Who"}},
                     {"concert", " ", "SELECT name FROM singer", {}},
                     {"concert", "All", "SELEC x", {"All"}}};
    Progress progress;
    const auto opened = openSchemaLinker("stems", sources).value();
    const auto report =
        linkDataset(*opened.linker, data, schemas, true, progress, {}, {true, true, true, false}).value();
    QCOMPARE(report.shares.examples, 2);
    QCOMPARE(report.chosen.examples, 1);
    QCOMPARE(report.chosen.withGold, 1);
    QCOMPARE(report.shares.withGold, 1);
    QCOMPARE(report.shares.goldColumns[0], 1);
    QCOMPARE(report.shares.goldTables[0], 1);
    QCOMPARE(LinkingShares::share(report.shares.goldColumns, 0), 100.0);
    QCOMPARE(report.notes.size(), std::size_t{3});
    QVERIFY(report.notes[0].find("\"nowhere\"") != std::string::npos);
    QVERIFY(report.notes[1].find("example 2") != std::string::npos);
    QCOMPARE(std::count(report.lines.begin(), report.lines.end(), '\n'), 2);
    const StopToken stop;
    stop.requestStop();
    QCOMPARE(linkDataset(*opened.linker, data, schemas, true, progress, stop).error().kind,
             ErrorKind::Interrupted);
  }

  // A question of 10,000 words and a schema of 1,000 columns.
  void hugeQuestionsAndSchemas() {
    Json names = Json::array({Json::array({-1, "*"})});
    for (int i = 0; i < 1000; ++i) names.push_back({0, "column " + std::to_string(i) + " of the big table"});
    names.push_back({0, std::string(100000, 'x')});
    const Json entry = {{"db_id", "big"},
                        {"table_names_original", {"t"}},
                        {"column_names_original", names},
                        {"column_types", Json::array()},
                        {"primary_keys", Json::array()},
                        {"foreign_keys", Json::array()}};
    const SpiderSchemas schemas = parseSpiderTables(Json::array({entry}).dump(), "made").value();
    LinkingSources sources;
    sources.schemas = &schemas;
    Words words;
    for (int i = 0; i < 10000; ++i)
      words.push_back(i % 3 == 0 ? "Column" : i % 3 == 1 ? "W" + std::to_string(i) : "big");
    words.emplace_back(200000, 's');
    for (const char* linking : {"stems", "rat_sql_like", "dt_fixup_like"}) {
      QElapsedTimer timer;
      timer.start();
      const auto opened = openSchemaLinker(linking, sources).value();
      const auto linked = opened.linker->link("big", words).value();
      QCOMPARE(linked.links.tokens, 10001);
      QCOMPARE(linked.links.columnLink(2, 0), LinkCode::Partial);
      qInfo("%s: %.1f s", linking, static_cast<double>(timer.elapsed()) / 1000);
      QVERIFY(timer.elapsed() < 120000);
    }
  }

  // How often gold's columns and tables are found on Spider's dev set (docs/schema_linking.md §1).
  void sharesOnSpider_data() {
    QTest::addColumn<QList<double>>("columns");  // exact, value, partial, none
    QTest::addColumn<QList<double>>("tables");   // exact, partial, none
    QTest::addColumn<double>("tolerance");
    QTest::newRow("dt_fixup_like") << QList<double>{44.1, 7.0, 34.4, 14.5} << QList<double>{68.9, 18.0, 13.1}
                                   << 1.0;
    QTest::newRow("stems") << QList<double>{43.9, 7.8, 32.1, 16.1} << QList<double>{69.0, 13.0, 18.0} << 1.5;
  }
  void sharesOnSpider() {
    QFETCH(QList<double>, columns);
    QFETCH(QList<double>, tables);
    QFETCH(double, tolerance);
    const std::string archive = fixtures::dataPath("spider/databases.tar.gz");
    if (archive.empty()) QSKIP("no Spider data");
    const std::string linking = QTest::currentDataTag();
    if (linking == "dt_fixup_like" && !folderExists(kRealWordnet)) QSKIP("no WordNet");
    static const QTemporaryDir databases;
    if (!QDir(databases.filePath("database")).exists())
      QCOMPARE(tests::runProgram({"tar", "xzf", archive, "-C", databases.path().toStdString()}).code, 0);
    const auto data = readSpiderDataset(fixtures::dataPath("spider/dev.json")).value();
    SpiderDatabaseIds ids;
    for (const auto& example : data.examples) ids.insert(example.dbId);
    const auto schemas = readSpiderTablesOf(fixtures::dataPath("spider/tables.json"), ids).value();
    SqlRunPoolOptions pool;
    pool.program = std::string(FATHOM_BIN_DIR) + "/fathom-sqlrun";
    Progress progress;
    const auto values =
        spiderValues({databases.filePath("database").toStdString(), ""}, ids, ids, pool, progress).value();
    LinkingSources sources;
    sources.schemas = &schemas;
    sources.values = &values.values;
    const auto opened = openSchemaLinker(linking, sources).value();
    QCOMPARE(opened.used, linking);
    QElapsedTimer timer;
    timer.start();
    const auto report = linkDataset(*opened.linker, data, schemas, true, progress).value();
    qInfo("%lld examples in %.1f s", static_cast<long long>(report.shares.examples),
          static_cast<double>(timer.elapsed()) / 1000);
    QCOMPARE(report.shares.withGold, 1034);
    const FoundBy kinds[] = {FoundBy::Exact, FoundBy::Value, FoundBy::Partial, FoundBy::Nothing};
    for (int i = 0; i < 4; ++i) {
      const double share =
          LinkingShares::share(report.shares.goldColumns, static_cast<std::size_t>(kinds[i]));
      QVERIFY2(std::abs(share - columns[i]) <= tolerance, qPrintable(QString::number(share)));
    }
    const FoundBy tableKinds[] = {FoundBy::Exact, FoundBy::Partial, FoundBy::Nothing};
    for (int i = 0; i < 3; ++i) {
      const double share =
          LinkingShares::share(report.shares.goldTables, static_cast<std::size_t>(tableKinds[i]));
      QVERIFY2(std::abs(share - tables[i]) <= tolerance, qPrintable(QString::number(share)));
    }
  }
};

QTEST_GUILESS_MAIN(TestSchemaLinking)
#include "tst_schema_linking.moc"
