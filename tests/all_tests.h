// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtGlobal>

namespace fathom::test {

// `packaging/test.sh --all`: a test goes through its whole product, not only through the part that every
// change is tried with.
inline bool allTests() {
  return qEnvironmentVariableIsSet("FATHOM_ALL_TESTS");
}

}  // namespace fathom::test
