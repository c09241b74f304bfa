// SPDX-License-Identifier: Apache-2.0
// Reviews of Natural Questions: pages of either layout, the benchmark's file and a run's set, scores as the
// official script counts them.
#include <QTest>
#include <cmath>
#include <filesystem>

#include "core/base/files/atomic_file.h"
#include "support_review_files.h"

using namespace fathom;
using test::openedReview;
using test::scoreOf;

namespace {

// <P> a1 a2 </P> <P> b1 b2 b3 </P>: words 0 to 3 and 4 to 8.
Json page(int id, const Json& onlyAnnotation) {
  return {{"example_id", id},
          {"question_text", "who built it"},
          {"document_text", "<P> a1 a2 </P> <P> b1 b2 b3 </P>"},
          {"long_answer_candidates",
           {{{"start_token", 0}, {"end_token", 4}, {"top_level", true}},
            {{"start_token", 4}, {"end_token", 9}, {"top_level", true}}}},
          {"annotations", Json::array({onlyAnnotation})}};
}

Json words(int first, int second) {
  return {{"start_token", first}, {"end_token", second}};
}

Json annotation(const Json& whole, const Json& parts, const char* yesNo = "NONE") {
  return {{"long_answer", whole}, {"short_answers", parts}, {"yes_no_answer", yesNo}};
}

Json answer(int id, const Json& whole, double wholeScore, const Json& parts, double partScore,
            const char* yesNo = "NONE") {
  return {{"example_id", id},
          {"long_answer", whole},
          {"long_answer_score", wholeScore},
          {"short_answers", parts},
          {"short_answers_score", partScore},
          {"yes_no_answer", yesNo}};
}

}  // namespace

class PageReviewTest : public QObject, private test::ReviewFiles {
  Q_OBJECT
 private Q_SLOTS:
  void scores();
  void setOfARun();
  void badAnswers();

 private:
  // Four pages: a short answer in the second paragraph, a long one alone, YES, none.
  std::string gold() {
    const Json none = Json::array();
    std::string text;
    for (const Json& one :
         {page(1, annotation(words(4, 9), Json::array({words(5, 7)}))),
          page(2, annotation(words(0, 4), none)), page(3, annotation(words(0, 4), none, "YES")),
          page(4, annotation(words(-1, -1), none))})
      text += one.dump() + "\n";
    return write("gold.jsonl", QByteArray::fromStdString(text));
  }
};

void PageReviewTest::scores() {
  const Json none = Json::array();
  const Json list = {answer(1, words(4, 9), 9, Json::array({words(5, 7)}), 9),
                     answer(2, words(4, 9), 8, Json::array({words(5, 6)}), 1),
                     answer(3, words(0, 4), 7, none, 7, "YES"), answer(4, words(0, 4), 6, none, 0)};
  ReviewSources sources{"page", gold()};
  sources.predictions = {
      {"m", write("predictions.json", QByteArray::fromStdString(Json{{"predictions", list}}.dump()))}};
  const Review review = openedReview(sources).value();
  const ReviewModel& model = review.models[0];
  QCOMPARE(model.missing, 0);
  QCOMPARE(review.gold.examples[0].references, std::vector<std::string>{"b1 b2"});
  QCOMPARE(review.gold.examples[1].references, std::vector<std::string>{"<P> a1 a2 </P>"});
  QCOMPARE(review.gold.examples[2].references, std::vector<std::string>{"YES"});
  QCOMPARE(model.outputs[0].text, std::string("b1 b2"));
  QCOMPARE(model.outputs[2].text, std::string("YES"));
  const auto category = [&](std::size_t i) { return review.kind->categories[model.verdicts[i].category].id; };
  QVERIFY(model.verdicts[0].right && model.verdicts[2].right && model.verdicts[1].wrong);
  QCOMPARE(category(1), std::string("other"));
  QVERIFY(!model.verdicts[3].right && !model.verdicts[3].wrong);  // no answer: the threshold decides
  QCOMPARE(model.verdicts[0].numbers[1], 1.0);
  QVERIFY(std::isnan(model.verdicts[1].numbers[1]));
  // Long answers in the order of their scores: right, wrong, right, of none; three pages have one. The best
  // is after the third: 2 of 3 and 2 of 3.
  QVERIFY(std::abs(scoreOf(model, "long_f1") - 200.0 / 3) < 1e-10);
  QCOMPARE(scoreOf(model, "long_threshold"), 7.0);
  // Short ones: 9 right, 7 right (YES), 1 on a page without: F1 1 at 7.
  QCOMPARE(scoreOf(model, "short_f1"), 100.0);
  QVERIFY(std::abs(scoreOf(model, "average_f1") - 250.0 / 3) < 1e-10);
  QCOMPARE(review.facets[0].ofExample, (std::vector<std::int32_t>{0, 2, 1, 3}));
  // A folder of such files, and a page that nobody answered.
  const std::string folder = m_folder.path().toStdString() + "/part";
  std::filesystem::create_directory(folder);
  std::filesystem::copy(sources.gold, folder + "/nq-dev-00.jsonl");
  sources.gold = folder;
  sources.predictions[0].path = write(
      "some.json", QByteArray::fromStdString(Json{{"predictions", Json::array({list[0], list[2]})}}.dump()));
  const Review some = openedReview(sources).value();
  QCOMPARE(some.models[0].missing, 1);
  QVERIFY(std::abs(scoreOf(some.models[0], "long_recall") - 200.0 / 3) < 1e-10);
}

