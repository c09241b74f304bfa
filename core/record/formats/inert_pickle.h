// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// A tensor as a state dict's pickle describes it: a view into a storage record.
struct PickledTensor {
  std::string name;               // "bert.embeddings.word_embeddings.weight"; nested dicts joined with '.'
  std::string dtype;              // safetensors name: F32, BF16, I64, ...
  std::string storageKey;         // archive member data/<key>
  std::int64_t storageCount = 0;  // elements of the storage
  std::int64_t offset = 0;        // elements
  std::vector<std::int64_t> shape, stride;
};

// Reads the data.pkl of a torch archive without running anything: a stack machine over inert values that
// knows the opcodes of protocol 2 that state dicts use. A global outside the short list of tensor builders is
// an error that names it; calls only make descriptions. Nothing is allocated from a length before it was
// compared with the bytes left; depth, memo, stack, values, the size of the descriptions and work are capped
// (docs/reliability.md §5): about 200 MB for the worst 16 MiB. `file` is named in errors.
Result<std::vector<PickledTensor>> readStateDictPickle(std::string_view bytes, const std::string& file);

}  // namespace fathom
