import assert from "node:assert/strict";
import { test } from "node:test";
import { createInstanceKey } from "./instance-key.ts";
import { hashSecret } from "./one-time-secrets.ts";
import { createSignInAdmission } from "./sign-in-admission.ts";
import { createThrottle } from "./throttle.ts";

const TOKEN = "A".repeat(43);
const ALLOWED = { kind: "allowed" } as const;

/** Notes the name of each sign-in that begins, and how many turns the event loop has made until then. */
function createAdmission() {
  const known = {
    hash: hashSecret(TOKEN),
    accountId: "1",
    browserId: "1",
    username: "anna",
    hasSignedIn: true,
  };
  const admission = createSignInAdmission({
    reads: {
      findKnownBrowsers: async (hashes) =>
        hashes.includes(known.hash) ? [{ ...known, expiresAt: Infinity }] : [],
      readFailures: async () => new Map(),
    },
    throttle: createThrottle("sync", createInstanceKey(new Uint8Array(32))),
    limiter: { consumeEach: async () => ALLOWED, admit: () => ALLOWED },
    now: () => 0,
  });
  const begun: { username: string; turn: number }[] = [];
  let turn = 0;
  const countTurns = () => {
    turn++;
    if (begun.length < 5) setImmediate(countTurns);
  };
  countTurns();
  const begin = (username: string, knownBrowser: string | null = null) =>
    admission.begin({ username, address: "192.0.2.1", knownBrowser }, async () => {
      begun.push({ username, turn });
    });
  return { begun, begin };
}

test("strangers begin in turns of the event loop of their own, and a known browser passes them", async () => {
  const { begun, begin } = createAdmission();
  const strangers = ["a", "b", "c", "d"];
  await Promise.all([...strangers.map((name) => begin(name)), begin("anna", TOKEN)]);
  assert.deepEqual(
    begun.map(({ username }) => username),
    ["anna", ...strangers],
  );
  const turns = begun.slice(1).map(({ turn }) => turn);
  assert.equal(new Set(turns).size, strangers.length);
});
