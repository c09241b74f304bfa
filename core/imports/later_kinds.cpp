// SPDX-License-Identifier: Apache-2.0
#include "core/imports/later_kinds.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/imports/folder_tree.h"
#include "core/imports/imported_names.h"
#include "core/imports/imported_options.h"
#include "core/imports/record_text.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr const char *kHostState = "host", *kEventFormat = "tensorboard";
constexpr std::chrono::seconds kLookPause{1};
constexpr int kLookShare = 100;  // a look for other kinds takes at most such a part of the time
constexpr int kSaidAfter = 5, kLongestWait = 30;

using LookClock = std::chrono::steady_clock;

bool standsIn(const std::string& path, const std::string& folder) {
  return folder.empty() || path == folder || path.starts_with(folder + "/");
}

// Its runs are folders, named by their paths.
bool ownsFolders(const std::string& format) {
  return format == "hf_trainer" || format == "lightning";
}

// Who reads `place` reads `other`, too.
bool isReadWith(const SourcePlace& other, const SourcePlace& place) {
  if (!standsIn(other.path, place.path)) return false;
  const bool both = other.format == kEventFormat && place.format == "hf_trainer";
  if (place.format != other.format && !both) return false;
  return place.format != "trackio" || other.path == place.path ||
         fs::path(other.path).parent_path() == place.path;
}

// One run as it is given: what its source says of it, or several do.
struct JoinedRun {
  std::string folder;                          // of the first one, below what was named
  std::size_t first = 0;                       // source that told of it first
  std::map<std::size_t, ImportedRun> parts;    // by source: the last words of each, without records
  std::map<std::string, std::size_t> holders;  // of its metrics

  bool has(const std::string& format) const {
    return std::any_of(parts.begin(), parts.end(),
                       [&](const auto& part) { return part.second.format == format; });
  }
};

Json recordOfPart(std::size_t source, const ImportedRun& part) {
  return {{"source", source},
          {"format", part.format},
          {"title", recordText(part.title)},
          {"options", part.options},
          {"notes", part.notes}};
}

ImportedRun partOfRecord(const Json& json) {
  ImportedRun part;
  part.format = memberText(json, "format");
  part.title = ofRecord(memberText(json, "title"));
  part.options = memberObject(json, "options");
  part.notes = memberObject(json, "notes");
  return part;
}

std::size_t sourceIn(const Json& json, const char* key) {
  return static_cast<std::size_t>(std::max<std::int64_t>(0, memberInteger(json, key)));
}

class LaterKinds : public ImportSource {
 public:
  LaterKinds(std::unique_ptr<ImportSource> host, SourcePlace place, const ImportOptions& options)
      : m_host(std::move(host)),
        m_place(std::move(place)),
        m_options(options),
        m_folder(options.state.contains(kHostState) ? ofRecord(memberText(options.state, "around"))
                                                    : options.around),
        m_tree(m_folder),
        m_knows(options.state.contains(kHostState)) {
    restore(options.state);
  }

  Result<SourceState> read(const StopToken& stop, const ImportSink& take) override {
    FATHOM_CHECK(lookAround(stop));
    FATHOM_TRY(const SourceState state,
               m_host->read(stop, [&](ImportedRun piece) { return give(0, std::move(piece), take); }));
    for (std::size_t i = 0; i < m_guests.size(); ++i) FATHOM_CHECK(readGuest(i, stop, take));
    if (std::exchange(m_tells, false) && !m_runs.empty()) {
      auto& [name, run] = *m_runs.begin();
      ImportedRun facts = run.parts.at(run.first);
      FATHOM_CHECK(take(told(name, run, run.first, std::move(facts))));
    }
    return m_guests.empty() ? state : SourceState::Later;
  }

  Status close(const ImportSink& take) override {
    FATHOM_CHECK(m_host->close([&](ImportedRun piece) { return give(0, std::move(piece), take); }));
    for (std::size_t i = 0; i < m_guests.size(); ++i) {
      Guest& guest = m_guests[i];
      if (guest.source == nullptr) continue;
      const Status closed =
          guest.source->close([&](ImportedRun piece) { return give(i + 1, std::move(piece), take); });
      if (!closed.ok() && closed.error().kind != ErrorKind::Data) return closed;
      guest.state = guest.source->state();
    }
    return {};
  }

