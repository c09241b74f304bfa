// SPDX-License-Identifier: Apache-2.0
// Records of long documents that are odd: refused with their place and member, or cut as the paper cuts.
#include <QTest>
#include <limits>

#include "core/tasks/hotpotqa/hotpotqa_layout.h"
#include "core/tasks/hotpotqa/hotpotqa_scores.h"
#include "core/tasks/natural_questions/natural_questions_layout.h"
#include "core/tasks/natural_questions/nq_scores.h"
#include "core/tasks/openkp/openkp_layout.h"
#include "core/tasks/openkp/openkp_scores.h"
#include "core/tasks/wikihop/wikihop_layout.h"
#include "core/tasks/wikihop/wikihop_scores.h"

using namespace fathom;

namespace {

// A piece for each letter.
LongPieces letters() {
  LongPieces pieces;
  pieces.encode = [](std::string_view text) {
    std::vector<std::int64_t> ids;
    for (const char c : text)
      if (c != ' ') ids.push_back(100 + c);
    return ids;
  };
  pieces.piece = [](std::int64_t id) { return std::string(1, static_cast<char>(id - 100)); };
  pieces.cls = 1;
  pieces.sep = 2;
  return pieces;
}

template <typename Result>
void refused(const Result& result, const char* word) {
  QVERIFY(!result.ok());
  const std::string text = result.error().text();
  QVERIFY2(text.find("data.json line 7") != std::string::npos && text.find(word) != std::string::npos,
           text.c_str());
}

const char* const kPlace = "data.json line 7";
const Json kHop = Json::parse(
    R"({"id": "w", "query": "q", "answer": "b", "candidates": ["a", "b"], "supports": ["One. Two. Three.", ""]})");
const Json kHotpot = Json::parse(
    R"({"_id": "h", "question": "q", "answer": "b", "supporting_facts": [["T", 0]], "context": [["T", ["a b", "c"]]]})");
const Json kPage = Json::parse(R"({"example_id": 5, "question_text": "q", "document_text": "<P> a b </P>",
    "long_answer_candidates": [{"start_token": 0, "end_token": 4, "top_level": true}],
    "annotations": [{"long_answer": {"start_token": -1, "end_token": -1}, "short_answers": [], "yes_no_answer": "NONE"}]})");
const Json kBlocks = Json::parse(R"({"url": "u", "VDOM": [{"text": "a b", "feature":
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}], "KeyPhrases": [["B"], ["z"]]})");

}  // namespace

