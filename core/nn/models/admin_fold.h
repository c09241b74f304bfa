// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <map>
#include <string>

#include "core/base/errors/result.h"
#include "core/nn/models/model.h"

namespace fathom {

// Plain Post-LN weights that compute what an Admin model computes (Admin App. C; docs/residual_schemes.md
// §4): omega_i goes into the norm below sub-layer i and is divided out of the maps that read it
// (encoder-decoder attention: the query map alone). The first sub-layer of a stack has no norm below it: its
// omega goes into the norm of the embedded input where the model has one (BERT), else into the stack's own
// token table; the caller then multiplies position tables by it. `weights`: parameters by name, without the
// omegas; stacks under other schemes are left alone. Usage error where the input of a stack cannot take the
// first omega (shared or tied tables), numeric error for an omega of 0.
Result<std::map<std::string, torch::Tensor>> foldAdmin(const Model& admin);

}  // namespace fathom
