// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/glue/glue_sample.h"

#include "core/tasks/reading_sample.h"
#include "core/tasks/sample_facts.h"

namespace fathom {

namespace {

constexpr std::size_t kFactsTold = 2;

Json claim(RandomStream& random, SamplePieces& pieces) {
  const std::vector<SampleFact> facts = drawSampleFacts(random, drawSampleSubject(random), kFactsTold);
  const SampleFact& told = facts[static_cast<std::size_t>(random.below(facts.size()))];
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

ReadingSample maker() {
  return {"glue.sample",
          ".tsv",
          {6000, 400, 400},
          {240, 40, 40},
          claim,
          tableText,
          {{"glue.task", "rte"}, {"glue.test_labels", true}}};
}

}  // namespace

Json glueSampleFiles(const std::string& folder) {
  return readingSampleFiles(maker(), folder);
}

Result<TaskSample> writeGlueSample(const std::string& folder, std::uint64_t seed, SampleSize size) {
  return writeReadingSample(maker(), folder, seed, size);
}

}  // namespace fathom
