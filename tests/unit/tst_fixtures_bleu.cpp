// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <chrono>
#include <cmath>

#include "core/base/text/text_list.h"
#include "core/base/text/utf8.h"
#include "core/text/bleu.h"
#include "core/text/lower_case.h"
#include "core/text/moses_13a_tokenizer.h"
#include "core/text/vocabulary.h"
#include "support_fixtures.h"

using namespace fathom;

namespace {

using Texts = std::vector<std::string>;

void compareScore(const BleuScore& score, const Json& expected, const std::string& what) {
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-9 + 1e-9 * std::abs(b); };
  QVERIFY2(near(score.score, expected.at("score").get<double>()),
           (what + ": " + std::to_string(score.score)).c_str());
  for (std::size_t n = 0; n < kBleuOrders; ++n) {
    QCOMPARE(score.counts.match[n], expected.at("match")[n].get<std::int64_t>());
    QCOMPARE(score.counts.total[n], expected.at("total")[n].get<std::int64_t>());
    QVERIFY2(near(score.precisions[n], expected.at("precisions")[n].get<double>()), what.c_str());
  }
  QVERIFY2(near(score.brevityPenalty, expected.at("bp").get<double>()), what.c_str());
  QCOMPARE(score.counts.systemLength, expected.at("sys_len").get<std::int64_t>());
  QCOMPARE(score.counts.referenceLength, expected.at("ref_len").get<std::int64_t>());
  if (expected.contains("printed")) QCOMPARE(bleuLine(score), expected.at("printed").get<std::string>());
}

BleuOptions::Smoothing smoothingOf(const std::string& name) {
  if (name == "floor") return BleuOptions::Smoothing::Floor;
  if (name == "add-k") return BleuOptions::Smoothing::AddK;
  return name == "none" ? BleuOptions::Smoothing::None : BleuOptions::Smoothing::Exp;
}

std::string joinedTokens(Moses13aTokenizer& tokenizer, std::string_view segment) {
  return joined(tokenizer.tokens(segment), " ");
}

void checkTokens(const Json& rows) {
  Moses13aTokenizer tokenizer;
  for (const Json& row : rows)
    QCOMPARE(joinedTokens(tokenizer, row.at("input").get<std::string>()),
             row.at("joined").get<std::string>());
}

void checkSacre(const Json& expected) {
  const auto hypotheses = expected.at("hypotheses").get<Texts>();
  const auto references = expected.at("references").get<Texts>();
  Moses13aTokenizer tokenizer;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    QCOMPARE(joinedTokens(tokenizer, stripRight(hypotheses[i])),
             expected.at("tokenised_hypotheses")[i].get<std::string>());
    QCOMPARE(joinedTokens(tokenizer, stripRight(references[i])),
             expected.at("tokenised_references")[i].get<std::string>());
    QCOMPARE(joinedTokens(tokenizer, stripRight(toLowerCase(hypotheses[i]))),
             expected.at("lowercased_tokenised_hypotheses")[i].get<std::string>());
  }
  for (const auto& [name, score] : expected.at("scores").items()) {
    if (!score.contains("signature")) continue;  // what a wrong lower-casing would give
    BleuOptions options;
    options.lowerCase = name.starts_with("lc_");
    options.smoothing = smoothingOf(name.substr(name.find('_') + 1));
    compareScore(corpusBleu(hypotheses, references, options).value(), score, name);
    const std::string signature = score.at("signature").get<std::string>();
    QCOMPARE(bleuSignature(options), signature.substr(0, signature.find("|version")));
  }
}

