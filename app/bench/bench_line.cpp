// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/bench/bench_line.h"

#include <fstream>

#include "app/runs/run_json.h"
#include "app/text_table.h"
#include "core/base/options/field_builder.h"

namespace fathom {

double systemLoad() {
  std::ifstream file("/proc/loadavg");
  double load = 0;
  file >> load;
  return load;
}

std::string loadText(double load) {
  return "load before " + shownNumber(load) + (load > 0.3 ? "  (noisy)\n" : "\n");
}

OptionField roundsField() {
  return integerField("rounds", "Rounds", "How often ours and the peer run in turn.", 5).between(1, 100);
}

CommandOutput measuredOutput(const std::string& bench, double load, const std::vector<Measured>& measured) {
  CommandOutput output;
  output.json = {{"format", 1}, {"bench", bench}, {"load", load}, {"milliseconds", Json::object()}};
  TextTable table({bench, "ms"});
  for (const Measured& item : measured) {
    output.json["milliseconds"][item.what] = item.milliseconds;
    table.addRow({item.what, shownNumber(item.milliseconds)});
  }
  output.text = table.text() + loadText(load);
  return output;
}

}  // namespace fathom
