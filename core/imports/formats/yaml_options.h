// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/errors/result.h"
#include "core/base/json/json.h"

namespace fathom {

// The YAML that programs keep options in (PyYAML's output, and what people write beside it), read by libyaml:
// one document, a map. Numbers, truth values and null are such; anchors and merged maps stand for what they
// name. A value that names an object of a program (`!!python/object…`) is kept as the text that stands there:
// nothing is ever made of it. Capped: 1 MiB, 100,000 values, 32 levels. A data error names the line of
// `path`.
Result<Json> parseYamlOptions(std::string_view text, const std::string& path);

}  // namespace fathom
