import assert from "node:assert/strict";
import { test } from "node:test";
import type { ArtifactPlatform } from "../../contract/release/values.ts";
import { architectureName, minimumSystem } from "./architectures.ts";

test("processors have the words of their platform", () => {
  for (const [platform, architecture, en, de] of [
    ["macos", "universal", "Apple silicon and Intel", "Apple Silicon und Intel"],
    ["macos", "arm64", "Apple silicon", "Apple Silicon"],
    ["macos", "x86_64", "Intel", "Intel"],
    ["windows", "x64", "64-bit Intel and AMD", "Intel und AMD, 64 Bit"],
    ["windows", "ia32", "32-bit Intel and AMD", "Intel und AMD, 32 Bit"],
    ["linux", "AArch64", "64-bit ARM", "ARM, 64 Bit"],
    ["android", "universal", "all devices", "alle Geräte"],
    ["ios", "universal", "iPhone and iPad", "iPhone und iPad"],
    ["linux", "riscv64", "riscv64", "riscv64"],
  ] as const) {
    assert.equal(architectureName({ platform, architecture }, "en"), en);
    assert.equal(architectureName({ platform, architecture }, "de"), de);
  }
});

test("systems have the names that people know", () => {
  const name = (platform: ArtifactPlatform, minimumOs: string) =>
    minimumSystem({ platform, minimumOs }, "en");
  assert.equal(name("macos", "12.0"), "macOS 12");
  assert.equal(name("macos", "10.15"), "macOS 10.15");
  assert.equal(name("windows", "10.0"), "Windows 10");
  assert.equal(name("windows", "10.0.17763"), "Windows 10 (build 17763)");
  assert.equal(name("windows", "10.0.22000"), "Windows 11");
  assert.equal(name("windows", "10.0.22621"), "Windows 11 (build 22621)");
  assert.equal(name("windows", "6.1"), "Windows 7");
  assert.equal(name("windows", "11"), "Windows 11");
  assert.equal(name("android", "8.0.0"), "Android 8");
  assert.equal(name("android", "10"), "Android 10");
  assert.equal(name("linux", "5.10"), "Linux kernel 5.10");
  assert.equal(minimumSystem({ platform: "macos" }, "en"), null);
});
