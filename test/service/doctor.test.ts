/** The findings of `trellis doctor --json` for services with a store. */
import assert from "node:assert/strict";
import { chmod, chown, mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Subscription } from "../../src/events/store.ts";
import type { SecurityEventKind } from "../../src/identity/security-event.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { readBackupKey } from "../../src/backup/backup-key.ts";
import { backupName, backupPrefix } from "../../src/backup/schedule/backup-name.ts";
import { createServerProof } from "../../src/identity/server-proof.ts";
import { openEventsStore } from "../../src/events/sql/open-store.ts";
import { openSyncStore } from "../../src/sync/sql/open-store.ts";
import { LIKE_A_BACKUP } from "../database/backup-sample.ts";
import { addEventsAccount } from "../events/add-account.ts";
import { createOperation } from "../fixtures/sync-operation.ts";
import { runInside } from "../fixtures/run-inside.ts";
import { addSyncAccount } from "../sync/add-account.ts";
import { pushTo } from "../sync/operations/device.ts";

const SERVICES = ["sync", "events"] as const;
type Service = (typeof SERVICES)[number];

interface Finding {
  readonly level: "ok" | "warning" | "error";
  readonly subject: string;
  readonly message: string;
  readonly remedy?: string;
}

interface Instance {
  readonly service: Service;
  readonly folder: string;
  readonly path: (name: string) => string;
  run(words: string, input?: string): Promise<void>;
  /** The findings about a subject, and the exit code. */
  diagnose(subject: string): Promise<{ readonly code: number | null; readonly found: Finding[] }>;
}

async function createInstance(
  t: TestContext,
  service: Service,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Instance> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-doctor-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const configuration = { [service]: { baseUrl: "http://localhost:1", ...settings } };
  await writeFile(join(folder, "trellis.config.json"), JSON.stringify(configuration));
  return {
    service,
    folder,
    path: (name) => join(folder, name),
    async run(words, input = "") {
      const { code, stdout, stderr } = await runInside(folder, [service, ...words.split(" ")], {
        input,
      });
      assert.equal(code, 0, stdout + stderr);
    },
    async diagnose(subject) {
      const { code, stdout } = await runInside(folder, ["doctor", "--json"]);
      const { findings } = JSON.parse(stdout) as { findings: Finding[] };
      return { code, found: findings.filter((finding) => finding.subject === subject) };
    },
  };
}

async function createStore({ service, path }: Instance): Promise<void> {
  const address = `sqlite:${path(`data/${service}.db`)}`;
  const opening =
    service === "sync"
      ? openSyncStore(address, path("data"))
      : openEventsStore(address, path("data"));
  await (await opening).close();
}

async function createAccount({ service, path }: Instance): Promise<void> {
  const key = openInstanceKey(path("data/instance.key"));
  const account = { username: "ada", password: "correct horse battery" };
  const address = `sqlite:${path(`data/${service}.db`)}`;
  if (service === "sync") {
    const store = await openSyncStore(address, path("data"));
    await addSyncAccount(store, key, account);
    await store.close();
  } else {
    const store = await openEventsStore(address, path("data"));
    await addEventsAccount(store, key, account);
    await store.close();
  }
}

async function countEvent(
  { service, path }: Instance,
  kind: SecurityEventKind,
  at: number,
): Promise<void> {
  const address = `sqlite:${path(`data/${service}.db`)}`;
  const store =
    service === "sync"
      ? await openSyncStore(address, path("data"))
      : await openEventsStore(address, path("data"));
  await store.transaction(({ identity }) => identity.countSecurityEvent(kind, at));
  await store.close();
}

async function expectOne(
  instance: Instance,
  subject: string,
  level: Finding["level"],
  message: RegExp,
  remedy?: RegExp,
): Promise<void> {
  const { code, found } = await instance.diagnose(subject);
  const finding = found.find((candidate) => message.test(candidate.message));
  assert.ok(finding !== undefined, JSON.stringify(found));
  assert.equal(finding.level, level);
  if (remedy !== undefined) assert.match(finding.remedy ?? "", remedy);
  if (level === "error") assert.equal(code, 1);
}

