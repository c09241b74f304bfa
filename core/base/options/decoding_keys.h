// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// First parts of the keys of the options that steer a decoding: when training validates, when somebody asks.
inline constexpr const char* kValidationDecoding = "validation";
inline constexpr const char* kPredictDecoding = "predict";
inline constexpr const char* kDecodings[] = {kValidationDecoding, kPredictDecoding};

}  // namespace fathom
