/**
 * The search for words: whatever a server keeps, writes, sends and receives has none of an app's words.
 * The same day against a server that reads the data proves that the search would find them.
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import {
  createMemorySyncStorage,
  createSyncClient,
  type EncryptedSyncClient,
  type SyncClient,
} from "../../../src/client/index.ts";
import { makeScheduledBackup } from "../../../src/backup/schedule/make-backup.ts";
import { loadStore } from "../../../src/operate/load-store.ts";
import { loadConfiguration } from "../../../src/configuration/configuration.ts";
import { createLineWriter } from "../../../src/http/request-log.ts";
import { startServices } from "../../../src/server/start.ts";
import { runInside } from "../../fixtures/run-inside.ts";
import { createAccount } from "../../service/create-account.ts";
import { approveSignIn } from "../../sync/approve-sign-in.ts";
import { createOperation } from "../../fixtures/sync-operation.ts";
import { openChanges } from "../../sync/read-changes.ts";
import { postJson } from "../../sync/sync-client.ts";
import { createdKey, createTestEncryption, rotatedKey, useKey } from "../sync/sealed-device.ts";
import { beginSignIn } from "../sync/world.ts";
import { LASTING_WORDS, liveADay, REFUSED_WORDS, SENT_WORDS } from "./day-of-an-app.ts";
import { encodingsOf, findWords } from "./find-words.ts";

const ADA = { username: "ada", password: "correct horse battery staple" };
const BASE_URL = "https://sync.example.com";
const REDIRECT_URI = "https://app.example.com/callback";

type Profile = "open" | "sealed";
type Place =
  | "database"
  | "backup"
  | "scheduled backup"
  | "export"
  | "status"
  | "log"
  | "metrics"
  | "stream"
  | "sent"
  | "received";
type Searched = Readonly<Record<Place, Uint8Array>>;

/** A server as `trellis serve sync` starts it, with everything on that writes. */
async function startServer(t: TestContext, profile: Profile) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-words-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "trellis.config.json");
  const listen = { host: "127.0.0.1", port: 0 };
  const dataDir = join(folder, "data");
  const sync = { listen, baseUrl: BASE_URL, redirectUris: [REDIRECT_URI], profile };
  await writeFile(path, JSON.stringify({ dataDir, operator: { listen }, sync }));
  await createAccount(folder, "sync", ADA);
  const configuration = await loadConfiguration({ path, isRequired: true, env: {} });
  const lines: string[] = [];
  const log = createLineWriter((text) => lines.push(text));
  const server = await startServices(configuration, ["sync"], log, new AbortController().signal);
  t.after(() => server.stop());
  const ask = (target: string, init?: RequestInit) =>
    fetch(`${server.addresses["sync"]}${target}`, init);

  const run = async (...words: string[]) => {
    const ending = await runInside(folder, ["sync", ...words]);
    assert.equal(ending.code, 0, ending.stderr);
    return ending.stdout + ending.stderr;
  };
  return {
    ask,
    /** What the server and its operator have, while it runs. */
    async collect(): Promise<Omit<Searched, "stream" | "sent" | "received">> {
      const scraped = await fetch(`${server.addresses["operator"]}/metrics`);
      const status = await run("status");
      await run("export", join(folder, "export.json"));
      await run("backup", join(folder, "made.backup"));
      const scheduled = await makeScheduled(configuration, join(folder, "scheduled"));
      return {
        metrics: Buffer.from(await scraped.text()),
        status: Buffer.from(status),
        export: await readFile(join(folder, "export.json")),
        backup: gunzipSync(await readFile(join(folder, "made.backup"))),
        "scheduled backup": gunzipSync(scheduled),
        // The write-ahead log is among them: the server is not stopped.
        database: Buffer.concat(await readAll(dataDir)),
        log: Buffer.from(lines.join("")),
      };
    },
  };
}

