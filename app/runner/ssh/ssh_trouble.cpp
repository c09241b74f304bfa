// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/runner/ssh/ssh_trouble.h"

#include <string_view>
#include <vector>

#include "core/base/text/lines_of.h"
#include "core/base/text/shown_value.h"

namespace fathom {

namespace {

constexpr int kOwnExit = 255;  // of ssh itself; everything else is the command's

// The last line that says something, of those with `text`: ssh's frames of '@' and empty ones are none.
std::string lastWords(const std::string& printed, std::string_view text = {}) {
  std::string words;
  LinesOf lines(printed);
  for (std::string_view line; lines.next(line);) {
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
    if (line.find_first_not_of("@ ") != std::string_view::npos && line.find(text) != std::string_view::npos)
      words = line;
  }
  return shownValue(words);
}

constexpr const char* kNoName = "Could not resolve hostname";
constexpr const char* kNoNameNow = "Temporary failure in name resolution";  // without a network
constexpr const char* kManyKeys = "Too many authentication failures";

}  // namespace

SshTrouble sshTrouble(const std::string& place, const std::string& host, const std::string& printed,
                      int exitCode) {
  const auto said = [&](const char* text) { return printed.find(text) != std::string::npos; };
  const std::string words = lastWords(printed, said(kNoName) ? kNoName : said(kManyKeys) ? kManyKeys : "");
  const auto lasting = [&](const Phrase& message, const Phrase& hint) {
    return SshTrouble{unavailableError(message, hint), true};
  };
  if (said("REMOTE HOST IDENTIFICATION HAS CHANGED"))
    return lasting(Phrase::tr("%1: the key of host %2 is another than before")(place, host),
                   Phrase::tr("ask whoever runs the host; if it was made anew: ssh-keygen -R %1")(host));
  if (said("Host key verification failed") || said("host key is known"))
    return lasting(
        Phrase::tr("%1: the key of host %2 is not known yet")(place, host),
        Phrase::tr("“Check” in the window's list of places shows it and asks; so does, in a terminal: "
                   "fathom check-place %1 --project DIR")(place));
  if (said("Permission denied") && exitCode == kOwnExit)
    return lasting(
        Phrase::tr("%1: host %2 does not let you in with a key alone: %3")(place, host, words),
        Phrase::tr("connect where it may ask: “Check” in the window's list of places, or in a terminal "
                   "fathom check-place %1 --project DIR; the connection stays open for ten minutes, and as "
                   "long as runs are watched")(place));
  if (said(kManyKeys))
    return lasting(
        Phrase::tr("%1: host %2 lets nobody in who offers so many keys: %3")(place, host, words),
        Phrase::tr("name its key in your ssh configuration: IdentityFile, with IdentitiesOnly yes"));
  if (said(kNoName) && !said(kNoNameNow))
    return lasting(Phrase::tr("%1: there is no host %2: %3")(place, host, words),
                   Phrase::tr("look at the name, and at your ssh configuration"));
  if (said("Bad configuration option") || said("illegal option") || said("unknown option"))
    return lasting(Phrase::tr("%1: ssh does not take its options: %2")(place, words),
                   Phrase::tr("look at the options of the place, and at your ssh configuration"));
  if (exitCode != kOwnExit && exitCode != 0 && !words.empty())
    return {unavailableError(Phrase::tr("%1: what was started on host %2 ended: %3")(place, host, words)),
            false};
  return {unavailableError(words.empty() ? Phrase::tr("%1: the connection to host %2 ended")(place, host)
                                         : Phrase::tr("%1: host %2 is not reached: %3")(place, host, words)),
          false};
}

}  // namespace fathom
