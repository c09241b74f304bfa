// SPDX-License-Identifier: Apache-2.0
// ctest: threads
// People's verdicts in comparisons: every number here is counted by hand.
#include <QTest>
#include <cmath>

#include "core/analysis/statistics/paired_test.h"
#include "core/library/records/project_library.h"
#include "core/review/judged_review.h"
#include "support_review_files.h"
#include "support_small_reviews.h"

using namespace fathom;
using test::openedReview;

class JudgedReviewTest : public QObject, private test::ReviewFiles {
  Q_OBJECT
 private Q_SLOTS:
  void rightAnswersAreCounted();
  void nobodyJudged();
  void asOneAfterTheOther();
  void everythingIsLeftOut();
  void numbers();
  void translations();
  void phrases();
  void everyKindHasBothWords();

 private:
  // Gold is "a" and "b" in turn; "good" has the first seven right, "poor" the first four.
  Review tenClasses() const {
    QByteArray gold = "sentence\tlabel\n", good, poor;
    for (int i = 0; i < 10; ++i) {
      gold += "text " + QByteArray::number(i) + "\t" + (i % 2 ? "b" : "a") + "\n";
      good += QByteArray((i < 7) == bool(i % 2) ? "b\n" : "a\n");
      poor += QByteArray((i < 4) == bool(i % 2) ? "b\n" : "a\n");
    }
    ReviewSources sources{"class", write("ten.tsv", gold)};
    sources.predictions = {{"good", write("ten.good", good)}, {"poor", write("ten.poor", poor)}};
    return openedReview(sources).value();
  }
  Judgements judgementsOf(const Review& review) {
    // A project of its own: examples that are alike find the verdicts of others.
    const QString project = m_folder.filePath(QString::number(++m_projects) + QStringLiteral(".fathom"));
    m_library = ProjectLibrary::openOrCreate(project.toStdString()).value();
    return Judgements::load(review, m_library.get()).value();
  }
  static JudgedPairs compared(const Review& review, const Judgements& judgements) {
    return compareJudged(review, judgedReview(review, judgements)).value();
  }
  std::unique_ptr<ProjectLibrary> m_library;
  int m_projects = 0;
};

void JudgedReviewTest::rightAnswersAreCounted() {
  const Review review = tenClasses();
  Judgements judged = judgementsOf(review);
  QVERIFY(judged.setVerdict(1, 4, "after_all", "", "me").ok());
  QVERIFY(judged.setVerdict(1, 5, "gold_error", "", "me").ok());
  QVERIFY(judged.setVerdict(0, 7, "after_all", "", "me").ok());  // the answer of both
  QVERIFY(judged.setVerdict(0, 8, "ambiguous", "", "me").ok());  // says nothing of right and wrong
  const JudgedPairs pairs = compared(review, judged);
  QCOMPARE(pairs.judged.judged, 4);
  QCOMPARE(pairs.judged.leftOut, 1);
  QCOMPARE(pairs.judged.rightAfterAll, 3);
  // The metric's are those of any comparison: 4, 5 and 6; 2 / 2^3.
  const ReviewPair& metric = pairs.byMetric.front();
  QCOMPARE(metric.onlyFirst, 3);
  QCOMPARE(metric.onlySecond, 0);
  QCOMPARE(metric.p, 0.25);
  QVERIFY(std::abs(metric.difference - 0.3) < 1e-12);
  // Of nine examples 6 alone tells them apart: p 2 / 2, and at most 3 of 9 draws are it in 97.5 % of cases.
  const ReviewPair& people = pairs.byPeople.front();
  QCOMPARE(people.onlyFirst, 1);
  QCOMPARE(people.onlySecond, 0);
  QCOMPARE(people.p, 1.0);
  QVERIFY(std::abs(people.difference - 1.0 / 9) < 1e-12);
  QCOMPARE(people.low, 0.0);
  QVERIFY(std::abs(people.high - 3.0 / 9) < 1e-12);
  const std::vector<double> gaps = {0, 0, 0, 0, 0, 1, 0, 0, 0};
  QCOMPARE(people.high, bootstrapMean(gaps).interval.high);
  QCOMPARE(onlyFirstRight(pairs.judged.review, 0, 1), std::vector<std::size_t>{6});
  // What is taken back counts no more, and the review itself is as it was.
  for (int i = 0; i < 3; ++i) QVERIFY(judged.undo().ok());
  const JudgedPairs fewer = compared(review, judged);
  QCOMPARE(fewer.judged.judged, 1);
  QCOMPARE(fewer.byPeople.front().onlyFirst, 2);
  QVERIFY(std::abs(fewer.byPeople.front().difference - 0.2) < 1e-12);
  QCOMPARE(onlyFirstRight(review, 0, 1).size(), std::size_t{3});
}

