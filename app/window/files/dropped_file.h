// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace fathom {

// Kind of a file or folder that somebody drops on the window or opens from the desktop.
enum class DroppedKind {
  Project,      // its folder, or the library in it
  RunFolder,    // a run that is linked into the project
  Log,          // what `fathom import-run` may read: any folder, an archive, a file of imports.list
  Predictions,  // SQL of a model, for Errors
  DataSet,      // of core/tasks/data_sets.list, for a new run
  Unknown
};

// By name and beginning: at most 64 KiB of a file are read (of a data set of a few of its neighbours, too),
// and nothing of what is no regular file. Of a folder that is neither a project nor a run its import says
// what is in it. May wait for a disk: not in the GUI thread.
DroppedKind droppedKind(const QString& path);
// The folder of the project that `path` is, or that it is the library of.
QString projectFolderOf(const QString& path);

}  // namespace fathom
