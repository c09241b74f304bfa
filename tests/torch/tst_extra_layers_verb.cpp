// SPDX-License-Identifier: Apache-2.0
// The verb extra-layers: vanilla and relation-aware layers on features from a file, with DT-Fixup's mu
// measured on them.
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>

#include "core/base/files/atomic_file.h"
#include "core/engine/engine_verbs.h"
#include "core/nn/pretrained/tensor_file.h"

using namespace fathom;

namespace {

using Named = std::vector<std::pair<std::string, torch::Tensor>>;

torch::Tensor wave(torch::IntArrayRef shape, double step) {
  const std::int64_t count = at::empty(shape, torch::TensorOptions().device(torch::kMeta)).numel();
  return at::arange(count, torch::kFloat64).mul(step).sin().view(shape);
}

const torch::Tensor kPadding =
    at::tensor({0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, torch::kInt64).view({3, 6});

Named given() {
  return {{"question", wave({3, 4, 12}, .7)},
          {"schema", wave({3, 2, 5}, 1.3)},
          {"padding", kPadding},
          {"relations", at::arange(108, torch::kInt64).remainder(7).view({3, 6, 6})}};
}

}  // namespace

class TestExtraLayersVerb : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void muIsThatOfTheFeatures_data() {
    QTest::addColumn<QString>("rule");
    QTest::newRow("paper") << "paper";
    QTest::newRow("released") << "released";
  }

  // Largest norm of a real vector: of what enters layer 1, or of the parts before their projections.
  void muIsThatOfTheFeatures() {
    QFETCH(QString, rule);
    const std::string out = path("mu_" + rule.toStdString());
    QCOMPARE(extraLayersVerb(verb("in", out, {"init.dt_fixup.mu=" + rule.toStdString()})),
             ExitCode::Finished);
    const auto written = readTensors(out + "/output.safetensors").value();
    const torch::Tensor real = kPadding.eq(0);
    const auto largest = [](const torch::Tensor& states, const torch::Tensor& kept) {
      return states.square().sum(-1).sqrt().masked_select(kept).max().item<double>();
    };
    const double mu = rule == "paper" ? largest(written.at("input"), real)
                                      : std::max(largest(given()[0].second, real.narrow(1, 0, 4)),
                                                 largest(given()[1].second, real.narrow(1, 4, 2)));
    const Json report = Json::parse(readFile(out + "/init_report.json").value());
    const Json& measured = report.at("profile").at(0);
    QVERIFY(std::abs(measured.at("value").get<double>() - mu) < 1e-12);
    const double factor = 1 / std::sqrt(2 * (4 * mu * mu + 2 * mu + 2));  // two layers
    int scaled = 0;
    for (const Json& row : report.at("rows")) {
      const QString name = QString::fromStdString(row.at("name").get<std::string>());
      const bool wanted = name.contains("value.weight") || name.contains("output.weight") ||
                          name.contains("feed_forward.input.weight");
      QVERIFY2(std::abs(row.at("factor").get<double>() - (wanted ? factor : 1)) < 1e-12, qPrintable(name));
      scaled += wanted ? 1 : 0;
    }
    QCOMPARE(scaled, 10);  // value, relation value, output, and both of the feed-forward, in two layers
  }

