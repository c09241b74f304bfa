# SPDX-License-Identifier: Apache-2.0
"""Peer of `fathom-bench figures`: matplotlib (Agg on screen, its PDF writer) draws the figures that `fathom` wrote as JSON
(FigureSpec: views/figure/figure_spec.h), in one of two ways:
  lean   the same picture with as few artists as matplotlib can draw it with
  usual  the calls of its documentation: violinplot's statistics on a row of axes each, an axes for every map
Prints {"matplotlib": version, "figures": {name: {"check": {...}, "first": ms, "redraw": [ms], "processor": [ms], "pdf": ms}}}.
The check is taken from what the artists hold, not from the file."""
import argparse
import io
import json
import os
import sys
import time

PIXELS = (1200, 800)
DPI = 96


def load(packages):
    sys.path.insert(0, packages)
    os.environ.setdefault("MPLCONFIGDIR", packages)
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["pdf.fonttype"] = 42  # embedded, as ours are
    return matplotlib


def cells_of(spec):
    return spec["panels"][0]["marks"][0]


def number(value):
    """A number that is not finite is a word in the file."""
    return value if isinstance(value, (int, float)) else float("nan")


class Violins:
    def __init__(self, mark, np):
        self.np, self.cells = np, mark["cells"]
        self.rows = 1 + max(cell["row"] for cell in self.cells)
        self.columns = 1 + max(cell["column"] for cell in self.cells)
        self.maximum, self.thresholds = mark["maximum"], mark["thresholds"]
        self.words = sorted({cell["colour"] for cell in self.cells})

    def colour(self, cell):
        return "C%d" % self.words.index(cell["colour"])

    def lean(self, figure):
        from matplotlib.collections import LineCollection, PolyCollection
        axes = figure.subplots()
        shapes, medians, self.scales = [], [], []
        for cell in self.cells:
            x = self.np.asarray(cell["x"]) / self.maximum * 0.8 - 0.4 + cell["column"]
            top = max(cell["y"])
            y = cell["row"] + 0.4 - 0.8 * self.np.asarray(cell["y"]) / top
            base = self.np.full_like(y, cell["row"] + 0.4)
            shapes.append(self.np.column_stack([self.np.append(x, x[::-1]), self.np.append(y, base)]))
            self.scales.append((cell["row"], top))
            at = cell["median"] / self.maximum * 0.8 - 0.4 + cell["column"]
            medians.append([(at, cell["row"] + 0.4), (at, cell["row"] - 0.4)])
        self.shapes = axes.add_collection(PolyCollection(shapes, facecolors=[self.colour(c) for c in self.cells]))
        axes.add_collection(LineCollection(medians, colors="black", linewidths=1))
        rules = []
        for cell in self.cells:
            for threshold in self.thresholds:
                at = cell["column"] + threshold / self.maximum * 0.8 - 0.4
                rules.append([(at, cell["row"] - 0.4), (at, cell["row"] + 0.4)])
        axes.add_collection(LineCollection(rules, colors="grey", linewidths=0.5, linestyles="dashed"))
        axes.set(xlim=(-0.5, self.columns - 0.5), ylim=(self.rows - 0.5, -0.5), xlabel="head", ylabel="layer")
        axes.set_xticks(range(self.columns), range(1, self.columns + 1))
        axes.set_yticks(range(self.rows), range(1, self.rows + 1))
        return [axes]

    def usual(self, figure):
        axes = figure.subplots(self.rows, 1, sharex=True)
        self.bodies = []
        for row, place in enumerate(axes):
            cells = [cell for cell in self.cells if cell["row"] == row]
            stats = [dict(coords=self.np.asarray(c["x"]), vals=self.np.asarray(c["y"]), mean=c["median"], median=c["median"],
                          min=min(c["x"]), max=max(c["x"]), quantiles=[]) for c in cells]
            parts = place.violin(stats, positions=range(self.columns), showmedians=True, showextrema=False)
            for body, cell in zip(parts["bodies"], cells):
                body.set_facecolor(self.colour(cell))
                self.bodies.append((body, max(cell["y"])))
            for threshold in self.thresholds:
                place.axhline(threshold, color="grey", linewidth=0.5, linestyle="dashed")
            place.set(ylim=(0, self.maximum), ylabel=row + 1)
            place.set_xticks(range(self.columns), range(1, self.columns + 1))
        axes[-1].set_xlabel("head")
        return list(axes)

    def check(self):
        total = 0.0
        if hasattr(self, "shapes"):
            for path, (row, top) in zip(self.shapes.get_paths(), self.scales):
                heights = (row + 0.4 - path.vertices[:-1, 1]) / 0.8 * top  # the last one closes the path
                total += float(heights.sum())
            return {"cells": len(self.shapes.get_paths()), "sum": total}
        for body, top in self.bodies:  # both sides of a middle, and some points twice
            for path in body.get_paths():
                right = self.np.unique(path.vertices, axis=0)[:, 0]
                right = right - (right.max() + right.min()) / 2
                total += float(right.clip(0).sum() / right.max()) * top
        return {"cells": len(self.bodies), "sum": total}


