/** The events client and a service that was written from the contract alone. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  importEvents,
  type EventsClient,
  type EventsSyncResult,
  type EventsSyncState,
} from "../../../src/client/index.ts";
import { EVENTS_EXTRAS } from "../../../src/contract/events/values.ts";
import { serveOnLoopback } from "../../fixtures/loopback-server.ts";
import { createClientOf, ORIGIN, printWhole } from "./connect.ts";
import { createContractService, type ContractService } from "./contract-service.ts";

const HOUR = 3_600_000;
const FULL = "limit=500";

interface App {
  readonly service: ContractService;
  readonly accessToken: string;
  /** Imports what comes, and keeps the state, as an app does. */
  sync(changes?: { accessToken?: string; timeoutMs?: number }): Promise<EventsSyncResult>;
  readonly habits: { name: string; source: { eventId: string; occursOn: string } }[];
  state: EventsSyncState | null;
}

async function connectApp(t: TestContext, unknownQuery?: number): Promise<App> {
  const service = createContractService(unknownQuery);
  const address = await serveOnLoopback(t, service.listener);
  const now = () => service.now;
  const accessToken = await logIn(createClientOf(address, { now }), address);
  const app: App = {
    service,
    accessToken,
    habits: [],
    state: null,
    sync: async ({ timeoutMs = 15_000, ...changes } = {}) => {
      const client = createClientOf(address, { now, limits: { timeoutMs } });
      const result = await client.syncEvents({ accessToken, state: app.state, ...changes });
      const { imported } = importEvents(result.events, app.habits, { serviceName: "Planner" });
      app.habits.push(...imported);
      app.state = JSON.parse(JSON.stringify(result.state)) as EventsSyncState;
      return result;
    },
  };
  return app;
}

async function logIn(client: EventsClient, address: string): Promise<string> {
  const begun = await client.beginLogin();
  assert.ok(begun.kind === "begun");
  const page = await fetch(begun.authorizeUrl.replace(ORIGIN, address), { redirect: "manual" });
  const login = await client.completeLogin(page.headers.get("location") ?? "", begun.pending);
  assert.ok(login.kind === "connected", printWhole(login));
  return login.accessToken;
}

function write(service: ContractService, ids: readonly string[], date = "2026-09-10"): void {
  for (const id of ids) {
    service.events.push({ id, type: "exam", title: id, date, changedAt: service.now });
  }
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const namesOf = ({ habits }: App) => habits.map(({ name }) => name);

test("a full sync, then incremental ones by its Date: what is new is imported, each event once", async (t) => {
  const app = await connectApp(t);
  const { service } = app;
  write(service, ["a", "b"], "20260910T1015+0200");
  const first = await app.sync();
  assert.ok(first.kind === "synced" && first.mode === "full" && first.isWhole);
  assert.deepEqual(namesOf(app), ["a", "b"]);
  // Within the margin: both come once more, and are not imported once more.
  service.now += 60_000;
  write(service, ["c"]);
  const second = await app.sync();
  assert.ok(second.kind === "synced" && second.mode === "incremental");
  assert.equal(second.events.length, 3);
  service.now += HOUR;
  write(service, ["d"]);
  await app.sync();
  service.now += HOUR;
  // Changed within five minutes before the last sync, so it comes again.
  assert.equal((await app.sync()).events.length, 1);
  assert.deepEqual(namesOf(app), ["a", "b", "c", "d"]);
  assert.deepEqual(service.queries, [
    FULL,
    `${FULL}&updated_since=2026-08-31T23:55:00.000Z`,
    `${FULL}&updated_since=2026-08-31T23:56:00.000Z`,
    `${FULL}&updated_since=2026-09-01T00:56:00.000Z`,
  ]);
});

for (const [failWith, kind, error] of [
  [401, "reconnect-needed", null],
  [429, "failed", { kind: "rate-limited", retryAfterSeconds: null }],
  [500, "failed", { kind: "http-status", status: 500 }],
  ["silence", "failed", { kind: "timeout", timeoutMs: 100 }],
] as const) {
  test(`a sync that ends with ${failWith} loses nothing: the next one brings it`, async (t) => {
    const app = await connectApp(t);
    const { service } = app;
    write(service, ["a"]);
    for (const before of [null, "synced"]) {
      service.failWith = failWith;
      const { state } = app;
      const asked = service.queries.length;
      const failed = await app.sync(failWith === "silence" ? { timeoutMs: 100 } : {});
      assert.equal(failed.kind, kind);
      assert.deepEqual(failed.kind === "failed" ? failed.error : null, error);
      // A plain request that fails is not sent again.
      assert.equal(service.queries.length, asked + 1);
      assert.deepEqual(app.state?.cursor, state?.cursor ?? null);
      assert.ok(!printWhole(failed).includes(app.accessToken));
      service.failWith = null;
      service.now += HOUR;
      if (before !== null) write(service, ["b"]);
      assert.equal((await app.sync()).kind, "synced");
    }
    assert.deepEqual(namesOf(app), ["a", "b"]);
  });
}

test("a token that it revoked means that the person connects again; habits stay", async (t) => {
  const app = await connectApp(t);
  write(app.service, ["a"]);
  await app.sync();
  assert.equal((await app.sync({ accessToken: "revoked" })).kind, "reconnect-needed");
  assert.deepEqual(namesOf(app), ["a"]);
});

for (const status of [400, 404, 500, 501]) {
  test(`an extra of an earlier service at this address is refused with ${status}, and the plain request follows`, async (t) => {
    const app = await connectApp(t, status);
    const { service } = app;
    write(service, ["a"]);
    await app.sync();
    assert.ok(app.state !== null);
    app.state = { ...app.state, extras: EVENTS_EXTRAS };
    service.now += HOUR;
    write(service, ["b"]);
    const result = await app.sync();
    assert.ok(result.kind === "synced" && !result.mayHaveMore);
    assert.deepEqual(namesOf(app), ["a", "b"]);
    await app.sync();
    const [, refused, plain, later] = service.queries;
    assert.equal(refused, `${plain}&include_deleted=true`);
    assert.match(later ?? "", /^limit=500&updated_since=[^&]+$/);
  });
}

test("more events than fit into a page: the person is told, and what is new comes all the same", async (t) => {
  const app = await connectApp(t);
  const { service } = app;
  write(service, numbered(499));
  service.now += HOUR;
  await app.sync();
  service.now += HOUR;
  write(service, ["late", "later"]);
  assert.ok(app.state !== null);
  const { cursor } = app.state;
  app.state = { ...app.state, fullSyncAt: service.now - 8 * 24 * HOUR };
  const full = await app.sync();
  assert.ok(full.kind === "synced" && full.mayHaveMore && !full.isWhole);
  assert.match(full.message ?? "", /some may be missing/);
  assert.equal(full.state.cursor, cursor);
  const changes = await app.sync();
  assert.ok(changes.kind === "synced" && !changes.mayHaveMore && changes.mode === "incremental");
  assert.deepEqual(namesOf(app).slice(-2), ["late", "later"]);
  assert.ok(service.queries.every((query) => query.startsWith(FULL)));
});