  Json state() const override {
    Json json = {{kHostState, m_host->state()}, {"around", recordText(m_folder)}, {"known", Json::array()},
                 {"guests", Json::array()},     {"runs", Json::object()},         {"names", Json::array()}};
    for (const SourcePlace& place : m_known)
      json["known"].push_back({{"path", recordText(place.path)}, {"format", place.format}});
    for (const Guest& guest : m_guests)
      json["guests"].push_back({{"path", recordText(guest.place.path)},
                                {"format", guest.place.format},
                                {"name", recordText(guest.place.name)},
                                {"alone", guest.alone},
                                {"state", guest.state}});
    for (const auto& [name, run] : m_runs) {
      Json& item = json["runs"][recordText(name)];
      item = {{"folder", recordText(run.folder)}, {"first", run.first}, {"parts", Json::array()}};
      for (const auto& [source, part] : run.parts) item["parts"].push_back(recordOfPart(source, part));
      for (const auto& [metric, source] : run.holders)
        item["holders"].push_back({{"metric", recordText(metric)}, {"source", source}});
    }
    for (const auto& [key, name] : m_names)
      json["names"].push_back(
          {{"source", key.first}, {"own", recordText(key.second)}, {"name", recordText(name)}});
    return json;
  }

 private:
  // A source that came later.
  struct Guest {
    SourcePlace place;
    bool alone = false;                              // event files in its folders are read by another source
    Json state;                                      // when it gave something last
    std::unique_ptr<ImportSource> source = nullptr;  // null: to be opened
    int failed = 0;                                  // looks in a row
    LookClock::time_point next = {};                 // when it is tried again
    std::optional<Error> error = std::nullopt;
  };

  void restore(const Json& state) {
    for (const Json& item : memberList(state, "known"))
      m_known.push_back({.path = ofRecord(memberText(item, "path")), .format = memberText(item, "format")});
    for (const Json& item : memberList(state, "guests")) {
      Guest guest{.place = {.path = ofRecord(memberText(item, "path")),
                            .format = memberText(item, "format"),
                            .name = ofRecord(memberText(item, "name"))},
                  .alone = memberFlag(item, "alone", false),
                  .state = {}};
      if (const auto own = item.find("state"); own != item.end()) guest.state = *own;
      m_guests.push_back(std::move(guest));
    }
    for (const auto& [name, item] : memberObject(state, "runs").items()) {
      JoinedRun& run = m_runs[ofRecord(name)];
      run.folder = ofRecord(memberText(item, "folder"));
      run.first = sourceIn(item, "first");
      for (const Json& part : memberList(item, "parts"))
        run.parts[sourceIn(part, "source")] = partOfRecord(part);
      for (const Json& holder : memberList(item, "holders"))
        run.holders[ofRecord(memberText(holder, "metric"))] = sourceIn(holder, "source");
    }
    for (const Json& item : memberList(state, "names"))
      m_names[{sourceIn(item, "source"), ofRecord(memberText(item, "own"))}] =
          ofRecord(memberText(item, "name"));
  }

  const SourcePlace& placeOf(std::size_t source) const {
    return source == 0 ? m_place : m_guests[source - 1].place;
  }

  Status lookAround(const StopToken& stop) {
    const auto began = LookClock::now();
    if (!m_options.placesIn || began < m_nextLook) return {};
    const auto listed = m_tree.changed();
    if (listed.ok() && *listed) {
      const auto places = m_options.placesIn(m_folder, stop);
      if (!places.ok() && places.error().kind == ErrorKind::Interrupted) return places.error();
      if (places.ok()) takePlaces(*places);
    }
    const auto end = LookClock::now();
    m_nextLook = end + std::max<LookClock::duration>(kLookPause, kLookShare * (end - began));
    return {};
  }

  // Places of a folder that was found to hold several kinds are followed one by one.
  void takePlaces(const std::vector<SourcePlace>& places) {
    if (!std::exchange(m_knows, true) && m_options.format != "auto") m_known = places;
    for (SourcePlace place : places) {
      if (isFollowed(place)) continue;
      if (place.format == "auto") {
        const auto entry =
            folderExists(place.path) ? claimedImport(place.path) : recognisedImport(place.path);
        if (!entry.ok() || *entry == nullptr) continue;
        place.format = (*entry)->id;
        if (isFollowed(place)) continue;
      }
      const ImportEntry* entry = findImport(place.format);
      if (entry == nullptr || entry->open == nullptr) continue;
      const bool alone = ownsFolders(place.format) && meetsEvents(place);
      m_guests.push_back({.place = std::move(place), .alone = alone, .state = {}});
    }
  }

