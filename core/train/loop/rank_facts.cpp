// SPDX-License-Identifier: Apache-2.0
#include "core/train/loop/rank_facts.h"

#include <ATen/Version.h>

#include "core/base/errors/phrase.h"
#include "core/base/json/json_text.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/text_list.h"
#include "core/train/state/checkpoint.h"

namespace fathom {

namespace {

// Role of the first part of the data that is not the same.
std::string otherData(const Json& first, const Json& own) {
  for (const Json& there : first)
    for (const Json& here : own)
      if (there.at("role") == here.at("role") && there.at("sha256") != here.at("sha256"))
        return here.at("role").get<std::string>();
  return {};
}

// The first line in which two texts differ, of either.
std::pair<std::string, std::string> otherLine(const std::string& first, const std::string& own) {
  LinesOf there(first), here(own);
  while (true) {
    std::string_view theirs, ours;
    const bool more = there.next(theirs), moreHere = here.next(ours);
    if (theirs != ours || (!more && !moreHere)) return {std::string(theirs), std::string(ours)};
  }
}

Status compareWithFirst(const Json& first, const Json& own, const std::string& rank) {
  const auto programs =
      std::pair(first.at("program").get<std::string>(), own.at("program").get<std::string>());
  if (programs.first != programs.second)
    return usageError(
        Phrase::tr("%1 is another program: %2 instead of %3")(rank, programs.second, programs.first),
        Phrase::tr("install one version on all machines"));
  if (first.at("torch") != own.at("torch")) {
    const auto [theirs, ours] =
        otherLine(first.at("torch").get<std::string>(), own.at("torch").get<std::string>());
    return usageError(Phrase::tr("%1 has another LibTorch: %2 instead of %3")(rank, ours, theirs),
                      Phrase::tr("install one version on all machines"));
  }
  const auto differences = configDifferences(first.at("options"), own.at("options"));
  if (!differences.empty())
    return usageError(Phrase::tr("%1 has other options: %2")(rank, joined(differences, "; ")),
                      Phrase::tr("start all ranks with one configuration"));
  if (const std::string role = otherData(first.at("data"), own.at("data")); !role.empty())
    return dataError(Phrase::tr("%1 reads other data: %2")(rank, role),
                     Phrase::tr("bring the same files to all machines"));
  return {};
}

}  // namespace

Json rankFacts(const OptionValues& options, const Json& data, const std::string& program) {
  Json alike = options.effective();
  for (const OptionField& field : options.schema().fields())
    if (field.type == OptionType::Path) alike.erase(field.key);
  return {{"program", program}, {"torch", torchBuild()}, {"options", std::move(alike)}, {"data", data}};
}

std::string torchBuild() {
  const std::string all = at::show_config();
  std::string build;
  LinesOf lines(all);
  for (std::string_view line; lines.next(line);)
    if (line.find("CPU capability") == std::string_view::npos) build += std::string(line) + "\n";
  return build;
}

void compareFacts(GradientExchange& exchange, const Json& mine) {
  const std::vector<std::string> all = exchange.collect(jsonText(mine));
  exchange.gather({0.0});  // everybody has read before rank 0, at whose place they meet, may leave
  const Json first = parseJson(all.front()).value();
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    compareWithFirst(first, parseJson(all[rank]).value(), exchange.nameOf(static_cast<int>(rank))).value();
}

}  // namespace fathom