class Map:
    def __init__(self, mark, np):
        self.np = np
        self.values = np.array([number(v) for v in mark["values"]], dtype=float).reshape(mark["rows"], mark["columns"])

    def lean(self, figure):
        axes = figure.subplots()
        self.image = axes.imshow(self.values, aspect="auto", interpolation="nearest")
        rows, columns = self.values.shape
        axes.set(xlabel="head", ylabel="layer")
        axes.set_xticks(range(0, columns, 5), range(1, columns + 1, 5))
        axes.set_yticks(range(0, rows, 5), range(1, rows + 1, 5))
        return [axes]

    usual = lean

    def check(self):
        held = self.image.get_array()
        return {"cells": int(held.size), "sum": float(held.sum())}


class Maps:
    """A small map in each cell of a grid."""

    def __init__(self, mark, np):
        self.np, self.cells = np, mark["cells"]
        self.rows = 1 + max(cell["row"] for cell in self.cells)
        self.columns = 1 + max(cell["column"] for cell in self.cells)

    def map_of(self, cell):
        return self.np.array([number(v) for v in cell["y"]]).reshape(-1, cell["map_columns"])

    def lean(self, figure):
        axes = figure.subplots()
        first = self.map_of(self.cells[0])
        high, wide = first.shape[0] + 2, first.shape[1] + 2  # a gap between maps
        mosaic = self.np.full((high * self.rows, wide * self.columns), self.np.nan)
        for cell in self.cells:
            top, left = cell["row"] * high + 1, cell["column"] * wide + 1
            mosaic[top:top + high - 2, left:left + wide - 2] = self.map_of(cell)
        edges = (-0.5, self.columns - 0.5, self.rows - 0.5, -0.5)
        self.images = [axes.imshow(mosaic, aspect="auto", interpolation="nearest", extent=edges)]
        axes.set(xlabel="head", ylabel="layer")
        axes.set_xticks(range(self.columns), range(1, self.columns + 1))
        axes.set_yticks(range(self.rows), range(1, self.rows + 1))
        return [axes]

    def usual(self, figure):
        axes = figure.subplots(self.rows, self.columns)
        self.images = []
        for cell in self.cells:
            place = axes[cell["row"], cell["column"]]
            self.images.append(place.imshow(self.map_of(cell), aspect="auto", interpolation="nearest"))
            place.set(xticks=[], yticks=[])
        for i in range(self.columns):
            axes[-1, i].set_xlabel(i + 1)
        for i in range(self.rows):
            axes[i, 0].set_ylabel(i + 1)
        return list(axes.flat)

    def check(self):
        held = [image.get_array() for image in self.images]
        return {"cells": sum(int(self.np.isfinite(a.filled(self.np.nan)).sum()) for a in held), "sum": sum(float(a.sum()) for a in held)}


def drawing(spec, np):
    mark = cells_of(spec)
    if mark["mark"] == "cells":
        return Map(mark, np)
    return (Maps if mark.get("form") == "map" else Violins)(mark, np)


def measure(spec, way, frames, np):
    from matplotlib.figure import Figure
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    start = time.perf_counter()
    made = drawing(spec, np)
    figure = Figure(figsize=(PIXELS[0] / DPI, PIXELS[1] / DPI), dpi=DPI)
    FigureCanvasAgg(figure)
    axes = getattr(made, way)(figure)
    figure.canvas.draw()
    result = {"first": 1e3 * (time.perf_counter() - start), "redraw": [], "processor": [], "check": made.check()}
    limits = [place.get_xlim() for place in axes]
    for frame in range(frames):
        for place, (low, high) in zip(axes, limits):
            place.set_xlim(low + 0.02 * (frame % 10), high + 0.02 * (frame % 10))
        wall, used = time.perf_counter(), time.process_time()
        figure.canvas.draw()
        result["processor"].append(1e3 * (time.process_time() - used))
        result["redraw"].append(1e3 * (time.perf_counter() - wall))
    start = time.perf_counter()
    paper = Figure(figsize=(spec["width_mm"] / 25.4, spec["height_mm"] / 25.4))
    getattr(drawing(spec, np), way)(paper)
    paper.savefig(io.BytesIO(), format="pdf")
    result["pdf"] = 1e3 * (time.perf_counter() - start)
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--packages", required=True)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--figures", help="folder with a FigureSpec in each .json")
    parser.add_argument("--frames", type=int, default=20)
    parser.add_argument("--way", choices=["lean", "usual"], default="lean")
    wanted = parser.parse_args()
    matplotlib = load(wanted.packages)
    if wanted.check:
        print("ok")
        return
    import numpy as np
    figures = {}
    for name in sorted(os.listdir(wanted.figures)):
        if name.endswith(".json"):
            spec = json.load(open(os.path.join(wanted.figures, name)))
            figures[name[:-len(".json")]] = measure(spec, wanted.way, wanted.frames, np)
    print(json.dumps({"matplotlib": matplotlib.__version__, "figures": figures}))


if __name__ == "__main__":
    main()