class TestLongText : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void wikiHopRefusals() {
    const auto with = [](const char* name, Json value) {
      Json json = kHop;
      json[name] = std::move(value);
      return wikiHopRecord(json, kPlace);
    };
    refused(with("candidates", Json::array()), "candidates");
    refused(with("answer", "c"), "'c'");
    refused(with("supports", "text"), "supports");
    refused(with("query", 3), "query");
    refused(wikiHopRecord(Json::array(), kPlace), "id");
    QVERIFY(with("answer", "a").ok());
  }

  void wikiHopIsCutSentenceBySentence() {
    const WikiHopRecord record = wikiHopRecord(kHop, kPlace).value();
    const WikiHopExample all = layWikiHop(record, letters(), {}).value();
    QCOMPARE(all.kept, (std::vector<std::int64_t>{3, 0}));  // the document without sentences keeps its token
    QCOMPARE(all.layout.globals(), std::int64_t{2 + 1 + 2 + 3});
    const WikiHopExample less = layWikiHop(record, letters(), {4096, 7, 200}).value();
    QCOMPARE(less.kept, (std::vector<std::int64_t>{2, 0}));
    const WikiHopExample fewer = layWikiHop(record, letters(), {12, 430, 200}).value();
    QCOMPARE(fewer.kept, (std::vector<std::int64_t>{2, 0}));
    QVERIFY(fewer.layout.length() <= 12);
    const auto none = layWikiHop(record, letters(), {2, 430, 200});
    QVERIFY(!none.ok() && none.error().text().find("'w'") != std::string::npos);
  }

  void hotpotRefusals() {
    const auto with = [](const char* name, Json value) {
      Json json = kHotpot;
      json[name] = std::move(value);
      return hotpotRecord(json, kPlace);
    };
    refused(with("context", Json::array()), "context");
    refused(with("context", Json::parse(R"([["T"]])")), "context");
    refused(with("context", Json::parse(R"([["T", [1]]])")), "context");
    refused(with("supporting_facts", Json::parse(R"([["T", "x"]])")), "supporting_facts");
    QVERIFY(!layHotpot(hotpotRecord(kHotpot, kPlace).value(), letters(), {1, 256}).ok());
  }

  void hotpotLeavesOutWhatDoesNotFit() {
    const HotpotRecord record = hotpotRecord(kHotpot, kPlace).value();
    const HotpotExample whole = layHotpot(record, letters(), {}).value();
    QVERIFY(whole.trainable && whole.skipped.empty());
    QCOMPARE(whole.layout.length(), std::int64_t{1 + 1 + 1 + 2 + 1});
    QCOMPARE(whole.span, (std::pair<std::int64_t, std::int64_t>{4, 4}));
    const HotpotExample cut = layHotpot(record, letters(), {4, 256}).value();
    QCOMPARE(cut.skipped, (std::vector<std::array<std::int64_t, 2>>{{0, 0}}));
    QVERIFY(!cut.trainable);  // the answer stood in what was left out
    const HotpotExample few = layHotpot(record, letters(), {4096, 3}).value();
    QCOMPARE(few.skipped.size(), std::size_t{3});
    QCOMPARE(few.layout.globals(), std::int64_t{2});
  }

  void naturalQuestionsRefusals() {
    const Json& line = kPage;
    QVERIFY(nqRecord(line, kPlace).ok());
    Json outside = line;
    outside["long_answer_candidates"][0]["end_token"] = 9;
    refused(nqRecord(outside, kPlace), "long_answer_candidates");
    Json word = line;
    word["annotations"][0]["yes_no_answer"] = "MAYBE";
    refused(nqRecord(word, kPlace), "annotations");
    Json without = line;
    without.erase("document_text");
    refused(nqRecord(without, kPlace), "document_text");
    // A page of tags alone has one window, of the question.
    Json empty = line;
    empty["document_text"] = "<P> <P> <P> </P>";
    const NqPage page = nqPage(nqRecord(empty, kPlace).value(), letters(), {});
    QCOMPARE(nqWindowCount(page, {}), std::int64_t{1});
    QCOMPARE(layNqWindow(page, 0, letters(), {}).layout.length(), std::int64_t{4});
  }

  void openKpRefusals() {
    const Json& line = kBlocks;
    const OpenKpExample example = layOpenKp(openKpRecord(line, kPlace).value(), letters(), {});
    QCOMPARE(example.labels.size(), std::size_t{1});
    QCOMPARE(example.missing, (std::vector<std::string>{"z"}));
    Json text = line;  // as released: the blocks are a text
    text["VDOM"] = line.at("VDOM").dump();
    QVERIFY(openKpRecord(text, kPlace).ok());
    Json few = line;
    few["VDOM"][0]["feature"].erase(3);
    refused(openKpRecord(few, kPlace), "20");
    Json odd = line;
    odd["VDOM"][0]["feature"][2] = std::numeric_limits<double>::quiet_NaN();
    refused(openKpRecord(odd, kPlace), "finite");
    Json gone = line;
    gone["VDOM"] = Json::array();
    refused(openKpRecord(gone, kPlace), "VDOM");
    // As Python writes numbers that are none, within the text that is released.
    Json python = line;
    python["VDOM"] = R"([{"text": "a", "feature": [NaN, 1]}])";
    refused(openKpRecord(python, kPlace), "VDOM");
  }
};

QTEST_APPLESS_MAIN(TestLongText)
#include "tst_long_text.moc"
