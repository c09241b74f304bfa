// SPDX-License-Identifier: Apache-2.0
#include "core/library/runs/short_names.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <numeric>
#include <set>
#include <tuple>

#include "core/base/options/axis_keys.h"
#include "core/base/options/seed_options.h"
#include "core/base/text/text_list.h"
#include "core/library/records/project_library.h"
#include "core/library/runs/run_listing.h"

namespace fathom {

namespace {

constexpr const char* kBetween = " · ";

// A word of a name with what stands before it.
struct Word {
  std::string gap, text;
  bool operator==(const Word&) const = default;
};
using Words = std::vector<Word>;

bool isGap(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r' || letter == '_' ||
         letter == '/';
}

// Blanks at the ends do not count, and several are one. Other letters at the ends are the name's: "base_" is
// not "base".
Words wordsOf(std::string_view name) {
  Words words;
  for (std::size_t at = 0; at < name.size();) {
    Word word;
    bool blank = false;
    for (; at < name.size() && isGap(name[at]); ++at) {
      if (name[at] == '_' || name[at] == '/')
        word.gap += name[at];
      else
        blank = true;
    }
    if (word.gap.empty() && blank) word.gap = " ";
    for (; at < name.size() && !isGap(name[at]); ++at) word.text += name[at];
    const bool onlyBlank = word.gap.empty() || word.gap == " ";
    if (words.empty() || word.text.empty()) {
      const std::string kept = onlyBlank ? std::string() : word.gap;
      if (words.empty() && !(kept + word.text).empty())
        words.push_back({{}, kept + word.text});
      else if (!words.empty())
        words.back().text += kept;
      continue;
    }
    words.push_back(std::move(word));
  }
  return words;
}

std::string textOf(const Words& words, std::size_t from, std::size_t to) {
  std::string text;
  for (std::size_t i = from; i < to; ++i) text += (i == from ? std::string() : words[i].gap) + words[i].text;
  return text;
}
std::string textOf(const Words& words) {
  return textOf(words, 0, words.size());
}

// "12", "0.5", "1e-4", "·" say nothing alone.
bool isBare(const std::string& word) {
  return word.find_first_not_of("0123456789.,+-eE:") == std::string::npos || word == "·";
}

// Number of words that all names begin and end with.
struct SharedWords {
  std::size_t before = 0, after = 0;
};

SharedWords sharedWords(const std::vector<Words>& names) {
  const Words& first = names.front();
  SharedWords shared{first.size(), first.size()};
  std::size_t shortest = first.size();
  for (const Words& words : names) {
    shortest = std::min(shortest, words.size());
    const auto ends = [&](std::size_t limit, const auto& same) {
      std::size_t count = 0;
      while (count < std::min(limit, words.size()) && same(count)) ++count;
      return count;
    };
    shared.before = ends(shared.before, [&](std::size_t i) { return words[i] == first[i]; });
    shared.after = ends(shared.after, [&](std::size_t i) {
      return words[words.size() - 1 - i].text == first[first.size() - 1 - i].text;
    });
    if (shared.before + shared.after == 0) return shared;
  }
  shared.after = std::min(shared.after, shortest - std::min(shortest, shared.before));
  return shared;
}

// Something stays of every name, and not numbers alone: as many of the shared words come back as that takes.
SharedWords leavingEnough(SharedWords shared, const std::vector<Words>& names) {
  const auto enough = [&](const Words& words) {
    const auto from = words.begin() + static_cast<std::ptrdiff_t>(shared.before);
    const auto to = words.end() - static_cast<std::ptrdiff_t>(shared.after);
    return std::any_of(from, to, [](const Word& word) { return !isBare(word.text); });
  };
  while (shared.before + shared.after > 0 && !std::all_of(names.begin(), names.end(), enough))
    --(shared.after > 0 ? shared.after : shared.before);
  return shared;
}

// --- options
// ------------------------------------------------------------------------------------------------

const OptionField* fieldOf(const OptionSchema& titles, const std::string& key) {
  const std::vector<std::string> keys = axisKeys(key);
  return keys.empty() ? nullptr : titles.find(keys.front());
}

std::string lastPart(const std::string& key) {
  return key.substr(key.rfind('.') + 1);
}

std::string plainValue(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return optionValueText({}, value);
}

// Weight of an option among those that differ: the one that says most comes first, lower is earlier.
std::tuple<int, std::size_t, std::size_t, std::string> weightOf(const OptionSchema& titles,
                                                                const std::string& key) {
  static constexpr std::array<std::string_view, 7> kFirst = {"residual", "init",  "model", "score_chain",
                                                             "layers",   "width", "rate"};
  const OptionField* field = fieldOf(titles, key);
  const auto place =
      field == nullptr ? titles.fields().size() : static_cast<std::size_t>(field - titles.fields().data());
  if (key == "seed") return {3, 0, place, key};
  if (field != nullptr && field->type == OptionType::Path) return {2, 0, place, key};
  const auto known = std::find(kFirst.begin(), kFirst.end(), lastPart(key));
  if (known == kFirst.end()) return {1, 0, place, key};
  return {0, static_cast<std::size_t>(known - kFirst.begin()), place, key};
}

// The options that tell some runs apart, as few as do: each sets more of them apart than those before it.
std::vector<std::string> tellingOptions(const std::vector<Json>& options, const OptionSchema& titles) {
  constexpr std::size_t kMost = 5;
  std::set<std::string> keys;
  for (const Json& one : options)
    for (const auto& item : one.items())
      if (setsRunsApart(item.key()) || item.key() == "seed") keys.insert(item.key());
  std::vector<std::string> ordered(keys.begin(), keys.end());
  std::sort(ordered.begin(), ordered.end(), [&](const std::string& a, const std::string& b) {
    return weightOf(titles, a) < weightOf(titles, b);
  });
  std::vector<std::string> parts(options.size()), chosen;
  std::size_t known = 1;
  for (const std::string& key : ordered) {
    std::vector<std::string> finer = parts;
    for (std::size_t i = 0; i < options.size(); ++i) {
      const auto value = options[i].find(key);
      if (value != options[i].end())
        finer[i] += '\n' + key + '=' + value->dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    const std::size_t count = std::set<std::string>(finer.begin(), finer.end()).size();
    if (count <= known) continue;
    known = count;
    parts = std::move(finer);
    chosen.push_back(key);
    if (known == options.size() || chosen.size() == kMost) break;
  }
  return chosen;
}

// "Post-LN · 12 L · seed 2"; which stack is said where several chosen options have the same last word.
std::string wordsOfOptions(const Json& options, const std::vector<std::string>& keys,
                           const OptionSchema& titles) {
  std::vector<std::string> words;
  for (const std::string& key : keys) {
    const auto value = options.find(key);
    if (value == options.end()) continue;
    const auto alike = std::count_if(
        keys.begin(), keys.end(), [&](const std::string& other) { return lastPart(other) == lastPart(key); });
    const std::string stack =
        alike > 1 && key.find('.') != std::string::npos ? key.substr(0, key.find('.')) + " " : std::string();
    words.push_back(stack + optionWords(titles, key, *value));
  }
  return joined(words, kBetween);
}

// --- names
// --------------------------------------------------------------------------------------------------

using Groups = std::map<std::string, std::vector<std::size_t>>;

Groups alike(const std::vector<std::string>& names) {
  Groups groups;
  for (std::size_t i = 0; i < names.size(); ++i) groups[names[i]].push_back(i);
  std::erase_if(groups, [](const auto& group) { return group.second.size() < 2; });
  return groups;
}

class Naming {
 public:
  // `runs`: each once, in the order of their UUIDs.
  Naming(std::vector<RunToName> runs, const OptionSchema& titles, const OptionsOf& optionsOf)
      : m_runs(std::move(runs)), m_titles(titles), m_optionsOf(optionsOf) {}

  std::vector<std::string> names() {
    spellOut();
    tellApart();
    std::vector<std::string> whole;
    for (const Words& words : m_words) whole.push_back(textOf(words));
    makeUnique(whole);
    if (whole.size() < 2) return whole;
    std::vector<std::string> shorter = withoutShared();
    return alike(shorter).empty() ? shorter : whole;
  }

 private:
  void spellOut() {
    std::map<std::string, std::vector<std::size_t>> byGrid;
    for (std::size_t i = 0; i < m_runs.size(); ++i)
      if (!m_runs[i].values.empty()) byGrid[m_runs[i].grid].push_back(i);
    for (const RunToName& run : m_runs)
      m_words.push_back(wordsOf(run.values.empty() ? run.name : run.gridName));
    for (const auto& [grid, members] : byGrid)
      for (const std::size_t i : members)
        for (std::size_t axis = 0; axis < m_runs[i].values.size(); ++axis)
          if (members.size() == 1 || differs(members, axis)) append(i, m_runs[i].values[axis]);
    for (std::size_t i = 0; i < m_runs.size(); ++i)
      if (m_words[i].empty()) append(i, m_runs[i].uuid.substr(0, 8));
  }

  bool differs(const std::vector<std::size_t>& members, std::size_t axis) const {
    const auto valueOf = [&](std::size_t i) {
      return axis < m_runs[i].values.size() ? m_runs[i].values[axis] : std::string();
    };
    return std::any_of(members.begin(), members.end(),
                       [&](std::size_t i) { return valueOf(i) != valueOf(members.front()); });
  }

  void append(std::size_t run, const std::string& text) {
    if (!text.empty()) m_words[run].push_back({m_words[run].empty() ? "" : kBetween, text});
  }

  // Runs that are called the same, by their options.
  void tellApart() {
    if (!m_optionsOf) return;
    std::vector<std::string> whole;
    for (const Words& words : m_words) whole.push_back(textOf(words));
    for (const auto& [name, members] : alike(whole)) {
      std::vector<Json> options;
      for (const std::size_t i : members) {
        options.push_back(m_optionsOf(i));
        if (!options.back().is_object()) options.back() = Json::object();
      }
      const std::vector<std::string> keys = tellingOptions(options, m_titles);
      for (std::size_t k = 0; k < members.size(); ++k)
        append(members[k], wordsOfOptions(options[k], keys, m_titles));
    }
  }

  // In the end by UUID, as much of it as differs.
  void makeUnique(std::vector<std::string>& names) {
    constexpr std::size_t kLeast = 4;
    std::size_t length = kLeast;
    for (Groups groups = alike(names); !groups.empty(); groups = alike(names)) {
      for (const auto& [name, members] : groups)
        for (const std::size_t i : members) append(i, shortestUuid(i, members, length));
      for (std::size_t i = 0; i < names.size(); ++i) names[i] = textOf(m_words[i]);
      length += kLeast;
    }
  }
  std::string shortestUuid(std::size_t run, const std::vector<std::size_t>& members,
                           std::size_t length) const {
    const std::string& uuid = m_runs[run].uuid;
    const auto same = [&](std::size_t i) {
      return i != run && m_runs[i].uuid.compare(0, length, uuid, 0, length) == 0;
    };
    while (length < uuid.size() && std::any_of(members.begin(), members.end(), same)) ++length;
    return uuid.substr(0, length);
  }

  std::vector<std::string> withoutShared() const {
    const SharedWords shared = leavingEnough(sharedWords(m_words), m_words);
    std::vector<std::string> names;
    for (const Words& words : m_words)
      names.push_back(textOf(words, shared.before, words.size() - shared.after));
    return names;
  }

  std::vector<RunToName> m_runs;
  const OptionSchema& m_titles;
  const OptionsOf& m_optionsOf;
  std::vector<Words> m_words;
};

// The value of an axis of a grid as it is recorded, of the run at this place.
std::vector<Json> valuesAt(const Json& axes, std::size_t place) {
  std::vector<Json> values(axes.size());
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    const Json all = axes[axis].is_object() ? axes[axis].value("values", Json::array()) : Json::array();
    if (!all.is_array() || all.empty()) return {};
    values[axis] = all[place % all.size()];
    place /= all.size();
  }
  return place > 0 ? std::vector<Json>() : values;
}

std::mutex g_titlesLock;
std::shared_ptr<const OptionSchema>& titlesHeld() {
  static std::shared_ptr<const OptionSchema> held = std::make_shared<const OptionSchema>();
  return held;
}

}  // namespace

std::string optionWords(const OptionSchema& titles, const std::string& key, const Json& value) {
  if (value.is_object()) return value.contains("name") ? plainValue(value["name"]) : value.dump();
  const OptionField* field = fieldOf(titles, key);
  const std::vector<std::string> keys = axisKeys(key);
  const std::string first = keys.empty() ? key : keys.front(), word = lastPart(first);
  if (word == "seed") return "seed " + plainValue(value);
  if (word == "layers" && (value.is_number_integer() || value.is_string())) return plainValue(value) + " L";
  if (field != nullptr && field->type == OptionType::Choice) {
    for (const OptionChoice& choice : field->choices)
      if (choice.id == plainValue(value) && !choice.title.empty()) return choice.title;
    return plainValue(value);
  }
  std::string title = field != nullptr && !field->title.empty() ? field->title : word;
  if (field == nullptr) std::replace(title.begin(), title.end(), '_', ' ');
  if (value.is_boolean()) return title + (value.get<bool>() ? " on" : " off");
  if (field == nullptr) {
    const std::string text = plainValue(value);
    return isBare(text) ? title + " " + text : text;
  }
  std::string text = plainValue(value);
  if (field->type == OptionType::Path) text = text.substr(text.find_last_of('/') + 1);
  return title + " " + text;
}

std::vector<std::string> shortRunNames(const std::vector<RunToName>& runs, const OptionSchema& titles,
                                       const OptionsOf& optionsOf) {
  // Each run once and in an order of their own, so that the answer depends on neither.
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < runs.size(); ++i) places.emplace(runs[i].uuid, i);
  std::vector<RunToName> ordered;
  std::vector<std::size_t> from;
  for (auto& [uuid, place] : places) {
    ordered.push_back(runs[place]);
    from.push_back(place);
    place = from.size() - 1;
  }
  OptionsOf asked;
  if (optionsOf) asked = [&](std::size_t i) { return optionsOf(from[i]); };
  const std::vector<std::string> names = Naming(std::move(ordered), titles, asked).names();
  std::vector<std::string> result;
  for (const RunToName& run : runs) result.push_back(names[places[run.uuid]]);
  return result;
}

