// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/squad/made_squad.h"

#include "core/tasks/made_facts.h"
#include "core/tasks/made_reading.h"

namespace fathom {

namespace {

constexpr std::size_t kFactsOfOne = 2, kQuestionsOfPassage = 2, kParagraphsOfArticle = 5;

// A paragraph with its questions. All of it is ASCII: a byte is a code point.
Json paragraph(RandomStream& random, MadePieces& pieces) {
  const std::string one = drawMadeSubject(random);
  std::string other = one;
  while (other == one) other = drawMadeSubject(random);
  std::vector<MadeFact> facts = drawMadeFacts(random, one, kFactsOfOne);
  for (MadeFact& fact : drawMadeFacts(random, other, kFactsOfOne)) facts.push_back(std::move(fact));
  const std::string context = factStatements(facts);
  pieces.add(context);
  Json questions = Json::array();
  const auto order = random.permutation(static_cast<std::int64_t>(facts.size()));
  for (std::size_t i = 0; i < kQuestionsOfPassage; ++i) {
    const MadeFact& fact = facts[static_cast<std::size_t>(order[i])];
    const std::string question = factQuestion(fact), statement = factStatement(fact);
    pieces.add(question);
    // The value stands before the full stop.
    const std::size_t start = context.find(statement) + statement.size() - fact.value.size() - 1;
    Json answers = Json::array({{{"text", fact.value}, {"answer_start", start}}});
    questions.push_back({{"question", question}, {"answers", std::move(answers)}});
  }
  return {{"context", context}, {"qas", std::move(questions)}};
}

std::string articlesText(const std::string& part, const std::vector<Json>& paragraphs) {
  Json articles = Json::array();
  std::size_t questions = 0;
  for (std::size_t i = 0; i < paragraphs.size(); ++i) {
    if (i % kParagraphsOfArticle == 0)
      articles.push_back(
          {{"title", "Buildings " + std::to_string(articles.size() + 1)}, {"paragraphs", Json::array()}});
    Json numbered = paragraphs[i];
    for (Json& question : numbered["qas"]) question["id"] = part + "-" + std::to_string(questions++);
    articles.back()["paragraphs"].push_back(std::move(numbered));
  }
  return Json{{"version", "1.1"}, {"data", std::move(articles)}}.dump(1) + "\n";
}

MadeReading squadMaker() {
  return {"squad.sample", ".json", {3000, 150, 150}, {100, 20, 20}, paragraph, articlesText};
}

}  // namespace

Json madeSquadFiles(const std::string& folder) {
  return madeReadingFiles(squadMaker(), folder);
}

Result<MadeData> writeMadeSquad(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  return writeMadeReading(squadMaker(), folder, seed, size);
}

}  // namespace fathom
