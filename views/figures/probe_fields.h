// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/analysis/analysis_entry.h"
#include "core/base/errors/error_key.h"
#include "core/base/options/option_field.h"
#include "core/base/text/text_list.h"

namespace fathom {

// The option "computed" of figures of stored results: which of them, where a checkpoint has several
// (core/record/results/analysis_variant.h).
OptionField computedField();
// "scale": whether axes and colours reach over all computed checkpoints, so that an animation can be read, or
// over what is shown.
OptionField scaleField();

// The result that checkpoint and `computed` of the options name, `example` included where there is one.
Result<ProbedResult> probedAs(AnalysisSource& source, const std::string& run, const std::string& analysis,
                              const std::string& checkpoint, const OptionValues& options);
// The same for figures that compare runs and do not name checkpoints: where "<=300" means another moment of
// this run, its name says which: "Post-LN @init", "Post-LN @200".
Result<ProbedResult> probedWithMoment(AnalysisSource& source, const std::string& run,
                                      const std::string& analysis, const std::string& checkpoint,
                                      const OptionValues& options);
// The same of every checkpoint that has one, in order of updates; what cannot be read is left out.
std::vector<ProbedResult> probedStates(AnalysisSource& source, const std::string& run,
                                       const std::string& analysis, const OptionValues& options);
// Results that shared ranges cover beyond what is shown: those of all checkpoints of all runs, or none.
std::vector<ProbedResult> scaleStates(AnalysisSource& source, const std::string& analysis,
                                      const OptionValues& options);

// Which of what a run has is shown where nobody says: the extra layers, which were added to be looked at,
// else the first.
template <typename Items, typename NameOf>
std::size_t shownFirst(const Items& items, const NameOf& nameOf) {
  for (std::size_t i = 0; i < items.size(); ++i)
    if (nameOf(items[i]).starts_with("extra")) return i;
  return 0;
}
// Which of what a run has, by name, the option `key` means: shownFirst where it is empty. Usage error
// `absent` (of run and name) with what there is.
template <typename Items, typename NameOf>
Result<std::size_t> chosenAmong(const Items& items, const NameOf& nameOf, const OptionValues& options,
                                const char* key, Phrase::Text absent, const std::string& run) {
  const std::string wanted = options.text(key);
  if (wanted.empty() && !items.empty()) return shownFirst(items, nameOf);
  for (std::size_t i = 0; i < items.size(); ++i)
    if (nameOf(items[i]) == wanted) return i;
  const Phrase said = absent(run, wanted);
  return aboutKey(key, usageError(said, Phrase::tr("it has: %1")(joined(items, ", ", nameOf))));
}

}  // namespace fathom