  std::vector<SourcePlace> followed() const {
    std::vector<SourcePlace> all = m_known;
    all.push_back(m_place);
    for (const Guest& guest : m_guests) all.push_back(guest.place);
    return all;
  }

  // Read already, or a folder around what is read already.
  bool isFollowed(const SourcePlace& place) const {
    const auto all = followed();
    return std::any_of(all.begin(), all.end(), [&](const SourcePlace& other) {
      return (other.path == place.path && other.format == place.format) || isReadWith(place, other) ||
             (other.format == place.format && standsIn(other.path, place.path));
    });
  }

  bool meetsEvents(const SourcePlace& place) const {
    const auto all = followed();
    return std::any_of(all.begin(), all.end(), [&](const SourcePlace& other) {
      return other.format == kEventFormat &&
             (standsIn(other.path, place.path) || standsIn(place.path, other.path));
    });
  }

  Status openGuest(Guest& guest) const {
    if (guest.source != nullptr) return {};
    ImportOptions options;
    options.format = guest.place.format;
    options.state = guest.state;
    options.follow = true;
    options.eventsElsewhere = guest.alone;
    FATHOM_TRY(guest.source, openSource(*findImport(guest.place.format), guest.place.path, options));
    return {};
  }

  // Nothing of what it gave is passed on unless the whole look went well: then it is read once more.
  Status readGuest(std::size_t at, const StopToken& stop, const ImportSink& take) {
    Guest& guest = m_guests[at];
    if (LookClock::now() < guest.next) return {};
    std::vector<ImportedRun> pieces;
    Status status = openGuest(guest);
    if (status.ok()) {
      const auto read = guest.source->read(stop, [&](ImportedRun piece) -> Status {
        pieces.push_back(std::move(piece));
        return {};
      });
      if (!read.ok()) status = read.error();
    }
    if (!status.ok() && status.error().kind == ErrorKind::Interrupted) return status;
    if (!status.ok()) {
      guest.source.reset();
      guest.error = status.error();
      guest.next = LookClock::now() + std::chrono::seconds(std::min(++guest.failed, kLongestWait));
      m_tells = m_tells || guest.failed == kSaidAfter;
      return {};
    }
    m_tells = m_tells || guest.failed >= kSaidAfter;
    guest.failed = 0;
    if (pieces.empty()) return {};
    guest.state = guest.source->state();
    for (ImportedRun& piece : pieces) FATHOM_CHECK(give(at + 1, std::move(piece), take));
    return {};
  }

  Status give(std::size_t source, ImportedRun piece, const ImportSink& take) {
    if (source > 0 && piece.title.empty()) {
      ImportOptions named;
      named.name = placeOf(source).name;
      piece.title = importedName(piece, named, placeOf(source).path);
    }
    const std::string name = nameOf(source, piece);
    JoinedRun& run = m_runs[name];
    if (run.parts.empty()) run.first = source;
    run.parts[source] = withoutRecords(piece);
    rename(piece, run, source);
    if (run.parts.size() > 1) piece.marks = marksOf(piece, run, source);
    return take(told(name, run, source, std::move(piece)));
  }

  // Below what was named; "" = itself.
  std::string folderOf(std::size_t source, const std::string& run) const {
    const std::string below = fs::path(placeOf(source).path).lexically_relative(m_folder).string();
    const std::string place = below == "." ? std::string() : below;
    return run.empty() ? place : place.empty() ? run : place + "/" + run;
  }

  // The name it has had, that of a run it belongs to, or one that nobody has.
  std::string nameOf(std::size_t source, const ImportedRun& piece) {
    const auto key = std::pair(source, piece.name);
    if (const auto known = m_names.find(key); known != m_names.end()) return known->second;
    const std::string folder = folderOf(source, piece.name);
    for (const auto& [name, run] : m_runs)
      if (belongs(run, piece.format, folder)) return m_names[key] = name;
    std::string name = source == 0 ? piece.name : folder;
    if (source > 0 && name.empty()) name = piece.format;
    while (m_runs.contains(name)) name += "'";
    m_runs[name].folder = folder;
    return m_names[key] = name;
  }

