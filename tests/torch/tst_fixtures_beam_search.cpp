// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <map>
#include <set>

#include "core/decode/beam_search.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

std::uint64_t splitMix(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

// The toy models of the fixtures: log p of a token is a hash of sentence and prefix.
class RuleModel {
 public:
  RuleModel(const Json& config, std::vector<std::int64_t> sentenceIds)
      : m_vocabulary(config.at("V").get<std::int64_t>()),
        m_eos(config.at("eos").get<std::int64_t>()),
        m_levels(config.at("levels").get<std::int64_t>()),
        m_eosBonus(config.at("eos_bonus").get<double>()),
        m_ids(std::move(sentenceIds)) {}

  double logProbability(std::int64_t sentence, const std::vector<std::int64_t>& prefix,
                        std::int64_t token) const {
    std::uint64_t hash = 0xCBF29CE484222325ull;
    const auto feed = [&](std::int64_t value) {
      for (int byte = 0; byte < 4; ++byte) {
        hash = (hash ^ ((static_cast<std::uint64_t>(value) >> (8 * byte)) & 0xFF)) * 0x100000001B3ull;
      }
    };
    feed(sentence);
    for (const std::int64_t value : prefix) feed(value);
    const std::uint64_t q = splitMix(hash + static_cast<std::uint64_t>(token)) >> 50;
    const double value = m_levels == 0
                             ? -(1.0 + static_cast<double>(q)) / 4096
                             : -(1.0 + static_cast<double>(q % static_cast<std::uint64_t>(m_levels))) / 4;
    return value + (token == m_eos ? m_eosBonus : 0);
  }

  torch::Tensor step(const BeamStep& step) {
    for (const std::int64_t sentence : std::set(step.sentences.begin(), step.sentences.end()))
      ++m_calls[sentence];
    std::vector<std::vector<std::int64_t>> prefixes;
    for (std::size_t row = 0; row < step.parents.size(); ++row) {
      std::vector<std::int64_t> prefix;
      if (step.step > 0) {
        prefix = m_prefixes[static_cast<std::size_t>(step.parents[row])];
        prefix.push_back(step.lastTokens[row]);
      }
      prefixes.push_back(std::move(prefix));
    }
    m_prefixes = std::move(prefixes);
    torch::Tensor scores =
        at::empty({static_cast<std::int64_t>(m_prefixes.size()), m_vocabulary}, torch::kFloat64);
    auto values = scores.accessor<double, 2>();
    for (std::size_t row = 0; row < m_prefixes.size(); ++row) {
      const std::int64_t sentence = m_ids[static_cast<std::size_t>(step.sentences[row])];
      for (std::int64_t token = 0; token < m_vocabulary; ++token) {
        values[static_cast<std::int64_t>(row)][token] = logProbability(sentence, m_prefixes[row], token);
      }
    }
    return scores;
  }
  // In which sentence `index` of the batch took part.
  std::int64_t calls(std::size_t index) const { return m_calls.at(static_cast<std::int64_t>(index)); }

 private:
  std::int64_t m_vocabulary, m_eos, m_levels;
  double m_eosBonus;
  std::vector<std::int64_t> m_ids;
  std::vector<std::vector<std::int64_t>> m_prefixes;
  std::map<std::int64_t, std::int64_t> m_calls;
};

void compare(const Json& expected, const BeamResult& result, std::int64_t calls, const std::string& where) {
  QVERIFY2(calls == expected.at("decoder_steps").get<std::int64_t>(), where.c_str());
  const Json& hypotheses = expected.at("hypotheses");
  QVERIFY2(result.size() == hypotheses.size(), where.c_str());
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    const Hypothesis& own = result[i];
    QVERIFY2(own.tokens == hypotheses[i].at("tokens").get<std::vector<std::int64_t>>(), where.c_str());
    QVERIFY2(own.tokens.size() == hypotheses[i].at("finished_at_step").get<std::size_t>() + 1, where.c_str());
    QVERIFY2(std::abs(own.logProbability - hypotheses[i].at("sum_logp").get<double>()) < 1e-12,
             where.c_str());
    const double score = hypotheses[i].at("score").get<double>();
    QVERIFY2(std::abs(own.score - score) <= 1e-12 + 1e-12 * std::abs(score), where.c_str());
  }
}

}  // namespace

class TestFixturesBeamSearch : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = absence({"beam_search"}); !why.empty()) QSKIP(why.c_str());
  }
  void toyModels_data() {
    QTest::addColumn<int>("index");
    const auto all = cases("beam_search");
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name.c_str()) << static_cast<int>(i);
  }
  void toyModels() {
    QFETCH(int, index);
    const Json beamCase = readCase(cases("beam_search")[static_cast<std::size_t>(index)]).json;
    const Json& config = beamCase.at("config");
    BeamOptions options;
    options.beam = config.at("beam").get<std::int64_t>();
    options.lengthPenalty = config.at("lenpen").get<double>();
    options.minLength = config.at("min_len").get<std::int64_t>();
    BeamTask task{config.at("V").get<std::int64_t>(),
                  config.at("pad").get<std::int64_t>(),
                  config.at("eos").get<std::int64_t>(),
                  {}};
    std::vector<std::int64_t> ids;
    for (const Json& expected : beamCase.at("expected")) {
      ids.push_back(expected.at("sentence").get<std::int64_t>());
      task.maxLengths.push_back(config.at("max_len").get<std::int64_t>());
    }
    const RuleModel probe(config, ids);
    for (const Json& p : config.at("model").at("probe")) {
      const double value = probe.logProbability(p.at("sentence").get<std::int64_t>(),
                                                p.at("prefix").get<std::vector<std::int64_t>>(),
                                                p.at("token").get<std::int64_t>());
      const std::string key = "log_prob_levels" + std::to_string(config.at("levels").get<int>());
      if (p.contains(key) && config.at("eos_bonus").get<double>() == 0)
        QCOMPARE(value, p.at(key).get<double>());
    }
    // All sentences in one batch, then one by one: a sentence's result does not depend on its neighbours.
    RuleModel model(config, ids);
    const auto results = beamSearch(task, options, [&](const BeamStep& step) { return model.step(step); });
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::string where = "sentence " + std::to_string(ids[i]);
      compare(beamCase.at("expected")[i], results[i], model.calls(i), where);
      BeamTask single = task;
      single.maxLengths = {task.maxLengths[i]};
      RuleModel alone(config, {ids[i]});
      const auto own = beamSearch(single, options, [&](const BeamStep& step) { return alone.step(step); });
      compare(beamCase.at("expected")[i], own[0], alone.calls(0), where + " alone");
    }
  }
  void stops() {
    StopToken stop;
    stop.requestStop();
    BeamTask task{4, 1, 2, {10}};
    const auto scorer = [](const BeamStep&) { return at::zeros({1, 4}); };
    QVERIFY_THROWS_EXCEPTION(Failure, beamSearch(task, BeamOptions(), scorer, stop));
  }
};

QTEST_APPLESS_MAIN(TestFixturesBeamSearch)
#include "tst_fixtures_beam_search.moc"