test("sync: the profile and the origins of web apps are a row, with a hint at one that is missing", async (t) => {
  const instance = await createInstance(t, "sync", {
    redirectUris: ["https://app.example/callback", "http://localhost:9/cb"],
  });
  await createStore(instance);
  const none = /profile "habits" can sync, and web apps of no origin; if https:\/\/app\.example is/;
  await expectOne(instance, "sync apps", "ok", none);
  const sync = { profile: "open", corsOrigins: ["https://app.example"] };
  await writeFile(instance.path("trellis.config.json"), JSON.stringify({ sync }));
  await expectOne(
    instance,
    "sync apps",
    "ok",
    /"open" can sync, and web apps of https:\/\/app\.example$/,
  );
});

test("sync: a store of clear entities with the profile sealed is an error, and is not served", async (t) => {
  const listen = { port: 0 };
  const instance = await createInstance(t, "sync", { profile: "sealed", listen });
  const store = await openSyncStore(
    `sqlite:${instance.path("data/sync.db")}`,
    instance.path("data"),
  );
  await pushTo(store, [createOperation({ entityId: "note/1", payload: { text: "Milk" } })]);
  await store.close();
  const clear = /^The profile is "sealed", but the store has entities in clear text: 1$/;
  await expectOne(instance, "sync profile", "error", clear, /copyEntities/);
  const { code, stderr } = await runInside(instance.folder, ["serve"]);
  assert.equal(code, 1);
  assert.match(stderr, /^The profile is "sealed", .+ clear text: 1: set the profile .+\n$/);
  const sync = { profile: "open", baseUrl: "http://localhost:1" };
  await writeFile(instance.path("trellis.config.json"), JSON.stringify({ sync }));
  assert.deepEqual((await instance.diagnose("sync profile")).found, []);
});

test("sync: a quota of bytes is a row, and a warning when it is used up", async (t) => {
  const instance = await createInstance(t, "sync", { quota: { bytes: 1e9 } });
  await createAccount(instance);
  await expectOne(instance, "sync quota", "ok", /^0 % of the 1000000000 bytes/);
  const rewrite = (bytes: number) =>
    writeFile(instance.path("trellis.config.json"), JSON.stringify({ sync: { quota: { bytes } } }));
  await rewrite(5000);
  await expectOne(instance, "sync quota", "warning", /devices keep their changes/, /allow more/);
});

