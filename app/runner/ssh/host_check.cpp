// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/host_check.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>

#include "app/runner/engine_description.h"
#include "app/runner/ssh/host_torch.h"
#include "app/runner/ssh/placed_data.h"
#include "app/runner/ssh/ssh_board.h"
#include "core/base/errors/error_key.h"
#include "core/base/files/atomic_file.h"
#include "core/base/files/path_look.h"
#include "core/base/files/temporary_folder.h"
#include "core/base/json/json_members.h"
#include "core/base/json/json_reals.h"
#include "core/base/text/lines_of.h"
#include "core/base/text/number_text.h"
#include "core/base/text/text_list.h"

namespace fathom {

namespace {

constexpr const char* kTorchVersion = "2.11.";
constexpr int kOldestGlibc = 34;  // of 2.x: what the engine is built for
constexpr double kMostClockSeconds = 2, kCheckSeconds = 90;
constexpr std::uint64_t kLeastFree = std::uint64_t{1} << 30;
// Libraries that a host has, or that LibTorch brings.
constexpr std::string_view kTheirs[] = {"libc.so",  "libm.so",    "libpthread", "libdl.so", "librt.so",
                                        "ld-linux", "linux-vdso", "libtorch",   "libc10",   "libgomp",
                                        "libcud",   "libcupti",   "libstdc++",  "libgcc_s", "libnv"};

double clockSeconds() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// The folder of LibTorch: as the place says, or as a Python there knows it.
std::string torchAt(const PlaceRecord& record, const Json& facts) {
  if (const std::string said = record.resources.text("libraries"); !said.empty()) return said;
  for (const Json& torch : memberList(facts, "torch"))
    if (memberText(torch, "version").starts_with(kTorchVersion)) return memberText(torch, "path");
  return {};
}

int glibcMinor(const std::string& version) {
  const std::size_t dot = version.find('.');
  return dot == std::string::npos ? 0 : numberFrom<int>(version.substr(dot + 1)).value_or(0);
}

}  // namespace

double clockAhead(double before, double there, double after) {
  return there < before ? there - before : there > after ? there - after : 0.0;
}

std::vector<Error> hostTroubles(const PlaceRecord& record, const Json& facts) {
  std::vector<Error> troubles;
  const std::string host = memberText(facts, "host");
  const auto say = [&](const char* fact, const Phrase& message, const Phrase& hint) {
    troubles.push_back(aboutKey(fact, unavailableError(message, hint)));
  };
  const Phrase otherRoot = Phrase::tr("choose another folder there (add-place --root)");
  if (const Status root = checkHostRoot(record, facts); !root.ok())
    troubles.push_back(aboutKey("root", root.error()));
  if (const double ahead = memberReal(facts, "clock_ahead", 0); std::fabs(ahead) > kMostClockSeconds)
    say("clock_ahead",
        Phrase::tr("the clock of host %1 differs by %2 s")(host,
                                                           static_cast<std::int64_t>(std::lround(ahead))),
        Phrase::tr("times of events are the host's; let it keep its clock by NTP"));
  const Status engine = checkHostEngine(record, memberObject(facts, "engine"));
  const std::string glibc = memberText(facts, "glibc");
  if (!engine.ok() && glibc.starts_with("2.") && glibcMinor(glibc) < kOldestGlibc)  // one built there starts
    say("glibc", Phrase::tr("host %1 has glibc %2, the engine needs 2.34")(host, glibc),
        Phrase::tr("build the engine there, and name it: --set engine=PATH"));
  if (static_cast<std::uint64_t>(memberInteger(facts, "free", INT64_MAX)) < kLeastFree)
    say("root",
        Phrase::tr("host %1 has %2 MB left for runs and data")(host, memberInteger(facts, "free") >> 20),
        otherRoot);
  if (memberFlag(facts, "kills", false) && memberText(facts, "lingers") != "yes")
    say("lingers", Phrase::tr("host %1 ends a user's processes when he logs out")(host),
        Phrase::tr("let them stay, there: loginctl enable-linger"));
  if (!engine.ok()) {
    troubles.push_back(aboutKey("engine", engine.error()));
    if (torchAt(record, facts).empty())
      say("torch", Phrase::tr("no LibTorch %1 was found on host %2")(std::string(kTorchVersion) + "x", host),
          Phrase::tr("install it in a venv there: pip install torch==2.11.0, or name its lib folder: --set "
                     "libraries=PATH"));
  }
  return troubles;
}

namespace {

Result<Json> factsOf(RelayChannel& channel, const PlaceRecord& record, const StopToken& stop) {
  const double before = clockSeconds();
  FATHOM_TRY(const Json hello, channel.ask({{"verb", "hello"}}, {}, kCheckSeconds, stop));
  const double after = clockSeconds(), there = memberReal(hello, "time", after);
  FATHOM_TRY(Json facts, channel.ask(engineRequest(record, "check"), {}, kCheckSeconds, stop));
  facts["clock_ahead"] = clockAhead(before, there, after);
  return facts;
}

bool isTheirs(const std::string& name) {
  for (const std::string_view theirs : kTheirs)
    if (std::string_view(name).starts_with(theirs)) return true;
  return false;
}

// Libraries of a program, name to path, as the loader finds them here.
Result<std::vector<std::pair<std::string, std::string>>> loadedLibraries(const std::string& program,
                                                                         const StopToken& stop) {
  ChildSpec spec;
  spec.program = "/usr/bin/ldd";
  spec.arguments = {program};
  FATHOM_TRY(const ChildOutput output, runChild(spec, {}, stop));
  std::vector<std::pair<std::string, std::string>> found;
  LinesOf lines(output.out);
  for (std::string_view line; lines.next(line);) {
    const std::size_t arrow = line.find(" => "), end = line.find(" (");
    if (arrow == std::string_view::npos || end == std::string_view::npos || end < arrow + 4) continue;
    std::string name(trimmed(line.substr(0, arrow)));
    name.erase(0, name.find_first_not_of('\t'));
    if (!isTheirs(name)) found.emplace_back(name, std::string(line.substr(arrow + 4, end - arrow - 4)));
  }
  return found;
}

Status linkInto(const std::string& folder, const std::string& name, const std::string& path) {
  FATHOM_CHECK(makeFolders(folder));
  std::error_code code;
  const std::string real = std::filesystem::canonical(path, code).string();
  if (code) return inputError(Phrase::tr("cannot read"), path, code.value());
  std::filesystem::create_symlink(real, folder + "/" + name, code);
  if (code && code != std::errc::file_exists)
    return systemError(Phrase::tr("cannot write"), folder, code.value());
  return {};
}

// The engine, what lies beside it, and their libraries, as links in a folder.
Status gather(const std::string& engine, const std::string& folder, const StopToken& stop) {
  const std::filesystem::path beside = std::filesystem::path(engine).parent_path();
  std::vector<std::string> programs = {engine};
  for (const char* name : {"fathom-sqlrun"})
    if (const auto path = beside / name; ::access(path.c_str(), X_OK) == 0) programs.push_back(path.string());
  for (const std::string& program : programs) {
    const std::string name = std::filesystem::path(program).filename().string();
    FATHOM_CHECK(linkInto(folder + "/bin", program == engine ? "fathom-engine" : name, program));
    FATHOM_TRY(const auto libraries, loadedLibraries(program, stop));
    for (const auto& [library, path] : libraries) FATHOM_CHECK(linkInto(folder + "/lib", library, path));
  }
  FATHOM_TRY(const auto entries, entriesIn(beside.string()));
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("libfathom-") && name.ends_with(".so"))
      FATHOM_CHECK(linkInto(folder + "/bin", name, entry.path().string()));
  }
  return {};
}