void JudgedReviewTest::nobodyJudged() {
  const Review review = tenClasses();
  const JudgedPairs pairs = compared(review, judgementsOf(review));
  QCOMPARE(pairs.byMetric.size(), std::size_t{1});
  QVERIFY(pairs.byPeople.empty());
  QCOMPARE(pairs.judged.judged, 0);
  // The review by people is then the metric's.
  const ReviewPair same = comparePeoplesPairs(pairs.judged).value().front();
  QCOMPARE(same.p, pairs.byMetric.front().p);
  QCOMPARE(same.high, pairs.byMetric.front().high);
}

// Both comparisons are made at once, with the numbers that each has alone, to the last bit; a stop ends both.
void JudgedReviewTest::asOneAfterTheOther() {
  const Review review = tenClasses();
  Judgements judged = judgementsOf(review);
  QVERIFY(judged.setVerdict(1, 4, "after_all", "", "me").ok());
  QVERIFY(judged.setVerdict(1, 5, "gold_error", "", "me").ok());
  const JudgedPairs pairs = compared(review, judged);
  const auto same = [](const ReviewPair& a, const ReviewPair& b) {
    return a.difference == b.difference && a.low == b.low && a.high == b.high && a.p == b.p &&
           a.onlyFirst == b.onlyFirst && a.onlySecond == b.onlySecond;
  };
  QVERIFY(same(pairs.byMetric.front(), comparePairs(review).value().front()));
  QVERIFY(same(pairs.byPeople.front(), comparePeoplesPairs(pairs.judged).value().front()));
  QVERIFY(!same(pairs.byMetric.front(), pairs.byPeople.front()));
  StopToken stop;
  stop.requestStop();
  const auto stopped = compareJudged(review, judgedReview(review, judged), stop);
  QVERIFY(!stopped.ok() && stopped.error().kind == ErrorKind::Interrupted);
}

void JudgedReviewTest::everythingIsLeftOut() {
  ReviewSources sources{"class", write("two.tsv", "sentence\tlabel\nx\t0\ny\t1\n")};
  sources.predictions = {{"a", write("two.a", "1\n1\n")}, {"b", write("two.b", "1\n0\n")}};
  const Review review = openedReview(sources).value();
  Judgements judged = judgementsOf(review);
  QVERIFY(judged.setVerdict(0, 0, "gold_error", "", "me").ok());
  QVERIFY(judged.setVerdict(1, 1, "gold_error", "", "me").ok());
  const JudgedPairs pairs = compared(review, judged);
  QCOMPARE(pairs.judged.leftOut, 2);
  QCOMPARE(pairs.byPeople.size(), std::size_t{1});
  const ReviewPair& people = pairs.byPeople.front();
  QVERIFY(std::isnan(people.difference) && std::isnan(people.low) && std::isnan(people.p));
}

// Absolute errors of "alpha" 0, 2, 0, 3 and of "beta" 0.1, 0, 3, 2.5.
void JudgedReviewTest::numbers() {
  const Review review = openedReview(test::smallSources(test::smallReviews()[1], m_folder.path())).value();
  Judgements judged = judgementsOf(review);
  QVERIFY(std::abs(compared(review, judged).byMetric.front().difference + 0.15) < 1e-9);
  QVERIFY(judged.setVerdict(0, 3, "after_all", "", "me").ok());
  QVERIFY(std::abs(compared(review, judged).byPeople.front().difference + 0.9) < 1e-9);
  QVERIFY(judged.setVerdict(1, 2, "gold_error", "", "me").ok());
  const ReviewPair people = compared(review, judged).byPeople.front();
  QVERIFY(std::abs(people.difference + 0.2) < 1e-9);  // (0 + 2 + 0 - 0.1 - 0 - 2.5) / 3
  QVERIFY(people.low <= people.difference && people.difference <= people.high);
}

