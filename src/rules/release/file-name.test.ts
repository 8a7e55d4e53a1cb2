import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyCodePoint } from "../../../test/fixtures/any-code-point.ts";
import { fileNameOfUrl, isPublicFileName, toPublicFileName } from "./file-name.ts";

test("a name as builders write it gets a safe form that is still recognised", () => {
  for (const [name, expected] of [
    ["My Habits Setup 1.5.0.exe", "My-Habits-Setup-1.5.0.exe"],
    ["habits-1.5.0+7.dmg", "habits-1.5.0-7.dmg"],
    ["Habits - 1.5.0 (arm64).app.tar.gz", "Habits-1.5.0-arm64.app.tar.gz"],
    ["Habits 1.5.0 (arm64).dmg", "Habits-1.5.0-arm64.dmg"],
    ["Übersicht_1.5.0_x64-setup.exe", "Ubersicht_1.5.0_x64-setup.exe"],
    ["@scope_habits.AppImage", "scope_habits.AppImage"],
    ["_habits.deb", "habits.deb"],
    ["習慣 1.5.0.exe", "1.5.0.exe"],
    ["habits~beta", "habits-beta"],
    ["Habits (beta)", "Habits-beta"],
    ["habits-.exe", "habits-.exe"],
  ] as const) {
    assert.equal(toPublicFileName(name), expected, name);
  }
});

test("a name of which nothing would be left has no safe form", () => {
  for (const name of ["習慣.exe", ".exe", "習慣", " ", "", "-.exe", "a", "é"]) {
    assert.equal(toPublicFileName(name), null, name);
  }
});

test("every form that is derived is allowed, and an allowed name stays as it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint, maxLength: 30 }), (name) => {
      const derived = toPublicFileName(name);
      if (derived === null) return;
      assert.ok(isPublicFileName(derived), derived);
      assert.equal(toPublicFileName(derived), derived);
    }),
  );
});

test("the real name of a file is the last segment of its address, percent-decoded", () => {
  for (const [url, name] of [
    ["https://x.example/1.5.0/My%20Habits%20Setup%201.5.0.exe", "My Habits Setup 1.5.0.exe"],
    ["https://x.example/habits-1.5.0+7.dmg?token=/a#b/c", "habits-1.5.0+7.dmg"],
    ["https://x.example/habits-1.5.0%2B7.dmg", "habits-1.5.0+7.dmg"],
    ["https://x.example/%C3%9Cbersicht.exe", "Übersicht.exe"],
    ["https://x.example/100%.exe", "100%.exe"],
    ["https://x.example/folder/", ""],
    ["https://x.example", ""],
  ] as const) {
    assert.equal(fileNameOfUrl(url), name, url);
  }
});
