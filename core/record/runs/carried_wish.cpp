// SPDX-License-Identifier: Apache-2.0
#include "core/record/runs/carried_wish.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

#include "core/base/files/atomic_file.h"
#include "core/base/files/hash.h"
#include "core/base/json/json.h"
#include "core/record/runs/control_folder.h"

namespace fathom {

Status leaveWishOf(const std::string& by, const std::string& runPath, const std::string& command) {
  if (!isControlCommand(command)) return internalError("no control command: " + command);
  const std::string folder = runPath + "/" + kControlFolderName;
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
    return systemError(Phrase::tr("cannot make the folder for wishes"), folder, errno);
  // Whoever trains there must be able to remove what is left here.
  struct stat run {
  }, own{};
  if (::stat(runPath.c_str(), &run) == 0 && ::stat(folder.c_str(), &own) == 0 && own.st_uid == ::geteuid())
    (void)::chmod(folder.c_str(), run.st_mode & 07777);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const std::string name = std::to_string(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) +
                           "-" + makeUuid() + "." + command;
  const Json wish = {{"by", by}};
  return writeFileAtomically(folder + "/" + name, wish.dump() + "\n");
}

}  // namespace fathom
