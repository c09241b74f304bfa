// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ATen/core/Generator.h>
#include <c10/core/Allocator.h>

namespace fathom::stand_in {

c10::Allocator* deviceAllocator();
// Whether the bytes lie in a block of the allocator of pinned memory.
bool isPinned(const void* data);
// The processor's generator that stands behind a device's; of the default one where `generator` is none.
at::Generator processorGenerator(const std::optional<at::Generator>& generator);
// A copy from pinned memory has begun: what lies there must be the same at the next wait.
void pinnedCopyBegins(const void* source, std::size_t bytes);
// A copy to pinned memory that arrives with the next wait; until then the memory is NaN.
void pinnedReadBegins(void* target, const void* bytes, std::size_t count);
// Ends the process where a pinned buffer was changed before its copy could be done.
void hostWaits();

}  // namespace fathom::stand_in
