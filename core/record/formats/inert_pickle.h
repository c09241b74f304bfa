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

// The form before torch 1.6: five pickles one behind the other (mark, version, machine, state dict, names of
// the storages), then every storage in the order of the names, its number of elements in front in eight
// bytes.
inline constexpr std::string_view kLegacyTorchMark(
    "\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", 15);
bool isLegacyTorch(std::string_view head);

struct LegacyStorage {
  std::string key, dtype;
  std::int64_t count = 0;  // elements; may be negative, as all that a stranger wrote
};
struct LegacyTorchHead {
  std::vector<PickledTensor> tensors;
  std::vector<LegacyStorage> storages;  // in the order of the file, each once
  std::size_t bytes = 0;                // of the pickles: the first storage begins behind them
};
// Under the rules of readStateDictPickle, over the beginning of a file.
Result<LegacyTorchHead> readLegacyTorchHead(std::string_view head, const std::string& file);

}  // namespace fathom
