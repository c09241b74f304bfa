// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>

#include "core/base/errors/result.h"

namespace fathom {

// The end of the line for exceptions: every thread, every slot of a worker and every program runs its work
// through one of these. What is thrown is a value afterwards: Failure carries its own error, no memory and
// no further thread are memory errors, what the system refuses is a resource error, anything else is
// internal.
std::optional<Error> errorThrownBy(const std::function<void()>& work);
// The same for work that has a result.
template <typename T>
Result<T> resultOrError(const std::function<Result<T>()>& work) {
  std::optional<Result<T>> result;
  const auto thrown = errorThrownBy([&] { result.emplace(work()); });
  if (thrown) return *thrown;
  return std::move(*result);
}

}  // namespace fathom
