// SPDX-License-Identifier: Apache-2.0
#include "core/imports/tensorboard_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include "core/base/files/path_facts.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/text/text_list.h"
#include "core/imports/formats/protobuf_wire.h"
#include "core/imports/record_text.h"
#include "core/imports/tensorboard_hparams.h"

namespace fathom {

namespace {

// Doubles of a HistogramProto: bucket_limit (6) and bucket (7), packed or not; min (1).
bool readHistogram(std::string_view bytes, Json& histogram) {
  std::vector<double> limits, counts;
  double least = kNaN;
  WireReader message(bytes);
  while (!message.atEnd()) {
    std::uint32_t number = 0;
    int type = 0;
    double one = 0;
    if (!message.field(number, type)) return false;
    if (number == 1 && type == 1) {
      if (!message.fixed(least)) return false;
    } else if ((number == 6 || number == 7) && type == 1) {
      if (!message.fixed(one)) return false;
      (number == 6 ? limits : counts).push_back(one);
    } else if ((number == 6 || number == 7) && type == 2) {
      std::string_view packed;
      if (!message.bytes(packed)) return false;
      WireReader list(packed);
      while (!list.atEnd()) {
        if (!list.fixed(one)) return false;
        (number == 6 ? limits : counts).push_back(one);
      }
    } else if (!message.skip(type)) {
      return false;
    }
  }
  if (limits.empty() || limits.size() != counts.size() || limits.size() > 10'000) return false;
  histogram = {{"edges", Json::array({jsonReal(least)})}, {"counts", Json::array()}};
  for (const double limit : limits) histogram["edges"].push_back(jsonReal(limit));
  for (const double count : counts) histogram["counts"].push_back(jsonReal(count));
  return true;
}

// A float tensor [k, 3] of left, right, count.
Json histogramOf(const std::vector<double>& numbers) {
  Json histogram = {{"edges", Json::array()}, {"counts", Json::array()}};
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
    if (i == 0) histogram["edges"].push_back(jsonReal(numbers[0]));
    histogram["edges"].push_back(jsonReal(numbers[i + 1]));
    histogram["counts"].push_back(jsonReal(numbers[i + 2]));
  }
  return histogram;
}

}  // namespace

std::uint32_t TensorboardFolder::tagPlace(std::string_view tag) {
  const auto known = m_tagPlaces.find(tag);
  if (known != m_tagPlaces.end()) return known->second;
  const auto at = static_cast<std::uint32_t>(tags.size());
  m_tagPlaces.emplace(std::string(tag), at);
  tags.emplace_back(tag);
  counts.push_back(0);
  return at;
}

void TensorboardFolder::take(std::uint32_t file, const TensorboardEvent& event) {
  const auto step = static_cast<double>(event.step);
  if (event.sessionStart) fresh.push_back({file, 0, true, step, event.wallTime, 0});
  for (const TensorboardValue& value : event.values) {
    auto known = m_plugins.find(value.tag);
    if (known == m_plugins.end() && !value.plugin.empty())
      known = m_plugins.emplace(std::string(value.tag), std::string(value.plugin)).first;
    const std::string_view plugin = known == m_plugins.end() ? value.plugin : std::string_view(known->second);
    if (plugin == "hparams") {
      if (!readTensorboardHparams(value.content, options)) ++files[file].strange;
    } else if (plugin == "text" || (!value.strings.empty() && plugin.empty())) {
      std::string text;
      for (const std::string_view part : value.strings)
        text += (text.empty() ? "" : "\n") + std::string(part);
      std::string tag(value.tag);
      if (constexpr std::string_view kEnd = "/text_summary"; tag.ends_with(kEnd))
        tag.resize(tag.size() - kEnd.size());
      texts.keep({tag, step, event.wallTime, std::move(text), {}});
    } else if (plugin == "histograms" && value.numbers.size() >= 3 && value.numbers.size() % 3 == 0) {
      texts.keep({std::string(value.tag), step, event.wallTime, {}, histogramOf(value.numbers)});
    } else if (Json histogram; value.kind == "histogram" && readHistogram(value.bytes, histogram)) {
      texts.keep({std::string(value.tag), step, event.wallTime, {}, std::move(histogram)});
    } else if (value.one && (plugin.empty() || plugin == "scalars" || value.kind == "scalar")) {
      const std::uint32_t tag = tagPlace(value.tag);
      ++counts[tag];
      fresh.push_back({file, tag, false, step, event.wallTime, value.number});
    } else if (plugin == "custom_scalars") {
      continue;  // how charts are laid out
    } else {
      ++m_other[plainText(std::string(plugin.empty() ? value.kind : plugin))];
    }
  }
}

namespace {

// Wall time of the first event of a file; NaN where there is none yet.
double firstEventTime(const std::string& path) {
  const auto reader = TfrecordReader::open(path);
  std::string record;
  TensorboardEvent event;
  if (!reader.ok()) return kNaN;
  const auto more = (*reader)->next(record);
  return more.ok() && *more && parseTensorboardEvent(record, event) ? event.wallTime : kNaN;
}

}  // namespace

bool TensorboardFolder::renamed(const std::string& path, std::string& former) {
  struct stat info {};
  if (files.empty() || ::stat(path.c_str(), &info) != 0) return false;
  for (TensorboardFile& file : files) {
    if (file.path.empty() || file.inode != info.st_ino || fileExists(file.path) || !goesOnIn(file, path))
      continue;
    former = std::exchange(file.path, path);
    return true;
  }
  return false;
}

// True if the file that lies there now begins with all that was read of it.
bool TensorboardFolder::goesOnIn(const TensorboardFile& file, const std::string& path) {
  if (!file.summed) return false;
  const auto reader = TfrecordReader::open(path);
  if (!reader.ok()) return false;
  std::string record;
  while ((*reader)->position() < file.position) {
    const auto more = (*reader)->next(record);
    if (!more.ok() || !*more) break;
  }
  return (*reader)->position() == file.position && (*reader)->sum() == file.sum;
}

// A copy of it that holds more takes its place; another file under its name is another part of the run. One
// that was cut is waited for as long as it begins as it did: whoever writes it once more, or a file system
// that shows less for a while, brings back what was read.
TensorboardFolder::Place TensorboardFolder::placeOf(TensorboardFile& file, std::uint64_t inode,
                                                    std::uint64_t size) {
  if (file.inode == 0) return Place::Same;
  if (file.inode != inode) return goesOnIn(file, file.path) ? Place::Same : Place::Other;
  if (file.packed) return Place::Same;
  if (size < file.position) {
    file.cut = true;
    const double begun = firstEventTime(file.path);
    return std::isnan(begun) || begun == file.begun ? Place::Wait : Place::Other;
  }
  if (!file.cut || goesOnIn(file, file.path)) {
    file.cut = false;
    return Place::Same;
  }
  return Place::Other;
}

Status TensorboardFolder::readFile(std::uint32_t at, const StopToken& stop) {
  TensorboardFile& file = files[at];
  struct stat info {};
  if (::stat(file.path.c_str(), &info) != 0) return {};  // it vanished: what is known stays
  const auto size = static_cast<std::uint64_t>(info.st_size);
  const std::int64_t written = info.st_mtim.tv_sec * std::int64_t{1'000'000'000} + info.st_mtim.tv_nsec;
  const bool another = file.inode != 0 && file.inode != info.st_ino;
  const Place place = placeOf(file, info.st_ino, size);
  if (place == Place::Wait) return {};
  if (place == Place::Other) {
    TensorboardFile again;
    again.path = file.path;
    file.path.clear();
    files.push_back(again);
    return {};
  }
  const bool same = file.packed || file.lengthDamaged ? size == file.size && written == file.written
                                                      : size == file.position + file.torn;
  if (file.inode != 0 && !another && same) return {};
  FATHOM_TRY(const auto reader, TfrecordReader::open(file.path, file.position, file.sum));
  file.inode = info.st_ino;
  file.size = size;
  file.written = written;
  file.packed = reader->packed();
  const Status read = readRecords(at, *reader, stop);
  if (!read.ok() && (read.error().kind != ErrorKind::Data || isFull())) return read;
  if (!read.ok())
    broken.insert_or_assign(file.path, read.error());
  else
    broken.erase(file.path);
  m_changed = m_changed || reader->position() > file.position || reader->lengthDamaged();
  if (reader->position() >= file.position) file.sum = reader->sum();
  file.position = std::max(file.position, reader->position());
  file.torn = reader->tornBytes();
  file.bad = file.packed ? reader->badRecords() : file.bad + reader->badRecords();
  file.lengthDamaged = reader->lengthDamaged();
  if (file.records == 0 && file.lengthDamaged)
    broken.insert_or_assign(file.path, dataErrorAt(file.path, 0, Phrase::tr("not a TensorBoard event file")));
  return {};
}

// A packed file begins anew each time: what was taken of it is passed by.
Status TensorboardFolder::readRecords(std::uint32_t at, TfrecordReader& reader, const StopToken& stop) {
  TensorboardFile& file = files[at];
  std::string record;
  TensorboardEvent event;
  while (true) {
    if (stop.stopRequested()) return interruptedError();
    FATHOM_TRY(const bool more, reader.next(record));
    if (!more) return {};
    if (file.packed && reader.position() <= file.position) continue;
    ++file.records;
    if (!parseTensorboardEvent(record, event)) {
      ++file.strange;
      continue;
    }
    if (std::isnan(file.begun)) file.begun = event.wallTime;
    take(at, event);
    if (isFull())
      return dataErrorAt(file.path, 0, Phrase::tr("more than %1 points")(kMaxImportedPoints),
                         Phrase::tr("log fewer updates, or import it in parts"));
  }
}

// A file that came under the name of another is read in the same look, behind the others.
Status TensorboardFolder::read(const StopToken& stop) {
  for (std::uint32_t i = 0; i < files.size(); ++i)
    if (!files[i].path.empty()) FATHOM_CHECK(readFile(i, stop));
  return {};
}

bool TensorboardFolder::isHopeless() const {
  return !broken.empty() && std::all_of(files.begin(), files.end(), [this](const TensorboardFile& file) {
    return file.records == 0 && broken.contains(file.path);
  });
}

bool TensorboardFolder::isSession() const {
  return !options.empty() &&
         std::all_of(counts.begin(), counts.end(), [](std::int64_t count) { return count == 1; });
}

std::string TensorboardFolder::curveName() const {
  if (tags.size() != 1 || !options.empty()) return {};
  std::string begin = tags.front();
  std::replace(begin.begin(), begin.end(), '/', '_');
  const std::string own = std::filesystem::path(name).filename().string();
  const bool fits = own.size() > begin.size() + 1 && own.starts_with(begin) && own[begin.size()] == '_';
  return fits ? tags.front() + "/" + own.substr(begin.size() + 1) : std::string();
}

void TensorboardFolder::warn(bool closing, std::vector<Phrase>& warnings) const {
  for (const TensorboardFile& file : files) {
    const std::string path = plainText(file.path);
    if (file.lengthDamaged)
      warnings.push_back(Phrase::tr("%1: a damaged length; what follows it could not be read")(path));
    if (file.bad > 0) warnings.push_back(Phrase::tr("%1: %2 damaged records skipped")(path, file.bad));
    if (file.strange > 0) warnings.push_back(Phrase::tr("%1: %2 records are not events")(path, file.strange));
    if (closing && file.torn > 0 && !file.lengthDamaged)
      warnings.push_back(Phrase::tr("%1: the last record is cut off")(path));
  }
  warnOfTexts(0, texts.leftOut(), warnings);
  for (const auto& [plugin, count] : m_other)
    warnings.push_back(Phrase::tr("%1 values of %2 passed over")(
        count, plugin.empty() || plugin == "tensor" ? std::string("tensors") : plugin));
}

Json TensorboardFolder::state() const {
  Json json = {
      {"role", static_cast<int>(role)}, {"curve", curve}, {"files", Json::array()}, {"tags", Json::array()}};
  for (const TensorboardFile& file : files)
    json["files"].push_back({recordText(file.path), file.position, file.inode, jsonReal(file.begun),
                             file.records, file.bad, file.strange, file.torn, file.lengthDamaged,
                             file.restart, file.purged, file.size, file.packed, file.written, file.sum,
                             file.summed, file.cut});
  for (std::size_t i = 0; i < tags.size(); ++i) json["tags"].push_back({recordText(tags[i]), counts[i]});
  json["texts"] = texts.kept();
  json["texts_left"] = texts.leftOut();
  std::vector<Phrase> ignored;
  json["options"] = options.finish(ignored);
  json["plugins"] = Json::object();
  for (const auto& [tag, plugin] : m_plugins) json["plugins"][recordText(tag)] = recordText(plugin);
  json["other"] = m_other;
  return json;
}

void TensorboardFolder::restore(const Json& state) {
  role = static_cast<Role>(memberInteger(state, "role"));
  curve = memberText(state, "curve");
  for (const Json& item : memberList(state, "files")) {
    TensorboardFile file;
    file.path = ofRecord(item.at(0).get<std::string>());
    file.position = item.at(1).get<std::uint64_t>();
    file.inode = item.at(2).get<std::uint64_t>();
    file.begun = realOr(item.at(3), kNaN);
    file.records = item.at(4).get<std::int64_t>();
    file.bad = item.at(5).get<std::int64_t>();
    file.strange = item.at(6).get<std::int64_t>();
    file.torn = item.at(7).get<std::uint64_t>();
    file.lengthDamaged = item.at(8).get<bool>();
    file.restart = item.at(9).get<bool>();
    file.purged = item.at(10).get<bool>();
    if (item.size() > 12) {  // older records do not say
      file.size = item.at(11).get<std::uint64_t>();
      file.packed = item.at(12).get<bool>();
    }
    file.summed = file.position == 0;
    if (item.size() > 15) {
      file.written = item.at(13).get<std::int64_t>();
      file.sum = item.at(14).get<std::uint32_t>();
      file.summed = item.at(15).get<bool>();
    }
    if (item.size() > 16) file.cut = item.at(16).get<bool>();
    files.push_back(std::move(file));
  }
  for (const Json& item : memberList(state, "tags"))
    counts[tagPlace(ofRecord(item.at(0).get<std::string>()))] = item.at(1).get<std::int64_t>();
  texts.restoreCounts(memberInteger(state, "texts"), memberInteger(state, "texts_left"));
  options.add("", memberObject(state, "options"));
  for (const auto& [tag, plugin] : memberObject(state, "plugins").items())
    m_plugins.emplace(ofRecord(tag), ofRecord(plugin.get<std::string>()));
  for (const auto& [plugin, count] : memberObject(state, "other").items())
    m_other.emplace(plugin, count.get<std::int64_t>());
}

Status TensorboardRun::addPoint(TensorboardFile& file, const std::string& key, const TensorboardItem& item,
                                const std::string& metric, bool later) {
  const ImportedPoints::Axes axes{.step = item.step, .time = item.time};
  if (!later) return points.add(metric, axes, item.value);
  const auto [first, added] = m_firsts.try_emplace(key);
  if (added) {
    // An older file that is written to at the same time is another writer's, no attempt that ended.
    const ImportedPoints::History* history = points.history(metric);
    const bool back = history != nullptr && history->points > 0 && item.step <= history->highest &&
                      (std::isnan(history->lastTime) || file.begun > history->lastTime);
    first->second = {back, item.step, item.time, item.value};
  } else if (first->second.open) {
    // It goes on from there: a restart, and not one point that was logged late.
    const First from = first->second;
    first->second.open = false;
    if (item.step > from.step) {
      if (!file.restart) points.beginAttempt();
      file.restart = true;
      points.giveWay(metric, from.step);
      FATHOM_CHECK(points.add(metric, {.step = from.step, .time = from.time}, from.value));
    }
  }
  return points.add(metric, axes, item.value);
}

Status TensorboardRun::take(TensorboardFolder& folder, const std::vector<std::string>& names,
                            bool finalValues) {
  for (const TensorboardItem& item : folder.fresh) {
    TensorboardFile& file = folder.files[item.file];
    if (item.purge) {
      if (points.empty()) continue;
      if (!file.restart) points.beginAttempt();
      file.restart = file.purged = true;
      points.giveWay({}, item.step);
      continue;
    }
    const std::string& metric = names[item.tag];
    const ImportedPoints::History* known = finalValues ? points.history(metric) : nullptr;
    if (known != nullptr && known->points > 0) continue;
    // Once everything from a step on gave way, nothing of this file is compared with older ones any more.
    const bool later = item.file > 0 && !file.purged;
    const std::string key =
        later ? folder.name + ":" + std::to_string(item.file) + ":" + metric : std::string();
    FATHOM_CHECK(addPoint(file, key, item, metric, later));
  }
  folder.fresh.clear();
  return {};
}

Json TensorboardRun::state() const {
  Json json = {{"points", points.state()}, {"firsts", Json::array()}};
  for (const auto& [key, first] : m_firsts)
    json["firsts"].push_back(
        {recordText(key), first.open, first.step, jsonReal(first.time), jsonReal(first.value)});
  return json;
}

void TensorboardRun::restore(const Json& state) {
  points.restore(memberObject(state, "points"));
  for (const Json& item : memberList(state, "firsts")) {
    First first;
    first.open = item.at(1).get<bool>();
    first.step = item.at(2).get<double>();
    first.time = realOr(item.at(3), kNaN);
    first.value = realOr(item.at(4), kNaN);
    m_firsts[ofRecord(item.at(0).get<std::string>())] = first;
  }
}

}  // namespace fathom
