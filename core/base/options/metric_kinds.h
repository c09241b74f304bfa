// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/base/options/metric.h"

namespace fathom {

// Metric that holds for values of both, of the same id: a unit belongs to metric and task, so one that is not
// that of both is left out, and titles that differ are said by the words that both end with ("per second").
// Values that are the better ones in one direction for one and in the other for the other are not compared.
Metric commonMetric(const Metric& a, const Metric& b);

// True if it is measured on data that is not trained on, by its name, whoever gave it: "valid.bleu",
// "valid/accuracy", "eval_loss", "loss/val".
bool isValidationMetric(std::string_view id);

}  // namespace fathom
