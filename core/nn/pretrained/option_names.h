// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// The options of BERT, ETC and the decoder alone that weights are read by and written with; nobody else
// outside of core/nn/models names them (tests/architecture/tst_model_seam.cpp).
inline constexpr const char* kBertHead = "model.bert.head";
inline constexpr const char* kBertHeadInput = "model.bert.head_input";
inline constexpr const char* kBertPositions = "model.bert.positions";
inline constexpr const char* kBertRows = "model.bert.max_positions";
inline constexpr const char* kBertSegments = "model.bert.segments";
inline constexpr const char* kBertNormEps = "model.bert.norm_eps";
inline constexpr const char* kBertInputNorm = "model.bert.embedding_layer_norm";
inline constexpr const char* kBertWeights = "model.bert.weights";
inline constexpr const char* kEtcWeights = "model.etc.weights";
inline constexpr const char* kCausalModel = "causal_decoder";
inline constexpr const char* kCausalHead = "model.causal_decoder.head";
inline constexpr const char* kCausalRows = "model.causal_decoder.max_positions";
inline constexpr const char* kCausalNormEps = "model.causal_decoder.norm_eps";
inline constexpr const char* kCausalWeights = "model.causal_decoder.weights";

}  // namespace fathom
