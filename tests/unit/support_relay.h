// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/files/atomic_file.h"
#include "core/base/json/json_members.h"
#include "core/relay/relay_session.h"
#include "core/relay/run_mirror.h"

namespace fathom::test {

inline constexpr const char* kRelayRun = "runs/the run";  // with a blank, as people have them

inline void put(const std::string& path, const std::string& text, bool append = false) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, append ? std::ios::app : std::ios::trunc) << text;
}

// Everything below a folder but what belongs to one side alone.
inline std::map<std::string, std::string> contentOf(const std::string& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().string().substr(folder.size() + 1);
    if (name != "lock" && name.find(".tmp") == std::string::npos && !name.starts_with("control"))
      content[name] = readFile(entry.path().string()).value();
  }
  return content;
}

// One connection to a host's folder. Answers are taken by number, files go to the copy.
class Connection {
 public:
  Connection(const std::string& root, RunMirror* mirror) : m_session(root), m_mirror(mirror) {}
  void say(Json head, std::string_view body = {}) {
    head["id"] = ++m_number;
    const std::string bytes = frameBytes(head, body);
    m_session.feed(bytes).value();
  }
  Json ask(const Json& head, std::string_view body = {}) {
    say(head, body);
    hear(SIZE_MAX);
    return m_answers[m_number];
  }
  void follow(CheckpointWish checkpoints = CheckpointWish::None, const std::string& token = {},
              const Json& more = Json::object()) {
    Json run = knownFilesToJson(m_mirror->known(checkpoints).value());
    run.update({{"id", "r"},
                {"run", kRelayRun},
                {"token", token},
                {"checkpoints", checkpoints == CheckpointWish::All},
                {"best", checkpoints == CheckpointWish::Best}});
    run.update(more);
    say({{"verb", "follow"}, {"runs", Json::array({run})}});
  }
  // Takes up to `most` bytes of what comes now.
  void hear(std::size_t most) {
    while (true) {
      m_session.work();
      const std::string_view waiting = m_session.waiting().substr(0, most);
      if (waiting.empty()) return;
      m_reader.feed(waiting);
      most -= waiting.size();
      m_session.written(waiting.size());
      while (auto frame = m_reader.next().value()) take(*frame);
    }
  }
  Json state, fetched;
  std::int64_t mark = 0;           // of the last state
  std::vector<std::string> files;  // by their last piece, in order
  std::map<std::string, std::uint64_t> grown;

 private:
  void take(const RelayFrame& frame) {
    if (frame.head.contains("to")) {
      m_answers[frame.head["to"].get<int>()] = frame.head;
    } else if (frame.head.contains("state")) {
      state = frame.head["state"];
      mark = memberInteger(frame.head, "mark");
    } else if (frame.head.contains("fetched")) {
      fetched = frame.head;
    } else if (frame.head.contains("run")) {
      m_mirror->take(frame).value();
      const std::string file = memberText(frame.head, "file");
      if (memberText(frame.head, "kind") == "grows") grown[file] += frame.body.size();
      if (files.empty() || files.back() != file) files.push_back(file);
    }
  }
  RelaySession m_session;
  FrameReader m_reader;
  RunMirror* m_mirror;
  int m_number = 0;
  std::map<int, Json> m_answers;
};

}  // namespace fathom::test
