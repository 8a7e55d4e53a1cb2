import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { createAdministration } from "./maintenance/administration.ts";
import { createSubscriptions } from "./subscriptions/subscriptions.ts";
import { createInstanceKey } from "../identity/instance-key.ts";
import {
  createEventsService,
  openEventsStore,
  type EventsServiceOptions,
  type EventsNotice,
  type FetchFeed,
} from "./index.ts";

const CLIENT = { id: "app", name: "App", redirectUris: ["https://app.example.com/callback"] };

const fetchFeed: FetchFeed = () =>
  Promise.resolve({
    kind: "fetched",
    bytes: Buffer.from(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART;VALUE=DATE:20310504\r\nSUMMARY:Exam\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n",
    ),
    etag: null,
    lastModified: null,
  });

/** A service with one account whose one subscription is due. */
async function embed(t: TestContext, settings: EventsServiceOptions["subscriptions"] = {}) {
  const folder = await mkdtemp(join(tmpdir(), "trellis-embedded-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const address = `sqlite:${join(folder, "events.db")}`;
  const secret = randomBytes(32);
  const store = await openEventsStore(address, folder);
  const instanceKey = createInstanceKey(secret);
  const made = await createAdministration({ store, instanceKey }).createAccount(
    "ada",
    "correct horse battery",
  );
  assert.ok(made.kind === "done");
  const { accountId } = made.account;
  const subscriptions = createSubscriptions({
    store,
    instanceKey,
    fetchFeed,
    defaultTimeZone: "UTC",
  });
  const fields = { url: "https://school.example/a.ics", name: "", defaultType: "", rules: "" };
  assert.equal((await subscriptions.subscribe(accountId, fields)).kind, "subscribed");
  await store.transaction(async (records) => {
    for (const found of await records.subscriptions.list()) {
      await records.subscriptions.update({ ...found, nextFetchAt: Date.now() - 1 });
    }
  });
  const { promise: noticed, resolve } = Promise.withResolvers<EventsNotice>();
  const service = createEventsService({
    store,
    instanceKey: secret,
    baseUrl: "https://planner.example.com",
    serviceName: "Class 7b",
    clients: [CLIENT],
    subscriptions: { fetchFeed, ...settings },
    onNotice: resolve,
  });
  return { service, noticed, address, folder };
}

test("an embedded service serves pages, fetches what is due, and lets go of its store", async (t) => {
  const { service, noticed, address, folder } = await embed(t);
  const page = await service.fetch(new Request("https://planner.example.com/sign-in"));
  assert.equal(page.status, 200);
  assert.match(await page.text(), /Class 7b/);
  const list = await service.fetch(new Request("https://planner.example.com/api/events?limit=1"));
  assert.equal(list.status, 401);
  const notice = await noticed;
  assert.ok(notice.kind === "subscription-fetched" && notice.outcome.kind === "imported");
  assert.equal(notice.outcome.summary.unchanged, 1);
  await service.close();
  const again = await openEventsStore(address, folder);
  await again.close();
});

test("a service that leaves fetching to others fetches nothing", async (t) => {
  let fetches = 0;
  const { service } = await embed(t, {
    isFetching: false,
    fetchFeed: (...given) => {
      fetches++;
      return fetchFeed(...given);
    },
  });
  const health = await service.fetch(new Request("https://planner.example.com/health"));
  assert.equal(health.status, 200);
  await service.close();
  assert.equal(fetches, 0);
});