void checkSmall(const Json& expected) {
  for (const auto& [name, one] : expected.items()) {
    const auto hypotheses = one.at("hypotheses").get<Texts>();
    const auto sets = one.at("reference_sets").get<std::vector<Texts>>();
    for (const char* smoothing : {"exp", "floor", "add-k", "none"}) {
      BleuOptions options;
      options.tokens = BleuOptions::Tokens::WhiteSpace;
      options.smoothing = smoothingOf(smoothing);
      BleuCounter counter(options);
      BleuCounts sum;
      for (std::size_t i = 0; i < hypotheses.size(); ++i) {
        std::vector<std::string_view> references;
        for (const Texts& set : sets) references.push_back(set[i]);
        sum += counter.count(hypotheses[i], references);
      }
      compareScore(bleuFromCounts(sum, options), one.at(smoothing), name + " " + smoothing);
    }
  }
}

void checkSeedScorer(const Json& expected) {
  const auto hypotheses = expected.at("hypotheses_bpe").get<Texts>();
  const auto references = expected.at("references_bpe").get<Texts>();
  const auto score = tokenisedBleu(hypotheses, references).value();
  Json like = expected;
  like["score"] = expected.at("bleu");
  compareScore(score, like, "seed scorer");
  QCOMPARE(tokenisedBleuLine(score), expected.at("line").get<std::string>());
  for (std::size_t i = 0; i < hypotheses.size(); ++i)
    QCOMPARE(joinSubwords(hypotheses[i]), expected.at("hypotheses")[i].get<std::string>());
  const Json& zero = expected.at("zero_order");
  const Texts hypothesis{zero.at("hypothesis").get<std::string>()};
  const Texts reference{zero.at("reference").get<std::string>()};
  QCOMPARE(tokenisedBleu(hypothesis, reference).value().score, zero.at("bleu").get<double>());
}

}  // namespace

class BleuFixturesTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"bleu"}); !why.empty()) QSKIP(why.c_str());
  }
  void everyCase() {
    const auto cases = fixtures::cases("bleu");
    for (const auto& one : cases) {
      const Json json = fixtures::readJson(one.file(".json"));
      const Json& expected = json.at("expected");
      if (expected.is_array())
        checkTokens(expected);
      else if (expected.contains("compound_split"))
        checkSeedScorer(expected);
      else if (expected.contains("scores"))
        checkSacre(expected);
      else
        checkSmall(expected);
    }
  }

  // newstest2017 en-de: published scores of three systems, four decimals, and the speed of one pass.
  void publishedSystems() {
    const std::string folder = fixtures::dataFolder() + "/wmt17_en_de_systems";
    if (fixtures::dataFolder().empty()) QSKIP("no data");
    const auto references = fixtures::readLines(folder + "/newstest2017.ref.de.gz");
    const auto table = fixtures::readLines(folder + "/expected_bleu.tsv");
    int compared = 0;
    for (std::size_t row = 1; row < table.size(); ++row) {
      const QStringList columns = QString::fromStdString(table[row]).split('\t');
      const std::string path = folder + "/newstest2017." + columns[0].toStdString() + ".de.gz";
      const auto hypotheses = fixtures::readLines(path);
      const auto begin = std::chrono::steady_clock::now();
      const auto score = corpusBleu(hypotheses, references).value();
      const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - begin;
      qInfo("%s: %s, %zu segments in %.1f ms", columns[0].toUtf8().constData(), bleuLine(score).c_str(),
            hypotheses.size(), spent.count());
      QVERIFY(std::abs(score.score - columns[2].toDouble()) < 5.1e-5);
      BleuOptions lower;
      lower.lowerCase = true;
      QVERIFY(std::abs(corpusBleu(hypotheses, references, lower).value().score - columns[3].toDouble()) <
              5.1e-5);
      QVERIFY(QString::fromStdString(bleuLine(score)).contains(columns[4]));
      QCOMPARE(score.counts.systemLength, columns[6].toLongLong());
      QCOMPARE(score.counts.referenceLength, columns[7].toLongLong());
      ++compared;
    }
    QVERIFY(compared > 0);
  }
};

QTEST_APPLESS_MAIN(BleuFixturesTest)
#include "tst_fixtures_bleu.moc"
