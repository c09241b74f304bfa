// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/torch/support_layer_case.h"

// Comparisons of whole models with cases of the layers fixtures: the running test function fails with the
// first array that differs.
namespace fathom::fixtures {

// Everything the case stores under activation.
void compareActivations(const TensorCase& layerCase, const ActivationRecorder& recorder, double tolerance);
// Gradients of all parameters of the store, which has gone backward.
void compareGradients(const TensorCase& layerCase, const ParameterStore& store, double tolerance);
void compareOne(const TensorCase& layerCase, const torch::Tensor& own, const std::string& key,
                double tolerance);
// Inputs, activations, logits, losses, gradients and the other chains of an encoder_decoder case.
void checkTranslation(const TensorCase& layerCase, double outputs, double gradients);

}  // namespace fathom::fixtures
