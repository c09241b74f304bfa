// SPDX-License-Identifier: Apache-2.0
#include "core/analysis/probe_options.h"

#include "core/base/errors/error_key.h"
#include "core/base/text/text_list.h"

namespace fathom {

Status setAnalysisOptions(const std::string& analysis, const std::vector<std::string>& assignments,
                          OptionValues* options) {
  for (const std::string& assignment : assignments) {
    const std::string key = assignment.substr(0, assignment.find('='));
    if (assignment.find('=') == std::string::npos || options->schema().find(key) != nullptr) {
      FATHOM_CHECK(options->setText(assignment));
      continue;
    }
    const std::string known =
        joined(options->schema().fields(), ", ", [](const OptionField& field) { return field.key; });
    return aboutKey(
        key, usageError(Phrase::tr("%1 has no option '%2'")(analysis, key),
                        known.empty() ? Phrase::tr("it takes none") : Phrase::tr("it takes: %1")(known)));
  }
  return {};
}

}  // namespace fathom
