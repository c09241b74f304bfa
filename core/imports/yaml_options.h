// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// The plain YAML that programs keep options in (PyYAML's output, and what people write beside it): maps and
// lists by indentation or in brackets, plain, quoted and block texts. Numbers, truth values and null are
// such. A value that names an object of a program (`!!python/object…`) is kept as the text that stands there:
// nothing is ever made of it. Capped: 1 MiB, 20,000 lines, 32 levels. A data error names the line of `path`.
Result<Json> parseYamlOptions(std::string_view text, const std::string& path);

}  // namespace fathom
