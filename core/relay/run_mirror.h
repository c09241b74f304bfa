// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/relay/relay_frame.h"
#include "core/relay/run_stream.h"

namespace fathom {

// The copy of a run that is written elsewhere, made of what RunStream sends. What is there is always a prefix
// of a file that grows, or a whole file, or a whole folder.
class RunMirror {
 public:
  // `asideEnd`: of names of what is half written; two that write one copy have two.
  explicit RunMirror(std::string path, std::string asideEnd = ".tmp")
      : m_path(std::move(path)), m_asideEnd(std::move(asideEnd)) {}
  const std::string& path() const { return m_path; }
  // Content of the copy, to be told when a connection is made. Half a file of an earlier connection is
  // removed.
  Result<KnownFiles> known(CheckpointWish checkpoints);
  // Data error where it does not belong to what is here, a disk error where it cannot be written: the
  // connection has to be made again.
  Status take(const RelayFrame& frame);

 private:
  Status takeGrown(const std::string& file, const RelayFrame& frame);
  Status takeWhole(const std::string& file, const RelayFrame& frame);
  Status endFolder(const std::string& folder, bool finished, bool best);
  Status takeBest(const std::string& folder);
  std::string asidePath(const std::string& file) const;
  std::string bestMark() const;

  std::string m_path, m_asideEnd;
  std::map<std::string, std::uint64_t> m_sizes;  // of files that grow
  std::string m_whole;                           // being written aside
  std::uint64_t m_wholeBytes = 0;
};

// False for one that leads out of its folder, or is none.
bool isPathInside(std::string_view path);

// Writes at an offset that is the file's end; one that begins `anew` is emptied first. What an error has left
// of the piece is taken back.
Status writePiece(const std::string& path, std::uint64_t at, bool anew, std::string_view bytes);

}  // namespace fathom
