/** Whatever changes between and during syncs, the app ends with the events of the service. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createEventsClient, type EventsSyncResult } from "../../../src/client/index.ts";
import {
  createSimulatedService,
  type Mood,
  type SimulatedOptions,
  type SimulatedService,
} from "./simulated-service.ts";

const HOUR = 3_600_000;

/** An app as the guide describes it: stores the events, then the state. */
function createApp(service: SimulatedService) {
  const client = createEventsClient({
    origin: "https://planner.example.org",
    clientId: "trellis-demo",
    redirectUri: "trellis-demo://auth/callback",
    fetch: service.fetch,
    now: () => service.now,
  });
  const titlesById = new Map<string, string>();
  let state: EventsSyncResult["state"] | null = null;
  return {
    titlesById,
    sync: async () => {
      const result = await client.syncEvents({ accessToken: "t0ken", state });
      if (result.kind === "synced" && result.isWhole) titlesById.clear();
      const ids = [...result.events.map(({ id }) => id), ...result.deletedIds];
      assert.equal(new Set(ids).size, ids.length);
      for (const { id, title } of result.events) titlesById.set(id, title ?? "");
      for (const id of result.deletedIds) titlesById.delete(id);
      // As storage would give it back.
      state = JSON.parse(JSON.stringify(result.state)) as EventsSyncResult["state"];
      return result;
    },
  };
}

const idOf = (index: number) => `e${index}`;

type Act =
  | { readonly kind: "put"; readonly from: number; readonly count: number; readonly title: string }
  | { readonly kind: "remove"; readonly index: number }
  | { readonly kind: "wait"; readonly ms: number };

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({
    kind: fc.constant("put" as const),
    from: fc.nat(1500),
    count: fc.oneof(fc.nat(3), fc.constantFrom(499, 500, 501, 999, 1300)),
    title: fc.string({ maxLength: 3 }),
  }),
  fc.record({ kind: fc.constant("remove" as const), index: fc.nat(1500) }),
  fc.record({
    kind: fc.constant("wait" as const),
    ms: fc.constantFrom(1, 1000, 4 * 60_000, HOUR, 50 * HOUR),
  }),
);

function perform(service: SimulatedService, acts: readonly Act[]) {
  for (const item of acts) {
    if (item.kind === "wait") service.now += item.ms;
    else if (item.kind === "put") {
      for (let index = 0; index < item.count; index++) {
        service.put(idOf(item.from + index), item.title);
      }
    } else if (service.rowsById.has(idOf(item.index))) service.remove(idOf(item.index));
  }
}

/** Several syncs; acts before each of them, and a few more while it reads its pages. */
const scenario = fc.array(
  fc.record({ before: fc.array(act, { maxLength: 4 }), during: fc.array(act, { maxLength: 3 }) }),
  { minLength: 1, maxLength: 4 },
);

function findMissing(service: SimulatedService, titlesById: ReadonlyMap<string, string>) {
  return [...service.rowsById.values()].filter(
    ({ id, title, isDeleted }) => !isDeleted && titlesById.get(id) !== title,
  );
}

async function live(options: SimulatedOptions, chapters: readonly Chapter[], mood: Mood) {
  const service = createSimulatedService(options);
  service.mood = mood;
  const app = createApp(service);
  for (const { before, during } of chapters) {
    perform(service, before);
    const rest = [...during];
    service.meanwhile = () => perform(service, rest.splice(0, 1));
    await app.sync();
  }
  service.meanwhile = () => {};
  // Nothing happens any more, and what was stamped is visible: now nothing may be missing.
  service.now += options.commitDelayMs + 1000;
  const result = await app.sync();
  assert.ok(result.kind === "synced");
  if (!result.mayHaveMore) assert.deepEqual(findMissing(service, app.titlesById), []);
  return { service, app, mayHaveMore: result.mayHaveMore };
}

interface Chapter {
  readonly before: readonly Act[];
  readonly during: readonly Act[];
}

const ours: SimulatedOptions = { hasClock: true, changesPerStamp: 1, commitDelayMs: 0 };

