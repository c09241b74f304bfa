// SPDX-License-Identifier: Apache-2.0
// Tasks on long documents: files of records, parts, batches of both streams, odd input, free input, files for
// the benchmarks.
#include <QTemporaryDir>
#include <QTest>
#include <numeric>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/tasks/hotpotqa/hotpotqa_layout.h"
#include "core/tasks/hotpotqa/hotpotqa_task.h"
#include "core/tasks/long_text/long_encoding.h"
#include "core/tasks/long_text/record_file.h"
#include "core/tasks/natural_questions/natural_questions_layout.h"
#include "core/tasks/openkp/openkp_layout.h"
#include "core/tasks/wikihop/wikihop_layout.h"
#include "core/tasks/wikihop/wikihop_task.h"
#include "tests/unit/support_byte_vocabulary.h"
#include "tests/unit/support_fixtures.h"
#include "tests/unit/support_memory_peak.h"
#include "tests/unit/support_odd_json.h"

using namespace fathom;

namespace {

constexpr const char* kLongVocabulary =
    "[PAD]\n[unused0]\n[unused1]\n[unused2]\n[unused3]\n[unused4]\n[UNK]\n[CLS]\n[SEP]\n[MASK]"
    "\nthe\nferry\ncrosses\nbay\nstone\nbridge\nis\nin\nengland\nfrance\nwhere\n##s\n.\n?\n";

class LongPlace {
 public:
  LongPlace() { put("vocab.txt", kLongVocabulary); }
  std::string path(const std::string& name) const {
    return m_folder.filePath(QString::fromStdString(name)).toStdString();
  }
  std::string put(const std::string& name, const std::string& text) const {
    writeFileAtomically(path(name), text).value();
    return path(name);
  }
  Result<std::unique_ptr<Task>> task(const std::string& id, const Json& options) const {
    OptionValues values{OptionSchema(taskOptionFields(), taskOptionRules())};
    values.set("task", id).value();
    values.set("text.vocabulary.file", path("vocab.txt")).value();
    for (const auto& [key, value] : options.items()) values.set(key, value).value();
    values.check().value();
    return findTask(id)->create(values, {});
  }
  // Its error says all of these words.
  void refuses(const std::string& id, const Json& options, const std::vector<std::string>& words) const {
    const auto made = task(id, options);
    QVERIFY(!made.ok());
    const std::string text = made.error().text();
    for (const std::string& word : words)
      QVERIFY2(text.find(word) != std::string::npos, (word + " in: " + text).c_str());
  }

