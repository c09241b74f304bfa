// SPDX-License-Identifier: Apache-2.0
// Heads are an axis of their own: every head stands on every model that offers what it reads, with parameters
// of its own and no others.
#include <QTest>

#include "core/nn/models/encoder_model.h"
#include "core/nn/models/model_choice.h"
#include "core/nn/models/model_entry.h"

using namespace fathom;

namespace {

OptionValues modelWith(const ModelEntry& model, const std::string& head) {
  OptionValues options{OptionSchema(nnOptionFields(), nnOptionRules())};
  Json values = {
      {"model", model.id}, {"model.width", 16}, {"model.heads", 2}, {model.prefix + ".head", head}};
  if (model.gives(Representation::States)) values["encoder.attention"] = "global_local";
  options.merge(values, "test").value();
  return options;
}

std::set<std::string> namesOf(const ModelEntry& model, const std::string& head) {
  const auto made = buildModel(modelWith(model, head), ModelInputs::ofVocabulary(20),
                               torch::TensorOptions().device(torch::kMeta))
                        .value();
  std::set<std::string> names;
  for (const Parameter& parameter : made->parameters().parameters()) names.insert(parameter.info.name);
  return names;
}

}  // namespace

class TestHeadAxis : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyHeadStandsWhereItFits() {
    int pairs = 0;
    for (const ModelEntry& model : modelEntries()) {
      if (model.prefix.empty() || !hasOption(model, "head")) continue;
      const std::set<std::string> bare = namesOf(model, "none");
      for (const HeadEntry& head : headsFor(model.offers)) {
        if (head.id == "none") continue;
        std::size_t own = 0;
        for (const std::string& name : namesOf(model, head.id)) own += bare.count(name) == 0 ? 1 : 0;
        QVERIFY2(own > 0, (model.id + " " + head.id).c_str());
        ++pairs;
      }
    }
    QVERIFY(pairs >= 12);
  }

  void aHeadThatDoesNotFitIsRefused() {
    OptionValues options{OptionSchema(nnOptionFields(), nnOptionRules())};
    QVERIFY(!options.set("model.bert.head", Json("candidates")).ok());
    QVERIFY(options.set("model.etc.head", Json("candidates")).ok());
  }
};

QTEST_APPLESS_MAIN(TestHeadAxis)
#include "tst_head_axis.moc"