  void paddingAndWeights() {
    const std::string first = path("first"), second = path("second"), alone = path("alone");
    QCOMPARE(extraLayersVerb(verb("in", first)), ExitCode::Finished);
    ExtraLayersVerb again = verb("in", second);
    again.assignments.push_back("seed=9");
    again.weights = first + "/weights.safetensors";
    QCOMPARE(extraLayersVerb(again), ExitCode::Finished);
    const torch::Tensor output = readTensors(first + "/output.safetensors").value().at("output");
    QVERIFY(output.equal(readTensors(second + "/output.safetensors").value().at("output")));
    QCOMPARE(output.sizes().vec(), (std::vector<std::int64_t>{3, 6, 16}));
    QVERIFY(output.masked_select(kPadding.ne(0).unsqueeze(-1)).eq(0).all().item<bool>());
    // The padded row without its padding.
    Named cut = given();
    cut[0].second = cut[0].second.narrow(0, 1, 1).narrow(1, 0, 3).contiguous();
    cut[1].second = cut[1].second.narrow(0, 1, 1);
    cut.erase(cut.begin() + 2);
    Named row = {
        cut[0],
        cut[1],
        {"relations", at::cat({given()[3].second[1].narrow(0, 0, 3), given()[3].second[1].narrow(0, 4, 2)})
                          .index_select(1, at::tensor({0, 1, 2, 4, 5}, torch::kInt64))
                          .unsqueeze(0)
                          .contiguous()}};
    writeTensors(path("row.safetensors"), row).value();
    ExtraLayersVerb one = verb("row", alone);
    one.weights = again.weights;
    QCOMPARE(extraLayersVerb(one), ExitCode::Finished);
    const torch::Tensor short_ = readTensors(alone + "/output.safetensors").value().at("output")[0];
    const torch::Tensor long_ = output[1].index_select(0, at::tensor({0, 1, 2, 4, 5}, torch::kInt64));
    QVERIFY((short_ - long_).abs().max().item<double>() < 1e-12);
  }

  void refusals_data() {
    QTest::addColumn<QString>("what");
    QTest::addColumn<QString>("word");
    QTest::newRow("no relations") << "no relations"
                                  << "relation-aware layers need";
    QTest::newRow("large id") << "large id"
                              << "tables have 7 rows";
    QTest::newRow("rows") << "rows"
                          << "same rows";
    QTest::newRow("nan") << "nan"
                         << "not finite";
    QTest::newRow("padding") << "padding"
                             << "padding is [rows, length]";
    QTest::newRow("nothing") << "nothing"
                             << "no features";
    QTest::newRow("vanilla") << "vanilla"
                             << "take no relations";
    QTest::newRow("bert") << "bert"
                          << "applies the model extra_layers";
  }

  void refusals() {
    QFETCH(QString, what);
    QFETCH(QString, word);
    Named tensors = given();
    std::vector<std::string> more;
    if (what == "no relations") tensors.pop_back();
    if (what == "large id") tensors[3].second = tensors[3].second + 1;
    if (what == "rows") tensors[1].second = tensors[1].second.narrow(0, 0, 2);
    if (what == "nan") tensors[0].second.index_put_({0, 0, 0}, std::nan(""));
    if (what == "padding") tensors[2].second = tensors[2].second.narrow(1, 0, 5).contiguous();
    if (what == "nothing") tensors = {{"padding", kPadding}};
    if (what == "vanilla") more = {"extra.attention=multi_head"};
    if (what == "bert") more = {"model=bert", "init=bert"};
    writeTensors(path("bad.safetensors"), tensors).value();
    try {
      extraLayersVerb(verb("bad", path("never"), more));
      QFAIL("accepted");
    } catch (const Failure& failure) {
      const QString text = QString::fromStdString(failure.error().text());
      QVERIFY2(text.contains(word), qPrintable(text));
    }
    QVERIFY(!QFile::exists(QString::fromStdString(path("never"))));
  }

  void initTestCase() { writeTensors(path("in.safetensors"), given()).value(); }

 private:
  std::string path(const std::string& name) const { return m_dir.path().toStdString() + "/" + name; }
  ExtraLayersVerb verb(const std::string& in, const std::string& out,
                       const std::vector<std::string>& more = {}) const {
    ExtraLayersVerb verb;
    verb.features = path(in + ".safetensors");
    verb.out = out;
    verb.assignments = {"precision=float64",
                        "model.width=16",
                        "model.heads=2",
                        "model.extra_layers.heads=2",
                        "model.extra_layers.feed_forward=24",
                        "model.extra_layers.relation_types=7",
                        "extra.layers=2",
                        "extra.attention=relation_aware",
                        "extra.residual=unnormalised",
                        "init=dt_fixup"};
    verb.assignments.insert(verb.assignments.end(), more.begin(), more.end());
    return verb;
  }
  QTemporaryDir m_dir;
};

QTEST_GUILESS_MAIN(TestExtraLayersVerb)
#include "tst_extra_layers_verb.moc"