/** What the schedule of the server makes. */
async function makeScheduled(
  { dataDir, sync }: Awaited<ReturnType<typeof loadConfiguration>>,
  to: string,
): Promise<Uint8Array> {
  assert.ok(sync !== undefined);
  const { store, instanceKeyFile } = sync;
  const keep = { daily: 1, weekly: 0, monthly: 0 };
  const settings = { every: "day", keep, to } as const;
  const job = {
    service: "sync",
    store,
    dataDir,
    instanceKeyFile,
    settings,
    now: Date.now(),
  } as const;
  const made = await makeScheduledBackup(job, { env: {}, loadStore });
  assert.equal(made.kind, "made", JSON.stringify(made));
  const [name = "", ...others] = await readdir(to);
  assert.deepEqual(others, []);
  return readFile(join(to, name));
}

async function readAll(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  assert.ok(files.some(({ name }) => name.endsWith("-wal")));
  return Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
}

/** A network that keeps what goes through it, in both directions. */
function createRecordedNetwork(ask: (target: string, init: RequestInit) => Promise<Response>) {
  const traffic = { sent: [] as string[], received: [] as string[] };
  return {
    traffic,
    async fetch(url: string, init: RequestInit): Promise<Response> {
      const headers = [...new Headers(init.headers)].join("\n");
      traffic.sent.push(`${init.method ?? "GET"} ${url}`, headers, String(init.body ?? ""));
      const response = await ask(url.slice(BASE_URL.length), init);
      const body = await response.text();
      traffic.received.push([...response.headers].join("\n"), body);
      const { status, headers: received } = response;
      return new Response(body === "" ? null : body, { status, headers: received });
    },
  };
}

type Ask = Awaited<ReturnType<typeof startServer>>["ask"];

/** Reads the stream of changes of a device all day; `end` returns what came when all of the day has. */
async function followDay(t: TestContext, ask: Ask, accessToken: string) {
  const stream = await openChanges(ask, accessToken);
  t.after(() => stream.close());
  return {
    async end(): Promise<string> {
      const headers = { Authorization: `Bearer ${accessToken}` };
      const pulled = await ask("/v1/pull?limit=500", { headers });
      const { cursor, keyId = null } = (await pulled.json()) as { cursor: string; keyId?: string };
      for (let head = ""; head !== cursor;) head = await stream.head(60_000);
      const isTold = () => keyId === null || stream.text().includes(keyId);
      // The key was told before the head, or is about to be.
      for (let tries = 0; !isTold(); tries++) {
        assert.ok(tries < 10_000, "the stream does not tell the key");
        await wait(5);
      }
      return stream.text();
    },
  };
}

/** Lives the day against a server of the profile, and returns what is to be searched. */
async function spendADay(t: TestContext, profile: Profile): Promise<Searched> {
  const { ask, collect } = await startServer(t, profile);
  const { traffic, fetch } = createRecordedNetwork(ask);
  const open = async (deviceName: string, isSealed = profile === "sealed") => {
    const client = await createSyncClient({
      baseUrl: BASE_URL,
      redirectUri: REDIRECT_URI,
      storage: createMemorySyncStorage(),
      deviceName,
      profile: "open",
      live: false,
      fetch,
      setTimer: () => () => {},
      tabs: null,
      ...(isSealed && { encryption: createTestEncryption() }),
    });
    t.after(() => client.close());
    return client;
  };
  const signIn = async (client: SyncClient) => {
    const callback = await approveSignIn(await beginSignIn(client), ADA, ask);
    assert.equal((await client.completeSignIn(callback)).kind, "signed-in");
  };
  const [phone, tablet] = [await open("phone"), await open("tablet")];
  for (const client of [phone, tablet]) await signIn(client);
  // Both have asked for something with their token.
  for (const client of [phone, tablet]) await client.sync();
  const stream = await followDay(t, ask, findToken(traffic.sent));
  if (profile === "open") {
    await liveADay(phone, tablet, async () => {});
  } else {
    const [first, second] = [phone, tablet] as [EncryptedSyncClient, EncryptedSyncClient];
    await useKey(second, await createdKey(first));
    await liveADay(first, second, async () => {
      const recoveryKey = await rotatedKey(first);
      assert.equal((await second.sync()).kind, "not-synced");
      assert.equal(second.status.kind, "key-needed");
      await useKey(second, recoveryKey);
    });
    await pushInTheClear(ask, findToken(traffic.sent));
    await forgetEncryption(await open("laptop", false));
  }
  const [sent, received] = [traffic.sent, traffic.received].map((texts) =>
    Buffer.from(texts.join("\n")),
  ) as [Buffer, Buffer];
  const streamed = Buffer.from(await stream.end());
  return { ...(await collect()), stream: streamed, sent, received };
}

