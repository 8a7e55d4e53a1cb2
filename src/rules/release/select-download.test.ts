import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { selectDownload, withChannel } from "./select-download.ts";

const WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64)";

for (const [request, path] of [
  [{ channel: "stable", userAgent: WINDOWS }, "/api/v1/download/windows/x64"],
  [{ channel: "beta", userAgent: WINDOWS }, "/api/v1/download/windows/x64?channel=beta"],
  [{ channel: "stable", userAgent: "" }, null],
  [{ channel: "beta", userAgent: "curl/8" }, null],
  [{ channel: "stable", userAgent: "", platform: "android" }, "/api/v1/download/android/universal"],
  [
    { channel: "stable", userAgent: WINDOWS, platform: "macos" },
    "/api/v1/download/macos/universal",
  ],
  [{ channel: "stable", userAgent: "", platform: "linux" }, "/api/v1/download/linux/x64"],
  [{ channel: "stable", userAgent: WINDOWS, arch: "arm64" }, "/api/v1/download/windows/arm64"],
  [{ channel: "stable", userAgent: "curl/8", arch: "arm64" }, null],
] as const) {
  test(`${JSON.stringify(request)} leads to ${path ?? "the website"}`, () => {
    assert.equal(selectDownload(request), path);
  });
}

test("any architecture is exactly one segment of the path", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (arch) => {
      fc.pre(arch !== "." && arch !== "..");
      const path =
        selectDownload({ platform: "linux", arch, channel: "beta", userAgent: "" }) ?? "";
      const url = new URL(path, "https://releases.example.com");
      assert.equal(url.host, "releases.example.com");
      assert.equal(url.search, "?channel=beta");
      const segments = url.pathname.split("/");
      assert.deepEqual(segments.slice(0, 5), ["", "api", "v1", "download", "linux"]);
      assert.deepEqual(segments.slice(5).map(decodeURIComponent), [arch]);
    }),
  );
});

test("a stable address names no channel", () => {
  assert.equal(withChannel("/a", "stable"), "/a");
  assert.equal(withChannel("/a", "beta"), "/a?channel=beta");
});
