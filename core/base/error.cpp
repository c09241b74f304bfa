// SPDX-License-Identifier: Apache-2.0
#include "core/base/error.h"

#include <cerrno>
#include <cstring>
#include <utility>

namespace fathom {

const char* errorKindName(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Usage:
      return "usage";
    case ErrorKind::Data:
      return "data";
    case ErrorKind::Resource:
      return "resource";
    case ErrorKind::Numeric:
      return "numeric";
    case ErrorKind::Interrupted:
      return "interrupted";
    case ErrorKind::Internal:
      return "internal";
  }
  return "internal";
}

std::string Error::text() const {
  std::string result;
  // Many messages name the file themselves; the line is told in any case.
  if (!file.empty() && (line > 0 || message.find(file) == std::string::npos)) {
    result += file;
    if (line > 0) result += ":" + std::to_string(line);
    result += ": ";
  }
  result += message;
  if (!hint.empty()) result += " (" + hint + ")";
  return result;
}

namespace {
Error make(ErrorKind kind, std::string message, std::string hint) {
  Error error;
  error.kind = kind;
  error.message = std::move(message);
  error.hint = std::move(hint);
  return error;
}
Error makeResource(ResourceKind resource, std::string message, std::string hint) {
  Error error = make(ErrorKind::Resource, std::move(message), std::move(hint));
  error.resource = resource;
  return error;
}
}  // namespace

Error usageError(std::string message, std::string hint) {
  return make(ErrorKind::Usage, std::move(message), std::move(hint));
}
Error dataError(std::string message, std::string hint) {
  return make(ErrorKind::Data, std::move(message), std::move(hint));
}
Error dataErrorAt(std::string file, std::int64_t line, std::string message, std::string hint) {
  Error error = make(ErrorKind::Data, std::move(message), std::move(hint));
  error.file = std::move(file);
  error.line = line;
  return error;
}
Error diskError(std::string message, std::string hint) {
  return makeResource(ResourceKind::Disk, std::move(message), std::move(hint));
}
Error memoryError(std::string message, std::string hint) {
  return makeResource(ResourceKind::HostMemory, std::move(message), std::move(hint));
}
Error deviceMemoryError(std::string message, std::string hint) {
  return makeResource(ResourceKind::DeviceMemory, std::move(message), std::move(hint));
}
Error deviceFaultError(std::string message, std::string hint) {
  return makeResource(ResourceKind::DeviceFault, std::move(message), std::move(hint));
}
Error unavailableError(std::string message, std::string hint) {
  return makeResource(ResourceKind::Unavailable, std::move(message), std::move(hint));
}
Error numericError(std::string message, std::string hint) {
  return make(ErrorKind::Numeric, std::move(message), std::move(hint));
}
Error interruptedError(std::string message) {
  return make(ErrorKind::Interrupted, std::move(message), {});
}
Error internalError(std::string message) {
  return make(ErrorKind::Internal, std::move(message), {});
}
namespace {

// What a person can do about it.
const char* adviceFor(int errnoValue) {
  switch (errnoValue) {
    case ENOSPC:
    case EDQUOT:
      return "make room on that disk, then try again";
    case EFBIG:
      return "files may not grow further here: raise the limit (ulimit -f) or use another disk";
    case EACCES:
    case EPERM:
    case EROFS:
      return "change its permissions, or use a copy in a folder you can write to";
    default:
      return "";
  }
}

}  // namespace

Error systemError(const std::string& what, const std::string& path, int errnoValue) {
  Error error = makeResource(errnoValue == ENOMEM ? ResourceKind::HostMemory : ResourceKind::Disk,
                             what + ": " + std::strerror(errnoValue), adviceFor(errnoValue));
  error.file = path;
  return error;
}

Error inputError(const std::string& what, const std::string& path, int errnoValue) {
  Error error = systemError(what, path, errnoValue);
  for (const int code : {ENOENT, ENOTDIR, EISDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG, ENXIO})
    if (errnoValue == code) error.resource = ResourceKind::Unavailable;
  return error;
}

bool isDiskError(const Error& error) {
  return error.kind == ErrorKind::Resource && error.resource == ResourceKind::Disk;
}

Failure::Failure(Error error) : std::runtime_error(error.text()), m_error(std::move(error)) {}

}  // namespace fathom
