// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/options/metric.h"

namespace fathom {

// Declarations by an importer for scalars of another program, which come with names and nothing else: which
// values are the better ones, by the words that are in use (accuracy, F1, BLEU, ...; loss, perplexity, error
// rates, ...). Names without such a word are left out: nobody knows.
Metrics foreignMetrics(const std::vector<std::string>& names);

}  // namespace fathom