test("against our service nothing is missed, and what was deleted is gone", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (chapters) => {
      const { service, app, mayHaveMore } = await live(ours, chapters, "generous");
      assert.equal(mayHaveMore, false);
      const deleted = [...service.rowsById.values()].filter(({ isDeleted }) => isDeleted);
      assert.deepEqual(
        deleted.filter(({ id }) => app.titlesById.has(id)),
        [],
      );
    }),
    { numRuns: 30 },
  );
});

test("against a paging service with ties and slow transactions nothing is missed", async () => {
  const options = fc.record({
    hasClock: fc.boolean(),
    changesPerStamp: fc.constantFrom(1, 2, 499),
    commitDelayMs: fc.constantFrom(0, 60_000, 299_000),
  });
  await fc.assert(
    fc.asyncProperty(options, scenario, async (given, chapters) => {
      const { mayHaveMore } = await live(given, chapters, "generous");
      assert.equal(mayHaveMore, false);
    }),
    { numRuns: 30 },
  );
});

test("more changes of one moment than a page holds are told, not lost in silence", async () => {
  const service = createSimulatedService({ ...ours, changesPerStamp: 1201 });
  const app = createApp(service);
  perform(service, [{ kind: "put", from: 0, count: 1201, title: "x" }]);
  service.now += HOUR;
  await app.sync();
  const result = await app.sync();
  assert.ok(result.kind === "synced" && result.mayHaveMore);
  assert.ok(service.requests.length < 10);
});

test("interrupted between pages, a sync goes on and nothing is missed", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, fc.integer({ min: 2, max: 4 }), async (chapters, period) => {
      const service = createSimulatedService(ours);
      const app = createApp(service);
      service.isBusy = () => service.requests.length % period === 0;
      for (const { before, during } of chapters) {
        perform(service, before);
        const rest = [...during];
        service.meanwhile = () => perform(service, rest.splice(0, 1));
        await app.sync();
      }
      service.meanwhile = () => {};
      const pages = Math.ceil(service.rowsById.size / 500) + 2;
      let kind = "failed";
      for (let tries = 0; kind !== "synced"; tries++) {
        assert.ok(tries <= 2 * pages, "it begins again and again");
        ({ kind } = await app.sync());
      }
      assert.deepEqual(findMissing(service, app.titlesById), []);
    }),
    { numRuns: 30 },
  );
});

test("against a service of the contract alone nothing is missed, or the person is told", async () => {
  const options = fc.record({
    hasClock: fc.boolean(),
    changesPerStamp: fc.constantFrom(1, 700),
    commitDelayMs: fc.constantFrom(0, 299_000),
  });
  await fc.assert(
    fc.asyncProperty(options, scenario, async (given, chapters) => {
      const { service, mayHaveMore } = await live(given, chapters, "plain");
      assert.equal(mayHaveMore, countLastResponse(service) >= 500);
      for (const { searchParams } of service.requests) {
        assert.equal(searchParams.get("limit"), "500");
        assert.equal(searchParams.get("include_deleted"), null);
      }
    }),
    { numRuns: 30 },
  );
});

test("whatever a service announces, refuses or stops announcing, nothing is missed in silence", async () => {
  const moods = fc.array(fc.constantFrom<Mood>("generous", "plain", "fickle"), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(scenario, moods, async (chapters, sequence) => {
      const service = createSimulatedService(ours);
      const app = createApp(service);
      for (const { before, during } of [...chapters, { before: [], during: [] }]) {
        perform(service, before);
        const rest = [...during];
        service.meanwhile = () => {
          perform(service, rest.splice(0, 1));
          service.mood = sequence[service.requests.length % sequence.length] ?? "plain";
        };
        const result = await app.sync();
        if (result.kind === "failed") continue;
        assert.ok(result.kind === "synced");
        if (!result.mayHaveMore && rest.length === 0 && during.length === 0) {
          assert.deepEqual(findMissing(service, app.titlesById), []);
        }
      }
    }),
    { numRuns: 50 },
  );
});

/** Number of entries in the last response of a service of the contract alone. */
function countLastResponse(service: SimulatedService): number {
  const since = service.requests.at(-1)?.searchParams.get("updated_since") ?? null;
  return [...service.rowsById.values()].filter(
    ({ isDeleted, updatedAt }) => !isDeleted && (since === null || updatedAt >= Date.parse(since)),
  ).length;
}
