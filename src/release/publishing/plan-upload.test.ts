import assert from "node:assert/strict";
import { test } from "node:test";
import type { DraftRelease } from "../../contract/release/catalog.ts";
import { contentTypeOf, planUpload } from "./plan-upload.ts";

const SHA = "a".repeat(64);

function draft(...urls: readonly (string | undefined)[]): DraftRelease {
  return {
    version: "1.0.0",
    buildNumber: 1,
    channel: "stable",
    status: "draft",
    minimumSupportedVersion: "1.0.0",
    mandatoryAfter: null,
    notes: { added: [], changed: [], fixed: [], security: [] },
    artifacts: urls.map((url, index) => ({
      platform: "windows",
      architecture: "x64",
      fileName: `habits-${index}.exe`,
      signed: false,
      ...(url !== undefined && { url, size: 7, sha256: SHA.slice(0, 63) + index }),
    })),
  };
}

function keys(release: DraftRelease, servedAt?: string): readonly string[] {
  const plan = planUpload(release, servedAt === undefined ? null : new URL(servedAt));
  assert.ok(plan.kind === "planned", JSON.stringify(plan));
  return plan.files.map(({ key }) => key);
}

function refused(release: DraftRelease, servedAt?: string): string {
  const plan = planUpload(release, servedAt === undefined ? null : new URL(servedAt));
  assert.ok(plan.kind === "refused", JSON.stringify(plan));
  return [plan.message, ...plan.problems].join("\n");
}

test("the key is the path of the address, decoded", () => {
  assert.deepEqual(
    keys(
      draft("https://dl.example.com/1.0.0/My%20App+(x64).exe", "https://dl.example.com/a?x=1#y"),
    ),
    ["1.0.0/My App+(x64).exe", "a"],
  );
});

test("below the place that the storage is served at, the key is the rest of the path", () => {
  const release = draft("https://example.com/downloads/1.0.0/a.exe");
  assert.deepEqual(keys(release, "https://example.com/downloads"), ["1.0.0/a.exe"]);
  assert.deepEqual(keys(release, "https://example.com/downloads/"), ["1.0.0/a.exe"]);
  assert.match(refused(release, "https://example.com/down"), /is not below https:/);
  assert.match(refused(release, "https://other.example/downloads"), /correct --served-at/);
});

for (const path of [
  "",
  "a/",
  "..%2f..%2fetc%2fpasswd",
  "a//b",
  "a%5cb",
  "%00",
  "%e4",
  "a/%2e%2e%2fb",
]) {
  test(`an address with the path "/${path}" is no key`, () => {
    assert.match(refused(draft(`https://dl.example.com/${path}`)), /no path that can be a key/);
  });
}

test("without a place that the storage is served at, all addresses are of one host", () => {
  const release = draft(
    "https://a.example/1/x",
    "https://b.example:8443/1/y",
    "https://a.example/z",
  );
  assert.match(
    refused(release),
    /The addresses are of several hosts \(a\.example, b\.example:8443\), but a storage is served at one: name it with --served-at/,
  );
  assert.match(refused(release, "https://a.example"), /b\.example:8443\/1\/y is not below/);
});

test("everything that is wrong is told at once", () => {
  const message = refused(
    draft(undefined, "https://a.example/x", "https://a.example/x?y", "https://a.example/"),
  );
  assert.match(message, /^Release 1\.0\.0 cannot be uploaded\n/);
  assert.match(message, /"habits-0\.exe" has no address or digest yet/);
  assert.match(message, /https:\/\/a\.example\/x and https:\/\/a\.example\/x\?y would be the same/);
  assert.match(message, /https:\/\/a\.example\/ has no path/);
  assert.match(refused(draft()), /has no artifacts/);
});

test("only an address with the version is kept for ever", () => {
  const plan = planUpload(draft("https://a.example/1.0.0/a", "https://a.example/latest/a"), null);
  assert.ok(plan.kind === "planned");
  assert.deepEqual(
    plan.files.map(({ cacheControl }) => cacheControl),
    ["public, max-age=31536000, immutable", "no-cache"],
  );
});

test("the media type follows the ending, and the unknown is bytes", () => {
  for (const [name, type] of [
    ["Habits.APK", "application/vnd.android.package-archive"],
    ["habits.tar.gz", "application/gzip"],
    ["habits.AppImage", "application/vnd.appimage"],
    ["habits", "application/octet-stream"],
    ["habits.html", "application/octet-stream"],
  ] as const) {
    assert.equal(contentTypeOf(name), type);
  }
});