std::map<std::string, RunToName> namesOfGrids(const std::vector<GridRecord>& grids,
                                              const OptionSchema& titles) {
  std::map<std::string, RunToName> names;
  for (const GridRecord& grid : grids) {
    if (!grid.axes.is_array() || grid.axes.empty()) continue;
    for (std::size_t i = 0; i < grid.runs.size(); ++i) {
      const std::vector<Json> values = valuesAt(grid.axes, i);
      if (values.empty() || grid.runs[i].empty()) continue;
      RunToName run{grid.runs[i], {}, grid.uuid, grid.name};
      for (std::size_t axis = 0; axis < values.size(); ++axis) {
        const Json& key = grid.axes[axis].contains("key") ? grid.axes[axis]["key"] : Json();
        run.values.push_back(optionWords(titles, plainValue(key), values[axis]));
      }
      names[run.uuid] = std::move(run);
    }
  }
  return names;
}

std::vector<std::string> shortRunNames(ProjectLibrary& library, const std::vector<RunRow>& rows,
                                       const OptionSchema& titles) {
  const auto grids = library.grids();
  const auto notes = library.allRunNotes();
  const auto ofGrids = grids.ok() ? namesOfGrids(*grids, titles) : std::map<std::string, RunToName>();
  std::vector<RunToName> runs;
  for (const RunRow& row : rows) {
    const auto known = ofGrids.find(row.identity.uuid);
    const auto note = notes.ok() ? notes->find(row.identity.uuid) : decltype(notes->end())();
    const bool renamed = notes.ok() && note != notes->end() && !note->second.name.empty();
    RunToName run;
    if (known != ofGrids.end() && !renamed) run = known->second;
    run.uuid = row.identity.uuid.empty() ? row.path : row.identity.uuid;
    run.name = row.name;
    runs.push_back(std::move(run));
  }
  return shortRunNames(runs, titles, [&rows](std::size_t i) { return rows[i].options; });
}

std::shared_ptr<const OptionSchema> optionTitles() {
  const std::lock_guard lock(g_titlesLock);
  return titlesHeld();
}

void setOptionTitles(const OptionSchema& titles) {
  auto made = std::make_shared<const OptionSchema>(titles);
  const std::lock_guard lock(g_titlesLock);
  titlesHeld() = std::move(made);
}

}  // namespace fathom
