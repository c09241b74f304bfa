// SPDX-License-Identifier: Apache-2.0
#include "core/tasks/made_sentences.h"

#include <array>
#include <unordered_set>

#include "core/base/files/atomic_file.h"
#include "core/base/numbers/random_stream.h"

namespace fathom {

namespace {

using Pair = std::pair<std::string, std::string>;

constexpr std::array<const char*, 20> kGermanSmall = {
    "null",     "eins",     "zwei",     "drei",     "vier",     "fünf",    "sechs",
    "sieben",   "acht",     "neun",     "zehn",     "elf",      "zwölf",   "dreizehn",
    "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"};
constexpr std::array<const char*, 10> kGermanTens = {"",        "",        "zwanzig", "dreißig", "vierzig",
                                                     "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"};
constexpr std::array<const char*, 20> kEnglishSmall = {
    "zero",     "one",     "two",     "three",     "four",     "five",    "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr std::array<const char*, 10> kEnglishTens = {"",      "",      "twenty",  "thirty", "forty",
                                                      "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr std::array<const char*, 12> kGermanMonths = {"Januar",    "Februar", "März",     "April",
                                                       "Mai",       "Juni",    "Juli",     "August",
                                                       "September", "Oktober", "November", "Dezember"};
constexpr std::array<const char*, 12> kEnglishMonths = {"January",   "February", "March",    "April",
                                                        "May",       "June",     "July",     "August",
                                                        "September", "October",  "November", "December"};
constexpr std::array<int, 12> kMonthDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
constexpr std::array<const char*, 7> kGermanDays = {"Montag",  "Dienstag", "Mittwoch", "Donnerstag",
                                                    "Freitag", "Samstag",  "Sonntag"};
constexpr std::array<const char*, 7> kEnglishDays = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                     "Friday", "Saturday", "Sunday"};
constexpr std::array<const char*, 4> kGermanParts = {"", " morgens", " nachmittags", " abends"};
constexpr std::array<const char*, 4> kEnglishParts = {"", " in the morning", " in the afternoon",
                                                      " in the evening"};

template <std::size_t N>
std::string entry(const std::array<const char*, N>& table, std::int64_t index) {
  return table[static_cast<std::size_t>(index)];
}

// `number` below 1000; "ein" instead of "eins" where something follows.
std::string germanBelowThousand(std::int64_t number, bool followed) {
  std::string text;
  if (number >= 100) text += (number < 200 ? "ein" : entry(kGermanSmall, number / 100)) + "hundert";
  number %= 100;
  if (number == 0) return text;
  if (number == 1) return text + (followed ? "ein" : "eins");
  if (number < 20) return text + entry(kGermanSmall, number);
  if (number % 10 > 0) text += (number % 10 == 1 ? "ein" : entry(kGermanSmall, number % 10)) + "und";
  return text + entry(kGermanTens, number / 10);
}

std::string englishBelowThousand(std::int64_t number, const char* link = " ") {
  std::string text;
  if (number >= 100) text = entry(kEnglishSmall, number / 100) + " hundred";
  number %= 100;
  if (number == 0) return text;
  if (!text.empty()) text += link;
  if (number < 20) return text + entry(kEnglishSmall, number);
  text += entry(kEnglishTens, number / 10);
  return number % 10 == 0 ? text : text + "-" + entry(kEnglishSmall, number % 10);
}

// Ordinals 1 to 31: "dritte", "einundzwanzigste"; "third", "twenty-first".
std::string germanOrdinal(std::int64_t day) {
  if (day == 1) return "erste";
  if (day == 3) return "dritte";
  if (day == 7) return "siebte";
  if (day == 8) return "achte";
  return germanBelowThousand(day, false) + (day < 20 ? "te" : "ste");
}

std::string englishOrdinal(std::int64_t day) {
  constexpr std::array<const char*, 13> kFirst = {"",      "first",    "second",  "third",  "fourth",
                                                  "fifth", "sixth",    "seventh", "eighth", "ninth",
                                                  "tenth", "eleventh", "twelfth"};
  if (day <= 12) return entry(kFirst, day);
  if (day < 20) return entry(kEnglishSmall, day) + "th";
  if (day == 20) return "twentieth";
  if (day == 30) return "thirtieth";
  return entry(kEnglishTens, day / 10) + "-" + entry(kFirst, day % 10);
}

// "neunzehnhundertvierundachtzig", "zweitausendelf"; "nineteen eighty-four", "two thousand eleven".
std::string germanYear(std::int64_t year) {
  if (year >= 2000) return germanNumber(year);
  return entry(kGermanSmall, year / 100) + "hundert" + germanBelowThousand(year % 100, false);
}

std::string englishYear(std::int64_t year) {
  if (year >= 2000) return englishNumber(year);
  const std::string century = entry(kEnglishSmall, year / 100);
  const std::int64_t rest = year % 100;
  if (rest == 0) return century + " hundred";
  return century + (rest < 10 ? " oh " : " ") + englishBelowThousand(rest);
}

Pair makeNumber(RandomStream& random) {
  const auto number = static_cast<std::int64_t>(random.below(1'000'000));
  return {germanNumber(number), englishNumber(number)};
}

struct Day {
  std::int64_t month, day;
};
Day drawDay(RandomStream& random) {
  const auto month = static_cast<std::int64_t>(random.below(12));
  return {month, 1 + static_cast<std::int64_t>(random.below(
                         static_cast<std::uint64_t>(kMonthDays[static_cast<std::size_t>(month)])))};
}

Pair makeDate(RandomStream& random) {
  const Day day = drawDay(random);
  const auto weekday = static_cast<std::int64_t>(random.below(7));
  const auto year = static_cast<std::int64_t>(1700 + random.below(400));
  return {entry(kGermanDays, weekday) + " der " + germanOrdinal(day.day) + " " +
              entry(kGermanMonths, day.month) + " " + germanYear(year),
          entry(kEnglishDays, weekday) + " the " + englishOrdinal(day.day) + " of " +
              entry(kEnglishMonths, day.month) + " " + englishYear(year)};
}

// A clock time: minute 30 is "halb" the next hour, a quarter is "Viertel", others are counted to the nearer
// hour or read as on a digital clock.
Pair makeClock(RandomStream& random) {
  const auto hour = static_cast<std::int64_t>(1 + random.below(12));
  const std::int64_t next = hour % 12 + 1;
  const auto minute = random.below(5) == 0 ? 30 : static_cast<std::int64_t>(random.below(60));
  const std::string germanHour = entry(kGermanSmall, hour), englishHour = entry(kEnglishSmall, hour);
  const std::string germanNext = entry(kGermanSmall, next), englishNext = entry(kEnglishSmall, next);
  if (minute == 0) return {(hour == 1 ? "ein" : germanHour) + " Uhr", englishHour + " o'clock"};
  if (minute == 30) return {"halb " + germanNext, "half past " + englishHour};
  if (minute == 15) return {"Viertel nach " + germanHour, "quarter past " + englishHour};
  if (minute == 45) return {"Viertel vor " + germanNext, "quarter to " + englishNext};
  if (minute % 5 == 0 && minute < 30)
    return {germanBelowThousand(minute, false) + " nach " + germanHour,
            englishNumber(minute) + " past " + englishHour};
  if (minute % 5 == 0)
    return {germanBelowThousand(60 - minute, false) + " vor " + germanNext,
            englishNumber(60 - minute) + " to " + englishNext};
  return {(hour == 1 ? "ein" : germanHour) + " Uhr " + germanBelowThousand(minute, false),
          englishNumber(minute) + (minute == 1 ? " minute past " : " minutes past ") + englishHour};
}

// A clock time on a day of the week: alone there are too few different ones.
Pair makeTime(RandomStream& random) {
  const Pair clock = makeClock(random);
  const auto day = static_cast<std::int64_t>(random.below(7));
  const auto part = static_cast<std::int64_t>(random.below(4));
  return {"am " + entry(kGermanDays, day) + " um " + clock.first + entry(kGermanParts, part),
          "at " + clock.second + entry(kEnglishParts, part) + " on " + entry(kEnglishDays, day)};
}

// The German order is date, time; the English one time, date.
Pair makeDateAndTime(RandomStream& random) {
  const Day day = drawDay(random);
  const Pair clock = makeClock(random);
  return {"am " + germanOrdinal(day.day) + "n " + entry(kGermanMonths, day.month) + " um " + clock.first,
          "at " + clock.second + " on the " + englishOrdinal(day.day) + " of " +
              entry(kEnglishMonths, day.month)};
}

Pair makePair(RandomStream& random) {
  const std::uint64_t kind = random.below(10);
  if (kind < 5) return makeNumber(random);
  if (kind < 7) return makeDate(random);
  if (kind < 9) return makeTime(random);
  return makeDateAndTime(random);
}

}  // namespace

