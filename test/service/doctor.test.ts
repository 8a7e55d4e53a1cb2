/** What the doctor says of services with a store, as it is read by programs. */
import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Subscription } from "../../src/events/store.ts";
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { openEventsStore } from "../../src/server/open-events-store.ts";
import { openSyncStore } from "../../src/server/open-sync-store.ts";
import { addEventsAccount } from "../events/add-account.ts";
import { runInside } from "../publishing/run-inside.ts";
import { addSyncAccount } from "../sync/add-account.ts";

const SERVICES = ["sync", "events"] as const;
type Service = (typeof SERVICES)[number];

interface Finding {
  readonly level: "ok" | "warning" | "fault";
  readonly subject: string;
  readonly message: string;
  readonly remedy?: string;
}

interface Patient {
  readonly service: Service;
  readonly folder: string;
  readonly path: (name: string) => string;
  run(words: string, input?: string): Promise<void>;
  /** What the doctor says of a subject, and with which exit code. */
  examine(subject: string): Promise<{ readonly code: number | null; readonly found: Finding[] }>;
}

async function createPatient(
  t: TestContext,
  service: Service,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<Patient> {
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
    async examine(subject) {
      const { code, stdout } = await runInside(folder, ["doctor", "--json"]);
      const { findings } = JSON.parse(stdout) as { findings: Finding[] };
      return { code, found: findings.filter((finding) => finding.subject === subject) };
    },
  };
}

async function createAccount({ service, path }: Patient): Promise<void> {
  const key = openInstanceKey(path("data/instance.key"));
  const account = { username: "ada", password: "correct horse battery" };
  const address = `sqlite:${path(`data/${service}.db`)}`;
  if (service === "sync") {
    const store = await openSyncStore(address, path("data"));
    await addSyncAccount(store, key, account);
    await store.close();
  } else {
    const store = await openEventsStore(address);
    await addEventsAccount(store, key, account);
    await store.close();
  }
}

async function expectOne(
  patient: Patient,
  subject: string,
  level: Finding["level"],
  message: RegExp,
  remedy?: RegExp,
): Promise<void> {
  const { code, found } = await patient.examine(subject);
  const finding = found.find((candidate) => message.test(candidate.message));
  assert.ok(finding !== undefined, JSON.stringify(found));
  assert.equal(finding.level, level);
  if (remedy !== undefined) assert.match(finding.remedy ?? "", remedy);
  if (level === "fault") assert.equal(code, 1);
}

