// SPDX-License-Identifier: Apache-2.0
#include <QRegularExpression>
#include <QTest>

#include "core/train/state/checkpoint_average.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

class TestFixturesCheckpointAverage : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = absence({"checkpoint_average"}); !why.empty()) QSKIP(why.c_str());
  }
  void selection() {
    const auto all = cases("checkpoint_average");
    for (const Case& place : all) {
      const Json expected = readCase(place).json.at("expected");
      // fairseq's names of the ends of epochs, "checkpoint7.pt"; others (checkpoint_best.pt) do not count.
      std::vector<CheckpointChoice> offered;
      static const QRegularExpression epochEnd("^checkpoint(\\d+)\\.pt$");
      for (const auto& file : expected.at("files").get<std::vector<std::string>>())
        if (const auto match = epochEnd.match(QString::fromStdString(file)); match.hasMatch())
          offered.push_back({file, match.captured(1).toLongLong()});
      for (const Json& query : expected.at("queries")) {
        const CheckpointSelection own = selectCheckpoints(
            offered, query.at("upper_bound").get<std::int64_t>(), query.at("n").get<std::int64_t>());
        QCOMPARE(own.enough, query.at("enough").get<bool>());
        std::vector<std::string> names;
        for (const CheckpointChoice& choice : own.chosen) names.push_back(choice.name);
        QVERIFY(names == query.at("selected").get<std::vector<std::string>>());
      }
    }
  }

  void means() {
    const auto all = cases("checkpoint_average");
    for (const Case& place : all) {
      const TensorCase average = readCase(place);
      for (const auto type : {torch::kFloat64, torch::kFloat32}) {
        const double tolerance = type == torch::kFloat64 ? 1e-12 : 1e-6;
        TensorMean mean;
        for (std::int64_t k = 0;; ++k) {
          std::map<std::string, torch::Tensor> checkpoint;
          for (const auto& [name, tensor] : average.beginning("checkpoints/"))
            if (k < tensor.size(0)) checkpoint[name] = tensor[k].to(type);
          if (checkpoint.empty()) break;
          QVERIFY(mean.add(checkpoint).ok());
        }
        for (const auto& [name, tensor] : mean.mean()) {
          QCOMPARE(tensor.scalar_type(), type);
          const std::string difference =
              fixtures::difference(tensor, average.at("mean/" + name), tolerance, tolerance);
          QVERIFY2(difference.empty(), (name + ": " + difference).c_str());
        }
      }
      // Averaging, then folding omega into gamma, is not folding, then averaging.
      const torch::Tensor averaged = average.at("omega").mean(0) * average.at("gamma").mean(0);
      QVERIFY(fixtures::difference(averaged, average.at("average_then_fold"), 1e-12, 1e-12).empty());
      QVERIFY(!fixtures::difference(averaged, average.at("fold_then_average"), 1e-12, 1e-12).empty());
    }
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = unreadArrays("checkpoint_average");
    QVERIFY2(unread.empty(), unread.c_str());
  }

  void refusesOtherModels() {
    TensorMean mean;
    QVERIFY(mean.add({{"a", at::zeros({2})}}).ok());
    QVERIFY(!mean.add({{"b", at::zeros({2})}}).ok());
    QVERIFY(!mean.add({{"a", at::zeros({3})}}).ok());
    QVERIFY(!mean.add({{"a", at::zeros({2})}, {"b", at::zeros({2})}}).ok());
    QCOMPARE(mean.count(), 1);
  }
};

QTEST_APPLESS_MAIN(TestFixturesCheckpointAverage)
#include "tst_fixtures_checkpoint_average.moc"
