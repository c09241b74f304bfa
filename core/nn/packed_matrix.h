// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <torch/types.h>

#include <cstdint>

namespace fathom {

// A matrix [inner, columns] that many products of few rows multiply with, as the steps of a recurrence do. A
// matrix library lays its factor out anew in every one of them, which then takes as long as the product. Here
// it is done once where the processor has vectors (kVectorPass): panels of 16 columns, each inner row after
// row. Every sum runs in a fixed order, whatever the number of threads. No gradients; elsewhere the plain
// operations. Any thread.
class PackedMatrix {
 public:
  explicit PackedMatrix(const torch::Tensor& matrix);
  std::int64_t inner() const { return m_inner; }
  std::int64_t columns() const { return m_columns; }

  // x [rows, inner] M, written into out [rows, columns], or added to it. The entries of a row of either lie
  // side by side, their rows anywhere; they share no memory.
  void multiply(const torch::Tensor& x, const torch::Tensor& out) const { run(x, out, false); }
  void addProduct(const torch::Tensor& x, const torch::Tensor& out) const { run(x, out, true); }
  torch::Tensor times(const torch::Tensor& x) const;  // a new tensor [rows, columns]

 private:
  void run(const torch::Tensor& x, const torch::Tensor& out, bool add) const;

  std::int64_t m_inner, m_columns;
  torch::Tensor m_plain;   // where the plain operations are taken
  torch::Tensor m_panels;  // [panels, inner, 16], zeros behind the last column
};

}  // namespace fathom