for (const service of SERVICES) {
  const account = service === "sync" ? "sync account" : "events accounts";

  test(`${service}: before the first start there is no error, and the next steps are suggested`, async (t) => {
    const instance = await createInstance(t, service);
    await expectOne(instance, `${service} key`, "ok", /instance\.key will be created on first use/);
    await expectOne(
      instance,
      `${service} store`,
      "warning",
      /\.db will be created on first use/,
      /create an account/,
    );
    await expectOne(
      instance,
      `${service} backup`,
      "warning",
      /no backup has been made and verified yet/,
      new RegExp(`run \`trellis ${service} backup FILE\``),
    );
    const { code } = await instance.diagnose("configuration");
    assert.equal(code, 0);
  });

  test(`${service}: a store with an account and a recent backup passes`, async (t) => {
    const instance = await createInstance(t, service);
    await createAccount(instance);
    await instance.run(`backup ${instance.path("one.backup")}`);
    await expectOne(instance, `${service} key`, "ok", /is readable by this user only/);
    await expectOne(instance, `${service} store`, "ok", /it is readable/);
    await expectOne(instance, account, "ok", /there is one account/);
    await expectOne(
      instance,
      `${service} backup`,
      "ok",
      /one\.backup was verified and is less than an hour old/,
    );
  });

  test(`${service}: a recent security event is a warning, an old one is not`, async (t) => {
    const instance = await createInstance(t, service);
    await createAccount(instance);
    const subject = `${service} security`;
    await expectOne(instance, subject, "ok", /no security event has been counted/);
    await countEvent(instance, "code-replay", Date.now() - 8 * 86_400_000);
    await expectOne(instance, subject, "ok", /^1 replayed authorization code, on 20/);
    await countEvent(instance, "code-replay", Date.now());
    await expectOne(
      instance,
      subject,
      "warning",
      /^2 replayed authorization codes, the last on 20/,
      /find `code_replayed` in the log/,
    );
    await countEvent(instance, "new-device", Date.now());
    await expectOne(instance, subject, "ok", /^1 sign-in of a new device or browser, on 20/);
    const { stdout } = await runInside(instance.folder, [service, "status"]);
    assert.match(stdout, /^Security +2 replayed authorization codes, the last on 20/m);
  });

  test(`${service}: a store without an account is a warning`, async (t) => {
    const instance = await createInstance(t, service);
    await createStore(instance);
    await expectOne(
      instance,
      account,
      "warning",
      /sign-in is not possible/,
      new RegExp(`trellis ${service} account create`),
    );
    const words = service === "sync" ? "create --invite" : "invite";
    await runInside(instance.folder, [service, "account", ...words.split(" ")]);
    await expectOne(instance, account, "ok", /an invitation can be used until 20/);
  });

  test(`${service}: a key that others can read, or that is not a key, is an error`, async (t) => {
    const instance = await createInstance(t, service);
    await createAccount(instance);
    const key = instance.path("data/instance.key");
    await chmod(key, 0o644);
    await expectOne(instance, `${service} key`, "error", /instance\.key/);
    await chmod(key, 0o600);
    await writeFile(key, "too short");
    await expectOne(
      instance,
      `${service} key`,
      "error",
      /instance\.key/,
      /sign-in is not possible/,
    );
  });

  test(`${service}: a store that was moved without its key is an error that names the account`, async (t) => {
    const instance = await createInstance(t, service);
    await createAccount(instance);
    await rm(instance.path("data/instance.key"));
    await expectOne(
      instance,
      `${service} key`,
      "error",
      /the key file .+instance\.key is missing, and the store needs it/,
      new RegExp(`trellis ${service} account password`),
    );
    openInstanceKey(instance.path("data/instance.key"));
    await expectOne(
      instance,
      `${service} key`,
      "error",
      /the password of "ada" is encrypted with another key/,
      new RegExp(`trellis ${service} account password`),
    );
  });

  test(`${service}: a backup that is missing or old is a warning`, async (t) => {
    const instance = await createInstance(t, service);
    await createAccount(instance);
    await instance.run(`backup ${instance.path("one.backup")}`);
    const note = instance.path(`data/${service}.backups.json`);
    const { last } = JSON.parse(await readFile(note, "utf8")) as { last: object };
    const createdAt = new Date(Date.now() - 9 * 86_400_000).toISOString();
    await writeFile(note, JSON.stringify({ last: { ...last, createdAt } }));
    await expectOne(
      instance,
      `${service} backup`,
      "warning",
      /the last backup is 9 days old/,
      /timer/,
    );
    await rm(instance.path("one.backup"));
    await expectOne(instance, `${service} backup`, "warning", /one\.backup, does not exist/);
  });

  test(`${service}: a schedule that is late, has made none or fails is a warning`, async (t) => {
    const instance = await createInstance(t, service, {
      backup: { every: "hour", to: "s3://backups" },
    });
    await createAccount(instance);
    const subject = `${service} backup`;
    await expectOne(instance, subject, "warning", /no backup has been made/, /trellis serve/);
    const place = `s3://backups/${service}`;
    const write = (hours: number, failure: object | null) => {
      const createdAt = new Date(Date.now() - hours * 3_600_000 - 1000).toISOString();
      const last = { createdAt, verifiedAt: createdAt, place, bytes: 1, sha256: "0", facts: {} };
      const state = JSON.stringify({ last, scheduled: last, failure });
      return writeFile(instance.path(`data/${service}.backups.json`), state);
    };
    await write(1, null);
    await expectOne(instance, subject, "ok", /s3:\/\/backups\/\w+ was verified and is 1 h old/);
    await write(2, null);
    await expectOne(instance, subject, "warning", /is 2 h old/, /one is due every hour/);
    const at = new Date().toISOString();
    await write(0, { since: at, lastAt: at, attempts: 2, message: "the disk is full" });
    const { found } = await instance.diagnose(subject);
    assert.deepEqual(
      found.map(({ level }) => level),
      ["ok", "warning"],
    );
    assert.match(found[1]?.message ?? "", /fail since .*: the disk is full/);
    const { stdout } = await runInside(instance.folder, [service, "status"]);
    assert.match(stdout, /^Last backup .*less than an hour ago, verified, 1 bytes/m);
    assert.match(stdout, /^Last backup +failing since .* \(2 attempts\): the disk is full$/m);
  });

  test(`${service}: the age of a backup counts from what its folder holds`, async (t) => {
    const instance = await createInstance(t, service, { backup: {} });
    await createAccount(instance);
    const status = await runInside(instance.folder, [service, "status"]);
    assert.match(status.stdout, /^Last backup +none: the server makes the first one/m);
    const subject = `${service} backup`;
    const key = readBackupKey(instance.path("data/instance.key"), service);
    assert.ok(key !== null);
    const nameAt = (at: number) => join("backups", backupName(backupPrefix(service, key), at));
    const at = Date.now() - 1000;
    const createdAt = new Date(at).toISOString();
    const last = { createdAt, verifiedAt: createdAt, place: instance.path(nameAt(at)) };
    const record = { ...last, bytes: 1, sha256: "0", facts: {} };
    const state = JSON.stringify({ last: record, scheduled: record, failure: null });
    await writeFile(instance.path(`data/${service}.backups.json`), state);
    await expectOne(instance, subject, "warning", /backups holds no backup/, /not removed/);
    await mkdir(instance.path("backups"));
    await writeFile(instance.path(nameAt(Date.now() - 5 * 86_400_000)), LIKE_A_BACKUP);
    await expectOne(instance, subject, "warning", /is 5 days old/);
    // An empty file is no backup, and another server's is held.
    await writeFile(instance.path(nameAt(at)), "");
    await expectOne(instance, subject, "warning", /is 5 days old/);
    await writeFile(instance.path(nameAt(at)), LIKE_A_BACKUP);
    await expectOne(instance, subject, "ok", /was verified and is less than an hour old/);
    const later = instance.path(nameAt(Date.now() + 60_000));
    await writeFile(later, LIKE_A_BACKUP);
    await expectOne(instance, subject, "ok", /backups holds a backup .+ has not verified it$/);
    await rm(later);

    const ahead = Date.now() + 3650 * 86_400_000;
    await writeFile(instance.path(nameAt(ahead)), LIKE_A_BACKUP);
    const { found } = await instance.diagnose(subject);
    assert.deepEqual(
      found.map(({ level }) => level),
      ["ok", "warning"],
    );
    assert.match(found[1]?.message ?? "", /holds a backup that is dated .+, in the future/);
  });

  test(`${service}: a last backup of a clock that was ahead is a warning`, async (t) => {
    const instance = await createInstance(t, service);
    await createAccount(instance);
    const createdAt = new Date(Date.now() + 3650 * 86_400_000).toISOString();
    const last = { createdAt, verifiedAt: createdAt, place: "standard output", bytes: 1 };
    const state = JSON.stringify({ last: { ...last, sha256: "0", facts: {} } });
    await writeFile(instance.path(`data/${service}.backups.json`), state);
    await expectOne(instance, `${service} backup`, "warning", /in the future/, /clock/);
    const { stdout } = await runInside(instance.folder, [service, "status"]);
    assert.match(stdout, /^Last backup .*, in the future, verified/m);
  });

  test(`${service}: a folder that cannot take backups is an error`, async (t) => {
    const instance = await createInstance(t, service, { backup: { to: "./held/backups" } });
    await createAccount(instance);
    const subject = `${service} backup`;
    const unusable = /no backup can be stored in .*backups: /;
    assert.doesNotMatch(JSON.stringify(await instance.diagnose(subject)), unusable);
    await writeFile(instance.path("held"), "a file");
    await expectOne(instance, subject, "error", /held is a file$/, /name another folder/);
  });

  test(`${service}: a high-water file that is missing or damaged is a warning`, async (t) => {
    const instance = await createInstance(t, service);
    await createAccount(instance);
    const subject = `${service} store`;
    const file = instance.path(`data/${service}.highwater`);
    assert.doesNotMatch(JSON.stringify(await instance.diagnose(subject)), /high-water/);
    await writeFile(file, '{"generation":"');
    const remedy = /`trellis serve`, which writes it again/;
    await expectOne(instance, subject, "warning", /highwater is damaged, so a rollback/, remedy);
    await rm(file);
    await expectOne(instance, subject, "warning", /highwater is missing, so a rollback/, remedy);
  });

  test(`${service}: a clock that is years behind is an error, and one that is years ahead a question`, async (t) => {
    const instance = await createInstance(t, service);
    await createAccount(instance);
    assert.deepEqual((await instance.diagnose("clock")).found, []);
    const writtenIn = async (years: number) => {
      const time = Date.now() / 1000 + years * 365 * 86_400;
      for (const file of [`${service}.db`, `${service}.db-wal`]) {
        await utimes(instance.path(`data/${file}`), time, time).catch(() => {});
      }
    };
    await writtenIn(3);
    await expectOne(
      instance,
      "clock",
      "error",
      /^it shows .+\.db was written at /,
      /set the clock/,
    );
    await writtenIn(-3);
    await expectOne(instance, "clock", "warning", /was written last at /, /in use since then/);
  });

  test(`${service}: a damaged file is moved away, and no other`, async (t) => {
    const instance = await createInstance(t, service);
    await createAccount(instance);
    const file = instance.path(`data/${service}.db`);
    await writeFile(file, "x".repeat(8192));
    const subject = `${service} store`;
    await expectOne(instance, subject, "error", /not a database/, /^move it and its -wal/);
    await rm(file);
    await mkdir(file);
    const { found } = await instance.diagnose(subject);
    assert.match(found.at(-1)?.remedy ?? "", /^check who may read and write .+\.db and its folder/);
  });

  test(
    `${service}: files of root in the folder of another user are an error`,
    { skip: process.getuid?.() !== 0 && "only root makes files of another user" },
    async (t) => {
      const instance = await createInstance(t, service);
      await createAccount(instance);
      assert.doesNotMatch(JSON.stringify(await instance.diagnose("data folder")), /root/);
      await chown(instance.path("data"), 1234, 1234);
      const names = new RegExp(`${service}\\.db, .*belong to root, and .+data to the user of`);
      await expectOne(instance, "data folder", "error", names, /chown -R --reference=/);
    },
  );

  test(`${service}: a store that every user can read is a warning`, async (t) => {
    const instance = await createInstance(t, service);
    await createAccount(instance);
    await chmod(instance.path(`data/${service}.db`), 0o644);
    await expectOne(
      instance,
      `${service} store`,
      "warning",
      /every user of this machine can read/,
      /chmod o-rwx/,
    );
  });

  test(`${service}: a file without tables is a warning, and the doctor creates none`, async (t) => {
    const instance = await createInstance(t, service, { store: "sqlite:./empty.db" });
    await writeFile(instance.path("empty.db"), "", { mode: 0o600 });
    await expectOne(instance, `${service} store`, "warning", /no tables of this service yet/);
    await expectOne(instance, `${service} store`, "warning", /no tables of this service yet/);
  });

  test(`${service}: an unreachable database server is an error, and its password is not printed`, async (t) => {
    const instance = await createInstance(t, service, {
      store: "postgres://trellis:hunter2@127.0.0.1:1/trellis",
    });
    await expectOne(
      instance,
      `${service} store`,
      "error",
      /the connection failed/,
      new RegExp(`check \`${service}\\.store\``),
    );
    const { stdout } = await runInside(instance.folder, ["doctor", "--json"]);
    assert.doesNotMatch(stdout, /hunter2/);
  });

  test(`${service}: the public address is requested over the network`, async (t) => {
    const reply = { status: 200, skewMs: 0, realm: service as string, keyFile: "" };
    const server = createServer((request, response) => {
      const isHealth = request.url === (service === "sync" ? "/v1/health" : "/health");
      response.setHeader("Date", new Date(Date.now() + reply.skewMs).toUTCString());
      const challenge = String(request.headers["trellis-challenge"]);
      const baseUrl = `http://${request.headers.host}`;
      if (reply.keyFile !== "") {
        const prove = createServerProof(openInstanceKey(reply.keyFile), reply.realm, baseUrl);
        for (const [name, value] of Object.entries(prove(challenge)))
          response.setHeader(name, value);
      }
      response.writeHead(isHealth ? reply.status : 404).end();
    });
    t.after(() => server.close());
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const instance = await createInstance(t, service, { baseUrl: `http://127.0.0.1:${port}` });
    const subject = `${service}.baseUrl`;
    await expectOne(instance, subject, "warning", /cannot be proved that it is this server/);
    await createAccount(instance);
    await expectOne(instance, subject, "error", /is another server/, /check DNS/);
    reply.keyFile = instance.path("data/instance.key");
    await expectOne(instance, subject, "ok", /is this server: it has the same instance key/);
    reply.realm = "another";
    await expectOne(instance, subject, "error", /is another server/);
    reply.realm = service;
    reply.keyFile = instance.path("other.key");
    await expectOne(instance, subject, "error", /is another server/);
    reply.keyFile = instance.path("data/instance.key");
    for (const skewMs of [120_000, -120_000]) {
      reply.skewMs = skewMs;
      const differs = /its clock differs from this one by 1\d\d s/;
      await expectOne(instance, subject, "warning", differs, /set both clocks/);
    }
    reply.status = 502;
    await expectOne(instance, subject, "error", /responded with status 502, expected 200/, /proxy/);
    server.close();
    await expectOne(instance, subject, "warning", /nothing listens at 127\.0\.0\.1:\d+$/);
    const ports = new RegExp(`its port is ${port}, and ${service}\\.listen\\.port is 48\\d1`);
    await expectOne(instance, subject, "warning", ports, /proxy/);
  });
}

