import assert from "node:assert/strict";
import { test } from "node:test";
import { createSigner } from "../../../conformance/release/driver/signer.ts";
import { DEFAULT_UPDATE_LIMITS, readUpdateSettings, type UpdateClientOptions } from "./settings.ts";
import { createMemoryStorage } from "./storage.ts";

const options: UpdateClientOptions = {
  baseUrl: "https://releases.example.com/",
  product: "habits",
  keys: { "release-2026-01": createSigner("release-2026-01").publicKey },
  platform: "macos",
  current: { version: "1.0.0", buildNumber: 1 },
  storage: createMemoryStorage(),
};

test("fills in channel, architecture and limits", () => {
  const settings = readUpdateSettings({ ...options, limits: { timeoutMs: 5 } });
  assert.equal(settings.channel, "stable");
  assert.equal(settings.architecture, "universal");
  assert.equal(settings.baseUrl, "https://releases.example.com");
  assert.deepEqual(settings.limits, { ...DEFAULT_UPDATE_LIMITS, timeoutMs: 5 });
});

test("takes plain http on this machine, for development", () => {
  for (const baseUrl of ["http://localhost:4801", "http://127.0.0.1:4801", "http://[::1]:4801"]) {
    assert.equal(readUpdateSettings({ ...options, baseUrl }).baseUrl, baseUrl);
  }
});

test("keeps the keys it was given, whatever the app does to its object later", () => {
  const keys: Record<string, string> = { ...options.keys };
  const settings = readUpdateSettings({ ...options, keys });
  keys["evil"] = createSigner("evil").publicKey;
  assert.deepEqual(settings.keys, options.keys);
});

for (const [changes, message] of [
  [{ baseUrl: "http://releases.example.com" }, /baseUrl must be an https address/],
  [{ baseUrl: "http://localhost.example.com" }, /baseUrl must be an https address/],
  [{ baseUrl: "releases.example.com" }, /baseUrl must be an https address/],
  [{ baseUrl: "https://user:secret@releases.example.com" }, /no query, fragment or user$/],
  [{ baseUrl: "https://releases.example.com/?a=1" }, /no query, fragment or user$/],
  [{ product: "" }, /product is empty/],
  [{ keys: {} }, /keys is empty: pin the active and the standby key/],
  [{ keys: { old: "AAAA" } }, /keys\["old"\] is not 32 bytes/],
  [{ platform: "ios" as never }, /platform "ios" is not one of android/],
  [{ channel: "nightly" as never }, /channel "nightly" is not one of stable, beta/],
  [{ package: "AppImage" as never }, /package "AppImage" is not one of deb, rpm, appimage, msi/],
  [{ architecture: "" }, /architecture is empty/],
  [{ current: { version: "v1.0.0", buildNumber: 1 } }, /"v1.0.0" is not three-component SemVer/],
  [{ current: { version: "1.0.0", buildNumber: 0 } }, /buildNumber is not a positive integer/],
  [{ storage: undefined as never }, /storage is missing: give load and save of a file/],
  [{ storage: { load: () => null } as never }, /storage is missing/],
  [{ limits: { timeoutMs: 0 } }, /limits.timeoutMs is not an integer from 1 to 2147483647/],
  [{ limits: { stallTimeoutMs: 2 ** 31 } }, /limits.stallTimeoutMs is not an integer from 1/],
] satisfies [Partial<UpdateClientOptions>, RegExp][]) {
  test(`refuses ${JSON.stringify(changes)}`, () => {
    assert.throws(() => readUpdateSettings({ ...options, ...changes }), message);
  });
}
