// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QFile>
#include <QString>

namespace fathom::test {

// Why there is no plug-in of kernels for a card, as the build found it (cmake/CudaKernels.cmake): "no nvcc",
// or one of another CUDA. Empty where there has to be one.
inline QString whyNoCudaKernels() {
  QFile said(QStringLiteral(FATHOM_BIN_DIR "/../kernels/nvcc.txt"));
  if (!said.open(QIODevice::ReadOnly)) return {};
  const QString text = QString::fromUtf8(said.readAll()).trimmed();
  return text.startsWith(QLatin1String("nvcc ")) ? QString() : text;
}

}  // namespace fathom::test
