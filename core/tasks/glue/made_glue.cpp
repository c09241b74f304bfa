// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/made_glue.h"

#include "core/tasks/made_facts.h"
#include "core/tasks/made_reading.h"

namespace fathom {

namespace {

constexpr std::size_t kFactsOfGlue = 2;

Json claim(RandomStream& random, MadePieces& pieces) {
  const std::vector<MadeFact> facts = drawMadeFacts(random, drawMadeSubject(random), kFactsOfGlue);
  const MadeFact& told = facts[static_cast<std::size_t>(random.below(facts.size()))];
  const bool entailed = random.below(2) == 0;
  const std::string first = factStatements(facts);
  const std::string second = factStatement(entailed ? told : contraryOf(random, told));
  pieces.add(first);
  pieces.add(second);
  return first + "\t" + second + "\t" + (entailed ? "entailment" : "not_entailment");
}

std::string tableText(const std::string&, const std::vector<Json>& rows) {
  std::string text = "index\tsentence1\tsentence2\tlabel\n";
  for (std::size_t i = 0; i < rows.size(); ++i)
    text += std::to_string(i) + "\t" + rows[i].get<std::string>() + "\n";
  return text;
}

MadeReading glueMaker() {
  return {"glue.sample",
          ".tsv",
          {6000, 400, 400},
          {240, 40, 40},
          claim,
          tableText,
          {{"glue.task", "rte"}, {"glue.test_labels", true}}};
}

}  // namespace

Json madeGlueFiles(const std::string& folder) {
  return madeReadingFiles(glueMaker(), folder);
}

Result<MadeData> writeMadeGlue(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  return writeMadeReading(glueMaker(), folder, seed, size);
}

}  // namespace fathom
