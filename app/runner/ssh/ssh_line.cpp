// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/ssh_line.h"

#include <unistd.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "core/base/errors/error_key.h"
#include "core/base/files/hash.h"
#include "core/base/files/path_facts.h"
#include "core/base/options/field_builder.h"
#include "core/base/text/text_list.h"
#include "core/record/runs/run_lock.h"

namespace fathom {

namespace {

constexpr const char* kRelayName = "fathom-relay";
constexpr const char* kDefaultRoot = ".fathom";
// A socket's path, with the hash of ssh's %C and the mark that it adds while it makes one.
constexpr std::size_t kMostControlFolder = 104 - 1 - 6 - 40 - 18;

std::string octal(const std::string& text) {
  std::string coded;
  for (const unsigned char c : text) {
    char digits[8];
    std::snprintf(digits, sizeof digits, "\\0%03o", c);
    coded += std::isalnum(c) != 0 || c == '/' || c == '.' || c == '_' || c == '-'
                 ? std::string(1, static_cast<char>(c))
                 : std::string(digits);
  }
  return coded;
}

// One line without a single quote: the user's shell there, whatever it is, hands it to sh.
std::string hostScript(const PlaceRecord& record, const RelayProgram& relay) {
  const std::string bytes = std::to_string(relay.bytes);
  std::string script = "r=$(printf \"%b\" \"" + octal(hostRoot(record)) +
                       "\"); "
                       "case $r in /*) ;; *) r=$HOME/$r ;; esac; f=$r/bin/relay-" +
                       relay.sha256.substr(0, 16) +
                       "; "
                       "if [ ! -x \"$f\" ]; then m=$(uname -sm); "
                       "case $m in \"Linux x86_64\") ;; *) echo; echo \"FATHOM-MACHINE $m\"; exit 78 ;; "
                       "esac; "
                       "e=$(mkdir -p \"$r/bin\" 2>&1) || { echo; echo \"FATHOM-TROUBLE $e\"; exit 73; }; "
                       "echo; echo FATHOM-WANTS; e=$( { head -c " +
                       bytes +
                       " >\"$f.$$\"; } 2>&1 ); "
                       "if [ \"$(wc -c <\"$f.$$\")\" -ne " +
                       bytes +
                       " ]; then rm -f \"$f.$$\"; "
                       "echo; echo \"FATHOM-TROUBLE cannot write $f: $e\"; exit 73; fi; "
                       "chmod 755 \"$f.$$\" && mv \"$f.$$\" \"$f\"; fi; exec \"$f\" \"$r\"";
  return "exec /bin/sh -c '" + script + "'";
}

// The program where PATH finds it.
std::string foundProgram(const std::string& name) {
  if (name.find('/') != std::string::npos) return ::access(name.c_str(), X_OK) == 0 ? name : std::string();
  const char* path = std::getenv("PATH");
  for (const std::string_view folder : splitAt(path != nullptr ? path : "/usr/bin:/bin", ':')) {
    const std::string file = std::string(folder.empty() ? "." : folder) + "/" + name;
    if (::access(file.c_str(), X_OK) == 0 && fileExists(file)) return file;
  }
  return {};
}

// The folder that control sockets of runs lie in, too: this user's alone.
std::string controlFolder() {
  const std::string socket = chooseControlSocket(std::string(36, '0')).path;
  const std::string folder = std::filesystem::path(socket).parent_path().string();
  return folder.size() <= kMostControlFolder ? folder : std::string();
}

// ssh asks a program, which hands the question to the window behind the door and its answer back.
Status askByWindow(const PlaceTalk& talk, ChildSpec& spec) {
  FATHOM_TRY(const std::string asker, fathomProgram());
  spec.environment = {
      {"SSH_ASKPASS", asker}, {"SSH_ASKPASS_REQUIRE", "force"}, {PlaceTalk::kDoorVariable, talk.door}};
  // Older ones take a program only where there is a display, whichever.
  if (std::getenv("DISPLAY") == nullptr) spec.environment.emplace_back("DISPLAY", ":0");
  return {};
}

std::vector<std::string> splitWords(const std::string& text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text + " ") {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      word += c;
    } else if (!word.empty()) {
      words.push_back(std::exchange(word, {}));
    }
  }
  return words;
}

