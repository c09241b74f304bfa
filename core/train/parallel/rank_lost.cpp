// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/rank_lost.h"

#include <array>

#include "core/base/errors/error_words.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"

namespace fathom {

namespace {

constexpr std::array kEndKinds = {ErrorKind::Usage,   ErrorKind::Data,        ErrorKind::Resource,
                                  ErrorKind::Numeric, ErrorKind::Interrupted, ErrorKind::Internal};
constexpr std::array kEndResources = {ResourceKind::Disk, ResourceKind::HostMemory,
                                      ResourceKind::DeviceMemory, ResourceKind::DeviceFault,
                                      ResourceKind::Unavailable};

// The value at a place that was told by another process of the same version.
template <typename Values>
auto valueAt(const Values& values, std::int64_t at) {
  const bool there = at >= 0 && at < static_cast<std::int64_t>(values.size());
  return values[there ? static_cast<std::size_t>(at) : values.size() - 1];
}

RankEnd lostWith(const std::string& words) {
  return {unavailableError(Phrase::words(words)), true};
}

}  // namespace

std::string rankEndText(const RankEnd& end) {
  const Error& error = end.error;
  Json json = {{"lost", end.lost},
               {"kind", static_cast<int>(error.kind)},
               {"resource", static_cast<int>(error.resource)},
               {"file", error.file},
               {"line", error.line},
               {"key", error.key}};
  writePhrase(json, "message", error.messagePhrase());
  writePhrase(json, "hint", error.hintPhrase());
  return jsonText(json);
}

RankEnd rankEndFrom(const std::string& text) {
  const auto json = parseJson(text);
  if (!json.ok() || !json->is_object()) return lostWith(text);
  RankEnd end;
  end.lost = memberFlag(*json, "lost", true);
  end.error = withHint(withMessage({}, readPhrase(*json, "message")), readPhrase(*json, "hint"));
  end.error.kind = valueAt(kEndKinds, memberInteger(*json, "kind"));
  end.error.resource = valueAt(kEndResources, memberInteger(*json, "resource"));
  end.error.file = memberText(*json, "file");
  end.error.line = memberInteger(*json, "line");
  end.error.key = memberText(*json, "key");
  return end;
}

void throwLost(const Phrase& message, const Error& by) {
  if (by.hint.empty()) throw RankLost(message);
  throw RankLost(message, by.hintPhrase());
}

void endWith(const std::string& rank, const RankEnd& end) {
  if (end.lost) throwLost(Phrase::tr("%1: %2")(rank, end.error.messagePhrase()), end.error);
  throw OtherRankFailed(withMessage(end.error, Phrase::tr("%1: %2")(rank, end.error.messagePhrase())));
}

}  // namespace fathom
