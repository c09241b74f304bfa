// SPDX-License-Identifier: Apache-2.0
#include "core/nn/pretrained/weights_model.h"

namespace fathom {

Result<std::unique_ptr<Model>> modelOfWeights(const std::string& file, const EncoderWeights& weights,
                                              bool lenient) {
  OptionValues options{OptionSchema(nnOptionFields(), nnOptionRules())};
  FATHOM_CHECK(options.merge(weights.options, file, lenient));
  const ModelInputs inputs{{"vocabulary", weights.vocabulary}, {"pad_id", weights.padId}};
  return buildModel(options, inputs, torch::TensorOptions().device(torch::kMeta));
}

}  // namespace fathom
