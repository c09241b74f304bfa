// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/errors/result.h"

namespace fathom {

// The numbers of one micro-batch on the host: what LossTerms are once they are read.
struct TermNumbers {
  struct Sum {
    std::string name;  // is not part of a message
    double sum = 0, count = 0;
    bool operator==(const Sum&) const = default;
  };
  std::int64_t microBatch = 0;  // place in the update
  double loss = 0, units = 0;
  std::vector<Sum> sums;
  bool operator==(const TermNumbers&) const = default;
};

// Numbers of a rank's micro-batches as a message that has one length on all ranks: room for `slots` of them.
std::vector<double> packedTerms(const std::vector<TermNumbers>& terms, std::size_t slots);
std::size_t packedTermsLength(std::size_t slots);
// Adds those of a message that starts at `at`.
void unpackTerms(const double* at, std::vector<TermNumbers>& terms);
// Into the order of the update.
void orderTerms(std::vector<TermNumbers>& terms);

}  // namespace fathom
