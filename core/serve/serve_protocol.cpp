// SPDX-License-Identifier: Apache-2.0
#include "core/serve/serve_protocol.h"

#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_text.h"
#include "core/base/json/phrase_json.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr std::size_t kIdBytes = 200;
constexpr std::size_t kNameLetters = 30;  // with "serve-" before them as long as a run's uuid

Error badRequest(const Phrase& message) {
  return usageError(message, Phrase::tr("a request is one line: a JSON object with id, op and items"));
}

Result<std::vector<Json>> itemsOf(const Json& request) {
  const Json& list = memberList(request, "items");
  if (list.empty()) return badRequest(Phrase::tr("\"items\" is no list with items"));
  if (list.size() > kServeItems)
    return badRequest(Phrase::tr("%1 items; a request has at most %2")(list.size(), kServeItems));
  std::vector<Json> items;
  for (const Json& item : list) {
    if (!item.is_string() && !item.is_object())
      return badRequest(Phrase::tr("item %1 is neither a text nor an object")(items.size()));
    items.push_back(item);
  }
  return items;
}

Result<std::vector<std::string>> assignmentsOf(const Json& request) {
  std::vector<std::string> all;
  for (const Json& one : memberList(request, "set")) {
    if (!one.is_string()) return badRequest(Phrase::tr("\"set\" holds something else than texts"));
    all.push_back(one.get<std::string>());
  }
  return all;
}

}  // namespace

Result<ServeRequest> serveRequestFromLine(const std::string& line, Json& id) {
  id = nullptr;
  JsonLimits limits;
  limits.maxBytes = kServeLineBytes;
  const auto json = parseJson(line, {}, limits);
  if (!json.ok()) return badRequest(Phrase::tr("the request is no JSON: %1")(json.error().messagePhrase()));
  if (!json->is_object()) return badRequest(Phrase::tr("the request is no object"));
  const Json named = json->value("id", Json());
  const bool sound = named.is_number_integer() ||
                     (named.is_string() && named.get_ref<const std::string&>().size() <= kIdBytes);
  if (!named.is_null() && !sound)
    return badRequest(Phrase::tr("\"id\" is neither a whole number nor a short text"));
  id = named;
  if (const auto version = memberInteger(*json, "v"); version != kServeVersion)
    return badRequest(
        Phrase::tr("version %1 of the protocol is not known; this is version %2")(version, kServeVersion));
  ServeRequest request;
  request.id = id;
  const std::string op = memberText(*json, "op");
  const auto known = findWord(kServeOps, op);
  if (!known) return badRequest(Phrase::tr("there is no request \"%1\"")(op.substr(0, 40)));
  request.op = *known;
  if (request.op == ServeOp::Predict || request.op == ServeOp::Inputs) {
    FATHOM_TRY(request.items, itemsOf(*json));
    FATHOM_TRY(request.set, assignmentsOf(*json));
  }
  return request;
}

std::string serveLine(const ServeRequest& request) {
  Json json = {{"v", kServeVersion}, {"id", request.id}, {"op", wordOf(kServeOps, request.op)}};
  if (!request.items.empty()) json["items"] = request.items;
  if (!request.set.empty()) json["set"] = request.set;
  return jsonText(json) + "\n";
}

Json serveReply(const Json& id) {
  return {{"v", kServeVersion}, {"id", id}, {"ok", true}};
}

Json serveErrorReply(const Json& id, const Error& error) {
  Json json = {{"v", kServeVersion}, {"id", id}, {"ok", false}, {"kind", errorKindName(error.kind)}};
  writePhrase(json, "error", error.phrase());
  return json;
}

Error serveErrorOf(const Json& reply) {
  const Phrase words = readPhrase(reply, "error");
  const std::string kind = memberText(reply, "kind");
  for (const ErrorKind each :
       {ErrorKind::Usage, ErrorKind::Data, ErrorKind::Numeric, ErrorKind::Interrupted, ErrorKind::Internal}) {
    if (kind != errorKindName(each)) continue;
    Error error = dataError(words);
    error.kind = each;
    return error;
  }
  return unavailableError(words);
}

Result<std::string> serveSocketPath(const std::string& runPath, const std::string& checkpoint) {
  const std::string what = absolutePath(runPath) + '\n' + checkpoint;
  const ControlSocket socket = chooseControlSocket("serve-" + sha256Hex(what).substr(0, kNameLetters));
  if (!socket.path.empty()) return socket.path;
  return unavailableError(Phrase::tr("there is no folder for the socket of a server"),
                          Phrase::tr("name one with --socket"));
}

}  // namespace fathom
