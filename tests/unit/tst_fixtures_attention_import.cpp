// SPDX-License-Identifier: Apache-2.0
// Area foreign_runs_attention: attention that transformers computed, as files, through our importer and our
// statistics: every number of a case that is not of the model's forward pass. float32 arrays, tolerance 1e-6.
#include <QTest>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "core/analysis/attention/attention_distribution.h"
#include "core/analysis/attention/attention_maps.h"
#include "core/imports/attention/attention_import.h"
#include "core/record/formats/array_file.h"
#include "tests/unit/support_fixtures.h"

using namespace fathom;

namespace {

constexpr double kTolerance = 1e-6;

std::string namedFile(const fixtures::Case& one, const std::string& name) {
  for (const std::string& file : one.files)
    if (std::filesystem::path(file).filename() == name) return file;
  return {};
}

// Values of one head, [layers, examples, heads, queries], those that are numbers.
std::vector<double> ofHead(const NpyArray& array, std::size_t layer, std::size_t head) {
  const std::vector<double> all = array.doubles();
  const auto examples = static_cast<std::size_t>(array.shape[1]),
             heads = static_cast<std::size_t>(array.shape[2]);
  const auto queries = static_cast<std::size_t>(array.shape[3]);
  std::vector<double> values;
  for (std::size_t example = 0; example < examples; ++example)
    for (std::size_t query = 0; query < queries; ++query)
      if (const double value = all[((layer * examples + example) * heads + head) * queries + query];
          !std::isnan(value))
        values.push_back(value);
  return values;
}

bool near(double a, double b) {
  return std::abs(a - b) <= kTolerance;
}

// "" where a distribution is that of the case's values.
std::string differs(const HeadDistribution& head, const std::vector<double>& values, double mean,
                    double median) {
  const SampleDistribution expected = summariseSamples(values);
  if (head.values.count != expected.count || head.values.nonFinite != 0)
    return "count " + std::to_string(head.values.count) + " instead of " + std::to_string(expected.count);
  if (!near(head.values.mean, mean) || !near(head.values.mean, expected.mean))
    return "mean " + std::to_string(head.values.mean) + " instead of " + std::to_string(mean);
  if (!near(head.values.median(), median)) return "median " + std::to_string(head.values.median());
  for (std::size_t i = 0; i < 5; ++i)
    if (!near(head.values.fiveNumbers[i], expected.fiveNumbers[i])) return "number " + std::to_string(i);
  if (!near(head.values.variance, expected.variance))
    return "variance " + std::to_string(head.values.variance);
  return head.violin.density.size() == 100 ? "" : "no density";
}

const BroughtAnalysis* analysisOf(const BroughtAttention& brought, const std::string& id,
                                  std::int64_t example = 0) {
  for (const BroughtAnalysis& each : brought.analyses)
    if (each.analysis == id && each.options.value("example", example) == example) return &each;
  return nullptr;
}

}  // namespace

