// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace fathom {

// What a network gives to whoever is put on top of it. A model says which of them it offers
// (ModelEntry::offers), a head which of them it reads (HeadEntry::reads): the head fits a model that offers
// all of them.
enum class Representation {
  Tokens,   // a state for every token of a text, [B, T, d] (EncoderModel::hidden)
  Pooled,   // a vector for a whole text, [B, d] (EncoderModel::pooled)
  States,   // last states of a long and of a global stream, [B, n, d] and [B, g, d] (LongModel::streams)
  Causal,   // a state for every token that knows those before it alone, [B, T, d] (CausalModel)
  Targets,  // states of a target text that is written after a source (SequenceModel)
  Queries,  // derivations of queries from questions and schemas (QueryModel)
};

}  // namespace fathom
