// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/tasks/encoded_text_task.h"
#include "core/tasks/squad/squad_decoding.h"

namespace fathom {

struct SquadOptions {
  EncodedTextOptions data;
  SquadLayout layout;
  SquadDecoding decoding;
  bool padsAll = true;  // rows of full length, whose padding is in the softmax
};

std::vector<OptionField> squadOptionFields();
Result<SquadOptions> squadOptionsFrom(const OptionValues& values, bool inputOnly);

}  // namespace fathom
