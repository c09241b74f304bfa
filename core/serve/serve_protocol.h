// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/errors/result.h"
#include "core/base/errors/word_table.h"
#include "core/base/json/json.h"

namespace fathom {

// Requests and replies of `fathom-engine serve`, a JSON object a line (docs/serving.md §2). A request:
//   {"v": 1, "id": any text or whole number, "op": "predict", "items": [...], "set": ["predict.beam=5"]}
// An item is a line as `fathom-engine predict` takes it, or an object that the run's task knows. Replies come
// in the order of one client's requests and carry its id:
//   {"v": 1, "id", "ok": true, "run", "checkpoint", "task", "results": [...], "seconds"}
//   {"v": 1, "id", "ok": false, "kind": "data", "error": "...", "error_phrase", "item": index or absent}
// While the model is loaded there are lines {"v": 1, "event": "progress", "phase", "unit", "done", "total"}.
inline constexpr int kServeVersion = 1;

enum class ServeOp {
  Predict,  // outputs, and what they were made of
  Inputs,   // what they would be made of, without the model
  Status,   // what is served and for how long
  End       // the server ends after its reply
};
inline constexpr EnumWord<ServeOp> kServeOps[] = {{ServeOp::Predict, "predict"},
                                                  {ServeOp::Inputs, "inputs"},
                                                  {ServeOp::Status, "status"},
                                                  {ServeOp::End, "end"}};

// Form of an error about one of the items.
inline constexpr Phrase::Text kNumberedItem = Phrase::tr("item %1: %2");

// Upper bounds of what one request may cost.
inline constexpr std::size_t kServeLineBytes = std::size_t{1} << 20;
inline constexpr std::size_t kServeReplyBytes = std::size_t{64} << 20;
inline constexpr std::size_t kServeItems = 64;
inline constexpr double kServeItemSeconds = 60;

struct ServeRequest {
  Json id;
  ServeOp op = ServeOp::Predict;
  std::vector<Json> items;       // texts and objects
  std::vector<std::string> set;  // "key=value" on top of the run's options, of decoding alone
};
// `id` gets the request's id, also where the rest is refused; null where it has none.
Result<ServeRequest> serveRequestFromLine(const std::string& line, Json& id);
std::string serveLine(const ServeRequest& request);

Json serveReply(const Json& id);
Json serveErrorReply(const Json& id, const Error& error);
// The error of a reply that is not ok.
Error serveErrorOf(const Json& reply);

// The socket of the server of a run and checkpoint ("" = the newest), the same for everybody of this user:
// chooseControlSocket (core/record/runs/run_lock.h). Unavailable where there is no folder for it.
Result<std::string> serveSocketPath(const std::string& runPath, const std::string& checkpoint);

}  // namespace fathom
