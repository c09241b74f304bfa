// SPDX-License-Identifier: Apache-2.0
#include "core/imports/later_kinds.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/imports/folder_tree.h"
#include "core/imports/imported_names.h"
#include "core/imports/imported_options.h"
#include "core/imports/place_rules.h"
#include "core/imports/record_text.h"
#include "core/record/import/followed_folder.h"

namespace fathom {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHostState = "host";
constexpr std::chrono::seconds kLookPause{1};
constexpr std::chrono::seconds kTurn{2};  // for which others let the source that is the folder look first
constexpr int kLookShare = 100;           // a look for other kinds takes at most such a part of the time
constexpr int kSaidAfter = 5, kLongestWait = 30;

using LookClock = std::chrono::steady_clock;

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

std::string aroundOf(const ImportOptions& options) {
  const bool begun = options.state.contains(kHostState);
  return absolutePath(begun ? ofRecord(memberText(options.state, "around")) : options.around);
}

class LaterKinds : public ImportSource {
 public:
  LaterKinds(std::unique_ptr<ImportSource> host, SourcePlace place, const ImportOptions& options,
             const std::string& record)
      : m_host(std::move(host)),
        m_place(std::move(place)),
        m_options(options),
        m_folder(aroundOf(options)),
        m_record(fs::path(record).filename().string()),
        m_token(memberText(options.state, "token", makeUuid())),
        m_tree(m_folder),
        m_file(fs::path(record).parent_path().string(), m_folder),
        m_fresh(!options.state.contains(kHostState)) {
    restore(options.state);
    adopt();
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
    Json json = {{kHostState, m_host->state()}, {"around", recordText(m_folder)}, {"token", m_token},
                 {"guests", Json::array()},     {"runs", Json::object()},         {"names", Json::array()}};
    for (const Guest& guest : m_guests) {
      Json item = itemOf(guest.place);
      item["alone"] = guest.alone;
      item["state"] = guest.state;
      json["guests"].push_back(std::move(item));
    }
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
    m_former = memberList(state, "known");
    for (const Json& item : memberList(state, "guests")) {
      Guest guest{.place = placeOfItem(item), .alone = memberFlag(item, "alone", false), .state = {}};
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

  // It may have been cut off between finding a place and reading it.
  void adopt() {
    const auto items = m_fresh ? Result<Json>(Json::array()) : m_file.places();
    if (!items.ok()) return;
    for (const Json& item : *items) {
      const SourcePlace place = placeOfItem(item);
      const bool own = memberText(item, "token") == m_token;
      if (own && std::none_of(m_guests.begin(), m_guests.end(), [&](const Guest& guest) {
            return guest.place.path == place.path && guest.place.format == place.format;
          }))
        m_guests.push_back({.place = place, .alone = memberFlag(item, "alone", false), .state = {}});
    }
  }

  Status lookAround(const StopToken& stop) {
    const auto began = LookClock::now();
    if (!m_options.placesIn || began < m_nextLook) return {};
    m_nextLook = began + kLookPause;
    // Event files and the run in whose folder they lie join only where the source that is the folder finds
    // them.
    if (!m_fresh && m_place.path != m_folder && began < m_opened + kTurn) return {};
    if (!m_file.hold()) {
      m_fresh = false;
      return {};
    }
    if (!takeOver()) return {};
    const auto listed = m_tree.changed();
    if (listed.ok() && *listed) {
      const auto places = m_options.placesIn(m_folder, stop);
      if (!places.ok() && places.error().kind == ErrorKind::Interrupted) return places.error();
      if (places.ok()) FATHOM_CHECK(takePlaces(*places));
    }
    const auto end = LookClock::now();
    m_nextLook = end + std::max<LookClock::duration>(kLookPause, kLookShare * (end - began));
    return {};
  }

  // True if what is there is to be looked at now. Of a folder that nobody follows any more nothing is known.
  bool takeOver() {
    if (m_known) return true;
    auto items = m_file.places();
    if (!items.ok()) return false;
    m_known = std::move(items).value();
    if (!std::exchange(m_fresh, false)) {
      if (m_known->empty()) beginList();
      return true;
    }
    const bool lives = std::any_of(m_known->begin(), m_known->end(), [this](const Json& item) {
      const SourcePlace place = placeOfItem(item);
      return m_file.hasRecord(place.path, place.format) || m_file.isRead(item);
    });
    if (!lives) m_known = Json::array();
    if (m_options.format == "auto" && m_place.path == m_folder) return true;  // it is read whole
    m_begins = !holdsPlace(placesOfItems(*m_known), m_place);
    return m_begins;
  }

  // As a record has it that was written before there was a list of the folder.
  void beginList() {
    m_known = m_former;
    for (const Guest& guest : m_guests) m_known->push_back(claimOf(guest));
  }

  Json claimOf(const Guest& guest) const {
    Json item = itemOf(guest.place);
    item["alone"] = guest.alone;
    item["record"] = m_record;
    item["token"] = m_token;
    return item;
  }

  // Places of a folder that was found to hold several kinds are followed one by one. What comes later is
  // noted before it is read: then whoever looks next does not find it again.
  Status takePlaces(std::vector<SourcePlace> places) {
    Json known = *m_known;
    std::vector<SourcePlace> followed = placesOfItems(known);
    if (!holdsPlace(followed, m_place)) known.push_back(itemOf(m_place));
    followed.push_back(m_place);
    for (const Guest& guest : m_guests) followed.push_back(guest.place);
    std::vector<Guest> came;
    for (SourcePlace& place : places) {
      if (isReadAlready(place, followed) || (!m_begins && !isSource(place)) || isReadAlready(place, followed))
        continue;
      followed.push_back(place);
      if (m_begins || m_file.hasRecord(place.path, place.format)) {
        known.push_back(itemOf(place));
        continue;
      }
      const bool alone = ownsFolders(place.format) && meetsEvents(place, followed);
      came.push_back({.place = std::move(place), .alone = alone, .state = {}});
      known.push_back(claimOf(came.back()));
    }
    if (known != *m_known) FATHOM_CHECK(m_file.keep(known));
    m_known = std::move(known);
    m_begins = false;
    std::move(came.begin(), came.end(), std::back_inserter(m_guests));
    return {};
  }

  // Fills in the format, where nobody said.
  static bool isSource(SourcePlace& place) {
    if (place.format == "auto") {
      const auto entry = folderExists(place.path) ? claimedImport(place.path) : recognisedImport(place.path);
      if (!entry.ok() || *entry == nullptr) return false;
      place.format = (*entry)->id;
    }
    const ImportEntry* entry = findImport(place.format);
    return entry != nullptr && entry->open != nullptr;
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
  std::string m_folder, m_record, m_token;
  FolderTree m_tree;
  FollowedFolder m_file;
  bool m_fresh;                 // nothing of it was kept yet
  bool m_begins = false;        // what is there is followed by others, or not to be read
  bool m_tells = false;         // something is to be said, whether a point comes or not
  Json m_former;                // followed by others, by a record of old
  std::optional<Json> m_known;  // while it is the one who looks: all that was found, as m_file has it
  std::vector<Guest> m_guests;
  std::map<std::string, JoinedRun> m_runs;                             // by the name they are given by
  std::map<std::pair<std::size_t, std::string>, std::string> m_names;  // by source and its own name
  const LookClock::time_point m_opened = LookClock::now();
  LookClock::time_point m_nextLook = {};
};

}  // namespace

Result<std::unique_ptr<ImportSource>> openFollowed(const ImportEntry& entry, const std::string& path,
                                                   const ImportOptions& options, const std::string& record) {
  const bool begun = options.state.is_object() && options.state.contains(kHostState);
  const bool fresh = options.state.is_null() && !options.around.empty();
  if (!begun && !fresh) return openSource(entry, path, options);
  ImportOptions own = options;
  own.state = begun ? options.state.at(kHostState) : Json();
  FATHOM_TRY(auto host, openSource(entry, path, own));
  const SourcePlace place{.path = absolutePath(path), .format = entry.id};
  return std::unique_ptr<ImportSource>(std::make_unique<LaterKinds>(std::move(host), place, options, record));
}

bool isReadBeside(const std::string& project, const SourcePlace& place) {
  if (place.around.empty()) return false;
  const FollowedFolder folder(project + "/follows", absolutePath(place.around));
  const auto items = folder.places();
  if (!items.ok()) return false;
  const std::string path = absolutePath(place.path);
  return std::any_of(items->begin(), items->end(), [&](const Json& item) {
    const SourcePlace known = placeOfItem(item);
    const bool same = known.path == path && (place.format == "auto" || place.format == known.format);
    return same && folder.isRead(item);
  });
}

Phrase readBesideNote(const std::string& path) {
  return Phrase::tr("%1 is read on with its folder, which is followed already")(plainText(path));
}

std::vector<SourcePlace> readBeside(const Json& record) {
  return placesOfItems(memberList(memberObject(record, "reader"), "guests"));
}

}  // namespace fathom
