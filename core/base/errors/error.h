// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "core/base/errors/phrase.h"

namespace fathom {

// The closed set of error kinds. A new kind is a design decision, not an addition in passing.
enum class ErrorKind { Usage, Data, Resource, Numeric, Interrupted, Internal };

// "usage", "data", ...: the word used in JSON output and logs.
const char* errorKindName(ErrorKind kind);

// Cause of an error of kind Resource. Closed like the kinds, set where the error is made: it decides
// the exit code (core/record/runs/exit_code.h), never the words of the message.
enum class ResourceKind {
  Disk,          // no room, no right to write, a size limit, reading or writing that fails halfway
  HostMemory,    // memory of the machine
  DeviceMemory,  // memory of an accelerator
  DeviceFault,   // an accelerator failed while it was used: starting again can mend it
  Unavailable,   // what was named cannot be used as it is: missing, unreadable, in use by somebody else
};

// Words of an error or its advice: a phrase where a window is to say it in its own language, else English.
struct ErrorWords {
  ErrorWords() = default;
  ErrorWords(const char* english) : phrase(std::string(english)) {}  // NOLINT(google-explicit-constructor)
  ErrorWords(std::string english) : phrase(std::move(english)) {}    // NOLINT(google-explicit-constructor)
  ErrorWords(Phrase::Text marked) : phrase(marked) {}                // NOLINT(google-explicit-constructor)
  ErrorWords(Phrase words) : phrase(std::move(words)) {}             // NOLINT(google-explicit-constructor)
  Phrase phrase;
};

// An error is a value. `message` names the offending value, file, line or key; `hint` says what to do.
struct Error {
  ErrorKind kind = ErrorKind::Internal;
  ResourceKind resource = ResourceKind::Disk;  // of kind Resource only
  std::string message;
  std::string hint;
  std::string file;       // path the error is about, or empty
  std::int64_t line = 0;  // 1-based, 0 = none
  std::string key;        // option key the error is about, or empty

  ErrorWords made, advice;  // message and hint as they were made

  // "file:line: message (hint)", the one-line form shown to people.
  std::string text() const { return phrase().english(); }
  // The same for a window that speaks another language. What was changed in message and hint since they were
  // made is English.
  Phrase phrase() const;
  Phrase messagePhrase() const;
  Phrase hintPhrase() const;
};

Error usageError(ErrorWords message, ErrorWords hint = {});
Error dataError(ErrorWords message, ErrorWords hint = {});
Error dataErrorAt(std::string file, std::int64_t line, ErrorWords message, ErrorWords hint = {});
Error diskError(ErrorWords message, ErrorWords hint = {});
Error memoryError(ErrorWords message, ErrorWords hint = {});
Error deviceMemoryError(ErrorWords message, ErrorWords hint = {});
Error deviceFaultError(ErrorWords message, ErrorWords hint = {});
Error unavailableError(ErrorWords message, ErrorWords hint = {});
Error numericError(ErrorWords message, ErrorWords hint = {});
Error interruptedError(ErrorWords message = Phrase::tr("stopped on request"));
Error internalError(ErrorWords message);
// Resource error with strerror(errnoValue) appended; names the path. ENOMEM is memory, everything else the
// disk.
Error systemError(const ErrorWords& what, const std::string& path, int errnoValue);
// The same for something that was named and is to be read: absent, a folder, or not permitted is Unavailable,
// only reading that fails otherwise is the disk's fault.
Error inputError(const ErrorWords& what, const std::string& path, int errnoValue);
// True if waiting for room or another try can help: a resource error of the disk.
bool isDiskError(const Error& error);

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
