// SPDX-License-Identifier: Apache-2.0
#include "core/nn/models/encoder_model.h"

#include "core/base/errors/error.h"
#include "core/base/errors/phrase.h"
#include "core/nn/models/word_head.h"

namespace fathom {

void EncoderModel::putHead(const HeadEntry& entry, const HeadSite& site) {
  m_headEntry = &entry;
  m_head = entry.make(site);
}

void EncoderModel::refuseHead() const {
  throw Failure(usageError(Phrase::tr("the head '%1' does not answer this task")(headEntry().id),
                           Phrase::tr("choose the head of the task")));
}

torch::Tensor EncoderModel::maskedHidden(const torch::Tensor& hidden, const torch::Tensor& positions) const {
  return head<WordHead>().hidden(hidden, positions);
}
torch::Tensor EncoderModel::maskedWeight() const {
  return head<WordHead>().weight();
}
torch::Tensor EncoderModel::maskedBias() const {
  return head<WordHead>().bias();
}
bool EncoderModel::hasNextSentence() const {
  const auto* words = headAs<WordHead>();
  return words != nullptr && words->hasNext();
}
torch::Tensor EncoderModel::nextSentenceLogits(const torch::Tensor& pooled) const {
  return head<WordHead>().nextLogits(pooled);
}
torch::Tensor EncoderModel::taskLogits(const torch::Tensor& hidden, const StepContext& context) const {
  return head<TextHead>().logits(*this, hidden, context);
}

torch::Tensor EncoderModel::frozenStates(const TextBatch&) const {
  throw Failure(internalError("nothing of the model '" + id() + "' is frozen"));
}
torch::Tensor EncoderModel::headStatesAbove(const torch::Tensor&, const TextBatch&,
                                            const StepContext&) const {
  throw Failure(internalError("nothing of the model '" + id() + "' is frozen"));
}

}  // namespace fathom
