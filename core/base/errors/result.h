// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <utility>

#include "core/base/errors/error.h"

namespace fathom {

// Either a value or an Error. `return error;` and `return value;` both convert.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : m_value(std::move(value)) {}
  Result(Error error) : m_error(std::move(error)) {}
  bool ok() const { return m_value.has_value(); }
  explicit operator bool() const { return ok(); }
  T& value() & { return check(), *m_value; }
  const T& value() const& { return check(), *m_value; }
  // By value: the result of a temporary Result may be looped over (`for (auto& x : read().value())`).
  T value() && { return check(), *std::move(m_value); }
  const Error& error() const { return m_error.value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }

 private:
  void check() const {
    if (!ok()) throw Failure(error());
  }
  std::optional<T> m_value;
  std::optional<Error> m_error;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : m_error(std::move(error)) {}
  bool ok() const { return !m_error.has_value(); }
  explicit operator bool() const { return ok(); }
  const Error& error() const { return m_error.value(); }
  // Throws Failure when this is an error.
  void value() const {
    if (m_error) throw Failure(*m_error);
  }

 private:
  std::optional<Error> m_error;
};

using Status = Result<void>;

}  // namespace fathom

// Leaves the function with the error, or goes on with the value: FATHOM_TRY(const auto text, readFile(path));
#define FATHOM_TRY_JOIN2(a, b) a##b
#define FATHOM_TRY_JOIN(a, b) FATHOM_TRY_JOIN2(a, b)
#define FATHOM_TRY(declaration, expression)                                                            \
  auto FATHOM_TRY_JOIN(fathomTry, __LINE__) = (expression);                                            \
  if (!FATHOM_TRY_JOIN(fathomTry, __LINE__).ok()) return FATHOM_TRY_JOIN(fathomTry, __LINE__).error(); \
  declaration = std::move(FATHOM_TRY_JOIN(fathomTry, __LINE__)).value()
// The same for Status.
#define FATHOM_CHECK(expression)                                                           \
  do {                                                                                     \
    if (auto fathomStatus = (expression); !fathomStatus.ok()) return fathomStatus.error(); \
  } while (false)
