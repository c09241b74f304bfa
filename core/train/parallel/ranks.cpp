// SPDX-License-Identifier: Apache-2.0
#include "core/train/parallel/ranks.h"

#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "core/base/text/text_list.h"
#include "core/train/parallel/rank_variables.h"

namespace fathom {

namespace {

constexpr int kMostRanks = 65536;

Result<int> numberIn(const EnvironmentLook& look, const char* name, int least, int most) {
  const std::string text = look(name).value_or("");
  int value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = code == std::errc() && end == text.data() + text.size();
  if (number && value >= least && value <= most) return value;
  return usageError(
      Phrase::tr("environment variable %1: '%2' is not a number from %3 to %4")(name, text, least, most),
      Phrase::tr("start all ranks with the same starter, or without its variables"));
}

// Both or neither.
Status checkWhole(const EnvironmentLook& look) {
  std::vector<std::string> there, missing;
  for (const char* name : {kRankVariable, kSizeVariable, kAddressVariable, kPortVariable})
    (look(name) ? there : missing).emplace_back(name);
  if (missing.empty()) return {};
  return usageError(Phrase::tr("the environment names a rank by half: %1 without %2")(joined(there, ", "),
                                                                                      joined(missing, ", ")),
                    Phrase::tr("set all of them, as torchrun does, or unset RANK and WORLD_SIZE"));
}

Result<Ranks> namedRanks(const EnvironmentLook& look) {
  FATHOM_CHECK(checkWhole(look));
  Ranks ranks;
  FATHOM_TRY(ranks.size, numberIn(look, kSizeVariable, 1, kMostRanks));
  FATHOM_TRY(ranks.rank, numberIn(look, kRankVariable, 0, ranks.size - 1));
  FATHOM_TRY(ranks.port, numberIn(look, kPortVariable, 1, 65535));
  ranks.address = *look(kAddressVariable);
  ranks.localRank = ranks.rank;
  ranks.localSize = ranks.size;
  if (look(kLocalSizeVariable)) {
    FATHOM_TRY(ranks.localSize, numberIn(look, kLocalSizeVariable, 1, ranks.size));
  }
  if (look(kLocalRankVariable)) {
    FATHOM_TRY(ranks.localRank, numberIn(look, kLocalRankVariable, 0, ranks.localSize - 1));
  }
  const bool ours = look(kOursVariable).has_value();
  ranks.starter = ours ? Ranks::Starter::Ourselves : Ranks::Starter::Torchrun;
  ranks.metElsewhere = look("TORCHELASTIC_USE_AGENT_STORE").value_or("") == "True";
  ranks.life = look("TORCHELASTIC_RESTART_COUNT").value_or("0");
  return ranks;
}

// Ports of steps of different jobs on one machine seldom meet.
int portOfJob(std::int64_t job) {
  return static_cast<int>(20000 + job % 20000);
}

Result<Ranks> slurmRanks(const EnvironmentLook& look) {
  Ranks ranks;
  FATHOM_TRY(ranks.size, numberIn(look, "SLURM_STEP_NUM_TASKS", 1, kMostRanks));
  FATHOM_TRY(ranks.rank, numberIn(look, "SLURM_PROCID", 0, ranks.size - 1));
  FATHOM_TRY(ranks.localRank, numberIn(look, "SLURM_LOCALID", 0, ranks.size - 1));
  FATHOM_TRY(const int nodes, numberIn(look, "SLURM_STEP_NUM_NODES", 1, kMostRanks));
  FATHOM_TRY(const int job, numberIn(look, "SLURM_JOB_ID", 0, 2147483647));
  ranks.localSize = (ranks.size + nodes - 1) / nodes;
  // Names of nodes need not be those by which machines reach each other.
  ranks.address = look(kAddressVariable).value_or(firstHostOf(look("SLURM_STEP_NODELIST").value_or("")));
  if (ranks.address.empty())
    return usageError(Phrase::tr("environment variable SLURM_STEP_NODELIST names no machine"),
                      Phrase::tr("start the ranks with srun"));
  ranks.port = portOfJob(job);
  if (look(kPortVariable)) {
    FATHOM_TRY(ranks.port, numberIn(look, kPortVariable, 1, 65535));
  }
  ranks.starter = Ranks::Starter::Slurm;
  ranks.life = look("SLURM_RESTART_COUNT").value_or("0") + "." + look("SLURM_STEP_ID").value_or("0");
  return ranks;
}

}  // namespace

EnvironmentLook processEnvironment() {
  return [](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);
    if (value == nullptr) return std::nullopt;
    return std::string(value);
  };
}

Result<Ranks> ranksOf(const EnvironmentLook& look) {
  if (look(kRankVariable) || look(kSizeVariable)) {
    FATHOM_TRY(Ranks named, namedRanks(look));
    if (named.alone()) return Ranks();
    return named;
  }
  const std::string tasks = look("SLURM_STEP_NUM_TASKS").value_or("1");
  if (!look("SLURM_STEP_ID") || tasks == "1") return Ranks();
  return slurmRanks(look);
}

std::string firstHostOf(const std::string& list) {
  const auto comma = list.find(','), open = list.find('[');
  if (open == std::string::npos || comma < open) return list.substr(0, comma);
  const auto close = list.find(']', open);
  const auto number = list.find_first_of(",-]", open);
  if (close == std::string::npos) return {};
  std::string rest = list.substr(close + 1);
  return list.substr(0, open) + list.substr(open + 1, number - open - 1) + rest.substr(0, rest.find(','));
}

}  // namespace fathom
