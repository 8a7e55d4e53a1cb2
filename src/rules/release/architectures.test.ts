import assert from "node:assert/strict";
import { test } from "node:test";
import { DEFAULT_ARCHITECTURES } from "../../contract/release/values.ts";
import { checkArchitecture, KNOWN_ARCHITECTURES } from "./architectures.ts";

test("the architectures that downloads ask for by default are known", () => {
  for (const name of [...Object.values(DEFAULT_ARCHITECTURES), ...KNOWN_ARCHITECTURES]) {
    assert.deepEqual(checkArchitecture(name), { kind: "known" });
  }
});

for (const [name, usual] of [
  ["amd64", "x64"],
  ["x86_64", "x64"],
  ["aarch64", "arm64"],
  ["i386", "x86"],
  ["armhf", "armv7"],
  ["X64", "x64"],
  [" arm64", "arm64"],
] as const) {
  test(`"${name}" is usually written "${usual}"`, () => {
    assert.deepEqual(checkArchitecture(name), { kind: "alias", usual });
  });
}

test("other names are unknown, not guessed", () => {
  for (const name of ["riscv64", "x46", "toString", ""]) {
    assert.deepEqual(checkArchitecture(name), { kind: "unknown" });
  }
});
