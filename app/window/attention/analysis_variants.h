// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "core/base/options/option_field.h"
#include "core/record/results/analysis_variant.h"

namespace fathom {

// The variant that a computation form ("split", options of the probe) asks for: `values` over its defaults.
AnalysisVariant variantOfForm(const std::vector<OptionField>& fields, const Json& values);
// Values of the form that ask for `variant`: where it differs from the defaults.
Json formOfVariant(const std::vector<OptionField>& fields, const AnalysisVariant& variant);
// Such a difference in words: "Examples 60 · One Adam step"; "usual options" where there is none.
QString variantWords(const std::vector<OptionField>& fields, const AnalysisVariant& variant);

}  // namespace fathom
