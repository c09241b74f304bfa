// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

namespace fathom::tests {

// Megabytes that `work` takes at its peak beyond what was in use before it: of resident memory; under a
// sanitizer, which keeps what was freed, of what is allocated and not freed yet. Of the whole process; one
// measurement at a time.
double peakMegabytesOf(const std::function<void()>& work);

}  // namespace fathom::tests
