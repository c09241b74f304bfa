// SPDX-License-Identifier: Apache-2.0
// Every preset is a legal configuration, and BERT's have the sizes of the paper.
#include <QTest>
#include <cmath>
#include <filesystem>

#include "core/analysis/training/grid_preset.h"
#include "core/nn/models/model.h"
#include "core/record/presets.h"
#include "core/train/parts/run_options.h"

using namespace fathom;

namespace {

Result<OptionValues> presetOptions(const std::string& id) {
  const std::string file = std::string(FATHOM_SOURCE_DIR) + "/resources/presets/" + id + ".json";
  FATHOM_TRY(const Json json, readJsonFile(file));
  FATHOM_TRY(const Preset preset, presetFromJson(json, file));
  RunConfig config;
  config.options = preset.options;
  return runOptions(config, file, {});
}

}  // namespace

class TestPresetOptions : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void everyPresetIsLegal() {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(FATHOM_SOURCE_DIR "/resources/presets")) {
      if (entry.path().extension() != ".json") continue;
      const auto options = presetOptions(entry.path().stem().string());
      QVERIFY2(options.ok(), options.ok() ? "" : options.error().text().c_str());
      ++count;
    }
    QVERIFY(count > 50);
  }

  void everyCombinationOfAGridIsLegal() {
    std::size_t grids = 0;
    for (const Preset& preset : presets()) {
      const GridPreset grid = gridPresetFromJson(preset.grid, preset.id).value();
      if (grid.axes.empty()) continue;
      ++grids;
      for (const GridPoint& point : expandGrid(grid.axes).value()) {
        RunConfig config;
        config.options = preset.options;
        for (const auto& [key, value] : point.options) config.options[key] = value;
        const auto options = runOptions(config, preset.id, {});
        QVERIFY2(options.ok(), options.ok() ? "" : options.error().text().c_str());
      }
      for (const std::string& metric : grid.metrics)
        QVERIFY2(findMetric(programMetrics(), metric) != nullptr, metric.c_str());
    }
    QVERIFY(grids >= 3);
  }

  // RealFormer's translation models stand on Admin with the running mean (RealFormer §4.2).
  void translationWithResidualAttentionStandsOnAdmin() {
    for (const char* id : {"wmt14_en_de_base_6", "wmt14_en_de_base_12", "wmt14_en_de_base_18",
                           "wmt14_en_fr_base_6", "wmt14_en_fr_60_12"}) {
      const OptionValues options = presetOptions(std::string(id) + "_realformer").value();
      for (const char* stack : {"encoder", "decoder"}) {
        QCOMPARE(options.text(std::string(stack) + ".residual"), std::string("admin"));
        QCOMPARE(options.text(std::string(stack) + ".self_attention.score_chain"), std::string("mean"));
      }
      QCOMPARE(options.text("decoder.cross_attention.score_chain"), std::string("mean"));
    }
  }

  void bertPresetsHaveThePapersSizes() {
    const ModelInputs inputs = ModelInputs::ofVocabulary(30522);
    for (const auto& [id, millions] :
         {std::pair("bert_small_realformer", 29.06), std::pair("bert_base_post_ln", 110.11),
          std::pair("bert_large_post_ln", 336.23), std::pair("bert_xlarge_realformer", 1072.37)}) {
      const ParameterCount count = parameterCount(presetOptions(id).value(), inputs).value();
      QVERIFY2(std::abs(static_cast<double>(count.total) / 1e6 - millions) < .006, id);
    }
    const ParameterCount pre = parameterCount(presetOptions("bert_base_pre_ln").value(), inputs).value();
    const ParameterCount post = parameterCount(presetOptions("bert_base_post_ln").value(), inputs).value();
    QCOMPARE(pre.total - post.total, 2 * 768);  // one more norm on top
  }
};

QTEST_APPLESS_MAIN(TestPresetOptions)
#include "tst_preset_options.moc"
