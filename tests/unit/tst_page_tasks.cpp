// SPDX-License-Identifier: Apache-2.0
// Natural Questions and OpenKP as tasks: made data, parts, odd input, answers of pages, free input,
// files for the benchmarks.
#include <zlib.h>

#include <QTemporaryDir>
#include <QTest>
#include <limits>

#include "core/base/files/atomic_file.h"
#include "core/tasks/natural_questions/natural_questions_task.h"
#include "core/tasks/openkp/openkp_task.h"
#include "tests/unit/support_byte_vocabulary.h"

using namespace fathom;

namespace {

constexpr const char* kPagePieces =
    "[PAD]\n[unused0]\n[unused1]\n[unused2]\n[unused3]\n[unused4]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n"
    "the\nferry\nbridge\nwas\nopened\nin\n1884\n1931\nclosed\nwhen\nis\nit\nold\nbay\n.\n";

class PagePlace {
 public:
  PagePlace() { put("vocab.txt", kPagePieces); }
  std::string path(const std::string& name) const {
    return m_folder.filePath(QString::fromStdString(name)).toStdString();
  }
  std::string put(const std::string& name, const std::string& text) const {
    writeFileAtomically(path(name), text).value();
    return path(name);
  }
  std::string lines(const std::string& name, const std::vector<Json>& records) const {
    std::string text;
    for (const Json& one : records) text += one.dump() + "\n";
    return put(name, text);
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
    for (const std::string& word : words) QVERIFY2(text.find(word) != std::string::npos, text.c_str());
  }

 private:
  QTemporaryDir m_folder;
};

Json wordsOf(int begin, int end) {
  return {{"start_token", begin}, {"end_token", end}};
}

// Words 0 … 14; candidates [0, 8) and [8, 15).
Json nqLine(int id) {
  Json candidates = Json::array({wordsOf(0, 8), wordsOf(8, 15)});
  for (Json& one : candidates) one["top_level"] = true;
  return {{"example_id", id},
          {"question_text", "when was the bridge opened"},
          {"document_text", "<P> the bridge was opened in 1884 </P> <P> it was closed in 1931 </P>"},
          {"long_answer_candidates", candidates},
          {"annotations", Json::array({{{"long_answer", wordsOf(0, 8)},
                                        {"short_answers", Json::array({wordsOf(6, 7)})},
                                        {"yes_no_answer", "NONE"}}})}};
}

Json openKpLine(int number) {
  Json feature = Json::array();
  for (int i = 0; i < 20; ++i) feature.push_back(i);
  return {{"url", "u" + std::to_string(number)},
          {"VDOM", Json::array({{{"text", "The old ferry"}, {"feature", feature}},
                                {{"text", "it is in the bay ."}, {"feature", feature}}})},
          {"KeyPhrases", Json::array({Json::array({"old", "ferry"}), Json::array({"bay"})})}};
}

std::vector<Json> several(Json (*line)(int), int count) {
  std::vector<Json> all;
  for (int i = 0; i < count; ++i) all.push_back(line(i));
  return all;
}

const Json kSmallWindows = {{"natural_questions.max_length", 20},
                            {"natural_questions.max_globals", 16},
                            {"natural_questions.stride", 6},
                            {"natural_questions.max_question", 8}};

Json with(Json options, const Json& more) {
  options.update(more);
  return options;
}

void putGzip(const std::string& path, const std::string& text) {
  gzFile file = gzopen(path.c_str(), "wb");
  QVERIFY(file != nullptr);
  QCOMPARE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())), static_cast<int>(text.size()));
  gzclose(file);
}

// Predictions of an objective that finds a begin and an end in every window that has them.
Prediction pageGuess(ExampleId example, DataSplit split, const std::vector<NqWindowScores>& windows) {
  Prediction one;
  one.example = example;
  one.details = {{"part", static_cast<int>(split)}, {"spans", nqPageSpansJson(nqPageSpans(windows, {}))}};
  return one;
}

NqWindowScores foundWords(std::int64_t first, std::int64_t last, NqAnswer kind) {
  NqWindowScores scores;
  scores.ends[kShortStart] = scores.ends[kLongStart] = {{first, 2.0}};
  scores.ends[kShortEnd] = scores.ends[kLongEnd] = {{last, 3.0}};
  scores.type[static_cast<std::size_t>(kind)] = 5;
  return scores;
}

}  // namespace

class PageTasksTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void samples() {
    for (const char* id : {"natural_questions", "openkp"}) {
      QTemporaryDir one, two;
      const TaskEntry* entry = findTask(id);
      const MadeData madeData =
          entry->madeData.write(one.path().toStdString(), 7, MadeDataSize::Check).value();
      QVERIFY(entry->madeData.write(two.path().toStdString(), 7, MadeDataSize::Check).ok());
      for (const char* file : {"train.jsonl", "validation.jsonl", "test.jsonl", "vocab.txt"})
        QCOMPARE(readFile((one.path() + "/" + file).toStdString()).value(),
                 readFile((two.path() + "/" + file).toStdString()).value());
      OptionValues values{OptionSchema(taskOptionFields(), taskOptionRules())};
      values.set("task", id).value();
      for (const auto& [key, value] : madeData.options.items()) values.set(key, value).value();
      const auto task = entry->create(values, {}).value();
      QCOMPARE(task->exampleCount(DataSplit::Validation), std::int64_t{24});
      QCOMPARE(task->sizes().at("vocabulary"), static_cast<std::int64_t>(madeData.pieces));
      const Json& statistics = task->statistics();
      QVERIFY(statistics.contains("train") && statistics["train"]["pages"] == 120);
      // No word is unknown.
      const HostBatch batch = task->makeBatch(DataSplit::Train, 0);
      for (const std::int64_t id : batch.array("tokens").values<std::int64_t>())
        QVERIFY(id != task->sizes().at("unk_id"));
    }
  }

  void windowsOfPages() {
    const PagePlace place;
    const std::string train = place.lines("train.jsonl", several(nqLine, 6));
    putGzip(place.path("dev.jsonl.gz"), nqLine(50).dump() + "\n\n" + nqLine(51).dump() + "\n");
    const Json options =
        with(kSmallWindows, {{"data.train", train}, {"data.validation", place.path("dev.jsonl.gz")}});
    const auto task = place.task("natural_questions", options).value();
    // 12 pieces in windows of 20 - 5 - 3 = 12, 6 apart: one; the stride's rule makes it 0 alone.
    QCOMPARE(task->exampleCount(DataSplit::Train), std::int64_t{6});
    QCOMPARE(task->exampleCount(DataSplit::Validation), std::int64_t{2});
    const HostBatch batch = task->makeBatch(DataSplit::Validation, 0);
    QCOMPARE(batch.array("tokens").size(0), std::int64_t{2});
    const auto targets = batch.array("targets").values<std::int64_t>();
    const auto words = batch.array("words").values<std::int64_t>();
    QCOMPARE(words[static_cast<std::size_t>(targets[0])], std::int64_t{6});  // 1884
    QCOMPARE(targets[0], targets[1]);
    QCOMPARE(words[static_cast<std::size_t>(targets[2])], std::int64_t{1});  // without the tag
    QCOMPARE(words[static_cast<std::size_t>(targets[3])], std::int64_t{6});
    QCOMPARE(targets[4], static_cast<std::int64_t>(NqAnswer::Short));
    QCOMPARE(batch.array("part").values<std::int64_t>()[0], std::int64_t{1});
    const ExampleTexts texts = task->exampleTexts(DataSplit::Validation, ExampleId{1});
    QCOMPARE(texts[1].second, std::string("1884"));
    QCOMPARE(texts[2].second, std::string("the bridge was opened in 1884"));
    // A smaller room: windows begin 6 apart, most hold no answer and are thinned out.
    const Json narrow = with(options, {{"natural_questions.max_length", 16}});
    const auto more = place.task("natural_questions", narrow).value();
    QCOMPARE(more->exampleCount(DataSplit::Train), std::int64_t{12});
    const auto few =
        place.task("natural_questions", with(narrow, {{"natural_questions.null_share", 0}})).value();
    QVERIFY(few->exampleCount(DataSplit::Train) < 12);
    QCOMPARE(few->statistics()["train"]["nulls_left_out"].get<std::int64_t>() +
                 few->exampleCount(DataSplit::Train),
             std::int64_t{12});
    QCOMPARE(more->makeBatch(DataSplit::Validation, 0).array("windows").values<std::int64_t>()[0],
             std::int64_t{2});
    // A folder of files.
    QDir(QString::fromStdString(place.path("."))).mkdir("parts");
    place.lines("parts/a.jsonl", several(nqLine, 3));
    putGzip(place.path("parts/b.jsonl.gz"), nqLine(8).dump() + "\n");
    const auto folder =
        place.task("natural_questions", with(options, {{"data.train", place.path("parts")}})).value();
    QCOMPARE(folder->exampleCount(DataSplit::Train), std::int64_t{4});
    QCOMPARE(folder->dataHashes().size(), std::size_t{3});
  }

  void badPages() {
    const PagePlace place;
    const auto options = [&](const std::vector<Json>& lines) {
      return with(kSmallWindows, {{"data.train", place.lines("bad.jsonl", lines)}});
    };
    std::vector<Json> lines = several(nqLine, 4);
    lines[2]["annotations"][0]["long_answer"]["end_token"] = 99;
    place.refuses("natural_questions", options(lines), {"bad.jsonl:3", "annotations", "99"});
    Json skipping = options(lines);
    skipping["data.bad_lines"] = "skip";
    const auto task = place.task("natural_questions", skipping).value();
    QCOMPARE(task->statistics()["train"]["left_out"].get<int>(), 1);
    QVERIFY(task->statistics()["notes"][0].get<std::string>().find("bad.jsonl:3") != std::string::npos);
    lines = several(nqLine, 4);
    lines[3]["example_id"] = 1;
    place.refuses("natural_questions", options(lines), {"bad.jsonl:4", "example_id", "1"});
    lines = several(nqLine, 2);
    lines[1].erase("annotations");
    place.refuses("natural_questions", options(lines), {"bad.jsonl:2", "annotations"});
    place.refuses(
        "natural_questions",
        with(kSmallWindows, {{"data.train", place.put("cut.jsonl", nqLine(0).dump().substr(0, 90))}}),
        {"cut.jsonl:1"});
    place.refuses(
        "natural_questions",
        {{"data.train", place.lines("a.jsonl", several(nqLine, 3))}, {"natural_questions.max_length", 16}},
        {"natural_questions.max_length"});
    // Markup that was left behind, a page without words, one without candidates: read and counted.
    lines = several(nqLine, 5);
    lines[0]["document_text"] =
        "<P> the&nbsp;bridge was opened in 1884 </P> <P> <ref>it was closed in 1931 </P> .";
    lines[1]["document_text"] = "<P> <P> <P> <P> <P> <P> <P> <P> <P> <P> <P> <P> <P> <P> <P>";
    lines[2]["long_answer_candidates"] = Json::array();
    const auto odd = place.task("natural_questions", options(lines)).value();
    const Json train = odd->statistics()["train"], apart = odd->statistics()["validation"];
    const auto both = [&](const char* name) { return train[name].get<int>() + apart[name].get<int>(); };
    QCOMPARE(both("leftovers"), 2);
    QCOMPARE(both("without_words"), 1);
    QCOMPARE(both("without_candidates"), 1);
    QCOMPARE(both("no_candidate"), 1);
  }

  void answersOfPages() {
    const PagePlace place;
    const Json options = with(kSmallWindows, {{"data.train", place.lines("t.jsonl", several(nqLine, 4))},
                                              {"data.validation", place.lines("v.jsonl", several(nqLine, 2))},
                                              {"data.test", [&] {
                                                 std::vector<Json> lines = several(nqLine, 2);
                                                 for (Json& one : lines) one.erase("annotations");
                                                 return place.lines("x.jsonl", lines);
                                               }()}});
    const auto task = place.task("natural_questions", options).value();
    const auto guess = [&](DataSplit split) {
      std::vector<Prediction> all = {
          pageGuess(ExampleId{0}, split,
                    {foundWords(2, 6, NqAnswer::Short), foundWords(6, 6, NqAnswer::Short)}),
          pageGuess(ExampleId{1}, split, {foundWords(9, 12, NqAnswer::Yes)})};
      // The larger word begins: 1884 alone.
      task->complete(all);
      return all;
    };
    const auto all = guess(DataSplit::Validation);
    QCOMPARE(all[0].text, std::string("1884"));
    QVERIFY((all[0].details["long"] == Json{0, 8} && all[0].details["short"] == Json::array({Json{6, 7}})));
    QCOMPARE(all[1].text, std::string("YES"));
    QVERIFY((all[1].details["long"] == Json{8, 15} && all[1].details["short"].empty()));
    const auto scores = task->score(DataSplit::Validation, all).value();
    QCOMPARE(scores[0].id, std::string("average_f1"));
    // One of two pages right, and the wrong one scores the same: P 1/2, R 1/2.
    QCOMPARE(scores[1].value, 50.0);
    QCOMPARE(scores[2].value, 50.0);
    QVERIFY(!task->score(DataSplit::Test, guess(DataSplit::Test)).ok());
    const Json file =
        parseJson(task->submission(DataSplit::Test, guess(DataSplit::Test)).value().at("predictions.json"))
            .value();
    const Json& first = file["predictions"][0];
    QVERIFY(first["example_id"] == 0 && first["long_answer"]["start_token"] == 0 &&
            first["long_answer"]["start_byte"] == -1 && first["short_answers"][0]["end_token"] == 7);
    QVERIFY(file["predictions"][1]["yes_no_answer"] == "YES");
    QVERIFY(nearestCandidate({{0, 8}, {8, 15}}, {15, 20}).first == -1);
    QVERIFY(nearestCandidate({{0, 8}, {8, 15}}, {6, 10}) == (WordRange{0, 8}));
    // No end behind the begin: the best end alone.
    NqWindowScores turned = foundWords(5, 3, NqAnswer::Short);
    QVERIFY(nqJointSpan({turned}, true, {}).words == (WordRange{3, 4}));
    QVERIFY(!nqJointSpan({NqWindowScores{}}, true, {}).any());
  }

  void freePages() {
    const PagePlace place;
    const auto task =
        place
            .task("natural_questions",
                  with(kSmallWindows, {{"data.train", place.lines("t.jsonl", several(nqLine, 4))}}))
            .value();
    TextFindings findings;
    const std::vector<std::string> lines = {
        "<P> the bridge was opened in 1884 </P> <P> it </P>\twhen was it opened", "\tis it old",
        "it is old\tis it old is it old is it old is it", nqLine(3).dump()};
    const auto batches = task->batchesFromText(lines, &findings).value();
    QCOMPARE(findings.cut, std::int64_t{1});
    std::int64_t rows = 0;
    for (const HostBatch& batch : batches) {
      rows += batch.rows();
      QVERIFY(!batch.arrays.contains("targets") && batch.raggeds.contains("asked"));
    }
    QCOMPARE(rows, std::int64_t{4});
    std::vector<Prediction> one = {
        pageGuess(ExampleId{0}, DataSplit::Train, {foundWords(6, 6, NqAnswer::Short)})};
    one[0].details["part"] = -1;
    one[0].details["asked"] = lines[0];
    task->complete(one);
    QCOMPARE(one[0].text, std::string("1884"));
    QVERIFY((one[0].details["long"] == Json{0, 8}));
    QVERIFY(!task->batchesFromText(std::vector<std::string>{"no tab"}, nullptr).ok());
  }

  void phrasesOfPages() {
    const PagePlace place;
    std::vector<Json> lines = several(openKpLine, 6);
    lines[1]["KeyPhrases"] = Json::array({Json::array({"a", "b"})});  // nowhere
    const Json options = {{"data.train", place.lines("t.jsonl", lines)},
                          {"data.validation", place.lines("v.jsonl", several(openKpLine, 2))},
                          {"openkp.max_length", 64},
                          {"openkp.max_globals", 8}};
    const auto task = place.task("openkp", options).value();
    QCOMPARE(task->exampleCount(DataSplit::Train), std::int64_t{5});
    QCOMPARE(task->statistics()["train"]["without_phrases"].get<int>(), 1);
    QCOMPARE(task->statistics()["train"]["missing"].get<int>(), 1);
    const HostBatch batch = task->makeBatch(DataSplit::Validation, 0);
    QCOMPARE(batch.array("visual").shape(), (std::vector<std::int64_t>{2, 2, 8}));
    QCOMPARE(batch.array("word_counts").values<std::int64_t>()[0], std::int64_t{9});
    const HostRagged& labels = batch.ragged("labels");
    QCOMPARE(labels.offsets.values<std::int64_t>()[1], std::int64_t{2});
    // "bay" then "old ferry": words, first word.
    const auto values = labels.values.values<std::int64_t>();
    QCOMPARE((std::vector<std::int64_t>(values.begin(), values.begin() + 4)),
             (std::vector<std::int64_t>{1, 7, 2, 1}));
    const std::int64_t width = batch.array("tokens").size(1);
    std::vector<Prediction> all(2);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].example = ExampleId{static_cast<std::int64_t>(i)};
      all[i].details = {{"part", 1},
                        {"width", width},
                        {"cells", Json::array({width + 1, 0, 6})},
                        {"scores", Json::array({-0.5, -1.0, -1.5})}};
    }
    task->complete(all);
    QVERIFY(all[0].text.starts_with("old ferry; the; "));
    QCOMPARE(all[0].details["phrases"].size(), std::size_t{5});
    const auto scores = task->score(DataSplit::Validation, all).value();
    QCOMPARE(scores[0].id, std::string("f1_at_3"));
    QCOMPARE(scores[0].value, 40.0);  // one of three, one of two
    const auto files = task->submission(DataSplit::Validation, all).value();
    const std::string text = files.at("predictions.jsonl");
    const Json first = parseJson(text.substr(0, text.find('\n'))).value();
    QVERIFY(first["url"] == "u0");
    QVERIFY((first["KeyPhrases"][0] == Json{"old", "ferry"}));
    const auto free =
        task->batchesFromText(std::vector<std::string>{"the old ferry\tit is old", "", openKpLine(1).dump()},
                              nullptr)
            .value();
    QVERIFY(free.front().raggeds.contains("asked"));
  }

  // Byte-level pieces: words are read with a blank in front, an empty one has none, and answers are words of
  // the page all the same.
  void byteLevelPages() {
    const PagePlace place;
    const test::ByteVocabulary bytes = test::byteVocabulary();
    place.put("merges.txt", bytes.merges);
    const Json vocabulary = {{"text.vocabulary.kind", "byte_bpe"},
                             {"text.vocabulary.file", place.put("vocab.json", bytes.vocabulary)}};
    Json page = nqLine(0);
    page["annotations"][0]["short_answers"] = Json::array({wordsOf(3, 5)});  // was opened
    const std::string file = place.lines("nq.jsonl", {page, nqLine(1)});
    const auto questions =
        place
            .task("natural_questions",
                  with(vocabulary, {{"data.train", file}, {"data.validation", file}, {"batch.examples", 1}}))
            .value();
    const ExampleId first[] = {ExampleId{0}};
    const HostBatch window = questions->makeBatchOf(DataSplit::Validation, first);
    const auto targets = window.array("targets").values<std::int64_t>();
    const auto words = window.array("words").values<std::int64_t>();
    const auto wordAt = [&](std::size_t head) { return words[static_cast<std::size_t>(targets[head])]; };
    QVERIFY(targets[1] > targets[0] + 1);  // several pieces a word
    QCOMPARE(wordAt(0), std::int64_t{3});
    QCOMPARE(wordAt(1), std::int64_t{4});
    QVERIFY(words[static_cast<std::size_t>(targets[0]) - 1] == 2 &&
            words[static_cast<std::size_t>(targets[1]) + 1] == 5);
    std::vector<Prediction> answer = {
        pageGuess(ExampleId{0}, DataSplit::Validation, {foundWords(3, 4, NqAnswer::Short)})};
    questions->complete(answer);
    QCOMPARE(answer[0].text, std::string("was opened"));

    Json blanks = openKpLine(0);
    blanks["VDOM"][0]["text"] = "The  old ferry";  // an empty word between
    const std::string pages = place.lines("kp.jsonl", {blanks, openKpLine(1)});
    const auto phrases =
        place.task("openkp", with(vocabulary, {{"data.train", pages}, {"data.validation", pages}})).value();
    const HostBatch batch = phrases->makeBatchOf(DataSplit::Validation, first);
    QCOMPARE(batch.array("word_counts").values<std::int64_t>()[0], std::int64_t{10});
    const auto places = batch.array("words").values<std::int64_t>();
    QCOMPARE(std::count(places.begin(), places.end(), 1), std::ptrdiff_t{0});
    QVERIFY(std::count(places.begin(), places.end(), 2) > 1);
    const std::int64_t width = batch.array("tokens").size(1);
    std::vector<Prediction> found(1);
    found[0].example = ExampleId{0};
    found[0].details = {
        {"part", 1}, {"width", width}, {"cells", Json::array({width + 2})}, {"scores", Json::array({-0.5})}};
    phrases->complete(found);
    QVERIFY2(found[0].text.starts_with("old ferry"), found[0].text.c_str());
  }

  void badKeyPhrasePages() {
    const PagePlace place;
    const auto options = [&](const std::vector<Json>& lines) {
      return Json{{"data.train", place.lines("bad.jsonl", lines)}, {"openkp.max_length", 64}};
    };
    std::vector<Json> lines = several(openKpLine, 4);
    lines[2]["VDOM"][1]["feature"][3] = nullptr;
    place.refuses("openkp", options(lines), {"bad.jsonl:3", "VDOM"});
    std::string bytes = place.lines("nan.jsonl", several(openKpLine, 3));
    std::string text = readFile(bytes).value();
    text.replace(text.rfind("19]"), 2, "NaN");
    place.refuses("openkp", {{"data.train", place.put("nan.jsonl", text)}}, {"nan.jsonl:3"});
    lines = several(openKpLine, 4);
    lines[1]["VDOM"][0].erase("feature");
    place.refuses("openkp", options(lines), {"bad.jsonl:2", "VDOM"});
    lines[1]["VDOM"] = Json::array();
    place.refuses("openkp", options(lines), {"bad.jsonl:2", "VDOM"});
    lines = several(openKpLine, 4);
    lines[3]["url"] = "u0";
    place.refuses("openkp", options(lines), {"bad.jsonl:4", "u0"});
    Json skipping = options(lines);
    skipping["data.bad_lines"] = "skip";
    QCOMPARE(place.task("openkp", skipping).value()->statistics()["train"]["left_out"].get<int>(), 1);
    for (Json& one : lines) one.erase("KeyPhrases");
    place.refuses("openkp", options(lines), {"bad.jsonl:1", "KeyPhrases"});
    // More blocks than global tokens, a first block that is too long: cut, and counted.
    lines = several(openKpLine, 8);
    for (int i = 0; i < 12; ++i) lines[0]["VDOM"].push_back(lines[0]["VDOM"][1]);
    std::string longText = "the";
    for (int i = 0; i < 80; ++i) longText += " ferry";
    lines[1]["VDOM"][0]["text"] = longText;
    lines[2]["VDOM"][0]["text"] = "<p>the ferry &amp; the bay";
    Json few = options(lines);
    few["openkp.max_globals"] = 8;
    few["data.validation"] = few["data.train"];
    const auto task = place.task("openkp", few).value();
    const Json train = task->statistics()["train"];
    QCOMPARE(train["cut_pages"].get<int>(), 2);
    QCOMPARE(train["without_input"].get<int>(), 1);
    QCOMPARE(train["leftovers"].get<int>(), 2);
    QCOMPARE(task->exampleCount(DataSplit::Train), std::int64_t{7});
    QCOMPARE(task->exampleCount(DataSplit::Validation), std::int64_t{8});
    const ExampleId only[] = {ExampleId{1}};
    const HostBatch empty = task->makeBatchOf(DataSplit::Validation, only);
    QVERIFY(empty.array("tokens").size(1) >= 1);
    std::vector<Prediction> none(1);
    none[0].example = ExampleId{1};
    none[0].details = {{"part", 1}, {"width", 1}, {"cells", Json::array()}, {"scores", Json::array()}};
    task->complete(none);
    QCOMPARE(none[0].text, std::string());
  }
};

QTEST_APPLESS_MAIN(PageTasksTest)
#include "tst_page_tasks.moc"
