// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace fathom {

// Looking at paths without exceptions: a folder of another user, a loop of links, a name that is too long are
// answers, not accidents. Iterators of std::filesystem throw when they go on, so they are used here only (a
// test of tests/architecture looks at every call).

// True when something is at `path` and can be looked at; what cannot be looked at is as good as absent.
bool fileExists(const std::string& path);
bool folderExists(const std::string& path);
// Bytes of a file, 0 when it cannot be looked at.
std::uintmax_t fileBytes(const std::string& path);

// Changes whenever something comes to a folder or goes (not when a file in it is written to); "" when it
// cannot be looked at.
std::string folderStamp(const std::string& path);

// From the root, without "." and ".."; `path` as it is where the working folder is gone.
std::string absolutePath(const std::string& path);

// The folder that the file of this program lies in; "" where the system does not tell.
std::string programFolder();
// The first of `path` below that folder, the one above it, … that is there, or "": what lies beside the
// sources while the program is in their build folder.
std::string besideSources(const std::string& path);

// Content of a folder, hidden names too, in no order. After a failure, `code` and the entries before it; a
// folder that is not there is a failure like any other.
std::vector<std::filesystem::directory_entry> listFolder(const std::string& path, std::error_code& code);
// The same where nobody asks why something could not be read.
std::vector<std::filesystem::directory_entry> listFolder(const std::string& path);
// Everything below it; links are named and not followed. A folder that cannot be looked into
// ends it with `code`.
std::vector<std::filesystem::directory_entry> listTree(const std::string& path, std::error_code& code);
// Bytes of all files below a folder, or of one file; links count nothing. What cannot be looked at is left
// out.
std::uintmax_t bytesBelow(const std::string& path);

}  // namespace fathom
