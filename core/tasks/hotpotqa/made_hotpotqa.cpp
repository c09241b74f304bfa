// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/hotpotqa/made_hotpotqa.h"

#include <array>
#include <set>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/base/numbers/random_stream.h"
#include "core/base/text/text_list.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

constexpr std::array kPeople = {"ann", "bob", "carl", "dora", "emil", "fay",  "gus",  "hans",
                                "ida", "jon", "kim",  "lea",  "max",  "nora", "otto", "paul"};
constexpr std::array kWikiTowns = {"arden", "borg", "corvo", "delft", "elmo", "farum", "grado", "hull"};
constexpr std::array kLands = {"norland", "sudland", "westland", "ostland"};
constexpr std::array kHabits = {"sings", "paints", "swims", "reads", "cooks"};
constexpr std::size_t kPeopleShown = 6, kTownsShown = 4;

// Who lives where, drawn anew for every question.
struct World {
  std::vector<std::size_t> people, towns;  // that have a paragraph
  std::vector<std::size_t> home;           // of each of these people, a place in `towns`
  std::vector<std::size_t> land;           // of each of these towns
};

World drawWorld(RandomStream& random) {
  World world;
  const auto people = random.permutation(static_cast<std::int64_t>(kPeople.size()));
  const auto towns = random.permutation(static_cast<std::int64_t>(kWikiTowns.size()));
  for (std::size_t i = 0; i < kPeopleShown; ++i) {
    world.people.push_back(static_cast<std::size_t>(people[i]));
    world.home.push_back(random.below(kTownsShown));
  }
  for (std::size_t i = 0; i < kTownsShown; ++i) {
    world.towns.push_back(static_cast<std::size_t>(towns[i]));
    world.land.push_back(random.below(kLands.size()));
  }
  return world;
}

// [title, sentences] of everybody and every town, in any order; the fact is sentence 1 of people, 0 of towns.
Json paragraphsOf(const World& world, RandomStream& random) {
  std::vector<Json> all;
  for (std::size_t i = 0; i < world.people.size(); ++i) {
    const std::string name = kPeople[world.people[i]];
    const std::string habit = kHabits[random.below(kHabits.size())];
    all.push_back({name,
                   {name + " " + habit + " .",
                    " " + name + " lives in " + kWikiTowns[world.towns[world.home[i]]] + " ."}});
  }
  for (std::size_t i = 0; i < world.towns.size(); ++i) {
    const std::string name = kWikiTowns[world.towns[i]];
    all.push_back({name, {name + " lies in " + kLands[world.land[i]] + " .", " " + name + " is old ."}});
  }
  Json shuffled = Json::array();
  for (const std::int64_t at : random.permutation(static_cast<std::int64_t>(all.size())))
    shuffled.push_back(all[static_cast<std::size_t>(at)]);
  return shuffled;
}

Json questionOf(const std::string& id, RandomStream& random) {
  const World world = drawWorld(random);
  const std::string first = kPeople[world.people[0]], second = kPeople[world.people[1]];
  const std::string town = kWikiTowns[world.towns[world.home[0]]];
  Json record = {{"_id", id}};
  if (random.below(4) == 0) {
    record["question"] = "do " + first + " and " + second + " live in the same town ?";
    record["answer"] = world.home[0] == world.home[1] ? "yes" : "no";
    record["supporting_facts"] = Json::array({Json::array({first, 1}), Json::array({second, 1})});
  } else {
    record["question"] = "where does the town of " + first + " lie ?";
    record["answer"] = kLands[world.land[world.home[0]]];
    record["supporting_facts"] = Json::array({Json::array({first, 1}), Json::array({town, 0})});
  }
  record["context"] = paragraphsOf(world, random);
  return record;
}

// BERT's marks and unused pieces, then the words.
std::string vocabularyOf(int& pieces) {
  std::set<std::string> words = {"do",   "and", "live", "in", "the",   "same", "town", "?",  "where",
                                 "does", "of",  "lie",  ".",  "lives", "lies", "is",   "old"};
  const auto add = [&](const auto& list) { words.insert(list.begin(), list.end()); };
  add(kPeople);
  add(kWikiTowns);
  add(kLands);
  add(kHabits);
  std::vector<std::string> all = {"[PAD]",     "[unused0]", "[unused1]", "[unused2]", "[unused3]",
                                  "[unused4]", "[UNK]",     "[CLS]",     "[SEP]",     "[MASK]"};
  all.insert(all.end(), words.begin(), words.end());
  pieces = static_cast<int>(all.size());
  return joined(all, "\n", [](const std::string& word) { return word; }) + "\n";
}

}  // namespace

Json madeHotpotqaFiles(const std::string& folder) {
  Json files = Json::object();
  for (const auto& split : kDataSplits)
    files[std::string("data.") + split.word] = folder + "/" + split.word + ".json";
  files["text.vocabulary.file"] = folder + "/vocabulary.txt";
  return files;
}

Result<MadeData> writeMadeHotpotqa(const std::string& folder, std::uint64_t seed, MadeDataSize size) {
  const bool check = size == MadeDataSize::Check;
  const std::pair<DataSplit, int> parts[] = {{DataSplit::Train, check ? 40 : 4000},
                                             {DataSplit::Validation, check ? 10 : 200},
                                             {DataSplit::Test, check ? 10 : 200}};
  const Json files = madeHotpotqaFiles(folder);
  FATHOM_CHECK(makeFolders(folder));
  for (const auto& [split, count] : parts) {
    const std::string part = dataSplitName(split);
    RandomStream random(streamSeed(seed, "sample.supported." + part));
    Json records = Json::array();
    for (int i = 0; i < count; ++i) records.push_back(questionOf(part + "_" + std::to_string(i), random));
    FATHOM_CHECK(writeFileAtomically(files["data." + part].get<std::string>(), records.dump(1)));
  }
  MadeData made;
  const std::string vocabulary = vocabularyOf(made.pieces);
  FATHOM_CHECK(writeFileAtomically(files["text.vocabulary.file"].get<std::string>(), vocabulary));
  made.options = {{"text.vocabulary.kind", "wordpiece"}, {"text.vocabulary.lower_case", true}};
  made.options.update(files);
  return made;
}

}  // namespace fathom
