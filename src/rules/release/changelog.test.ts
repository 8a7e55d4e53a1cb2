import assert from "node:assert/strict";
import { test } from "node:test";
import { readChangelogNotes } from "./changelog.ts";

const CHANGELOG = `# Changelog

All notable changes. The format is based on [Keep a Changelog](https://keepachangelog.com).

## [Unreleased]

### Added

- Not yet

## [1.1.0] - 2026-03-05

### Added

- Weekly **overview** of all \`habits\`,
  with a graph ([#12](https://example.com/12))
- Widgets
  - for the lock screen

<!--
### Added
- hidden
-->

### Changed
* Faster start, see [the numbers][bench]

### Deprecated
- The old export

### Removed
- Support for Windows 7
- Removed the *beta* badge

### Fixed

Reminders near midnight
no longer come late.

A second paragraph.

### Security
1. Updated snake_case_library and 2 * 3 * 4

## 1.0.1 (2026-02-01) [YANKED]

## v1.0.0

Our first release.
- A loose item

### Internal
- Refactored

### constructor
- Tidied

[1.1.0]: https://example.com/compare/1.0.0...1.1.0
`;

const none = { added: [], changed: [], fixed: [], security: [] };

test("the sections of a version map to the four lists, as text with links", () => {
  assert.deepEqual(readChangelogNotes(CHANGELOG, "1.1.0"), {
    kind: "found",
    notes: {
      added: [
        "Weekly overview of all habits, with a graph ([#12](https://example.com/12))",
        "Widgets\n- for the lock screen",
      ],
      changed: [
        "Faster start, see the numbers",
        "Deprecated: The old export",
        "Removed: Support for Windows 7",
        "Removed the beta badge",
      ],
      fixed: ["Reminders near midnight no longer come late.", "A second paragraph."],
      security: ["Updated snake_case_library and 2 * 3 * 4"],
    },
    unknownSections: [],
    looseLines: [],
  });
});

const LINKS: Readonly<Record<string, string>> = {
  "[words](https://example.com/a_b_c(1))": "[words](https://example.com/a_b_c(1))",
  '[words](<https://example.com> "title")': "[words](https://example.com)",
  "**[bold](https://example.com/**x**)** and *more*": "[bold](https://example.com/**x**) and more",
  "[`code`](https://example.com)": "[code](https://example.com)",
  "[words][ref], [ref], [REF][]":
    "[words](https://example.com/ref), [ref](https://example.com/ref), [REF](https://example.com/ref)",
  "<https://example.com/__init__> and <mailto:hello@example.com>":
    "https://example.com/__init__ and [hello@example.com](mailto:hello@example.com)",
  "[![picture](https://example.com/p.png)](https://example.com)": "[picture](https://example.com)",
  "![picture](https://example.com/p.png)": "picture",
  "[words](../file.md), [x](javascript:alert(1)), [y](data:text/html,z)": "words, x, y",
  "[words][unknown] and [brackets]": "words and [brackets]",
  "[](https://example.com)": "https://example.com",
  "<b>bold</b>": "<b>bold</b>",
};
for (const [markdown, note] of Object.entries(LINKS)) {
  test(`the note of "${markdown}" is "${note}"`, () => {
    const text = `## 1.0.0\n### Added\n- ${markdown}\n\n[ref]: https://example.com/ref "title"\n`;
    const result = readChangelogNotes(text, "1.0.0");
    assert.deepEqual(result.kind === "found" && result.notes.added, [note]);
  });
}

test("points stay below their item, however deep, with their links", () => {
  const text = `## 1.0.0
### Fixed
- One
  continued
  - a [link](https://example.com)
    continued
      - deeper
* Two
\t1. first

Three:
- four
`;
  const result = readChangelogNotes(text, "1.0.0");
  assert.deepEqual(result.kind === "found" && result.notes.fixed, [
    "One continued\n- a [link](https://example.com) continued\n- deeper",
    "Two\n- first",
    "Three:",
    "four",
  ]);
});

test("line ends of Windows make no difference", () => {
  assert.deepEqual(
    readChangelogNotes(CHANGELOG.replaceAll("\n", "\r\n"), "1.1.0"),
    readChangelogNotes(CHANGELOG, "1.1.0"),
  );
});

test("sections without a list and lines outside of sections are told", () => {
  const leftOut = {
    unknownSections: ["Internal", "constructor"],
    looseLines: ["Our first release.", "- A loose item"],
  };
  assert.deepEqual(readChangelogNotes(CHANGELOG, "1.0.0"), { kind: "no-notes", ...leftOut });
  const more = CHANGELOG.replace("### Internal", "### Fixed\n- x\n\n### Internal");
  assert.deepEqual(readChangelogNotes(more, "1.0.0"), {
    kind: "found",
    notes: { ...none, fixed: ["x"] },
    ...leftOut,
  });
});

test("a version without a section, and one with an empty section", () => {
  assert.deepEqual(readChangelogNotes(CHANGELOG, "2.0.0"), {
    kind: "no-section",
    versions: ["Unreleased", "1.1.0", "1.0.1", "1.0.0"],
  });
  assert.deepEqual(readChangelogNotes(CHANGELOG, "1.0.1"), { kind: "empty-section" });
  assert.deepEqual(readChangelogNotes("", "1.0.0"), { kind: "no-section", versions: [] });
});

test("a version is not found inside another, nor inside a code block", () => {
  const text = "## 11.0.0\n\n```\n## 1.0.0\n### Added\n- x\n```\n\n### Added\n- y\n";
  assert.equal(readChangelogNotes(text, "1.0.0").kind, "no-section");
  const result = readChangelogNotes(text, "11.0.0");
  assert.deepEqual(result.kind === "found" && result.notes, { ...none, added: ["y"] });
});

for (const heading of [
  "## 3.0.0",
  "## [3.0.0]",
  "## v3.0.0 - 2026-01-01",
  "## [v3.0.0](https://example.com) (2026-01-01)",
  "##\t[3.0.0] – today",
  "## 3.0.0: the third",
]) {
  test(`"${heading}" is the heading of 3.0.0`, () => {
    const result = readChangelogNotes(`# Log\n${heading}\n### FIXED:\n- x\n`, "3.0.0");
    assert.deepEqual(result.kind === "found" && result.notes, { ...none, fixed: ["x"] });
  });
}