 private:
  QTemporaryDir m_folder;
};

Json hopRecord(int number, bool answered = true) {
  Json record = {{"id", "q" + std::to_string(number)},
                 {"query", "country bridge"},
                 {"candidates", {"england", "france", "the bay"}},
                 {"supports",
                  {"The ferry crosses the bay. The bridge is in " +
                       std::string(number % 2 == 0 ? "England." : "France."),
                   "The stone bridge is in the bay."}}};
  if (answered) record["answer"] = number % 2 == 0 ? "england" : "france";
  return record;
}

Json hopRecords(int count, bool answered = true) {
  Json list = Json::array();
  for (int i = 0; i < count; ++i) list.push_back(hopRecord(i, answered));
  return list;
}

Json hotpotRecordJson(int number, const std::string& answer = "england") {
  const std::string id = std::to_string(number);
  return {{"_id", "h" + id},
          {"question", "where is the bridge ?"},
          {"answer", answer},
          {"supporting_facts", Json::parse(R"([["the bridge", 1], ["the bay", 0]])")},
          {"context", Json::parse(R"([["the ferry", ["the ferry crosses .", " the bay is in france ."]],
                                      ["the bridge", ["the bridge is stone .", " it is in england ."]],
                                      ["the bay", ["the bridge crosses the bay ."]]])")}};
}

Json hotpotRecords(const std::vector<std::string>& answers) {
  Json list = Json::array();
  for (const std::string& answer : answers)
    list.push_back(hotpotRecordJson(static_cast<int>(list.size()), answer));
  return list;
}

// What the objective says of an example: these places.
Prediction found(std::int64_t example, int part, int type, std::int64_t begin, std::int64_t end,
                 const std::vector<int>& facts) {
  Prediction one;
  one.example = ExampleId{example};
  one.details = {{"part", part},
                 {"type", type},
                 {"span", {begin, end}},
                 {"facts", facts},
                 {"fact_probabilities", std::vector<double>(facts.size(), 0.9)}};
  return one;
}

std::vector<Prediction> choosing(const Task& task, DataSplit split, std::int64_t chosen) {
  std::vector<Prediction> all;
  for (std::int64_t i = 0; i < task.exampleCount(split); ++i) {
    Prediction one;
    one.example = ExampleId{i};
    one.ids = {chosen};
    one.details = {{"part", static_cast<int>(split)}};
    all.push_back(one);
  }
  task.complete(all);
  return all;
}

struct ReadRecords {
  std::vector<std::string> ids, places;
  Result<RecordFile> file;
};
ReadRecords recordsOf(const std::string& path, bool skipBad = false) {
  std::vector<std::string> ids, places;
  Result<RecordFile> file = readRecordFile({path, skipBad}, [&](const Json& json, const std::string& place) {
    if (!json.contains("id")) return Status(dataError(Phrase::words(place + " has no id")));
    ids.push_back(json["id"].dump());
    places.push_back(place);
    return Status();
  });
  return {ids, places, std::move(file)};
}

}  // namespace

class LongTasksTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void recordsOfListsAndLines() {
    const LongPlace place;
    const std::string list =
        place.put("list.json", "\xEF\xBB\xBF[{\"id\": \"a]\\\"\"},\n\n {\"id\": [1, {\"x\": 2}]}\n]\n");
    const ReadRecords two = recordsOf(list);
    QVERIFY(two.file.ok());
    QCOMPARE(two.ids.size(), std::size_t{2});
    QCOMPARE(two.places, (std::vector<std::string>{list + ":1", list + ":3"}));
    QCOMPARE(two.file->hash.sha256.size(), std::size_t{64});
    const std::string lines =
        place.put("lines.jsonl", "{\"id\": 1}\n\n{\"id\": 2}\n{\"no\": 3}\n{\"id\": \n");
    QVERIFY(!recordsOf(lines).file.ok());
    const ReadRecords some = recordsOf(lines, true);
    QVERIFY2(some.file.ok(), some.file.ok() ? "" : some.file.error().text().c_str());
    QCOMPARE(some.places, (std::vector<std::string>{lines + ":1", lines + ":3"}));
    QCOMPARE(some.file->left, std::int64_t{2});
    QVERIFY(some.file->firstLeft.find(":4") != std::string::npos);
  }

  // As the published training parts of WikiHop and HotpotQA are: hundreds of megabytes in one line.
  void aListOfOneLineIsReadInPieces() {
    const LongPlace place;
    const std::string path = place.path("train.json");
    const std::string record = "{\"id\": 1, \"text\": \"" + std::string(std::size_t{1} << 20, 'x') + "\"}";
    constexpr int kCount = 270;
    std::string all = "[";
    {
      QFile file(QString::fromStdString(path));
      QVERIFY(file.open(QIODevice::WriteOnly));
      for (int i = 0; i < kCount; ++i) {
        all += record + (i + 1 < kCount ? ", " : "]");
        QVERIFY(file.write(all.data(), qint64(all.size())) == qint64(all.size()));
        all.clear();
      }
    }
    ReadRecords read{{}, {}, dataError(Phrase::words("not read"))};
    const double megabytes = tests::peakMegabytesOf([&] { read = recordsOf(path); });
    QVERIFY2(read.file.ok(), read.file.ok() ? "" : read.file.error().text().c_str());
    QCOMPARE(read.file->records, std::int64_t{kCount});
    QCOMPARE(read.file->hash.sha256, sha256OfFile(path).value());
    QVERIFY2(megabytes < 60, qPrintable(QString::number(megabytes)));
  }
  // No file is read to its end, or into memory, for a record that does not end.
  void aRecordWithoutAnEnd() {
    const LongPlace place;
    for (const std::string begin : {"[{\"id\": \"", "[ "}) {
      const std::string path = place.put("sparse.json", begin + std::string(5000, ' '));
      QVERIFY(QFile::resize(QString::fromStdString(path), qint64{20} << 30));
      ReadRecords read{{}, {}, dataError(Phrase::words("not read"))};
      const double megabytes = tests::peakMegabytesOf([&] { read = recordsOf(path); });
      QVERIFY(!read.file.ok());
      const std::string error = read.file.error().text();
      QVERIFY2(error.find("sparse.json:1: the record has more than") != std::string::npos, error.c_str());
      QVERIFY2(megabytes < 300, qPrintable(QString::number(megabytes)));
    }
  }

