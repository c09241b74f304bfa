// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"

namespace fathom {

// Sets options of the analysis `analysis`, each "key=value", as shell, window and engine are told. Usage
// error for one that it does not take: names the analysis and the options that it takes.
Status setAnalysisOptions(const std::string& analysis, const std::vector<std::string>& assignments,
                          OptionValues* options);

}  // namespace fathom