test("events: subscriptions that fail, lost entries or are overdue are warnings", async (t) => {
  const instance = await createInstance(t, "events");
  await createAccount(instance);
  await expectOne(instance, "events subscriptions", "ok", /^0, none failing$/);
  const now = Date.now();
  const store = await openEventsStore(
    `sqlite:${instance.path("data/events.db")}`,
    instance.path("data"),
  );
  await store.transaction(async ({ identity, sources, subscriptions }) => {
    const [account] = await identity.listAccounts();
    const accountId = account?.accountId ?? "";
    const add = async (sourceId: string, changes: Partial<Subscription>) => {
      await sources.findOrAdd({
        sourceId,
        accountId,
        name: sourceId,
        kind: "subscription",
        createdAt: now,
      });
      await subscriptions.add({
        ...SUBSCRIPTION,
        sourceId,
        accountId,
        urlHash: sourceId,
        ...changes,
      });
    };
    await add("well", { nextFetchAt: now + 1000 });
    await add("once", { nextFetchAt: now + 1000, failures: 1, lastError: "timed-out" });
    await add("failing", { nextFetchAt: now + 1000, failures: 3, lastError: "timed-out" });
    await add("shrunk", { nextFetchAt: now + 1000, warning: "feed-shrunk" });
    await add("waiting", { nextFetchAt: now - 2 * 3_600_000 });
  });
  await store.close();
  const { found } = await instance.diagnose("events subscriptions");
  assert.deepEqual(
    found.map(({ level, message }) => [level, message]),
    [
      ["warning", "1 of 5 failed 3 times or more in a row"],
      ["warning", "1 of 5 lost entries, whose events were kept"],
      ["warning", "1 of 5 should have been fetched over an hour ago"],
    ],
  );
});

const SUBSCRIPTION: Subscription = {
  sourceId: "",
  accountId: "",
  name: "School",
  sealedUrl: "sealed",
  urlHash: "",
  defaultType: "task",
  rules: [],
  createdAt: 0,
  etag: null,
  lastModified: null,
  lastFetchedAt: null,
  lastSucceededAt: null,
  lastError: null,
  warning: null,
  nextFetchAt: 0,
  failures: 0,
  entryCount: null,
  report: null,
};
