// SPDX-License-Identifier: Apache-2.0
#include <QTest>
#include <cmath>

#include "core/optim/lr_schedule.h"
#include "tests/torch/support_tensors.h"

using namespace fathom;
using namespace fathom::fixtures;

namespace {

LrScheduleSettings settingsOf(const Json& config) {
  LrScheduleSettings settings;
  settings.id = config.at("schedule").get<std::string>();
  if (settings.id.starts_with("poly (")) settings.id = "power_decay";
  settings.rate = config.at("lr").get<double>();
  settings.warmup = config.value("w", config.value("warmup", 0.0));
  settings.initialRate = config.value("init", 0.0);
  settings.minimumRate = config.value("min_lr", config.value("end", 0.0));
  settings.totalUpdates = config.value("max_update", config.value("total", config.value("max_step", 0.0)));
  settings.power = config.value("power", 1.0);
  settings.decayPeriod = config.value("period", 4000.0);
  return settings;
}

}  // namespace

class TestFixturesLrSchedule : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
    if (const std::string why = absence({"lr_schedule"}); !why.empty()) QSKIP(why.c_str());
  }
  void schedules() {
    const auto all = cases("lr_schedule");
    for (const Case& place : all) {
      const TensorCase schedules = readCase(place);
      const double absolute = schedules.json.at("tolerance").at("abs").get<double>();
      const double relative = schedules.json.at("tolerance").at("rel").get<double>();
      const torch::Tensor t = schedules.at("t");
      for (const auto& [name, config] : schedules.json.at("config").items()) {
        const LrScheduleSettings settings = settingsOf(config);
        for (std::int64_t i = 0; i < t.numel(); ++i) {
          auto finished = static_cast<std::int64_t>(t[i].item<double>());
          // The table of dt_fixup is over its own counter, which is 1 at the first update.
          if (settings.id == "dt_fixup" && finished > 0) --finished;
          const double own = learningRate(settings, finished);
          const double expected = schedules.at(name)[i].item<double>();
          QVERIFY2(std::abs(own - expected) <= absolute + relative * std::abs(expected),
                   (name + " at " + std::to_string(finished) + ": " + jsonNumber(own) + " instead of " +
                    jsonNumber(expected))
                       .c_str());
        }
      }
    }
  }

  // Check values of docs/schedules.md §2, BERT's jump, no negative rates.
  void oracle15Schedules() {
    LrScheduleSettings s;
    s.warmup = 6000;
    s.initialRate = 1e-7;
    const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-6 * std::abs(b); };
    QVERIFY(near(learningRate(s, 1), 2.1665e-7) || std::abs(learningRate(s, 1) - 2.1665e-7) < 1e-11);
    QVERIFY(near(learningRate(s, 3000), 3.5005e-4));
    QVERIFY(near(learningRate(s, 6000), 7e-4));
    QVERIFY(near(learningRate(s, 24000), 3.5e-4));
    QVERIFY(near(learningRate(s, 100000), 1.714643e-4));
    s.rate = 1e-3;
    s.warmup = 8000;
    QVERIFY(near(learningRate(s, 32000), 5e-4));
    QVERIFY(near(learningRate(s, 500000), 1.264911e-4));
    LrScheduleSettings bert;
    bert.id = "bert";
    bert.rate = 1e-4;
    bert.warmup = 100;
    bert.totalUpdates = 1000;
    QCOMPARE(learningRate(bert, 0), 0.0);
    QVERIFY(learningRate(bert, 99) > learningRate(bert, 100));  // falls to lr(1 - w/S)
    QVERIFY(near(learningRate(bert, 100), 0.9e-4));
    // The historical minimum of -1 made rates negative: it is not a legal value.
    OptionValues options = engineOptions({"lr_schedule=linear"});
    QVERIFY(!options.setText("lr_schedule.minimum=-1").ok());
    QVERIFY(!lrScheduleSettings(options, 0).ok());  // no length
    QVERIFY(lrScheduleSettings(options, 5000).ok());
    QVERIFY(options.setText("lr_schedule.minimum=0.1").ok());
    QVERIFY(!options.check().ok());  // end above the peak
  }

  // Last: every array of the cases was looked at by a test above.
  void everyArrayIsRead() {
    const std::string unread = unreadArrays("lr_schedule");
    QVERIFY2(unread.empty(), unread.c_str());
  }
};

QTEST_APPLESS_MAIN(TestFixturesLrSchedule)
#include "tst_fixtures_lr_schedule.moc"
