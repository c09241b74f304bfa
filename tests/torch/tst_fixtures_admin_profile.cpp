// SPDX-License-Identifier: Apache-2.0
#include <QTest>

#include "core/init/admin_profile.h"
#include "tests/torch/support_layer_checks.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

void compareVector(const TensorCase& layerCase, const std::string& key, const std::vector<double>& values) {
  const torch::Tensor own = at::tensor(values, torch::kFloat64);
  const std::string difference = layersDifference(own, layerCase.at(key), 1e-10);
  QVERIFY2(difference.empty(), (layerCase.name + " " + key + ": " + difference).c_str());
}

Result<std::vector<StackProfile>> profileCase(EncoderDecoder& model, const TensorCase& layerCase,
                                              ProfileRule rule) {
  return profileAdmin(model, {StackKind::Encoder, StackKind::Decoder}, rule, 1, 1,
                      [&](std::int64_t, const StepContext& context) {
                        const EncoderMemory memory =
                            model.encode(layerCase.at("input.source_tokens"), context);
                        model.decoderHidden(memory, layerCase.at("input.decoder_tokens"), context);
                      });
}

void checkCase(const TensorCase& layerCase) {
  const std::string chain = layerCase.json.at("configuration").at("chain").get<std::string>();
  const auto paperModel = translationModel(layerCase, chain);
  const auto paper = profileCase(*paperModel, layerCase, ProfileRule::Paper).value();
  for (const StackProfile& profile : paper) {
    const std::string prefix = std::string("output.profile.") + stackName(profile.stack) + ".";
    compareVector(layerCase, prefix + "paper_omega", profile.omega);
    compareVector(layerCase, prefix + "paper_branch_variance", profile.branchVariance);
  }
  const auto model = translationModel(layerCase, chain);
  for (const auto& [name, expected] : layerCase.tensors) {
    // The stored parameters are those after profiling: start from another omega to see that it is set.
    if (name.ends_with(".omega") && name.starts_with("parameter."))
      model->parameters().value(name.substr(10)).fill_(7);
  }
  const auto code = profileCase(*model, layerCase, ProfileRule::Code).value();
  for (const StackProfile& profile : code) {
    const std::string prefix = std::string("output.profile.") + stackName(profile.stack) + ".";
    compareVector(layerCase, prefix + "omega", profile.omega);
    compareVector(layerCase, prefix + "branch_variance", profile.branchVariance);
    compareVector(layerCase, prefix + "input_variance", profile.inputVariance);
    std::vector<double> shortcuts;  // Var[x * omega]
    for (std::size_t i = 0; i < profile.omega.size(); ++i)
      shortcuts.push_back(profile.omega[i] * profile.omega[i] * profile.inputVariance[i]);
    compareVector(layerCase, prefix + "shortcut_variance", shortcuts);
    compareVector(layerCase, prefix + "final_ratio",
                  {std::sqrt(shortcuts.back() + profile.branchVariance.back())});
  }
  for (const Parameter& parameter : model->parameters().parameters()) {
    const std::string difference = layersDifference(model->parameters().value(parameter),
                                                    layerCase.at("parameter." + parameter.info.name), 1e-10);
    QVERIFY2(difference.empty(), (layerCase.name + " " + parameter.info.name + ": " + difference).c_str());
  }
  // The profiled model itself: activations, losses and gradients.
  checkTranslation(layerCase, layerCase.json.at("tolerance").at("outputs").get<double>(),
                   layerCase.json.at("tolerance").at("gradients").get<double>());
}

}  // namespace

class TestFixturesAdminProfile : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = absence({"admin_profile"}); !why.empty()) QSKIP(why.c_str());
  }
  void profile() {
    const auto all = cases("admin_profile");
    for (const Case& place : all) checkCase(readCase(place));
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = unreadArrays("admin_profile");
    QVERIFY2(unread.empty(), unread.c_str());
  }
};

QTEST_APPLESS_MAIN(TestFixturesAdminProfile)
#include "tst_fixtures_admin_profile.moc"
