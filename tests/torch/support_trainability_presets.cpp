// SPDX-License-Identifier: Apache-2.0
#include "tests/torch/support_trainability_presets.h"

#include <QTest>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "core/base/files/hash.h"
#include "core/base/json/json_text.h"
#include "core/nn/parameter_store.h"
#include "core/record/presets.h"
#include "core/train/parts/run_options.h"

namespace fathom::test {

namespace {

constexpr const char* kPresets = FATHOM_SOURCE_DIR "/resources/presets";
constexpr const char* kTrained = "model.extra_layers.trained_layers";
// Nothing that is measured before the first update hangs on when a run validates, saves or gives up.
bool unread(const std::string& key) {
  for (const std::string_view part : {"checkpoint.", "validation.", "divergence."})
    if (key.starts_with(part)) return true;
  return false;
}

OptionValues optionsOf(const TrainabilityVerb& verb) {
  return runOptions(readConfigOrPreset(verb.config).value(), verb.config, verb.assignments).value();
}

}  // namespace

std::string presetFile(const QString& preset) {
  return std::string(kPresets) + "/" + preset.toStdString() + ".json";
}

Json trainabilityReport(const TrainabilityVerb& verb) {
  std::ostringstream text;
  std::streambuf* before = std::cout.rdbuf(text.rdbuf());
  try {
    trainabilityVerb(verb);
  } catch (...) {
    std::cout.rdbuf(before);
    throw;
  }
  std::cout.rdbuf(before);
  return parseJson(text.str()).value();
}

QStringList presetNames(const QString& part) {
  QStringList names;
  for (const auto& entry : std::filesystem::directory_iterator(kPresets)) {
    const QString name = QString::fromStdString(entry.path().stem().string());
    if (entry.path().extension() == ".json" && name.startsWith(part)) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

TrainabilityVerb narrowVerb(const QString& preset) {
  TrainabilityVerb verb;
  verb.json = true;
  verb.config = presetFile(preset);
  verb.assignments = {"model.width=64", "model.heads=4", "model.feed_forward=128", "device=cpu", "threads=1"};
  if (preset.startsWith(QStringLiteral("extra_layers")))
    verb.assignments.insert(verb.assignments.end(),
                            {"model.extra_layers.heads=4", "model.extra_layers.feed_forward=128"});
  return verb;
}

std::string readByTheCheck(const QString& preset) {
  const OptionValues options = optionsOf(narrowVerb(preset));
  Json read = Json::object();
  const Json all = options.effective();
  for (const auto& [key, value] : all.items())
    if (!unread(key) && options.active(key)) read[key] = value;
  return sha256Hex(jsonText(read));
}

PresetStack presetStack(const QString& preset) {
  const OptionValues options = optionsOf(narrowVerb(preset));
  PresetStack kind;
  const Json all = options.effective();
  for (const auto& [key, value] : all.items()) {
    if (!options.active(key)) continue;
    for (const std::string_view part : {".residual", ".attention", ".norm", ".positions"})
      if (key.ends_with(part)) kind.text += key + "=" + value.dump() + " ";
    if (key == "model" || key == "init") kind.text += key + "=" + value.dump() + " ";
    if (key.ends_with(".layers") && value.is_number_integer()) kind.layers += value.get<std::int64_t>();
  }
  return kind;
}

void checkTrainabilityReport(const Json& report, const TrainabilityVerb& verb) {
  const OptionValues options = optionsOf(verb);
  QVERIFY(report.at("note").get<std::string>().find("made data") != std::string::npos);
  // Which examples: so many of how many, and how they were chosen.
  const Json& sample = report.at("sample");
  QCOMPARE(sample.at("part").get<std::string>(), std::string("train"));
  QVERIFY(sample.at("examples").get<int>() > 0 && sample.at("examples") <= sample.at("of"));
  QVERIFY(sample.at("chosen") == "random" || sample.at("chosen") == "all");
  for (const Json& stack : report.at("stacks")) {
    const auto layers = options.integer(
        std::string(stackOptions(valueOf(kStackWords, stack.at("stack").get<std::string>()))) + ".layers");
    QCOMPARE(stack.at("layers").get<std::int64_t>(), layers);
    QVERIFY(stack.at("sublayers").size() >= 2 * static_cast<std::size_t>(layers));
    // Layers of an encoder below those that learn have no gradient.
    std::size_t reached = stack.at("sublayers").size();
    if (stack.at("stack") == "encoder" && options.active(kTrained))
      reached = 2 * static_cast<std::size_t>(options.integer(kTrained));
    for (const std::string numbers : {"measured_scale", "predicted_scale", "beta_own", "gradient"}) {
      QCOMPARE(stack.at(numbers).size(), numbers == "gradient" ? reached : stack.at("sublayers").size());
      for (const Json& number : stack.at(numbers)) QVERIFY(std::isfinite(realFromJson(number).value()));
    }
  }
  const TrainingTime length = options.time("training.length");
  const Json& updates = report.at("learning_rate").at("updates");
  QCOMPARE(updates.is_null(), length.unit == TrainingTime::Unit::Epochs);
  if (!updates.is_null()) QCOMPARE(updates.get<double>(), length.amount);
  const double peak = report.at("learning_rate").at("peak").get<double>(),
               rate = options.real("lr_schedule.rate");
  QVERIFY2(peak > 0.9 * rate && peak <= 1.0001 * rate, report.at("learning_rate").dump().c_str());
}

}  // namespace fathom::test
