// SPDX-License-Identifier: GPL-3.0-or-later
// Part of the widgets' precompiled header of preset `dev` (Precompiled.cmake), never included by a source
// file.
#pragma once

#include "core/record/runs/run_folder.h"
#include "views/figure/figure_spec.h"
#include "views/figure/qcustomplot_header.h"
#include "views/figures/figure_entry.h"
#include "views/selection/selection_model.h"
#include "views/tables/run_item.h"

namespace fathom {

// As in edit_loop_code.h.
inline void compiledWithTheWidgets(FigureSpec& a, FigureSpec& b, std::optional<FigureSpec>& c,
                                   std::optional<FigureSpec>& d) {
  a = b;
  a = std::move(b);
  FigureSpec copy = a;
  const FigureSpec moved = std::move(copy);
  c = d;
  c = a;
  c = std::move(d);
  c = std::move(a);
}

}  // namespace fathom
