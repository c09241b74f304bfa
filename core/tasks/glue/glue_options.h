// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/options/option_field.h"
#include "core/tasks/encoded_text_task.h"
#include "core/tasks/glue/glue_table.h"

namespace fathom {

struct GlueOptions {
  EncodedTextOptions data;
  GlueKind kind = GlueKind::Cola;
  std::string mismatched, testMismatched;
  std::int64_t maxLength = 128;
  GlueRule rule;  // as the options say, where the kind leaves it open
  GlueReading reading;
  bool testLabels = false;
};

std::vector<OptionField> glueOptionFields();
std::vector<OptionRule> glueOptionRules();
// Folders are turned into the files that the benchmark has in them.
Result<GlueOptions> glueOptionsFrom(const OptionValues& values, bool inputOnly);

}  // namespace fathom
