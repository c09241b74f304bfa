// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/base/options/option_field.h"

namespace fathom::test {

// A small schema with every option type, an option that depends on another, and a rule.
OptionSchema formSchema();

}  // namespace fathom::test
