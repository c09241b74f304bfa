// SPDX-License-Identifier: Apache-2.0
// The trainability check answers for every preset without data of one's own: at its full depth with the width
// cut to 64, and for the 18-layer translation models and SQL-SP on RoBERTa-large at their full width.
#include <QTest>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <sstream>

#include "core/engine/engine_verbs.h"
#include "core/nn/parameter_store.h"
#include "core/record/presets.h"
#include "core/tasks/task.h"
#include "core/train/parts/run_options.h"

using namespace fathom;

namespace {

constexpr const char* kPresets = FATHOM_SOURCE_DIR "/resources/presets";
constexpr double kMostSeconds = 120;  // of the processor: a minute on two cores

std::string fileOf(const QString& preset) {
  return std::string(kPresets) + "/" + preset.toStdString() + ".json";
}

double processorSeconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

Json reportOf(const TrainabilityVerb& verb) {
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

// Every stack has its layers, every number is one, and what is planned is what the preset says.
void checkReport(const Json& report, const TrainabilityVerb& verb) {
  const RunConfig config = readConfigOrPreset(verb.config).value();
  const OptionValues options = runOptions(config, verb.config, verb.assignments).value();
  QVERIFY(report.at("note").get<std::string>().find("generated sample") != std::string::npos);
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
    for (const char* numbers : {"measured_scale", "predicted_scale", "beta_own", "gradient"}) {
      QCOMPARE(stack.at(numbers).size(), stack.at("sublayers").size());
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

}  // namespace

class TestTrainabilityPresets : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void narrow_data() {
    QTest::addColumn<QString>("preset");
    for (const QString& name : presetNames(QString())) QTest::newRow(qPrintable(name)) << name;
  }
  void narrow() {
    QFETCH(QString, preset);
    const Json chosen = findPreset(preset.toStdString()).value().options;
    const TaskEntry* task = taskOf(chosen);
    if (task != nullptr && task->sample.write == nullptr) QSKIP("its task makes no sample of its own");
    TrainabilityVerb verb;
    verb.json = true;
    verb.config = fileOf(preset);
    verb.assignments = {"model.width=64", "model.heads=4", "model.feed_forward=128", "device=cpu",
                        "threads=1"};
    if (preset.startsWith(QStringLiteral("extra_layers")))
      verb.assignments.insert(verb.assignments.end(),
                              {"model.extra_layers.heads=4", "model.extra_layers.feed_forward=128"});
    checkReport(reportOf(verb), verb);
  }

  void wide_data() {
    QTest::addColumn<QString>("preset");
    for (const QString& name :
         presetNames(QStringLiteral("wmt14_en_de_base_18_")) + presetNames(QStringLiteral("sql_sp_paper")))
      QTest::newRow(qPrintable(name)) << name;
  }
  void wide() {
    QFETCH(QString, preset);
    TrainabilityVerb verb;
    verb.json = true;
    verb.config = fileOf(preset);
    verb.assignments = {"device=cpu", "threads=2"};
    const double begin = processorSeconds();
    const Json report = reportOf(verb);
    checkReport(report, verb);
    const double seconds = processorSeconds() - begin;
    QVERIFY2(seconds < kMostSeconds, qPrintable(QString::number(seconds)));
    if (!preset.startsWith(QStringLiteral("sql_sp"))) return;
    // µ of a part of the batches, and an encoder that nobody trained: both are said.
    const Json& mu = report.at("mu_sample");
    QVERIFY2(mu.at("batches") < mu.at("of") && mu.at("chosen") == "random", mu.dump().c_str());
    const std::string note = report.at("note").get<std::string>();
    QVERIFY(note.find("training batches, drawn at random") != std::string::npos);
    QVERIFY(note.find("No pre-trained weights are named") != std::string::npos);
    QCOMPARE(report.at("stacks").at(0).at("rate_share").get<double>(), 0.008);
    QCOMPARE(report.at("stacks").at(1).at("rate_share").get<double>(), 1.0);
  }
};

QTEST_GUILESS_MAIN(TestTrainabilityPresets)
#include "tst_trainability_presets_slow.moc"
