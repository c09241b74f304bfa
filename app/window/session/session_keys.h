// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

namespace fathom::session {

// Keys of SessionStore, so that no two parts of the window mean different things by one name.
inline constexpr const char* kGeometry = "geometry";
inline constexpr const char* kDocks = "docks";
inline constexpr const char* kDockPlaces = "dock_places";
inline constexpr const char* kDockWidths = "dock_widths";
inline constexpr const char* kColumns = "run_columns";
inline constexpr const char* kProject = "project";
inline constexpr const char* kTheme = "theme";
inline constexpr const char* kLanguage = "language";
inline constexpr const char* kKeys = "keys";
inline constexpr const char* kTextSize = "text_size";
inline constexpr const char* kSampleSteps = "sample_steps";
inline constexpr const char* kRuns = "runs";
inline constexpr const char* kRunsOf = "runs_of";  // the project that they were chosen in
inline constexpr const char* kDetailsTab = "details_tab";
inline constexpr const char* kCurves = "curves";
inline constexpr const char* kAttention = "attention";
inline constexpr const char* kErrors = "errors";
inline constexpr const char* kFigures = "figures";
inline constexpr const char* kWorkspace = "workspace";
inline constexpr const char* kScript = "script";                 // app/window/train/script_dialog.h
inline constexpr const char* kImportColumns = "import_columns";  // app/window/imports/column_memory.h
// Last folder of each FileKind (file_choice.h), in the order of its enumerators.
inline constexpr std::array<const char*, 7> kFolders = {
    "folder_project",     "folder_figure", "folder_table", "folder_archive",
    "folder_predictions", "folder_data",   "folder_source"};

}  // namespace fathom::session
