// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/wikihop/made_long.h"

#include <set>
#include <span>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json.h"
#include "core/base/numbers/random_stream.h"
#include "core/tasks/task.h"

namespace fathom {

namespace {

constexpr const char* kPersons[] = {"anna",  "bruno", "clara", "david", "emma",  "felix",
                                    "greta", "henry", "irene", "jonas", "karla", "louis"};
// Two of a record's things may be asked for, the others never are: a model that has learned which candidates
// keep one of the two already gains, before it reads the question.
constexpr const char* kAskedThings[] = {"lamp", "clock"};
constexpr double kFirstAsked = 0.65;  // not half: telling the two apart gains as well
constexpr const char* kOtherThings[] = {"drum", "boat", "map", "key"};
constexpr const char* kPlaces[] = {"river", "road", "mill", "bridge", "garden", "tower", "field", "harbour"};
constexpr const char* kLooks[] = {"old", "quiet", "long", "green", "narrow", "bright", "small", "cold"};
constexpr const char* kOtherWords[] = {"the", "keeps", "who", "person", "."};
// The ids that ETC's code gives to kinds of global tokens are those of unused pieces: 1, 3, 4 and 5.
constexpr const char* kSpecial[] = {"[PAD]",     "[unused0]", "[unused1]", "[unused2]", "[unused3]",
                                    "[unused4]", "[UNK]",     "[CLS]",     "[SEP]",     "[MASK]"};
constexpr std::int64_t kAskedCount = std::size(kAskedThings);
constexpr std::int64_t kMostDocuments = kAskedCount + static_cast<std::int64_t>(std::size(kOtherThings)) + 1;

template <std::size_t n>
std::string oneOf(const char* const (&words)[n], RandomStream& random) {
  return words[random.below(n)];
}

std::string padding(RandomStream& random) {
  const std::string kind = oneOf(kLooks, random);
  return "the " + kind + " " + oneOf(kPlaces, random) + " .";
}

template <class T>
void shuffle(std::vector<T>& list, RandomStream& random) {
  std::vector<T> shuffled;
  for (const std::int64_t i : random.permutation(static_cast<std::int64_t>(list.size())))
    shuffled.push_back(std::move(list[static_cast<std::size_t>(i)]));
  list = std::move(shuffled);
}

WikiHopRecord recordOf(RandomStream& random, const MadeLongSizes& sizes) {
  const std::vector<std::int64_t> persons = random.permutation(std::size(kPersons));
  const std::vector<std::int64_t> others = random.permutation(std::size(kOtherThings));
  const auto facts = static_cast<std::size_t>(sizes.documents - 1);
  const std::size_t asked = random.uniform() < kFirstAsked ? 0 : 1;
  WikiHopRecord record;
  record.query = "person";
  for (std::size_t f = 0; f < facts; ++f) {
    const std::string person = kPersons[persons[f]];
    const std::string thing = f < kAskedCount ? kAskedThings[f] : kOtherThings[others[f - kAskedCount]];
    record.supports.push_back(person + " keeps the " + thing + " .");
    record.candidates.push_back(person);
  }
  record.answer = record.candidates[asked];
  std::string question = std::string("who keeps the ") + kAskedThings[asked] + " .";
  for (std::int64_t s = 0; s < sizes.padding; ++s) {
    const std::string before = padding(random);
    question = before + " " + question + " " + padding(random);
  }
  record.supports.push_back(std::move(question));
  // The order of the candidates tells nothing of that of the documents.
  shuffle(record.candidates, random);
  shuffle(record.supports, random);
  return record;
}

Json jsonOf(const WikiHopRecord& record) {
  return {{"id", record.id},
          {"query", record.query},
          {"supports", record.supports},
          {"candidates", record.candidates},
          {"answer", record.answer}};
}

std::string fileOf(const std::vector<WikiHopRecord>& records) {
  std::string text = "[";
  for (const WikiHopRecord& record : records)
    text += (text.size() > 1 ? ",\n" : "\n") + jsonOf(record).dump();
  return text + "\n]\n";
}

}  // namespace

Result<MadeLong> makeLongData(std::uint64_t seed, const MadeLongSizes& sizes) {
  if (sizes.documents <= kAskedCount || sizes.documents > kMostDocuments)
    return usageError(
        Phrase::tr("%1 documents: a record has %2 to %3")(sizes.documents, kAskedCount + 1, kMostDocuments));
  if (sizes.padding < 1)
    return usageError(
        Phrase::tr("%1 padding sentences: a question has at least 1 on each side")(sizes.padding));
  MadeLong made;
  RandomStream random(streamSeed(seed, "long.sample"));
  std::set<std::string> seen;
  const std::pair<DataSplit, std::int64_t> parts[] = {{DataSplit::Train, sizes.train},
                                                      {DataSplit::Validation, sizes.validation},
                                                      {DataSplit::Test, sizes.test}};
  std::vector<WikiHopRecord>* const into[] = {&made.train, &made.validation, &made.test};
  for (std::size_t p = 0; p < std::size(parts); ++p) {
    while (static_cast<std::int64_t>(into[p]->size()) < parts[p].second) {
      WikiHopRecord record = recordOf(random, sizes);
      if (!seen.insert(jsonOf(record).dump()).second) continue;
      record.id = std::string(dataSplitName(parts[p].first)) + "-" + std::to_string(into[p]->size() + 1);
      into[p]->push_back(std::move(record));
    }
  }
  const auto add = [&made](std::span<const char* const> words) {
    made.vocabulary.insert(made.vocabulary.end(), words.begin(), words.end());
  };
  for (const std::span<const char* const> words :
       {std::span<const char* const>(kSpecial), std::span<const char* const>(kOtherWords),
        std::span<const char* const>(kPersons), std::span<const char* const>(kAskedThings),
        std::span<const char* const>(kOtherThings), std::span<const char* const>(kPlaces),
        std::span<const char* const>(kLooks)})
    add(words);
  return made;
}

Status writeMadeLong(const std::string& folder, std::uint64_t seed, const MadeLongSizes& sizes) {
  FATHOM_TRY(const MadeLong made, makeLongData(seed, sizes));
  FATHOM_CHECK(makeFolders(folder));
  FATHOM_CHECK(writeFileAtomically(folder + "/train.json", fileOf(made.train)));
  FATHOM_CHECK(writeFileAtomically(folder + "/validation.json", fileOf(made.validation)));
  FATHOM_CHECK(writeFileAtomically(folder + "/test.json", fileOf(made.test)));
  std::string words;
  for (const std::string& word : made.vocabulary) words += word + "\n";
  return writeFileAtomically(folder + "/vocab.txt", words);
}

}  // namespace fathom