class FixturesAttentionImportTest : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyCase() {
    if (const std::string why = fixtures::absence({"foreign_runs_attention"}); !why.empty())
      QSKIP(why.c_str());
    for (const fixtures::Case& one : fixtures::cases("foreign_runs_attention")) {
      const Json expected =
          fixtures::readJson(namedFile(one, one.name.substr(one.name.rfind('/') + 1) + ".json"));
      const auto examples = expected.at("examples").get<std::int64_t>();
      AttentionFiles files;
      for (const Json& attention : expected.at("attentions"))
        files.arrays.push_back(namedFile(one, nameOf(attention) + ".npy"));
      files.tokens = namedFile(one, "batch.json");
      files.maps = examples;
      Progress progress;
      const auto brought = readAttention(files, progress, {});
      QVERIFY2(brought.ok(), brought.ok() ? "" : brought.error().text().c_str());
      QCOMPARE(brought->examples, examples);
      QCOMPARE(brought->tokens, expected.at("attentions").front().at("tokens").get<std::int64_t>());
      QCOMPARE(brought->attentions.size(), expected.at("attentions").size());
      for (const Json& attention : expected.at("attentions")) {
        checkNumbers(one, attention, *brought, "attention_entropy", "entropy");
        checkNumbers(one, attention, *brought, "attention_jsd", "jsd");
        for (std::int64_t example = 0; example < examples; ++example)
          checkMap(one, attention, *brought, example);
      }
    }
  }

 private:
  static std::string nameOf(const Json& attention) {
    return attention.at("stack").get<std::string>() + "." + attention.at("kind").get<std::string>();
  }

  void checkNumbers(const fixtures::Case& one, const Json& attention, const BroughtAttention& brought,
                    const std::string& id, const std::string& quantity) {
    const NpyArray values =
        readArrayFile(namedFile(one, quantity + "." + nameOf(attention) + ".npy")).value();
    const auto all = distributionsFromJson(analysisOf(brought, id)->result).value();
    QCOMPARE(all.unit, std::string(quantity == "jsd" ? "bits" : "nats"));
    const auto found = std::find_if(all.attentions.begin(), all.attentions.end(), [&](const auto& each) {
      return each.stack + "." + each.kind == nameOf(attention);
    });
    QVERIFY2(found != all.attentions.end(), nameOf(attention).c_str());
    QCOMPARE(found->firstLayer, quantity == "jsd" ? 1 : 0);
    const Json& means = attention.at(quantity + "_mean");
    QCOMPARE(found->heads.size(), means.size());
    for (std::size_t layer = 0; layer < means.size(); ++layer) {
      QCOMPARE(found->heads[layer].size(), means[layer].size());
      for (std::size_t head = 0; head < means[layer].size(); ++head) {
        const std::string why =
            differs(found->heads[layer][head], ofHead(values, layer, head), means[layer][head].get<double>(),
                    attention.at(quantity + "_median")[layer][head].get<double>());
        QVERIFY2(why.empty(), (one.name + " " + nameOf(attention) + " " + why).c_str());
      }
    }
  }

  // The rows and keys that are real, as they came.
  void checkMap(const fixtures::Case& one, const Json& attention, const BroughtAttention& brought,
                std::int64_t example) {
    const NpyArray given = readArrayFile(namedFile(one, nameOf(attention) + ".npy")).value();
    const Json batch = fixtures::readJson(namedFile(one, "batch.json"));
    const auto e = static_cast<std::size_t>(example);
    const Json& queries = attention.at("real_queries")[e];
    const bool cross = attention.at("kind") == "cross_attention";
    const Json& keys = cross ? batch.at("attention_mask")[e] : queries;
    const std::vector<double> all = given.doubles();
    std::vector<float> expected;
    const auto examples = static_cast<std::size_t>(given.shape[1]),
               heads = static_cast<std::size_t>(given.shape[2]);
    for (std::size_t layer = 0; layer < static_cast<std::size_t>(given.shape[0]); ++layer)
      for (std::size_t head = 0; head < heads; ++head)
        for (std::size_t q = 0; q < queries.size(); ++q)
          for (std::size_t k = 0; k < keys.size(); ++k)
            if (queries[q] == 1 && keys[k] == 1)
              expected.push_back(static_cast<float>(
                  all[(((layer * examples + e) * heads + head) * queries.size() + q) * keys.size() + k]));
    const Json& result = analysisOf(brought, "attention_maps", example)->result;
    for (const Json& map : result.at("attentions")) {
      if (nameOf(map) != nameOf(attention)) continue;
      const Json::binary_t& bytes = map.at("arrays").at("probabilities").at("f4").get_binary();
      QCOMPARE(bytes.size(), expected.size() * sizeof(float));
      QVERIFY(std::memcmp(bytes.data(), expected.data(), bytes.size()) == 0);
      if (attention.at("stack") == "encoder" || !batch.contains("decoder_input_ids"))
        QVERIFY(map.at("queries").front() == batch.at("tokens")[e][firstReal(queries)]);
      return;
    }
    QFAIL("the map is missing");
  }

  static std::size_t firstReal(const Json& mask) {
    std::size_t at = 0;
    while (mask[at] != 1) ++at;
    return at;
  }
};

QTEST_APPLESS_MAIN(FixturesAttentionImportTest)
#include "tst_fixtures_attention_import.moc"