for (const service of SERVICES) {
  const account = service === "sync" ? "sync account" : "events accounts";

  test(`${service}: before the first start nothing is wrong, and what comes next is told`, async (t) => {
    const patient = await createPatient(t, service);
    await expectOne(patient, `${service} key`, "ok", /instance\.key is made on first use/);
    await expectOne(
      patient,
      `${service} store`,
      "warning",
      /\.db is made on first use/,
      /create an account/,
    );
    await expectOne(
      patient,
      `${service} backup`,
      "warning",
      /there was none yet/,
      new RegExp(`run \`trellis ${service} backup FILE\``),
    );
    const { code } = await patient.examine("configuration");
    assert.equal(code, 0);
  });

  test(`${service}: a store with an account and a fresh backup is well`, async (t) => {
    const patient = await createPatient(t, service);
    await createAccount(patient);
    await patient.run(`backup ${patient.path("one.backup")}`);
    await expectOne(patient, `${service} key`, "ok", /is here and closed to others/);
    await expectOne(patient, `${service} store`, "ok", /it answers/);
    await expectOne(patient, account, "ok", /there is one/);
    await expectOne(patient, `${service} backup`, "ok", /one\.backup is less than a day old/);
  });

  test(`${service}: a store without an account is told`, async (t) => {
    const patient = await createPatient(t, service);
    await patient.run("status");
    await expectOne(
      patient,
      account,
      "warning",
      /nobody can sign in/,
      new RegExp(`trellis ${service} account create`),
    );
  });

  test(`${service}: a key that others can read, or that is none, is a fault`, async (t) => {
    const patient = await createPatient(t, service);
    await createAccount(patient);
    const key = patient.path("data/instance.key");
    await chmod(key, 0o644);
    await expectOne(patient, `${service} key`, "fault", /instance\.key/);
    await chmod(key, 0o600);
    await writeFile(key, "too short");
    await expectOne(patient, `${service} key`, "fault", /instance\.key/, /nobody can sign in/);
  });

  test(`${service}: a store that came without its key is told by name`, async (t) => {
    const patient = await createPatient(t, service);
    await createAccount(patient);
    await rm(patient.path("data/instance.key"));
    await expectOne(
      patient,
      `${service} key`,
      "fault",
      /the password of "ada" was sealed under another key/,
      new RegExp(`trellis ${service} account password`),
    );
  });

  test(`${service}: a backup that is gone or old is told`, async (t) => {
    const patient = await createPatient(t, service);
    await createAccount(patient);
    await patient.run(`backup ${patient.path("one.backup")}`);
    const note = patient.path(`data/${service}.last-backup.json`);
    const last = JSON.parse(await readFile(note, "utf8")) as object;
    const createdAt = new Date(Date.now() - 9 * 86_400_000).toISOString();
    await writeFile(note, JSON.stringify({ ...last, createdAt }));
    await expectOne(patient, `${service} backup`, "warning", /the last one is 9 days old/, /timer/);
    await rm(patient.path("one.backup"));
    await expectOne(patient, `${service} backup`, "warning", /one\.backup, is not there/);
  });

  test(`${service}: a store that everybody on the machine can read is told`, async (t) => {
    const patient = await createPatient(t, service);
    await createAccount(patient);
    await chmod(patient.path(`data/${service}.db`), 0o644);
    await expectOne(
      patient,
      `${service} store`,
      "warning",
      /is open to everybody here/,
      /chmod o-rwx/,
    );
  });

  test(`${service}: a file without tables is told, and stays without them`, async (t) => {
    const patient = await createPatient(t, service, { store: "sqlite:./empty.db" });
    await writeFile(patient.path("empty.db"), "", { mode: 0o600 });
    await expectOne(patient, `${service} store`, "warning", /no tables of this service yet/);
    await expectOne(patient, `${service} store`, "warning", /no tables of this service yet/);
  });

  test(`${service}: a server that does not answer is a fault, without its password`, async (t) => {
    const patient = await createPatient(t, service, {
      store: "postgres://trellis:hunter2@127.0.0.1:1/trellis",
    });
    await expectOne(
      patient,
      `${service} store`,
      "fault",
      /./,
      new RegExp(`check \`${service}\\.store\``),
    );
    const { stdout } = await runInside(patient.folder, ["doctor", "--json"]);
    assert.doesNotMatch(stdout, /hunter2/);
  });

  test(`${service}: the public address is asked as a stranger would ask`, async (t) => {
    const answers = { status: 200, skewMs: 0 };
    const server = createServer((request, response) => {
      const isHealth = request.url === (service === "sync" ? "/v1/health" : "/health");
      response.setHeader("Date", new Date(Date.now() + answers.skewMs).toUTCString());
      response.writeHead(isHealth ? answers.status : 404).end();
    });
    t.after(() => server.close());
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const patient = await createPatient(t, service, { baseUrl: `http://127.0.0.1:${port}` });
    const subject = `${service}.baseUrl`;
    await expectOne(patient, subject, "ok", /answers$/);
    answers.skewMs = 120_000;
    await expectOne(patient, subject, "warning", /its clock differs by 1\d\d s/, /set both clocks/);
    answers.status = 502;
    await expectOne(patient, subject, "fault", /answered 502, not 200/, /proxy/);
    const nobody = await createPatient(t, service);
    await expectOne(nobody, subject, "warning", /does not answer from here/);
  });
}

test("events: calendars that fail, that lost entries and that nobody fetches are told", async (t) => {
  const patient = await createPatient(t, "events");
  await createAccount(patient);
  await expectOne(patient, "events subscriptions", "ok", /^0, none failing$/);
  const now = Date.now();
  const store = await openEventsStore(`sqlite:${patient.path("data/events.db")}`);
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
    await add("once", { nextFetchAt: now + 1000, failures: 1, lastFault: "timed-out" });
    await add("failing", { nextFetchAt: now + 1000, failures: 3, lastFault: "timed-out" });
    await add("shrunk", { nextFetchAt: now + 1000, warning: "feed-shrunk" });
    await add("waiting", { nextFetchAt: now - 2 * 3_600_000 });
  });
  await store.close();
  const { found } = await patient.examine("events subscriptions");
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
  lastFault: null,
  warning: null,
  nextFetchAt: 0,
  failures: 0,
  entryCount: null,
  report: null,
};