Result<std::string> sshProgram(const PlaceRecord& record) {
  const std::string name = record.resources.text("program");
  std::string path = foundProgram(name);
  if (!path.empty()) return path;
  return aboutKey("program", unavailableError(Phrase::tr("there is no program '%1'")(name),
                                              Phrase::tr("install OpenSSH's client")));
}

}  // namespace

std::vector<OptionField> hostFields() {
  return {
      textField("host", "Host", "Host as ssh knows it: a name of your ssh configuration, or user@host."),
      textField("options", "Options of ssh", "Further words for ssh, such as -p 2222 -J gate."),
      textField("program", "ssh program", "The program that reaches the host.", "ssh"),
      textField("engine", "Engine",
                "Path of fathom-engine at the host; empty: the one that prepare-place has brought."),
      textField("libraries", "Libraries",
                "Folders of libraries for the engine there, LibTorch's above all, with ':' between them."),
      flagField("checkpoints", "Fetch checkpoints", "Checkpoints are copied here, too."),
      flagField("keep_best", "Keep the best",
                "The best checkpoint by score is copied here, too; a better one takes its place.")};
}

std::vector<OptionField> sshResources() {
  std::vector<OptionField> fields = hostFields();
  fields.push_back(
      integerField("threads", "Threads", "Threads of a run; 0: as many as the engine takes by itself.", 0)
          .atLeast(0));
  fields.push_back(textField("device", "Device", "Device of a run there: auto, cpu, cuda:0.", "auto"));
  return fields;
}

std::vector<OptionField> sshLimits() {
  return {integerField("running", "Running at once", "Runs at the same time on the host.", 1).atLeast(1)};
}

Status checkHostFields(const PlaceRecord& record) {
  const std::string host = record.resources.text("host");
  if (host.empty())
    return aboutKey("host", dataError(Phrase::tr("the place has no host"),
                                      Phrase::tr("give it with --set host=NAME, as ssh knows it")));
  if (host.front() == '-' || splitWords(host).size() != 1 || splitWords(host)[0] != host)
    return aboutKey("host", dataError(Phrase::tr("'%1' is no name of a host")(host)));
  return {};
}

Status checkSshPlace(const PlaceRecord& record) {
  return checkHostFields(record);
}

CheckpointWish checkpointWish(bool all, bool best) {
  return all ? CheckpointWish::All : best ? CheckpointWish::Best : CheckpointWish::None;
}

std::string hostRoot(const PlaceRecord& record) {
  return record.root.empty() ? kDefaultRoot : record.root;
}

Result<RelayProgram> relayProgram() {
  RelayProgram relay;
  relay.path = siblingProgram(kRelayName);
  if (relay.path.empty())
    return unavailableError(Phrase::tr("the program %1 was not found beside this one")(kRelayName));
  relay.bytes = fileBytes(relay.path);
  FATHOM_TRY(relay.sha256, sha256OfFile(relay.path));
  return relay;
}

Status checkSshHere(const PlaceRecord& record) {
  FATHOM_CHECK(checkHostFields(record));
  FATHOM_CHECK(sshProgram(record));
  if (siblingProgram(kRelayName).empty()) return relayProgram().error();
  return {};
}

Result<ChildSpec> sshCommand(const PlaceRecord& record, const RelayProgram& relay, const PlaceTalk& talk) {
  FATHOM_CHECK(checkHostFields(record));
  ChildSpec spec;
  FATHOM_TRY(spec.program, sshProgram(record));
  // Given an option twice, ssh takes the first: the place's own count before ours.
  spec.arguments = splitWords(record.resources.text("options"));
  const auto option = [&](const std::string& text) {
    spec.arguments.push_back("-o");
    spec.arguments.push_back(text);
  };
  if (talk.who == PlaceTalk::Who::Nobody) option("BatchMode=yes");
  if (talk.who == PlaceTalk::Who::Window) FATHOM_CHECK(askByWindow(talk, spec));
  if (const std::string folder = controlFolder(); !folder.empty()) {
    option("ControlMaster=auto");
    option("ControlPath=" + folder + "/ssh-%C");
    option("ControlPersist=600");
  }
  for (const char* each : {"ServerAliveInterval=15", "ServerAliveCountMax=3", "ConnectTimeout=15",
                           "ClearAllForwardings=yes", "RequestTTY=no", "EscapeChar=none"})
    option(each);
  spec.arguments.push_back("--");
  spec.arguments.push_back(record.resources.text("host"));
  spec.arguments.push_back(hostScript(record, relay));
  return spec;
}

}  // namespace fathom