// A good translation in other words counts as the reference; with a wrong reference out of the way both
// systems have a BLEU of 100.
void JudgedReviewTest::translations() {
  ReviewSources sources{"translation", write("mt.ref", "a b c d e\nf g h i j\nk l m n o\n")};
  sources.predictions = {{"alpha", write("mt.alpha", "a b c d e\nq r s t u\nk l m n o\n")},
                         {"beta", write("mt.beta", "a b c d e\nf g h i j\nv w x y z\n")}};
  const Review review = openedReview(sources).value();
  Judgements judged = judgementsOf(review);
  QVERIFY(judged.setVerdict(0, 1, "fluent", "", "me").ok());
  const JudgedPairs one = compared(review, judged);
  QVERIFY(std::abs(one.byMetric.front().difference) < 1e-9);  // both miss one of three
  // "beta": precisions 10/15, 8/12, 6/9, 4/6 are all 2/3.
  QVERIFY(std::abs(one.byPeople.front().difference - (100 - 200.0 / 3)) < 1e-9);
  QVERIFY(judged.setVerdict(1, 2, "gold_error", "", "me").ok());
  const JudgedPairs two = compared(review, judged);
  QCOMPARE(two.judged.leftOut, 1);
  QVERIFY(std::abs(two.byPeople.front().difference) < 1e-9);
  QCOMPARE(two.byPeople.front().onlyFirst + two.byPeople.front().onlySecond, 0);
}

// A page with one key phrase: F1 at 3 of the phrase itself is 2 * 1 / (3 + 1).
void JudgedReviewTest::phrases() {
  const Json blocks = {{{"text", "The red fox ran"}, {"feature", std::vector<int>(20, 0)}}};
  const Json page = {
      {"url", "u"}, {"VDOM", blocks.dump()}, {"KeyPhrases", Json::array({Json::array({"red", "fox"})})}};
  ReviewSources sources{"phrases", write("kp.jsonl", QByteArray::fromStdString(page.dump() + "\n"))};
  sources.predictions = {{"a", write("kp.a", "{\"url\":\"u\",\"KeyPhrases\":[[\"red\",\"fox\"]]}\n")},
                         {"b", write("kp.b", "{\"url\":\"u\",\"KeyPhrases\":[[\"a\",\"vixen\"]]}\n")}};
  const auto review = openedReview(sources);
  QVERIFY2(review.ok(), review.ok() ? "" : review.error().text().c_str());
  Judgements judged = judgementsOf(*review);
  QVERIFY(judged.setVerdict(1, 0, "after_all", "", "me").ok());
  const JudgedPairs pairs = compared(*review, judged);
  QVERIFY(std::abs(pairs.byMetric.front().difference - 0.5) < 1e-9);
  QVERIFY(std::abs(pairs.byPeople.front().difference) < 1e-9);
  QVERIFY(std::abs(pairs.judged.review.models[1].verdicts[0].score - 0.5) < 1e-9);
}

// What the verdicts do is the same for every kind: of the second example of each small review "alpha" errs
// alone, of the third "beta" alone.
void JudgedReviewTest::everyKindHasBothWords() {
  for (const test::SmallReview& small : test::smallReviews()) {
    const Review review = openedReview(test::smallSources(small, m_folder.path())).value();
    Judgements judged = judgementsOf(review);
    std::string right, wrong;
    for (const ReviewCategory& category : review.kind->categories) {
      if (category.counting == Counting::AsRight) right = category.id;
      if (category.counting == Counting::NotAtAll) wrong = category.id;
    }
    QVERIFY2(judged.setVerdict(0, 1, right, "", "me").ok(), small.kind);
    QVERIFY2(judged.setVerdict(1, 2, wrong, "", "me").ok(), small.kind);
    const JudgedPairs pairs = compared(review, judged);
    QVERIFY2(pairs.byMetric.front().onlyFirst == 1 && pairs.byMetric.front().onlySecond == 1, small.kind);
    QVERIFY2(pairs.byPeople.front().onlyFirst == 0 && pairs.byPeople.front().onlySecond == 0, small.kind);
    QVERIFY2(pairs.judged.judged == 2 && pairs.judged.leftOut == 1 && pairs.judged.rightAfterAll == 1,
             small.kind);
  }
}

QTEST_APPLESS_MAIN(JudgedReviewTest)
#include "tst_judged_review.moc"