  // Event files and the run in whose folder they lie, whichever came first.
  static bool belongs(const JoinedRun& run, const std::string& format, const std::string& folder) {
    if (run.parts.size() != 1 || run.has(format)) return false;
    const std::string& other = run.parts.begin()->second.format;
    if (other == kEventFormat && ownsFolders(format)) return standsIn(run.folder, folder);
    return format == kEventFormat && ownsFolders(other) && standsIn(folder, run.folder);
  }

  // A curve stays whose it was first.
  static void rename(ImportedRun& piece, JoinedRun& run, std::size_t source) {
    for (std::string& metric : piece.metrics) {
      if (run.holders.try_emplace(metric, source).first->second == source) continue;
      const std::string own = piece.format + "/" + metric;
      run.holders.try_emplace(own, source);
      for (ImportedMark& mark : piece.marks)
        if (mark.metric == metric) mark.metric = own;
      if (piece.evaluations.erase(metric) > 0) piece.evaluations.insert(own);
      metric = own;
    }
  }

  // What gives way is its own alone, and attempts are those of the first.
  static std::vector<ImportedMark> marksOf(const ImportedRun& piece, const JoinedRun& run,
                                           std::size_t source) {
    std::vector<ImportedMark> marks;
    for (const ImportedMark& mark : piece.marks) {
      if (mark.kind == ImportedMark::Kind::Attempt) {
        if (source == run.first) marks.push_back(mark);
      } else if (!mark.metric.empty()) {
        marks.push_back(mark);
      } else {
        for (const auto& [metric, holder] : run.holders)
          if (holder == source) marks.push_back({mark.kind, mark.before, metric, mark.from});
      }
    }
    return marks;
  }

  ImportedRun told(const std::string& name, const JoinedRun& run, std::size_t source, ImportedRun piece) {
    piece.name = name;
    if (run.parts.size() > 1) {
      const ImportedRun& first = run.parts.at(run.first);
      piece.format = first.format;
      piece.title = first.title;
      piece.notes = first.notes;
      piece.declared = first.declared;
      piece.warnings = first.warnings;
      ImportedOptions options;
      options.add("", first.options);
      for (const auto& [other, part] : run.parts) {
        if (other == run.first) continue;
        options.add("", part.options);
        piece.warnings.insert(piece.warnings.end(), part.warnings.begin(), part.warnings.end());
        piece.warnings.push_back(
            Phrase::tr("what %1 wrote into %2 belongs to this run: it has the metrics of both")(
                findImport(part.format)->title, plainText(placeOf(other).path)));
      }
      piece.options = options.finish(piece.warnings);
    } else if (source > 0) {
      piece.warnings.push_back(Phrase::tr("it came into %1 while that was followed")(plainText(m_folder)));
    }
    if (name == m_runs.begin()->first)
      for (const Guest& guest : m_guests)
        if (guest.failed >= kSaidAfter && guest.error) piece.warnings.push_back(guest.error->phrase());
    return piece;
  }

  std::unique_ptr<ImportSource> m_host;
  SourcePlace m_place;
  ImportOptions m_options;
  std::string m_folder;
  FolderTree m_tree;
  bool m_knows;                      // what was there at the beginning
  bool m_tells = false;              // something is to be said, whether a point comes or not
  std::vector<SourcePlace> m_known;  // followed by others
  std::vector<Guest> m_guests;
  std::map<std::string, JoinedRun> m_runs;                             // by the name they are given by
  std::map<std::pair<std::size_t, std::string>, std::string> m_names;  // by source and its own name
  LookClock::time_point m_nextLook = {};
};

}  // namespace

Result<std::unique_ptr<ImportSource>> openFollowed(const ImportEntry& entry, const std::string& path,
                                                   const ImportOptions& options) {
  const bool begun = options.state.is_object() && options.state.contains(kHostState);
  const bool fresh = options.state.is_null() && !options.around.empty();
  if (!begun && !fresh) return openSource(entry, path, options);
  ImportOptions own = options;
  own.state = begun ? options.state.at(kHostState) : Json();
  FATHOM_TRY(auto host, openSource(entry, path, own));
  return std::unique_ptr<ImportSource>(
      std::make_unique<LaterKinds>(std::move(host), SourcePlace{.path = path, .format = entry.id}, options));
}

}  // namespace fathom
