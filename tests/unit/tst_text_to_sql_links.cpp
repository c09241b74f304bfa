// SPDX-License-Identifier: Apache-2.0
// Task "text_to_sql": how words are linked with the schema, by which linker, from which file, what a run
// keeps of it (docs/text_to_sql.md §4).
#include <QTest>
#include <filesystem>

#include "tests/unit/support_sql_task.h"

using namespace fathom;
using namespace fathom::sql_task;

namespace {

class ForeignLinks : public ExampleLinker {
 public:
  Result<SchemaLinks> links(const SpiderExample&, const SpiderSchema&) const override {
    return SchemaLinks(1, 2, 3);
  }
};

}  // namespace

class TestTextToSqlLinks : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  // What the data page shows and changes, and the file that another run reads.
  void linksCanBeChangedAndKept() {
    const auto task = sampleTask();
    const ExampleLinks links = task->exampleLinks(DataSplit::Validation, ExampleId{1}).value();
    QCOMPARE(links.codes.size(), links.words.size() * links.items.size());
    QVERIFY(links.items.front().table && !links.items.back().table);
    const HostBatch batch = task->makeBatchOf(DataSplit::Validation, std::vector<ExampleId>{ExampleId{1}});
    QCOMPARE(std::int64_t(links.words.size()), valueAt(batch, "words", 0));
    QCOMPARE(std::int64_t(links.items.size()), valueAt(batch, "tables", 0) + valueAt(batch, "columns", 0));
    QCOMPARE(links.items[std::size_t(valueAt(batch, "tables", 0)) - 1].name, std::string("*"));
    Progress progress;
    const int item = int(links.items.size()) - 1;
    const LinkChange change{links.database, links.question, item, 0, 3};
    const std::string file = sample().folder() + "/links.jsonl";
    writeFileAtomically(file, task->linkFileWith({change}, progress, {}).value()).value();
    Changes options;
    const Json use = task->optionsForLinkFile(file);
    for (const auto& [key, value] : use.items()) options[key] = value;
    const auto again = sampleTask(options);
    std::int64_t differ = 0;
    for (const DataSplit split : {DataSplit::Train, DataSplit::Validation, DataSplit::Test}) {
      for (std::int64_t i = 0; i < task->exampleCount(split); ++i) {
        const auto before = task->exampleLinks(split, ExampleId{i}).value(),
                   after = again->exampleLinks(split, ExampleId{i}).value();
        QCOMPARE(after.words, before.words);
        if (after.codes == before.codes) continue;
        QCOMPARE(before.question, links.question);
        QCOMPARE(after.codes[std::size_t(item) * after.words.size()], std::uint8_t{3});
        ++differ;
      }
    }
    QVERIFY(differ >= 1);
    // What does not fit is refused.
    LinkChange wrong = change;
    wrong.item = item + 1;
    QVERIFY(!task->linkFileWith({wrong}, progress, {}).ok());
    wrong = change;
    wrong.question = "Is this asked ?";
    QVERIFY(task->linkFileWith({wrong}, progress, {}).error().message.find("Is this asked ?") !=
            std::string::npos);
    QVERIFY(!task->exampleLinks(DataSplit::Train, ExampleId{task->exampleCount(DataSplit::Train)}).ok());
    StopToken stop;
    stop.requestStop();
    QCOMPARE(task->linkFileWith({}, progress, stop).error().kind, ErrorKind::Interrupted);
  }

  // A run that goes on, or is used, links as it was trained, whatever became of files and system.
  void linksStayThoseOfTheRun() {
    const auto first = sampleTask();
    Progress progress;
    const ExampleLinks links = first->exampleLinks(DataSplit::Validation, ExampleId{1}).value();
    const std::string file = sample().folder() + "/kept_links.jsonl";
    const LinkChange change{links.database, links.question, int(links.items.size()) - 1, 0, 3};
    writeFileAtomically(file, first->linkFileWith({change}, progress, {}).value()).value();
    const Changes options = {{"spider.linking", "file"}, {"spider.links", file}};
    TaskSetup later;
    later.artifacts = sampleTask(options)->artifacts();
    const auto codes = [&](const TaskSetup& setup, const Changes& changes) {
      return sqlTask(sample().options(changes), setup)
          ->exampleLinks(DataSplit::Validation, ExampleId{1})
          .value()
          .codes;
    };
    const auto changed = codes(later, options);
    QVERIFY(changed != links.codes);
    writeFileAtomically(file, first->linkFileWith({}, progress, {}).value()).value();
    QVERIFY(codes(later, options) == changed);
    QVERIFY(codes({}, options) == links.codes);
    // Another file, asked for by name, is read.
    const std::string other = sample().folder() + "/other_links.jsonl";
    std::filesystem::rename(file, other);
    QVERIFY(codes(later, {{"spider.linking", "file"}, {"spider.links", other}}) == links.codes);
    later.inputOnly = true;
    const std::string line = links.database + "\t" + links.question;
    const auto free = sqlTask(sample().options(options), later);
    QCOMPARE(free->batchesFromText(std::span(&line, 1), nullptr).value().size(), std::size_t{1});
    // Stems that took WordNet's place stay; a run that had WordNet is not given stems.
    const Changes lemmas = {{"spider.linking", "dt_fixup_like"}, {"spider.wordnet", "/nowhere"}};
    TaskSetup replaced;
    replaced.artifacts = sampleTask(lemmas)->artifacts();
    QVERIFY(codes(replaced, lemmas) == codes({}, lemmas));
    replaced.artifacts.erase("linking.json");
    const auto refused = TextToSqlTask::create(sample().options(lemmas), replaced);
    QVERIFY(!refused.ok() && refused.error().kind == ErrorKind::Resource);
  }

  void linkingIsChosenById() {
    const auto stems = sampleTask({{"spider.linking", "stems"}});
    const auto none = sampleTask({{"spider.linking", "none"}});
    const Json found = stems->statistics()["train"]["gold_columns"];
    QVERIFY2(found["exact"].get<double>() > 25, found.dump().c_str());
    QCOMPARE(none->statistics()["train"]["gold_columns"]["none"].get<double>(), 100.0);
    const auto ids = rowOfRagged(stems->makeBatch(DataSplit::Validation, 0).ragged("relations"), 0),
               blind = rowOfRagged(none->makeBatch(DataSplit::Validation, 0).ragged("relations"), 0);
    QVERIFY(ids.size() == blind.size() && ids != blind);
    const auto absent =
        sampleTask({{"spider.linking", "dt_fixup_like"}, {"spider.wordnet", "/no wordnet here"}});
    const Json linking = absent->statistics()["linking"];
    QCOMPARE(linking["asked"].get<std::string>(), std::string("dt_fixup_like"));
    QCOMPARE(linking["used"].get<std::string>(), std::string("stems"));
    QVERIFY(linking["note"].get<std::string>().find("wordnet-base") != std::string::npos);
    const OptionValues file = sample().options({{"spider.linking", "file"}});
    const auto unnamed = TextToSqlTask::create(file, {});
    QVERIFY(!unnamed && unnamed.error().key == "spider.links");
  }

  // Values are kept with a run: it predicts as it was trained when their file is gone.
  void valuesAreKept() {
    const std::string folder = sample().folder(), file = folder + "/values.jsonl";
    const Json stored = {
        {"database", "town_library"},
        {"sha256", "0"},
        {"columns", {{{"table", "reader"}, {"column", "city"}, {"values", {"bonn", "ulm"}}}}}};
    const std::string head = Json({{"format", 1}, {"kind", "database values"}}).dump();
    writeFileAtomically(file, head + "\n" + stored.dump() + "\n").value();
    const Changes with = {{"spider.linking", "stems"}, {"spider.values", file}};
    const auto known = sampleTask(with), blind = sampleTask({{"spider.linking", "stems"}});
    TaskSetup setup;
    setup.inputOnly = true;
    setup.artifacts = known->artifacts();
    QVERIFY(setup.artifacts.contains("values.jsonl") && !blind->artifacts().contains("values.jsonl"));
    const auto later = sqlTask(
        sample().options({{"spider.linking", "stems"}, {"spider.values", folder + "/gone.jsonl"}}), setup);
    const Texts line = {"town_library\tWho lives in Bonn?"};
    const auto relations = [&](const TextToSqlTask& task) {
      return rowOfRagged(task.batchesFromText(line, nullptr).value().at(0).ragged("relations"), 0);
    };
    QVERIFY(relations(*known) != relations(*blind));
    QVERIFY(relations(*later) == relations(*known));
    const std::string broken = folder + "/broken_values.jsonl";
    writeFileAtomically(broken, "no values\n").value();
    const auto refused = TextToSqlTask::create(sample().options({{"spider.values", broken}}), {});
    QVERIFY(!refused && refused.error().text().find("broken_values.jsonl") != std::string::npos);
  }

  void linksOfOtherDataAreRefused() {
    const auto task = sampleTask();
    const RowBuilder rows = rowBuilderOf(*task);
    const TextToSqlOptions options;
    const ForeignLinks linker;
    const TaskSetup setup;
    const SqlDatabases databases = databasesOf(*task);
    const SqlPreparation with{options, databases, rows, linker, setup};
    const auto made = prepareQuestion({"town_library", "How many?", "", {"How", "many", "?"}}, with);
    QVERIFY(!made);
    QVERIFY2(made.error().text().find("1 tokens") != std::string::npos &&
                 made.error().text().find("other data") != std::string::npos,
             made.error().text().c_str());
  }

  // A file of links must be of this very data: another question, other words, another schema.
  void filesOfForeignLinks() {
    const Json records = {record("town_library", "How many readers?", "SELECT count(*) FROM reader"),
                          record("town_library", "Which books?", "SELECT title FROM book")};
    const auto line = [](const std::string& question, const Json& tokens) {
      return Json({{"db_id", "town_library"},
                   {"question", question},
                   {"tokens", tokens},
                   {"table_links", Json::array()},
                   {"column_links", Json::array()}})
                 .dump() +
             "\n";
    };
    const std::string first = line("How many readers ?", {"How", "many", "readers", "?"}),
                      file = sample().folder() + "/links.jsonl", train = sample().write("two.json", records);
    const auto made = [&](const std::string& links) {
      writeFileAtomically(file, links).value();
      return TextToSqlTask::create(sample().options({{"data.train", train},
                                                     {"data.validation", train},
                                                     {"data.test", ""},
                                                     {"spider.linking", "file"},
                                                     {"spider.links", file}}),
                                   {});
    };
    QVERIFY(made(first + line("Which books ?", {"Which", "books", "?"})).ok());
    const auto absent = made(first), cut = made(first + line("Which books ?", {"Which books", "?"}));
    QVERIFY(!absent.ok() && !cut.ok());
    for (const std::string& text : {absent.error().text(), cut.error().text()})
      QVERIFY2(
          text.find("links.jsonl") != std::string::npos && text.find("train example 1") != std::string::npos,
          text.c_str());
    QVERIFY2(absent.error().text().find("Which books ?") != std::string::npos, "the question");
    QVERIFY2(cut.error().text().find("links of 2 tokens") != std::string::npos, "the numbers");
  }
};

QTEST_APPLESS_MAIN(TestTextToSqlLinks)
#include "tst_text_to_sql_links.moc"
