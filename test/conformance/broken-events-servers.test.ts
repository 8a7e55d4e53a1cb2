import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { checkEvents, reportToText } from "../../conformance/index.ts";
import { EVENTS_CASES } from "../../conformance/events/check-events.ts";
import type { EventsStore } from "../../src/events/store.ts";
import { EVENTS_BREAKS_OF_AUTHORIZE } from "./breaks/events-authorize.ts";
import type { EventsBreak } from "./breaks/events-break.ts";
import { EVENTS_BREAKS_OF_EVERY_RESPONSE } from "./breaks/events-every-response.ts";
import { EVENTS_BREAKS_OF_THE_LIST } from "./breaks/events-list.ts";
import { EVENTS_BREAKS_OF_PASSKEYS } from "./breaks/events-passkeys.ts";
import { EVENTS_BREAKS_OF_TOKENS } from "./breaks/events-tokens.ts";
import { createBrokenEventsServers, type BrokenEventsServers } from "./broken-events-server.ts";

const BREAKS = [
  ...EVENTS_BREAKS_OF_AUTHORIZE,
  ...EVENTS_BREAKS_OF_PASSKEYS,
  ...EVENTS_BREAKS_OF_TOKENS,
  ...EVENTS_BREAKS_OF_THE_LIST,
  ...EVENTS_BREAKS_OF_EVERY_RESPONSE,
];

let servers: BrokenEventsServers;
before(async () => {
  servers = await createBrokenEventsServers();
});
after(() => servers.close());

test("the unbroken service passes every case", async () => {
  const report = await servers.serve(null, (input) => checkEvents(input));
  assert.equal(report.passed, EVENTS_CASES.length, reportToText(report));
});

test("a run revokes every token that it obtained, and can be repeated", async () => {
  let store: EventsStore | undefined;
  const seen: EventsBreak = {
    name: "nothing",
    caughtBy: [],
    store: (real) => (store = real),
  };
  await servers.serve(seen, async (input) => {
    for (const time of ["first", "again"]) {
      const report = await checkEvents({ ...input, level: "contract" });
      assert.deepEqual([report.failed, report.skipped], [0, 0], `${time}: ${reportToText(report)}`);
    }
    assert.deepEqual(await store?.transaction(({ grants }) => grants.list(Date.now())), []);
  });
});

test("without an account the cases that need a person or a token are skipped with the reason", async () => {
  const report = await servers.serve(null, ({ account: _account, ...input }) => checkEvents(input));
  assert.equal(report.failed, 0, reportToText(report));
  const reasons = report.results.flatMap(({ outcome }) =>
    outcome.kind === "skipped" ? [outcome.reason] : [],
  );
  assert.ok(report.passed > 30, reportToText(report));
  assert.ok(reasons.length > 30, reportToText(report));
  for (const reason of reasons) assert.match(reason, /give --username/);
});

// Each test waits for the disk most of the time.
describe("a broken service is caught when it", { concurrency: 4 }, () => {
  for (const broken of BREAKS) {
    test(broken.name, async () => {
      const report = await servers.serve(broken, (input) =>
        checkEvents(input, { only: broken.caughtBy }),
      );
      const failed = report.results.filter(({ outcome }) => outcome.kind === "failed");
      assert.deepEqual(
        failed.map(({ id }) => id).toSorted(),
        broken.caughtBy.toSorted(),
        reportToText(report),
      );
    });
  }
});

test("every case has a broken service that it catches", () => {
  const proved = new Set(BREAKS.flatMap(({ caughtBy }) => caughtBy));
  const unproved = EVENTS_CASES.filter(({ id }) => !proved.has(id)).map(({ id }) => id);
  assert.deepEqual(unproved, []);
});
