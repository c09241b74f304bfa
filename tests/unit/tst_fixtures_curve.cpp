// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>
#include <limits>

#include "core/analysis/statistics/curve_pyramid.h"
#include "core/analysis/statistics/curve_smoothing.h"
#include "core/analysis/statistics/seed_summary.h"
#include "tests/unit/support_golden_case.h"

using namespace fathom;
using golden::Case;

namespace {

#define QCOMPARE_TENSOR(one, actual, key)               \
  do {                                                  \
    const std::string why = (one).differs(actual, key); \
    QVERIFY2(why.empty(), why.c_str());                 \
  } while (false)

std::vector<double> flat(const std::vector<CurveBlock>& blocks) {
  std::vector<double> values;
  for (const CurveBlock& block : blocks)
    for (const double value : {block.minimum, block.maximum, double(block.finite), double(block.nan),
                               double(block.plusInfinity), double(block.minusInfinity)})
      values.push_back(value);
  return values;
}

// A value that a run did not reach: null, or no number as text.
double valueOf(const Json& value) {
  return value.is_null() ? std::numeric_limits<double>::quiet_NaN() : realFromJson(value).value();
}

bool equal(const Case& one, double ours, const Json& golden) {
  const double expected = valueOf(golden);
  if (std::isnan(expected)) return std::isnan(ours);
  const double abs = one.json.at("tolerance").at("abs"), rel = one.json.at("tolerance").at("rel");
  return std::abs(ours - expected) <= abs + rel * std::abs(expected);
}

}  // namespace

class CurveFixtures : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = fixtures::absence({"curve"}); !why.empty()) QSKIP(why.c_str());
  }
  void everyCase() {
    const std::vector<Case> cases = golden::casesOf("curve");
    for (const Case& one : cases) {
      const bool pyramidCase = one.has("query"), smoothCase = one.has("smoothed"),
                 seedCase = one.has("curve_mean");
      QVERIFY2(pyramidCase || smoothCase || seedCase, ("nobody takes " + one.name).c_str());
      if (pyramidCase) pyramid(one);
      if (smoothCase) smoothing(one);
      if (seedCase) seeds(one);
    }
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = fixtures::unreadArrays("curve");
    QVERIFY2(unread.empty(), unread.c_str());
  }

 private:
  void pyramid(const Case& one) {
    CurvePyramid pyramid;
    pyramid.append(one.tensor("y"));
    const std::size_t points = one.tensor("y").size();
    for (const Json& length : one.json["config"]["block_sizes"]) {
      const auto size = length.get<std::size_t>();
      std::vector<CurveBlock> blocks;
      for (std::size_t at = 0; at < points; at += size)
        blocks.push_back(pyramid.query(at, std::min(at + size, points)));
      QCOMPARE_TENSOR(one, flat(blocks), "block_" + std::to_string(size));
    }
    std::vector<CurveBlock> columns;
    const auto edges = one.json["config"]["query"]["edges"].get<std::vector<std::size_t>>();
    for (std::size_t k = 0; k + 1 < edges.size(); ++k)
      columns.push_back(pyramid.query(edges[k], edges[k + 1]));
    QCOMPARE_TENSOR(one, flat(columns), "query");
  }

  void smoothing(const Case& one) {
    const auto weights = one.json["config"]["weights"].get<std::vector<double>>();
    for (const std::string suffix : {"", "_starts_with_nan", "_constant", "_single"}) {
      if (!one.has("smoothed" + suffix)) continue;
      const std::vector<double> y = one.tensor("y" + suffix);
      std::vector<double> all;
      for (const double weight : weights) {
        const std::vector<double> smooth = smoothCurve(y, weight);
        all.insert(all.end(), smooth.begin(), smooth.end());
      }
      // Infinity minus Infinity is no number: points that pass through are compared on their own.
      const std::vector<double> golden = one.tensor("smoothed" + suffix);
      QCOMPARE(all.size(), golden.size());
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!std::isinf(golden[i])) continue;
        QCOMPARE(all[i], golden[i]);
        all[i] = golden[i];
      }
      const double abs = one.json.at("tolerance").at("abs"), rel = one.json.at("tolerance").at("rel");
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (std::isinf(golden[i])) continue;
        const bool same = std::isnan(golden[i])
                              ? std::isnan(all[i])
                              : std::abs(all[i] - golden[i]) <= abs + rel * std::abs(golden[i]);
        QVERIFY2(same, (one.name + suffix + " point " + std::to_string(i)).c_str());
      }
    }
  }

  void seeds(const Case& one) {
    const std::vector<double> curves = one.tensor("curves");
    const std::size_t steps = one.tensor("curve_mean").size(), runs = curves.size() / steps;
    std::vector<double> count, mean, deviation;
    for (std::size_t step = 0; step < steps; ++step) {
      std::vector<double> values;
      for (std::size_t run = 0; run < runs; ++run) values.push_back(curves[run * steps + step]);
      const SeedSummary summary = summariseSeeds(values);
      count.push_back(summary.finished);
      mean.push_back(summary.mean);
      deviation.push_back(summary.deviation);
    }
    QCOMPARE_TENSOR(one, count, "curve_count");
    QCOMPARE_TENSOR(one, mean, "curve_mean");
    QCOMPARE_TENSOR(one, deviation, "curve_std");
    for (const auto& [name, expected] : one.json["expected"].items()) {
      std::vector<double> values;
      for (const Json& value : expected["values_null_is_failed"]) values.push_back(valueOf(value));
      const SeedSummary summary = summariseSeeds(values);
      QCOMPARE(summary.finished, expected["n"].get<int>());
      QCOMPARE(summary.runs, expected["runs"].get<int>());
      QCOMPARE(summary.failed(), expected["failed"].get<int>());
      QVERIFY2(equal(one, summary.mean, expected["mean"]), name.c_str());
      QVERIFY2(equal(one, summary.deviation, expected["std"]), name.c_str());
      QVERIFY2(equal(one, summary.standardError, expected["stderr"]), name.c_str());
      QVERIFY2(equal(one, summary.halfWidth95, expected["half_width_95"]), name.c_str());
      QVERIFY2(equal(one, summary.minimum, expected["min"]), name.c_str());
      QVERIFY2(equal(one, summary.maximum, expected["max"]), name.c_str());
    }
  }
};

QTEST_APPLESS_MAIN(CurveFixtures)
#include "tst_fixtures_curve.moc"