/** The access token that a device sent last. */
function findToken(sent: readonly string[]): string {
  return /^authorization,Bearer (.*)$/m.exec(sent.toReversed().join("\n"))?.[1] ?? "";
}

/** What an app without encryption pushes all the same is refused, and leaves no word of it behind. */
async function pushInTheClear(ask: Ask, accessToken: string) {
  const payload = { Geheimnisfeld: "Loesungswort" };
  const operation = createOperation({ entityId: "note/1", payload });
  const headers = { Authorization: `Bearer ${accessToken}` };
  const response = await postJson(ask, "/v1/push", { operations: [operation] }, headers);
  assert.equal(response.headers.get("Trellis-Refused"), "0=not_sealed", await response.text());
}

/** A build of the app in which the option is missing. */
async function forgetEncryption(client: SyncClient): Promise<void> {
  assert.equal((await client.create("note/2", { Geheimnisfeld: "Loesungswort" })).kind, "stored");
  const begun = await client.beginSignIn();
  assert.equal(begun.kind === "not-signed-in" && begun.error.kind, "profile-mismatch");
}

test("the search finds a word in every encoding, wherever it stands", () => {
  for (const word of ["Zwetschgen", "Pistaziengrün", "8472615390127"]) {
    const utf16le = Buffer.from(word, "utf16le");
    for (const bytes of [Buffer.from(word), utf16le, Buffer.from(utf16le).swap16()]) {
      for (const before of [0, 1, 2]) {
        const around = Buffer.concat([randomBytes(before), bytes, randomBytes(2)]);
        for (const encoding of ["latin1", "base64", "base64url", "hex"] as const) {
          const hidden = Buffer.from(`x${around.toString(encoding)}`, "latin1");
          assert.notDeepEqual(findWords(hidden, [word]), [], `${word} ${before} ${encoding}`);
        }
      }
    }
    const upper = Buffer.from(Buffer.from(word).toString("hex").toUpperCase());
    assert.notDeepEqual(findWords(upper, [word]), []);
  }
  assert.deepEqual(findWords(randomBytes(1_000_000), SENT_WORDS), []);
  // A needle that is too short would be found by chance.
  const needles = SENT_WORDS.flatMap((word) => Object.values(encodingsOf(word)));
  assert.ok(needles.every(({ length }) => length >= 9));
});

test("a server that reads the data has every word where the search looks", async (t) => {
  const { log, metrics, status, stream, export: exported, ...kept } = await spendADay(t, "open");
  for (const [place, bytes] of Object.entries(kept)) {
    const found = findWords(bytes, SENT_WORDS).join("\n");
    for (const word of SENT_WORDS) assert.ok(found.includes(word), `${word} is not in ${place}`);
  }
  const found = findWords(exported, LASTING_WORDS).join("\n");
  for (const word of LASTING_WORDS) assert.ok(found.includes(word), `${word} is not exported`);
  for (const bytes of [log, metrics, status, stream])
    assert.deepEqual(findWords(bytes, SENT_WORDS), []);
});

test("a sealed server has no word of the app: in its files, backups, exports, logs, metrics, streams or traffic", async (t) => {
  const searched = await spendADay(t, "sealed");
  const words = [...SENT_WORDS, ...REFUSED_WORDS];
  for (const [place, bytes] of Object.entries(searched)) {
    assert.deepEqual(findWords(bytes, words), [], place);
  }
  // Each place is what it should be.
  const shows = (place: Place, text: string) =>
    assert.ok(Buffer.from(searched[place]).includes(text), `no ${text} in ${place}`);
  for (const place of [
    "database",
    "backup",
    "scheduled backup",
    "export",
    "sent",
    "received",
  ] as const) {
    shows(place, "sealed/");
  }
  shows("stream", "event: head");
  shows("stream", "event: keys");
  shows("database", "SQLite format 3");
  shows("log", '"path":"/v1/push"');
  shows("metrics", "trellis_sync_operations_total");
  shows("status", "sealed");
});
