// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// Among the metadata of an imported encoder's model.safetensors: how many pieces the vocabulary has that came
// with the weights. Folders of older versions lack it.
inline constexpr const char* kPiecesFact = "pieces";

}  // namespace fathom
