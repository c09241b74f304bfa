// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace fathom {

// The closed set of error kinds. A new kind is a design decision, not an addition in passing.
enum class ErrorKind { Usage, Data, Resource, Numeric, Interrupted, Internal };

// "usage", "data", ...: the word used in JSON output and logs.
const char* errorKindName(ErrorKind kind);

// An error is a value. `message` names the offending value, file, line or key; `hint` says what to do.
struct Error {
  ErrorKind kind = ErrorKind::Internal;
  std::string message;
  std::string hint;
  std::string file;       // path the error is about, or empty
  std::int64_t line = 0;  // 1-based, 0 = none
  std::string key;        // option key the error is about, or empty

  // "file:line: message (hint)", the one-line form shown to people.
  std::string text() const;
};

Error usageError(std::string message, std::string hint = {});
Error dataError(std::string message, std::string hint = {});
Error dataErrorAt(std::string file, std::int64_t line, std::string message, std::string hint = {});
Error resourceError(std::string message, std::string hint = {});
Error numericError(std::string message, std::string hint = {});
Error interruptedError(std::string message = "stopped on request");
Error internalError(std::string message);
// Resource error with strerror(errnoValue) appended; names the path.
Error systemError(const std::string& what, const std::string& path, int errnoValue);

// Carries an Error through code that uses exceptions (torch folders, constructors). Caught once at thread and
// process boundaries.
class Failure : public std::runtime_error {
 public:
  explicit Failure(Error error);
  const Error& error() const { return m_error; }

 private:
  Error m_error;
};

}  // namespace fathom
