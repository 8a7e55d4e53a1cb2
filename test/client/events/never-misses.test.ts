/** Whatever changes between and during syncs, the app ends with the events of the service. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createEventsClient, type EventsSyncResult } from "../../../src/client/index.ts";
import {
  createSimulatedService,
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

async function live(options: SimulatedOptions, chapters: readonly Chapter[]) {
  const service = createSimulatedService(options);
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
  const { kind } = await app.sync();
  assert.deepEqual(findMissing(service, app.titlesById), []);
  return { service, app, kind };
}

interface Chapter {
  readonly before: readonly Act[];
  readonly during: readonly Act[];
}

const ours: SimulatedOptions = {
  hasExtras: true,
  hasClock: true,
  maxLimit: 1000,
  refusesLimits: true,
  changesPerStamp: 1,
  commitDelayMs: 0,
};

test("against our service nothing is missed, and what was deleted is gone", async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (chapters) => {
      const { service, app, kind } = await live(ours, chapters);
      assert.equal(kind, "synced");
      const deleted = [...service.rowsById.values()].filter(({ isDeleted }) => isDeleted);
      assert.deepEqual(
        deleted.filter(({ id }) => app.titlesById.has(id)),
        [],
      );
    }),
    { numRuns: 60 },
  );
});

test("against a paging service with ties and slow transactions nothing is missed", async () => {
  const options = fc.record({
    ...fixed({ hasExtras: true, refusesLimits: false, maxLimit: 1_000_000 }),
    hasClock: fc.boolean(),
    changesPerStamp: fc.constantFrom(1, 2, 499, 700, 1201),
    commitDelayMs: fc.constantFrom(0, 60_000, 299_000),
  });
  await fc.assert(
    fc.asyncProperty(options, scenario, async (given, chapters) => {
      const { kind } = await live(given, chapters);
      assert.equal(kind, "synced");
    }),
    { numRuns: 60 },
  );
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
      const pages = Math.ceil(service.rowsById.size / 500) + 1;
      let kind = "failed";
      for (let tries = 0; kind !== "synced"; tries++) {
        assert.ok(tries <= 2 * pages, "it begins again and again");
        ({ kind } = await app.sync());
      }
      assert.deepEqual(findMissing(service, app.titlesById), []);
    }),
    { numRuns: 60 },
  );
});

test("against a service without extensions nothing is missed", async () => {
  const options = fc.record({
    ...fixed({ hasExtras: false, refusesLimits: false, maxLimit: 1_000_000 }),
    hasClock: fc.boolean(),
    changesPerStamp: fc.constantFrom(1, 700),
    commitDelayMs: fc.constantFrom(0, 299_000),
  });
  await fc.assert(
    fc.asyncProperty(options, scenario, async (given, chapters) => {
      const { service, kind } = await live(given, chapters);
      // As many as were asked for, and no more when asked for more: that may be all, or a limit.
      const isAmbiguous = [500, 1000, 2000, 4000].includes(countLastResponse(service));
      assert.equal(kind, isAmbiguous ? "limited" : "synced");
    }),
    { numRuns: 60 },
  );
});

test("a sync with a service that caps its responses is never whole", async () => {
  const options = fc.record({
    ...fixed({ hasExtras: false, hasClock: true, changesPerStamp: 1, commitDelayMs: 0 }),
    refusesLimits: fc.boolean(),
    maxLimit: fc.constantFrom(500, 1000, 2000),
  });
  await fc.assert(
    fc.asyncProperty(options, fc.integer({ min: 1, max: 300 }), async (given, excess) => {
      const service = createSimulatedService(given);
      const app = createApp(service);
      for (let index = 0; index < given.maxLimit + excess; index++) service.put(idOf(index), "x");
      for (let times = 0; times < 2; times++) {
        const result = await app.sync();
        assert.equal(result.kind, "limited");
        assert.equal(result.state.cursor, null);
      }
      assert.ok(findMissing(service, app.titlesById).length <= excess);
    }),
    { numRuns: 20 },
  );
});

/** Number of entries in the last response. */
function countLastResponse(service: SimulatedService): number {
  const since = service.requests.at(-1)?.searchParams.get("updated_since") ?? null;
  return [...service.rowsById.values()].filter(
    ({ isDeleted, updatedAt }) => !isDeleted && (since === null || updatedAt >= Date.parse(since)),
  ).length;
}

function fixed<T extends object>(values: T) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, fc.constant(value)]),
  ) as { [K in keyof T]: fc.Arbitrary<T[K]> };
}
