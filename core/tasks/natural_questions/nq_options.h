// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/tasks/encoded_text_task.h"
#include "core/tasks/natural_questions/nq_decoding.h"

namespace fathom {

struct NqOptions {
  EncodedTextOptions data;
  NqLimits limits;
  NqDecoding decoding;
  double nullShare = 1;  // of the training windows without an answer that are learned from
  bool padsAll = false;  // windows of full length, whose padding is in the softmax
};

std::vector<OptionField> nqOptionFields();
Result<NqOptions> nqOptionsFrom(const OptionValues& values, bool inputOnly);

}  // namespace fathom
