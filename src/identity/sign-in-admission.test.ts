import assert from "node:assert/strict";
import { test } from "node:test";
import { createInstanceKey } from "./instance-key.ts";
import { hashSecret } from "./one-time-secrets.ts";
import { createSignInAdmission } from "./sign-in-admission.ts";
import { createThrottle } from "./throttle.ts";

const TOKEN = "A".repeat(43);
const BLOCKED = { failures: 9, lastFailureAt: 0, blockedUntil: 60_000 };
const ALLOWED = { kind: "allowed" } as const;

/** Notes the name of each sign-in that begins, and how many turns the event loop has made until then. */
function createAdmission({ isWaiting = false } = {}) {
  const reads = { count: 0 };
  const clock = { now: 0 };
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
      readFailures: async (subjects) => {
        reads.count++;
        const [name = ""] = subjects;
        return new Map(isWaiting ? [[name, BLOCKED]] : []);
      },
    },
    throttle: createThrottle("sync", createInstanceKey(new Uint8Array(32))),
    limiter: { consumeEach: async () => ALLOWED, admit: () => ALLOWED },
    now: () => clock.now,
  });
  const begun: { username: string; turn: number }[] = [];
  let turn = 0;
  const countTurns = () => {
    turn++;
    if (begun.length < 5) setImmediate(countTurns).unref();
  };
  countTurns();
  const begin = (
    username: string,
    knownBrowser: string | null = null,
    address = "192.0.2.1",
  ): Promise<unknown> =>
    admission.begin({ username, address, knownBrowser }, async () => {
      begun.push({ username, turn });
    });
  return { begun, begin, reads, clock };
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

test("a flood of a name that waits reads the store once a second, whatever its networks", async () => {
  const { begin, begun, reads, clock } = createAdmission({ isWaiting: true });
  for (let network = 0; network < 50; network++) {
    clock.now += 100;
    assert.deepEqual(await begin("anna", null, `${network}.0.2.1`), {
      kind: "throttled",
      retryAfterSeconds: Math.ceil((60_000 - clock.now) / 1000),
    });
  }
  assert.equal(reads.count, 5);
  assert.deepEqual(begun, []);
  clock.now = 60_000;
  await begin("bert");
  assert.equal(reads.count, 6);
});
