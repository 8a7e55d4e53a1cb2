import assert from "node:assert/strict";
import { test } from "node:test";
import { parseHttpsUrl, parseOsVersion } from "./parse-options.ts";

test("an address may have the name of a file as it is, or encoded", () => {
  for (const [text, url] of [
    ["https://x.example/My Habits 1.5.0.exe", "https://x.example/My%20Habits%201.5.0.exe"],
    ["https://x.example/My%20Habits%201.5.0.exe", "https://x.example/My%20Habits%201.5.0.exe"],
    ["https://x.example/habits-1.5.0+7.dmg?a=b&c", "https://x.example/habits-1.5.0+7.dmg?a=b&c"],
    ["https://x.example/Übersicht.exe", "https://x.example/%C3%9Cbersicht.exe"],
    ["https://x.example/100%.exe", "https://x.example/100%25.exe"],
    ["https://x.example/[beta]{1}.exe", "https://x.example/[beta]%7B1%7D.exe"],
    ["https://x.example:8443", "https://x.example:8443"],
  ] as const) {
    assert.equal(parseHttpsUrl("--url", text), url);
  }
  for (const text of ["http://x.example/a", "https://", "My Habits.exe"]) {
    assert.throws(() => parseHttpsUrl("--url", text), /must be an address that starts with https/);
  }
});

test("a version of the system has one to four numbers", () => {
  for (const text of ["12", "12.0", "10.0.17763", "10.0.17763.1"]) {
    assert.equal(parseOsVersion("--minimum-os", text), text);
  }
  for (const text of ["", "12.", "v12", "1.2.3.4.5", "12.0-beta"]) {
    assert.throws(() => parseOsVersion("--minimum-os", text), /such as 12\.0 or 10\.0\.17763/);
  }
});