void PageReviewTest::setOfARun() {
  ReviewSources sources{"page", gold()};
  sources.predictions = {
      {"m",
       write("set.jsonl",
             "{\"format\":1,\"split\":\"validation\",\"fields\":{\"input\":\"question\",\"reference\":"
             "\"answer\"}}\n"
             "{\"example\":0,\"question\":\"q\",\"answer\":\"b1 b2\",\"long_answer\":\"<P> b1 b2 b3 "
             "</P>\",\"id\":\"1\","
             "\"prediction\":\"b1 b2\",\"details\":{\"long\":[4,9],\"long_score\":2.5,\"short\":[[5,7]],"
             "\"short_score\":1.5,\"yes_no\":\"NONE\",\"id\":\"1\"}}\n"
             "{\"example\":1,\"question\":\"q\",\"answer\":\"a1\",\"long_answer\":\"a1 a2\",\"id\":\"2\","
             "\"prediction\":\"\",\"details\":{\"long\":null,\"long_score\":0,\"short\":[],"
             "\"short_score\":0,\"yes_no\":\"NONE\",\"id\":\"2\"}}\n")}};
  const Review review = openedReview(sources).value();
  QVERIFY(review.models[0].verdicts[0].right);
  QCOMPARE(review.models[0].outputs[0].scores, (std::vector<double>{2.5, 1.5}));
  QCOMPARE(review.kind->categories[review.models[0].verdicts[1].category].id, std::string("abstained"));
  // Its set is no gold: a page is more than the texts in it.
  sources.gold = sources.predictions[0].path;
  const auto refused = openedReview(sources);
  QVERIFY(!refused.ok());
  QVERIFY2(refused.error().text().find("set.jsonl") != std::string::npos, refused.error().text().c_str());
}

void PageReviewTest::badAnswers() {
  ReviewSources sources{"page", gold()};
  const auto error = [&](const Json& one) {
    sources.predictions = {{"m", write("bad.json", QByteArray::fromStdString(
                                                       Json{{"predictions", Json::array({one})}}.dump()))}};
    const auto read = openedReview(sources);
    return read.ok() ? std::string() : read.error().text();
  };
  const Json none = Json::array();
  const std::string beyond = error(answer(1, words(4, 10), 1, none, 0));
  QVERIFY2(beyond.find("bad.json") != std::string::npos && beyond.find("page of 9") != std::string::npos,
           beyond.c_str());
  QVERIFY(!error(answer(1, Json{{"start_token", "x"}}, 1, none, 0)).empty());
  QVERIFY(!error(answer(1, words(0, 4), 1, none, 0, "MAYBE")).empty());
  QVERIFY(!error(Json{{"id", 1}, {"prediction", "b1"}}).empty());
  QVERIFY(error(answer(1, words(-1, -1), 1, none, 0)).empty());
}

QTEST_APPLESS_MAIN(PageReviewTest)
#include "tst_page_review.moc"
