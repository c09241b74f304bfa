// SPDX-License-Identifier: Apache-2.0
#include "core/optim/rate_groups.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/base/errors/error.h"
#include "core/base/errors/error_key.h"
#include "core/base/text/number_text.h"
#include "core/optim/lr_schedule.h"

namespace fathom {

namespace {

struct RateGroup {
  std::string prefix;
  double factor = 1;
  std::int64_t warmup = 0;
  std::string schedule;
};

Error badGroup(const std::string& text, const Phrase& what) {
  return aboutKey(
      "optimizer.rate_groups",
      usageError(
          Phrase::tr("optimizer.rate_groups: '%1' %2")(text, what),
          Phrase::tr("write the beginning of parameter names, =, the factor, perhaps : and the warm-up in "
                     "updates, perhaps @ and a schedule, as in encoder.=0.008:1000@linear")));
}

Result<RateGroup> rateGroup(const std::string& text) {
  RateGroup group;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return badGroup(text, Phrase::tr("names no parameters"));
  group.prefix = text.substr(0, equals);
  std::string_view rest = std::string_view(text).substr(equals + 1);
  if (const std::size_t at = rest.find('@'); at != std::string_view::npos) {
    group.schedule = rest.substr(at + 1);
    rest = rest.substr(0, at);
    if (!knownLrSchedule(group.schedule)) return badGroup(text, Phrase::tr("names no schedule"));
  }
  if (const std::size_t colon = rest.find(':'); colon != std::string_view::npos) {
    group.warmup = numberFrom<std::int64_t>(rest.substr(colon + 1)).value_or(-1);
    if (group.warmup < 0) return badGroup(text, Phrase::tr("has no whole number of warm-up updates"));
    rest = rest.substr(0, colon);
  }
  group.factor = numberFrom<double>(rest).value_or(-1);
  if (!(group.factor >= 0) || group.factor > 1e6)
    return badGroup(text, Phrase::tr("has no factor from 0 to 1000000"));
  return group;
}

}  // namespace

Status applyRateGroups(const std::vector<std::string>& texts, std::vector<OptimizerParameter>& parameters) {
  std::vector<RateGroup> groups;
  for (const std::string& text : texts) {
    FATHOM_TRY(groups.emplace_back(), rateGroup(text));
    const bool known = std::any_of(parameters.begin(), parameters.end(), [&](const auto& parameter) {
      return parameter.name.starts_with(groups.back().prefix);
    });
    if (!known) return badGroup(text, Phrase::tr("fits no parameter of the model"));
  }
  for (OptimizerParameter& parameter : parameters) {
    std::size_t longest = 0;
    for (const RateGroup& group : groups) {
      if (!parameter.name.starts_with(group.prefix) || group.prefix.size() < longest) continue;
      longest = group.prefix.size();
      parameter.rateFactor = group.factor;
      parameter.rateWarmup = group.warmup;
      parameter.rateSchedule = group.schedule;
    }
  }
  return {};
}

}  // namespace fathom
