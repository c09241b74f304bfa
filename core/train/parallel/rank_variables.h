// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// Environment variables that tell a process its rank; torchrun sets the first six.
inline constexpr const char* kRankVariable = "RANK";
inline constexpr const char* kSizeVariable = "WORLD_SIZE";
inline constexpr const char* kAddressVariable = "MASTER_ADDR";
inline constexpr const char* kPortVariable = "MASTER_PORT";
inline constexpr const char* kLocalRankVariable = "LOCAL_RANK";
inline constexpr const char* kLocalSizeVariable = "LOCAL_WORLD_SIZE";
// Set beside them for ranks that rank 0 has started: they end with it.
inline constexpr const char* kOursVariable = "FATHOM_RANK_OF";

}  // namespace fathom
