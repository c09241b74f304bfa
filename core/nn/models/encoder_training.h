// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "core/base/errors/word_table.h"
#include "core/nn/parameter_store.h"

namespace fathom {

// What of a pre-trained encoder learns: everything, its top layers, nothing.
enum class EncoderTraining { Whole, Top, None };
inline constexpr EnumWord<EncoderTraining> kEncoderTrainings[] = {
    {EncoderTraining::Whole, "trained", "Trained"},
    {EncoderTraining::Top, "top", "Its top layers are trained"},
    {EncoderTraining::None, "frozen", "Frozen"}};

// Parameters that do not learn ask for no gradient. Called while the store holds the encoder alone, which has
// `layers` layers; of Top the uppermost `trained` learn, with the norm above a Pre-LN stack.
void freezeEncoder(ParameterStore& store, EncoderTraining training, std::int64_t layers,
                   std::int64_t trained);

}  // namespace fathom
