// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/support_made_curves.h"

#include <cmath>

#include "core/base/numbers/random_stream.h"

namespace fathom::test {

CurveSeries makeSeries(int run, const QString& metric, int points, const QString& name) {
  RandomStream random(static_cast<std::uint64_t>(run + 1));
  CurveSeries series;
  series.run = QStringLiteral("run-%1").arg(run);
  series.name = name.isEmpty() ? QStringLiteral("nmt %1L Admin").arg(6 * (run + 1)) : name;
  series.group = run < 4 ? QStringLiteral("Admin") : QStringLiteral("Post-LN");
  series.outcome = run == 4 ? RunState::Diverged : RunState::Finished;
  series.colour = run;
  series.metric = metric;
  const double scale =
      metric == QLatin1String("lr") ? 1e-4 : (metric == QLatin1String("valid.bleu") ? -5 : 1);
  for (int i = 1; i <= points; ++i) {
    if (run == 4 && i > points / 3) break;
    series.steps.push_back(i * 10);
    series.seconds.push_back(i * 3.0);
    series.epochs.push_back(i * 0.01);
    series.values.push_back(scale *
                            (2 + 6 * std::exp(-i / (points * 0.05 * (run + 2))) + 0.2 * random.normal()));
  }
  return series;
}

void fill(CurvePanel& panel, int runs, bool longNames) {
  for (int run = 0; run < runs; ++run) {
    const QString name =
        longNames
            ? QStringLiteral("a long name of sixty characters that a person gave to run nr. %1").arg(run)
            : QString();
    for (const char* metric : {"loss", "lr", "valid.bleu", "grad_norm"})
      panel.setSeries(makeSeries(run, QLatin1String(metric), metric[0] == 'v' ? 20 : 600, name));
  }
}

}  // namespace fathom::test
