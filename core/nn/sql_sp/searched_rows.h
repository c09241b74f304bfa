// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include "core/nn/sql_sp/decoder_sweep.h"

namespace fathom {

// Rows of a search against what their examples hold, without copies of it and without padding. One row is one
// hypothesis, `slots` int64 [rows] on the CPU says whose. No gradients. Where the fused passes do not run
// (kVectorPass) or a width is no whole number of vectors, they are not taken: ask first.
bool takesSearchedRows(const torch::Tensor& rows, const AttendedMemory& memory,
                       const torch::Tensor& pointers);

// attend() of query [rows, d], written into out [rows, d], whose rows may lie apart.
void attendRows(const torch::Tensor& query, const torch::Tensor& slots, const AttendedMemory& memory,
                const torch::Tensor& out);

// vectors [rows, v] times pointers [B, C, v] of their example: [rows, C].
torch::Tensor pointRows(const torch::Tensor& vectors, const torch::Tensor& slots,
                        const torch::Tensor& pointers);

}  // namespace fathom
