import assert from "node:assert/strict";
import { test } from "node:test";
import { toDisplayName } from "./device-name.ts";

test("a display name is one line of at most 60 characters", () => {
  assert.equal(toDisplayName("  Annas\u0000\u2028 Handy 📱\n"), "Annas  Handy 📱");
  assert.equal(toDisplayName("📱".repeat(70)), "📱".repeat(60));
  assert.equal(toDisplayName(`${"x".repeat(59)} yz`), "x".repeat(59));
  for (const empty of ["", "  ", "\u0007"]) assert.equal(toDisplayName(empty), null);
});