// The loader of programs names the library that it does not find.
bool lacksTorch(const Json& engine) {
  const std::string words = memberText(engine, "words");
  return words.find("libtorch") != std::string::npos || words.find("libc10") != std::string::npos;
}

PlaceLook lookFrom(const PlaceRecord& record, Json facts) {
  PlaceLook look;
  look.troubles = hostTroubles(record, facts);
  look.facts = std::move(facts);
  return look;
}

}  // namespace

Result<PlaceLook> lookAtHost(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                             const StopToken& stop) {
  progress.begin(Phrase::tr("connecting").english, "steps", 1);
  FATHOM_TRY(const auto channel, RelayChannel::open(record, talk, stop));
  FATHOM_TRY(Json facts, factsOf(*channel, record, stop));
  progress.finish();
  return lookFrom(record, std::move(facts));
}

Result<PlaceLook> prepareHost(const PlaceRecord& record, const PlaceTalk& talk, Progress& progress,
                              const StopToken& stop) {
  FATHOM_TRY(const std::string engine, findEngine());
  progress.begin(Phrase::tr("connecting").english, "steps", 1);
  FATHOM_TRY(const auto channel, RelayChannel::open(record, talk, stop));
  PlaceRecord own = record;
  (void)own.resources.setText("engine=").ok();
  FATHOM_TRY(Json facts, factsOf(*channel, own, stop));
  const TemporaryFolder temporary;
  const std::string folder = temporary.path() + "/fathom-engine-" FATHOM_VERSION;
  FATHOM_CHECK(gather(engine, folder, stop));
  std::uint64_t sent = 0;
  progress.begin(Phrase::tr("sending the engine").english, "bytes", -1);
  const PlacedBytes told = [&](const std::string&, std::uint64_t done, std::uint64_t of) {
    progress.report(static_cast<double>(sent + done));
    if (done == of) sent += of;
    return Status();
  };
  FATHOM_TRY(const std::string there, placeAtHost(*channel, folder, told, stop));
  Json request = engineRequest(own, "use-engine");
  request.update({{"folder", there}, {"libtorch", torchAt(record, facts)}});
  FATHOM_TRY(facts["engine"], channel->ask(request, {}, kCheckSeconds, stop));
  facts["sent_bytes"] = sent;
  progress.finish();
  if (!lacksTorch(facts["engine"]) || !torchAt(record, facts).empty()) return lookFrom(own, std::move(facts));
  const auto torch = fetchTorchThere(*channel, facts, progress, stop);
  if (!torch.ok() && (channel->isLost() || stop.stopRequested())) return torch.error();
  if (torch.ok()) {
    request["libtorch"] = *torch;
    facts["torch"] = Json::array({{{"version", std::string(kTorchVersion) + "0"}, {"path", *torch}}});
    FATHOM_TRY(facts["engine"], channel->ask(request, {}, kCheckSeconds, stop));
  }
  PlaceLook look = lookFrom(own, std::move(facts));
  if (!torch.ok()) look.troubles.push_back(aboutKey("torch", torch.error()));
  return look;
}

}  // namespace fathom
