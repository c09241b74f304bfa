// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// The options of BERT and of ETC that weights are read by and written with; nobody else outside of
// core/nn/models names them (tests/architecture/tst_model_seam.cpp).
inline constexpr const char* kBertHead = "model.bert.head";
inline constexpr const char* kBertHeadInput = "model.bert.head_input";
inline constexpr const char* kBertPositions = "model.bert.positions";
inline constexpr const char* kBertRows = "model.bert.max_positions";
inline constexpr const char* kBertSegments = "model.bert.segments";
inline constexpr const char* kBertNormEps = "model.bert.norm_eps";
inline constexpr const char* kBertInputNorm = "model.bert.embedding_layer_norm";
inline constexpr const char* kBertWeights = "model.bert.weights";
inline constexpr const char* kEtcWeights = "model.etc.weights";

}  // namespace fathom