std::string germanNumber(std::int64_t number) {
  if (number == 0) return kGermanSmall[0];
  std::string text;
  if (number >= 1000) text = germanBelowThousand(number / 1000, true) + "tausend";
  return text + germanBelowThousand(number % 1000, false);
}

std::string englishNumber(std::int64_t number) {
  if (number == 0) return kEnglishSmall[0];
  std::string text;
  if (number >= 1000) text = englishBelowThousand(number / 1000) + " thousand";
  const std::string rest = englishBelowThousand(number % 1000, " and ");
  if (!text.empty() && !rest.empty()) text += number % 1000 < 100 ? " and " : " ";
  return text + rest;
}

Result<MadeSentences> makeSentences(std::uint64_t seed, const MadeSentenceCounts& sizes) {
  constexpr std::int64_t kMost = 60'000;
  const std::int64_t wanted = sizes.train + sizes.validation + sizes.test;
  if (sizes.train < 1 || sizes.validation < 0 || sizes.test < 0 || wanted > kMost)
    return usageError(Phrase::tr("made data of %1 pairs")(wanted),
                      Phrase::tr("choose 1 to %1 pairs, at least one for training")(kMost));
  RandomStream random(streamSeed(seed, "nmt.sample"));
  std::unordered_set<std::string> germanSeen, englishSeen;
  MadeSentences sentences;
  for (std::int64_t made = 0; made < wanted;) {
    Pair pair = makePair(random);
    if (germanSeen.contains(pair.first) || englishSeen.contains(pair.second)) continue;
    germanSeen.insert(pair.first);
    englishSeen.insert(pair.second);
    auto& into = made < sizes.train                      ? sentences.train
                 : made < sizes.train + sizes.validation ? sentences.validation
                                                         : sentences.test;
    into.push_back(std::move(pair));
    ++made;
  }
  return sentences;
}

Status writeMadeSentences(const std::string& folder, std::uint64_t seed, const MadeSentenceCounts& sizes) {
  FATHOM_TRY(const MadeSentences sentences, makeSentences(seed, sizes));
  FATHOM_CHECK(makeFolders(folder));
  const std::array<std::pair<const char*, const MadeSentences::Pairs*>, 3> files = {
      {{"train.tsv", &sentences.train},
       {"validation.tsv", &sentences.validation},
       {"test.tsv", &sentences.test}}};
  for (const auto& [name, pairs] : files) {
    std::string text;
    for (const auto& [german, english] : *pairs) text += german + "\t" + english + "\n";
    FATHOM_CHECK(writeFileAtomically(folder + "/" + name, text));
  }
  return {};
}

}  // namespace fathom
