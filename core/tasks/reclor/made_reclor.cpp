// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/reclor/made_reclor.h"

#include <algorithm>

#include "core/tasks/made_facts.h"
#include "core/tasks/made_reading.h"

namespace fathom {

namespace {

constexpr std::size_t kFactsOfReclor = 3, kAnswers = 4;
constexpr const char* kQuestion = "Which one of the following is told?";

Json questionWithAnswers(RandomStream& random, MadePieces& pieces) {
  const std::vector<MadeFact> facts = drawMadeFacts(random, drawMadeSubject(random), kFactsOfReclor);
  const auto drawn = [&]() -> const MadeFact& {
    return facts[static_cast<std::size_t>(random.below(facts.size()))];
  };
  const auto label = static_cast<std::size_t>(random.below(kAnswers));
  std::vector<std::string> answers;
  while (answers.size() < kAnswers) {
    const MadeFact& fact = drawn();
    const std::string answer = factStatement(answers.size() == label ? fact : contraryOf(random, fact));
    if (std::find(answers.begin(), answers.end(), answer) == answers.end()) answers.push_back(answer);
  }
  const std::string context = factStatements(facts);
  pieces.add(context);
  for (const std::string& answer : answers) pieces.add(std::string(kQuestion) + " " + answer);
  return {{"context", context}, {"question", kQuestion}, {"answers", answers}, {"label", label}};
}

std::string listText(const std::string& part, const std::vector<Json>& questions) {
  Json list = Json::array();
  for (std::size_t i = 0; i < questions.size(); ++i) {
    list.push_back(questions[i]);
    list.back()["id_string"] = part + "_" + std::to_string(i);
  }
  return list.dump(1) + "\n";
}

MadeReading reclorMaker() {
  return {"reclor.sample", ".json", {4000, 200, 200}, {120, 20, 20}, questionWithAnswers, listText};
}

}  // namespace

Json madeReclorFiles(const std::string& folder) {
  return madeReadingFiles(reclorMaker(), folder);
}

Result<MadeData> writeMadeReclor(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  return writeMadeReading(reclorMaker(), folder, seed, size);
}

}  // namespace fathom
