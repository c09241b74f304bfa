// SPDX-License-Identifier: Apache-2.0
#include "core/base/errors/error.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/base/errors/error_key.h"
#include "core/base/errors/word_table.h"

namespace fathom {

namespace {
constexpr EnumWord<ErrorKind> kErrorKinds[] = {{ErrorKind::Usage, "usage"},
                                               {ErrorKind::Data, "data"},
                                               {ErrorKind::Resource, "resource"},
                                               {ErrorKind::Numeric, "numeric"},
                                               {ErrorKind::Interrupted, "interrupted"},
                                               {ErrorKind::Internal, "internal"}};
}  // namespace

const char* errorKindName(ErrorKind kind) {
  return wordOf(kErrorKinds, kind);
}

namespace {
Phrase unlessChanged(const ErrorWords& made, const std::string& english) {
  return made.phrase.english() == english ? made.phrase : Phrase::words(english);
}
}  // namespace

Phrase Error::messagePhrase() const {
  return unlessChanged(made, message);
}

Phrase Error::hintPhrase() const {
  return unlessChanged(advice, hint);
}

Phrase Error::phrase() const {
  std::string place;
  // Many messages name the file themselves; the line is told in any case.
  if (!file.empty() && (line > 0 || message.find(file) == std::string::npos)) {
    place = file;
    if (line > 0) place += ":" + std::to_string(line);
    place += ": ";
  }
  Phrase all = messagePhrase();
  if (!place.empty()) all = Phrase::list({Phrase::words(place), std::move(all)}, "");
  if (!hint.empty()) {
    all = Phrase::list({std::move(all), hintPhrase()}, " (");
    all.text += ")";
  }
  return all;
}

namespace {
Error make(ErrorKind kind, ErrorWords message, ErrorWords hint) {
  Error error;
  error.kind = kind;
  error.message = message.phrase.english();
  error.hint = hint.phrase.english();
  error.made = std::move(message);
  error.advice = std::move(hint);
  return error;
}
Error makeResource(ResourceKind resource, ErrorWords message, ErrorWords hint) {
  Error error = make(ErrorKind::Resource, std::move(message), std::move(hint));
  error.resource = resource;
  return error;
}
}  // namespace

Error usageError(ErrorWords message, ErrorWords hint) {
  return make(ErrorKind::Usage, std::move(message), std::move(hint));
}
Error dataError(ErrorWords message, ErrorWords hint) {
  return make(ErrorKind::Data, std::move(message), std::move(hint));
}
Error dataErrorAt(std::string file, std::int64_t line, ErrorWords message, ErrorWords hint) {
  Error error = make(ErrorKind::Data, std::move(message), std::move(hint));
  error.file = std::move(file);
  error.line = line;
  return error;
}
Error diskError(ErrorWords message, ErrorWords hint) {
  return makeResource(ResourceKind::Disk, std::move(message), std::move(hint));
}
Error memoryError(ErrorWords message, ErrorWords hint) {
  return makeResource(ResourceKind::HostMemory, std::move(message), std::move(hint));
}
Error deviceMemoryError(ErrorWords message, ErrorWords hint) {
  return makeResource(ResourceKind::DeviceMemory, std::move(message), std::move(hint));
}
Error deviceFaultError(ErrorWords message, ErrorWords hint) {
  return makeResource(ResourceKind::DeviceFault, std::move(message), std::move(hint));
}
Error unavailableError(ErrorWords message, ErrorWords hint) {
  return makeResource(ResourceKind::Unavailable, std::move(message), std::move(hint));
}
Error numericError(ErrorWords message, ErrorWords hint) {
  return make(ErrorKind::Numeric, std::move(message), std::move(hint));
}
Error interruptedError(ErrorWords message) {
  return make(ErrorKind::Interrupted, std::move(message), {});
}
Error internalError(ErrorWords message) {
  return make(ErrorKind::Internal, std::move(message), {});
}
namespace {

// Advice for a person about an error of the system.
Phrase adviceFor(int errnoValue) {
  switch (errnoValue) {
    case ENOSPC:
    case EDQUOT:
      return Phrase::tr("make room on that disk, then try again");
    case EFBIG:
      return Phrase::tr("files may not grow further here: raise the limit (ulimit -f) or use another disk");
    case EACCES:
    case EPERM:
    case EROFS:
      return Phrase::tr("change its permissions, or use a copy in a folder you can write to");
    default:
      return {};
  }
}

}  // namespace

Error systemError(const ErrorWords& what, const std::string& path, int errnoValue) {
  return aboutFile(path,
                   makeResource(errnoValue == ENOMEM ? ResourceKind::HostMemory : ResourceKind::Disk,
                                Phrase::list({what.phrase, Phrase::words(std::strerror(errnoValue))}, ": "),
                                adviceFor(errnoValue)));
}

Error inputError(const ErrorWords& what, const std::string& path, int errnoValue) {
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