  // Every member of every kind of record with a value of every other type.
  void recordsWithOddMembers() {
    test::withEveryPartOdd(hopRecord(1), [](const Json& json) { (void)wikiHopRecord(json, "odd:1"); });
    test::withEveryPartOdd(hotpotRecordJson(1), [](const Json& json) { (void)hotpotRecord(json, "odd:1"); });
    const Json page = Json::parse(R"({"example_id": 1, "question_text": "where", "document_text": "a b c d",
        "long_answer_candidates": [{"start_token": 0, "end_token": 2, "top_level": true}],
        "annotations": [{"long_answer": {"start_token": 0, "end_token": 2}, "yes_no_answer": "NONE",
                         "short_answers": [{"start_token": 0, "end_token": 1}]}]})");
    test::withEveryPartOdd(page, [](const Json& json) { (void)nqRecord(json, "odd:1"); });
    Json block = {{"text", "a b"}, {"feature", std::vector<double>(20, 1)}};
    const Json site = {{"url", "u"}, {"VDOM", Json::array({block})}, {"KeyPhrases", {{"a", "b"}}}};
    test::withEveryPartOdd(site, [](const Json& json) { (void)openKpRecord(json, "odd:1"); });
    Json odd = page;
    odd["long_answer_candidates"][0]["top_level"] = "yes";
    QCOMPARE(nqRecord(odd, "odd:1").value().candidates.size(), std::size_t{1});
  }

  void recordFilesThatAreNone_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("word");
    QTest::newRow("no end") << "[{\"id\": 1}"
                            << "does not end";
    QTest::newRow("no end of a text") << "[{\"id\": \"1}, 2]"
                                      << "does not end";
    QTest::newRow("comma") << "[{\"id\": 1},]"
                           << "expected";
    QTest::newRow("two commas") << "[{\"id\": 1},,{\"id\": 1}]"
                                << "expected";
    QTest::newRow("more behind") << "[{\"id\": 1}] 5"
                                 << "behind";
    QTest::newRow("number") << "[{\"id\": 1}, 5]"
                            << "object";
    QTest::newRow("empty list") << "[]"
                                << "no records";
    QTest::newRow("table") << "a\tb\n"
                           << "record";
    QTest::newRow("deep") << "[" + QString(100, '[') + "]"
                          << ":1";
    QTest::newRow("bad utf-8") << "[{\"id\": \"\\ud800\"}]"
                               << ":1";
  }
  void recordFilesThatAreNone() {
    QFETCH(QString, text);
    QFETCH(QString, word);
    const LongPlace place;
    const ReadRecords read = recordsOf(place.put("odd.json", text.toStdString()));
    QVERIFY(!read.file.ok());
    const std::string error = read.file.error().text();
    QVERIFY2(
        error.find("odd.json") != std::string::npos && error.find(word.toStdString()) != std::string::npos,
        error.c_str());
  }

  // Of the line of the file, not of the record; a number that is none by its member.
  void damagedRecordsNameTheirLine() {
    const LongPlace place;
    const auto wrong = [&](const std::string& text, bool skip, const std::string& words) {
      const ReadRecords read = recordsOf(place.put("odd.json", text), skip);
      const std::string said = read.file.ok() ? read.file->firstLeft : read.file.error().text();
      QVERIFY2(said.find("odd.json:" + words) != std::string::npos, said.c_str());
    };
    wrong("[{\"id\": 1},\n{\"id\": 2,\n \"text\": tru}]", false, "3: not valid JSON");
    for (const bool skip : {false, true}) {
      wrong("{\"id\": 1}\n{\"id\": \n", skip, "2: not valid JSON");
      wrong("{\"id\": 1}\n{\"id\": 2, \"VDOM\": [{\"x\": 1, \"feature\": [1, NaN]}]}\n", skip,
            "2: 'VDOM': NaN is no number");
      wrong("{\"id\": 1}\n{\"id\": \"NaN: \\\"\", \"at\": -Infinity}\n", skip,
            "2: 'at': Infinity is no number");
    }
  }

  void globalPiecesOfVocabularies() {
    const LongPieces etc = longPiecesOf(TextEncoding::ofWordPieces(kLongVocabulary, "v", true).value());
    QCOMPARE(etc.sentence, std::int64_t{1});
    QCOMPARE(etc.paragraph, std::int64_t{5});
    QVERIFY(!etc.decode);
    const LongPieces own = longPiecesOf(
        TextEncoding::ofWordPieces("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\nthe\n", "v", true).value());
    const std::vector<std::int64_t> marks = {own.cls, own.question, own.sentence, own.paragraph};
    for (std::size_t i = 0; i < marks.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) QVERIFY(marks[i] != marks[j]);
  }

  void wikiHopParts() {
    const LongPlace place;
    const Json options = {{"data.train", place.put("train.json", hopRecords(20).dump())},
                          {"data.validation", place.put("dev.json", hopRecords(6).dump(1))},
                          {"data.test", place.put("test.json", hopRecords(4, false).dump())},
                          {"batch.examples", 4}};
    const auto task = place.task("wikihop", options).value();
    QCOMPARE(task->exampleCount(DataSplit::Train), std::int64_t{20});
    QCOMPARE(task->batchCount(DataSplit::Validation), std::int64_t{2});
    const HostBatch batch = task->makeBatch(DataSplit::Validation, 0);
    const std::int64_t longs = batch.array("tokens").size(1), globals = batch.array("global_tokens").size(1);
    QCOMPARE(globals, std::int64_t{3 + 2 + 2 + 3});
    for (const char* name : {"segments", "sentence", "paragraph", "link", "context"})
      QCOMPARE(batch.array(name).size(1), longs);
    for (const char* name : {"global_segments", "global_context", "global_everything", "candidates"})
      QCOMPARE(batch.array(name).size(1), globals);
    const auto marks = batch.array("candidates").values<std::uint8_t>();
    QCOMPARE(std::accumulate(marks.begin(), marks.end(), 0), 3 * 4);
    const auto all = batch.array("global_everything").values<std::int32_t>();
    QCOMPARE(std::accumulate(all.begin(), all.end(), 0), (3 + 2) * 4);
    // Global tokens are called by what they stand for: candidates, query, a document and its sentences.
    QCOMPARE(task->pieces(batch, 0).at("global").texts,
             (std::vector<std::string>{"england", "france", "the bay", "[UNK]", "bridge",
                                       "¶ the ferry crosses …", "the ferry crosses …", "the bridge is …",
                                       "¶ the stone bridge …", "the stone bridge …"}));
    QVERIFY(!task->makeBatch(DataSplit::Test, 0).arrays.contains("labels"));
    const auto scores = task->score(DataSplit::Validation, choosing(*task, DataSplit::Validation, 1)).value();
    QCOMPARE(scores.front().id, std::string("accuracy"));
    QCOMPARE(scores.front().value, 50.0);
    QVERIFY(!task->score(DataSplit::Test, choosing(*task, DataSplit::Test, 0)).ok());
    const auto files = task->submission(DataSplit::Test, choosing(*task, DataSplit::Test, 2)).value();
    QCOMPARE(Json::parse(files.at("predictions.json")).at("q3").get<std::string>(), std::string("the bay"));
    const Json train = task->statistics().at("train");
    QCOMPARE(train.at("examples").get<int>(), 20);
    QCOMPARE(train.at("cut").get<int>(), 0);
    QVERIFY(train.at("long").contains("longest"));
  }

  // A part of the records kept apart; a short long stream cuts sentences and counts them.
  void wikiHopCuts() {
    const LongPlace place;
    const std::string file =
        place.put("train.jsonl", hopRecord(0).dump() + "\n" + hopRecord(1).dump() + "\n");
    const auto task = place
                          .task("wikihop", {{"data.train", file},
                                            {"text.validation_share", 0.5},
                                            {"wikihop.max_length", 16},
                                            {"wikihop.max_globals", 430}})
                          .value();
    QCOMPARE(task->exampleCount(DataSplit::Validation), std::int64_t{1});
    QCOMPARE(task->statistics().at("train").at("cut").get<int>(), 1);
    QVERIFY(task->statistics().at("train").at("cut_sentences").get<int>() >= 1);
    QVERIFY(task->sizes().at("longest") <= 16);
  }

  // Documents without a sentence, records without a document and what HTML left behind are read and counted.
  void oddTextsAreCounted() {
    const LongPlace place;
    const auto train = [&](const char* task, const Json& list) {
      const auto made = place.task(task, {{"data.train", place.put("train.json", list.dump())},
                                          {"data.validation", place.put("dev.json", list.dump())}});
      return made.value()->statistics().at("train");
    };
    Json hops = hopRecords(3);
    QCOMPARE(train("wikihop", hops).at("leftovers").get<int>(), 0);
    hops[0]["supports"] = Json::array();
    hops[1]["supports"].push_back("the&nbsp;ferry <p>is in\tthe</p> bay. 3 < 4 & 5; x<y a<4");
    hops[2]["supports"].push_back("");
    const Json hop = train("wikihop", hops);
    QCOMPARE(hop.at("no_documents").get<int>(), 1);
    QCOMPARE(hop.at("no_sentences").get<int>(), 1);
    QCOMPARE(hop.at("leftovers").get<int>(), 4);  // "x<y" looks like it
    Json questions = hotpotRecords({"england", "no"});
    QCOMPARE(train("hotpotqa", questions).at("no_sentences").get<int>(), 0);
    questions[0]["context"].push_back({"<b>the bay</b>", Json::array()});
    questions[1]["context"].push_back({"the stone", {"the ferry &amp; is", "<br/>"}});
    const Json question = train("hotpotqa", questions);
    QCOMPARE(question.at("no_sentences").get<int>(), 1);
    QCOMPARE(question.at("leftovers").get<int>(), 3 + 1);
  }

  void wikiHopRefusals() {
    const LongPlace place;
    const auto with = [&](const char* member, Json value, const Json& more = Json::object()) {
      Json list = hopRecords(3);
      list[2][member] = std::move(value);
      Json options = {{"data.train", place.put("bad.json", list.dump(1))}};
      options.update(more);
      return options;
    };
    place.refuses("wikihop", with("candidates", Json::array()), {"bad.json:", "candidates"});
    for (const char* blank : {"", " \t"})  // nothing to choose, and every sentence would mention it
      place.refuses("wikihop", with("candidates", {blank, "england", "france"}),
                    {"bad.json:", "candidates", "without text"});
    place.refuses("wikihop", with("answer", "spain"), {"bad.json:", "answer", "spain"});
    place.refuses("wikihop", with("id", "q0"), {"bad.json:", "q0", "twice"});
    place.refuses("wikihop", with("supports", 5), {"bad.json:", "supports"});
    Json many = Json::array();
    for (int i = 0; i < 30; ++i) many.push_back("england " + std::to_string(i));
    many.push_back("england");
    place.refuses("wikihop", with("candidates", many, {{"wikihop.max_globals", 16}}),
                  {"bad.json:", "global", "16 fit"});
    const auto task = place.task("wikihop", with("answer", "spain", {{"data.bad_lines", "skip"}})).value();
    QCOMPARE(task->statistics().at("train").at("left_out").get<int>(), 1);
    QCOMPARE(task->statistics().at("notes").size(), std::size_t{1});
    place.refuses("wikihop", {{"data.train", place.put("none.json", hopRecords(3, false).dump())}},
                  {"none.json:", "answer"});
  }

  void wikiHopFreeInput() {
    const LongPlace place;
    const auto task =
        place.task("wikihop", {{"data.train", place.put("train.json", hopRecords(4).dump())}}).value();
    const std::vector<std::string> lines = {findTask("wikihop")->inputExample, hopRecord(1, false).dump()};
    TextFindings findings;
    const auto batches = task->batchesFromText(lines, &findings).value();
    std::vector<std::string> texts(2);
    for (const HostBatch& batch : batches)
      for (std::size_t i = 0; i < batch.examples.size(); ++i) {
        const auto& asked = batch.ragged("asked");
        const auto bytes = asked.values.values<std::uint8_t>();
        const auto at = asked.offsets.values<std::int64_t>();
        Prediction one;
        one.example = batch.examples[i];
        one.ids = {1};
        one.details = {{"part", -1},
                       {"asked", std::string(bytes.begin() + at[i], bytes.begin() + at[i + 1])}};
        std::vector<Prediction> list = {one};
        task->complete(list);
        texts[static_cast<std::size_t>(one.example.value)] = list[0].text;
      }
    QCOMPARE(texts, (std::vector<std::string>{"france", "france"}));
    QVERIFY(!task->batchesFromText(std::vector<std::string>{"query alone"}, nullptr).ok());
    QVERIFY(!task->batchesFromText(std::vector<std::string>{"{\"query\": 3}"}, nullptr).ok());
  }

  void hotpotParts() {
    const LongPlace place;
    Json odd = hotpotRecords({"england", "spain", "yes", "england"});
    odd[3]["supporting_facts"] = Json::parse(R"([["the moon", 0]])");
    const Json options = {
        {"data.train", place.put("train.json", odd.dump())},
        {"data.validation", place.put("dev.json", hotpotRecords({"england", "no"}).dump(1))},
        {"hotpotqa.positions", "real"},
        {"batch.examples", 4}};
    const auto task = place.task("hotpotqa", options).value();
    QCOMPARE(task->exampleCount(DataSplit::Train), std::int64_t{2});  // spain is nowhere, the moon neither
    const Json train = task->statistics().at("train");
    QCOMPARE(train.at("questions").get<int>(), 4);
    QCOMPARE(train.at("no_span").get<int>(), 1);
    QCOMPARE(train.at("no_support").get<int>(), 1);
    QCOMPARE(train.at("lost_facts").get<int>(), 1);
    QCOMPARE(train.at("types").at("yes").get<int>(), 1);
    const HostBatch batch = task->makeBatch(DataSplit::Validation, 0);
    QCOMPARE(batch.array("tokens").size(1), batch.array("sentence").size(1));
    const auto everything = batch.array("global_everything").values<std::int32_t>();
    QCOMPARE(std::accumulate(everything.begin(), everything.end(), 0), 2);  // [CLS] of each
    const auto& types = batch.array("answer_types").values<std::int64_t>();
    QCOMPARE(std::vector<std::int64_t>(types.begin(), types.end()), (std::vector<std::int64_t>{0, 2}));
    const auto& spans = batch.array("spans").values<std::int64_t>();
    QCOMPARE(spans[0], spans[1]);
    QCOMPARE(batch.array("tokens").values<std::int64_t>()[static_cast<std::size_t>(spans[0])],
             std::int64_t{18});  // england
    QVERIFY(spans[2] == 0 && spans[3] == 0);
    // Of the first question everything is right, of the second one the answer alone.
    const auto sentences = batch.array("fact_sentences").values<std::int32_t>();
    const auto supporting = batch.array("supporting").values<std::int64_t>();
    std::vector<int> facts;
    for (std::size_t g = 0; g < static_cast<std::size_t>(batch.array("supporting").size(1)); ++g)
      if (sentences[g] >= 0 && supporting[g] == 1) facts.push_back(static_cast<int>(g));
    QCOMPARE(facts.size(), std::size_t{2});
    std::vector<Prediction> all = {found(0, 1, 0, spans[0], spans[1], facts), found(1, 1, 2, -1, -1, {})};
    task->complete(all);
    QCOMPARE(all[0].text, std::string("england"));
    QCOMPARE(all[1].text, std::string("no"));
    QCOMPARE(all[0].details.at("facts").dump(), std::string(R"([["the bridge",1],["the bay",0]])"));
    const auto scores = task->score(DataSplit::Validation, all).value();
    QCOMPARE(scores.front().id, std::string("joint_f1"));
    QCOMPARE(scores.front().value, 50.0);
    QCOMPARE(scores[3].value, 100.0);
    const Json sent =
        Json::parse(task->submission(DataSplit::Validation, all).value().at("predictions.json"));
    QCOMPARE(sent.at("answer").at("h1").get<std::string>(), std::string("no"));
    QCOMPARE(sent.at("sp").at("h0").size(), std::size_t{2});
    QVERIFY(task->exampleTexts(DataSplit::Train, ExampleId{0}).size() == 5);
  }

  void hotpotPadsToItsLimits() {
    const LongPlace place;
    const auto task =
        place
            .task("hotpotqa",
                  {{"data.train", place.put("train.json", hotpotRecords({"england", "no"}).dump())},
                   {"hotpotqa.max_length", 64},
                   {"hotpotqa.max_globals", 32},
                   {"text.validation_share", 0.5}})
            .value();
    const HostBatch batch = task->makeBatch(DataSplit::Train, 0);
    QCOMPARE(batch.array("tokens").size(1), std::int64_t{64});
    QCOMPARE(batch.array("global_tokens").size(1), std::int64_t{32});
    QCOMPARE(task->sizes().at("real_positions"), std::int64_t{0});
  }

  void hotpotRefusals() {
    const LongPlace place;
    const auto with = [&](const char* member, Json value, const Json& more = Json::object()) {
      Json list = hotpotRecords({"england", "no", "yes"});
      list[1][member] = std::move(value);
      Json options = {{"data.train", place.put("bad.json", list.dump(1))}};
      options.update(more);
      return options;
    };
    place.refuses("hotpotqa", with("context", Json::array()), {"bad.json:", "context"});
    place.refuses("hotpotqa", with("supporting_facts", "none"), {"bad.json:", "supporting_facts"});
    place.refuses("hotpotqa", with("answer", 5), {"bad.json:", "answer"});
    place.refuses("hotpotqa", with("_id", "h0"), {"bad.json:", "h0", "twice"});
    std::string longQuestion;
    for (int i = 0; i < 40; ++i) longQuestion += "where ";
    place.refuses("hotpotqa", with("question", longQuestion, {{"hotpotqa.max_globals", 32}}),
                  {"bad.json:", "40 pieces", "32"});
    place.refuses("hotpotqa",
                  {{"data.train", place.put("far.json", hotpotRecords({"spain", "spain", "spain"}).dump())}},
                  {"far.json", "nothing to train on"});
    const auto task = place.task("hotpotqa", with("answer", 5, {{"data.bad_lines", "skip"}})).value();
    QCOMPARE(task->statistics().at("train").at("left_out").get<int>(), 1);
  }

  // A title or a sentence that does not fit is left out whole, the next one is tried.
  void hotpotCuts() {
    const LongPlace place;
    const auto task =
        place
            .task("hotpotqa", {{"data.train", place.put("train.json", hotpotRecords({"no", "no"}).dump())},
                               {"hotpotqa.max_length", 20},
                               {"hotpotqa.max_globals", 16},
                               {"text.validation_share", 0.5}})
            .value();
    const Json train = task->statistics().at("train");
    QCOMPARE(train.at("cut").get<int>(), 1);
    QVERIFY(train.at("cut_texts").get<int>() >= 1);
  }

  void hotpotFreeInput() {
    const LongPlace place;
    const auto task =
        place
            .task("hotpotqa",
                  {{"data.train", place.put("train.json", hotpotRecords({"no", "england"}).dump())}})
            .value();
    Json bare = hotpotRecordJson(7);
    for (const char* member : {"_id", "answer", "supporting_facts"}) bare.erase(member);
    const std::vector<std::string> lines = {findTask("hotpotqa")->inputExample, bare.dump()};
    std::size_t asked = 0;
    for (const HostBatch& batch : task->batchesFromText(lines, nullptr).value()) {
      asked += batch.examples.size();
      QVERIFY(!batch.arrays.contains("answer_types"));
      QVERIFY(batch.raggeds.contains("asked"));
    }
    QCOMPARE(asked, std::size_t{2});
    Prediction one = found(0, -1, 1, -1, -1, {});
    one.details["asked"] = hotpotRecordJson(7).dump();
    std::vector<Prediction> list = {one};
    task->complete(list);
    QCOMPARE(list[0].text, std::string("yes"));
    QVERIFY(!task->batchesFromText(std::vector<std::string>{"a\tb"}, nullptr).ok());
  }

  // Byte-level pieces: words are read with a blank in front, and an answer is the text itself.
  void hotpotByteLevel() {
    const LongPlace place;
    const test::ByteVocabulary bytes = test::byteVocabulary();
    place.put("merges.txt", bytes.merges);
    const auto task =
        place
            .task("hotpotqa",
                  {{"data.train", place.put("train.json", hotpotRecords({"england", "no"}).dump())},
                   {"text.vocabulary.kind", "byte_bpe"},
                   {"text.vocabulary.file", place.put("vocab.json", bytes.vocabulary)},
                   {"hotpotqa.positions", "real"},
                   {"text.validation_share", 0.5}})
            .value();
    for (const DataSplit split : {DataSplit::Train, DataSplit::Validation}) {
      const HostBatch batch = task->makeBatch(split, 0);
      const auto type = batch.array("answer_types").values<std::int64_t>()[0];
      if (type != 0) continue;
      const auto span = batch.array("spans").values<std::int64_t>();
      QVERIFY(span[0] > 0 && span[1] > span[0]);
      std::vector<Prediction> one = {found(0, static_cast<int>(split), 0, span[0], span[1], {})};
      task->complete(one);
      QCOMPARE(one[0].text, std::string("england"));
    }
  }
};

QTEST_APPLESS_MAIN(LongTasksTest)
#include "tst_long_tasks.moc"
