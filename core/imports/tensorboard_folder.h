// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/imports/formats/tfrecord_reader.h"
#include "core/imports/imported_options.h"
#include "core/imports/imported_texts.h"

namespace fathom {

// One event file and how far it was read: of a packed one the position is that of the unpacked bytes.
struct TensorboardFile {
  std::string path;
  std::uint64_t position = 0, inode = 0, size = 0;
  double begun = kNaN;  // wall time of its first record
  std::int64_t records = 0, bad = 0, strange = 0;
  std::uint64_t torn = 0;
  std::int64_t written = 0;  // when, in nanoseconds since 1970
  std::uint32_t sum = 0;     // CRC-32C of what was read, known where `summed`
  bool summed = true;
  bool lengthDamaged = false, packed = false;
  bool cut = false;      // it has been shorter since: what was read of it may be there again
  bool restart = false;  // it takes the place of what older files say
  bool purged = false;   // and said so itself (SessionLog START)
};

// What came out of a folder's files and was not given to a run yet.
struct TensorboardItem {
  std::uint32_t file = 0, tag = 0;
  bool purge = false;  // SessionLog START: everything from this step on gives way
  double step = 0, time = 0, value = 0;
};

// The event files of one folder: what they say, before anybody knows whose it is. A folder is a run, or
// belongs to the run around it: hyperparameters and final values that add_hparams wrote (whatever the folder
// is called), or one curve of add_scalars ("<main tag with / as _>_<key>").
class TensorboardFolder {
 public:
  enum class Role { Unknown, Run, Session, Curve };
  std::string name;  // relative to the folder that was named, "" = itself
  Role role = Role::Unknown;
  std::string curve;  // of Role::Curve its metric
  std::vector<TensorboardFile> files;
  std::vector<TensorboardItem> fresh;
  std::vector<std::string> tags;
  std::vector<std::int64_t> counts;  // points by tag
  ImportedOptions options;
  ImportedTexts texts;
  // Files that could not be read, by the path; they do not take the others along.
  std::map<std::string, Error> broken;

  Status read(const StopToken& stop);
  // True if this is one of the files under another name than the `former` one; it is read on there.
  bool renamed(const std::string& path, std::string& former);
  // None of its files can be read.
  bool isHopeless() const;
  bool changed() const { return m_changed; }
  void settled() { m_changed = false; }
  // One value for each tag and nothing else, with hyperparameters.
  bool isSession() const;
  // As add_scalars would call the folder of this one curve: the metric it is, or "".
  std::string curveName() const;
  void warn(bool closing, std::vector<Phrase>& warnings) const;
  Json state() const;
  void restore(const Json& state);

 private:
  static bool goesOnIn(const TensorboardFile& file, const std::string& path);
  enum class Place { Same, Other, Wait };
  static Place placeOf(TensorboardFile& file, std::uint64_t inode, std::uint64_t size);
  Status readFile(std::uint32_t at, const StopToken& stop);
  Status readRecords(std::uint32_t at, TfrecordReader& reader, const StopToken& stop);
  bool isFull() const { return fresh.size() > static_cast<std::size_t>(kMaxImportedPoints); }
  void take(std::uint32_t file, const TensorboardEvent& event);
  std::uint32_t tagPlace(std::string_view tag);
  TextMap<std::uint32_t> m_tagPlaces;
  std::map<std::string, std::string, std::less<>> m_plugins;  // by tag
  std::map<std::string, std::int64_t> m_other;                // values that are no curve, by plug-in
  bool m_changed = false;
};

// The points of a run out of the items of its folders: restarts are found here.
class TensorboardRun {
 public:
  explicit TensorboardRun(const std::string& place) : points(place) {}
  ImportedPoints points;
  // Items of a folder; `names` are the metrics of its tags. Final values of metrics that are there already
  // are left out.
  Status take(TensorboardFolder& folder, const std::vector<std::string>& names, bool finalValues);
  Json state() const;
  void restore(const Json& state);

 private:
  // Of a metric in a file that is not the first: its first point there, until it is known to go on.
  struct First {
    bool open = true;
    double step = 0, time = 0, value = 0;
  };
  Status addPoint(TensorboardFile& file, const std::string& key, const TensorboardItem& item,
                  const std::string& metric, bool later);
  std::map<std::string, First> m_firsts;  // by file and metric
};

}  // namespace fathom
