#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes core/text/character_tables.cpp from the character classes of the tokenizer fixtures.

usage: character_tables.py <fixtures>/tokenizers > core/text/character_tables.cpp
"""
import gzip
import json
import sys

SYLLABLES = range(0xAC00, 0xD7A4)  # Hangul is decomposed by arithmetic


def ranges(texts):
    parts = [text.split("-") for text in texts]
    return [(int(p[0], 16), int(p[-1], 16)) for p in parts]


def points(texts):
    return {c for first, last in ranges(texts) for c in range(first, last + 1)}


def joined(codes):
    result = []
    for code in sorted(codes):
        if result and result[-1][1] == code - 1:
            result[-1][1] = code
        else:
            result.append([code, code])
    return result


def lower_runs(single):
    """Moved runs (first, count, step, delta), and blocks (first, images) of neighbours that move differently."""
    runs, blocks, at = [], [], 0
    while at < len(single):
        code, target = single[at]
        best = (1, 1)
        for step in (1, 2):
            end = at
            while (end + 1 < len(single) and single[end + 1][0] == single[end][0] + step
                   and single[end + 1][1] - single[end + 1][0] == target - code):
                end += 1
            if end - at + 1 > best[0]:
                best = (end - at + 1, step)
        if best[0] >= 6:
            runs.append((code, best[0], best[1], target - code))
        else:  # characters between that do not move are their own image
            if blocks and 0 < code - blocks[-1][0] - len(blocks[-1][1]) < 4:
                first, images = blocks[-1]
                images.extend(range(first + len(images), code))
            if not blocks or blocks[-1][0] + len(blocks[-1][1]) != code:
                blocks.append((code, []))
            blocks[-1][1].extend(t for c, t in single[at:at + 1])
            best = (1, 1)
        at += best[0]
    return runs, blocks


def literal(images):
    text = ""
    for code in images:
        plain = code >= 0x20 and chr(code).isalnum()
        text += chr(code) if plain else f"\\U{code:08x}"
    return text


def write_blocks(name, blocks):
    print(f"constexpr MovedBlock {name}[] = {{")
    for first, images in blocks:
        pieces = [literal(images[i:i + 48]) for i in range(0, len(images), 48)]
        print(f"    {{{hex(first)}, U\"{pieces[0]}\"" + ("" if len(pieces) == 1 else ""), end="")
        for piece in pieces[1:]:
            print(f"\n            U\"{piece}\"", end="")
        print("},")
    print("};")


def write(name, kind, rows):
    print(f"constexpr {kind} {name}[] = {{")
    line = "    "
    for row in rows:
        item = "{" + ",".join(hex(row[0]) if i == 0 else (hex(v) if kind == "CodeRange" else str(v))
                               for i, v in enumerate(row)) + "},"
        if len(line) + len(item) > 108:
            print(line)
            line = "    "
        line += item
    print(line)
    print("};")


def main(folder):
    with gzip.open(f"{folder}/wordpiece/char_classes.json.gz") as file:
        words = json.load(file)
    with gzip.open(f"{folder}/byte_bpe/char_classes.json.gz") as file:
        bytes_ = json.load(file)
    uncased, cased = words["uncased"], words["cased"]
    mapped = {int(code, 16): text for code, text in uncased["mapped"].items() if int(code, 16) not in SYLLABLES}
    isolated = points(cased["isolated"])
    assert points(uncased["space"]) == points(cased["space"]) and not uncased["odd"] and not cased["mapped"]
    for code, text in mapped.items():  # a mapped character is isolated exactly when its image is
        assert all((ord(c) in isolated) == (code in points(uncased["isolated"])) for c in text[:1])
        break
    single = sorted((code, ord(text)) for code, text in mapped.items() if len(text) == 1)
    double = sorted((code, ord(text[0]), ord(text[1])) for code, text in mapped.items() if len(text) == 2)
    triple = sorted((code, *map(ord, text)) for code, text in mapped.items() if len(text) == 3)
    assert len(single) + len(double) + len(triple) == len(mapped)
    print("// SPDX-License-Identifier: Apache-2.0")
    print("// Made by packaging/character_tables.py from the character classes of the tokenizer fixtures.")
    print('#include "core/text/character_tables.h"\n\nnamespace fathom {\n\nnamespace {\n\n// clang-format off')
    write("kSpace", "CodeRange", ranges(cased["space"]))
    write("kRemoved", "CodeRange", ranges(cased["removed"]))
    write("kMarks", "CodeRange", joined(points(uncased["removed"]) - points(cased["removed"])))
    write("kIsolated", "CodeRange", joined(isolated))
    runs, blocks = lower_runs(single)
    write("kMoved", "MovedRun", runs)
    write_blocks("kBlocks", blocks)
    write("kSplit", "SplitCode", [row + (0,) for row in double] + triple)
    write("kLetters", "CodeRange", ranges(bytes_["L"]))
    write("kNumbers", "CodeRange", ranges(bytes_["N"]))
    write("kByteSpace", "CodeRange", ranges(bytes_["S"]))
    print("// clang-format on\n\n}  // namespace\n")
    print("const CharacterTables& characterTables() {")
    print("  static const CharacterTables tables{kSpace, kRemoved, kMarks, kIsolated, kMoved, kBlocks, kSplit,")
    print("                                      kLetters, kNumbers, kByteSpace};")
    print("  return tables;\n}\n\n}  // namespace fathom")


if __name__ == "__main__":
    main(sys.argv[1])
