/** Subscriptions from the command line, to a real https server in a private network. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { createAdministration } from "../../../src/events/maintenance/administration.ts";
import { MAX_SUBSCRIPTIONS } from "../../../src/events/subscriptions/new-subscriptions.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { addSource, sampleSubscription } from "../store/samples.ts";
import { createPlace, testOnBothStores, type EventsPlace } from "../store/on-both-stores.ts";
import { listEntries, writeCalendar } from "../subscriptions/calendar-text.ts";
import { serveFeed } from "../subscriptions/https-server.ts";
import { createOperated } from "./instance.ts";

const ADA = { username: "ada", password: "correct horse battery" };
const SECRET = "/private-7f3a9c/calendar.ics";

/** An account, and a calendar with a secret URL. */
async function createSubscriber(t: TestContext, place: EventsPlace, allowed = ["localhost"]) {
  const feed = { body: writeCalendar(listEntries(4).map(withTimeout)), status: 200 };
  const server = await serveFeed(t, (request, response) => {
    response.writeHead(request.url === SECRET ? feed.status : 404).end(feed.body);
  });
  // The command line trusts it in this process, and in others.
  setDefaultCACertificates([...getCACertificates("bundled"), server.certificate]);
  const certificate = join(place.folder, "authority.pem");
  await writeFile(certificate, server.certificate);
  const instance = await createOperated(t, place, {
    settings: { subscriptions: { allowedPrivateHosts: allowed } },
    env: { NODE_EXTRA_CA_CERTS: certificate },
  });
  await instance.addAccount(ADA);
  return { instance, feed, url: `https://localhost:${server.port}${SECRET}` };
}

const withTimeout = <T extends { readonly uid: string }>(entry: T) => ({
  ...entry,
  start: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10).replaceAll("-", ""),
});

testOnBothStores("a calendar from its first look to its end", async (place, t) => {
  const { instance, feed, url } = await createSubscriber(t, place);
  const shown: string[] = [];
  const run = async (words: string, input?: string) => {
    const ending = await instance.run(words, input);
    shown.push(ending.stdout, ending.stderr);
    return ending;
  };
  const preview = await run("subscribe --url-stdin --account ada --preview", `${url}\n`);
  assert.equal(preview.code, 0, preview.stderr);
  assert.match(
    preview.stdout,
    /^4 entries: 4 task\n[\s\S]+This was a preview: nothing was imported\n$/,
  );
  assert.match((await run("subscriptions list")).stdout, /There is no subscription/);

  const subscribed = await run("subscribe --url-stdin --account ada --name School", `${url}\n`);
  assert.equal(subscribed.code, 0, subscribed.stderr);
  assert.match(
    subscribed.stdout,
    /"ada" is subscribed to "School" at https:\/\/localhost:\d+: 4 added/,
  );
  const twice = await run("subscribe --url-stdin --account ada", url);
  assert.deepEqual([twice.code, twice.stdout], [1, ""]);
  assert.match(twice.stderr, /is already subscribed to this calendar/);

  feed.body = writeCalendar(listEntries(5).map(withTimeout));
  const refreshed = await run("refresh --account ada --url-stdin", url);
  assert.match(
    refreshed.stdout,
    /^"School" of "ada": 1 added, 0 changed, 0 deleted, 4 unchanged\n$/,
  );
  feed.body = writeCalendar(listEntries(1).map(withTimeout));
  const shrunk = await run("refresh");
  assert.match(
    shrunk.stdout,
    /0 deleted, 1 unchanged, 4 missing from the feed but kept; More than half/,
  );
  assert.match((await run("subscriptions list")).stdout, /warning: More than half/);
  assert.equal((await run("refresh --accept-shrink")).code, 2);

  feed.status = 500;
  const failed = await run("refresh --json");
  assert.equal(failed.code, 1);
  assert.match(failed.stdout, /"error": "1 calendar could not be read"/);
  assert.match(
    (await run("subscriptions list --account ada")).stdout,
    /failed once: The server reports an internal error/,
  );
  assert.match((await run("status")).stdout, /Subscriptions +1, 1 failing, 1 with a warning/);
  assert.deepEqual((await instance.tell("status"))["events"], { live: 5, deleted: 0 });

  assert.equal((await run("unsubscribe")).code, 2);
  const asked = await run("unsubscribe --account ada --url-stdin", url);
  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /^This deletes 5 events of "School" of "ada": nothing was changed/);
  const { subscriptions } = await instance.tell<{ subscriptions: { id: string }[] }>(
    "subscriptions list",
  );
  const ended = await run(`unsubscribe ${subscriptions[0]?.id} --yes`);
  assert.match(ended.stdout, /no longer subscribed to "School"; 5 events deleted/);
  assert.deepEqual((await instance.tell("status"))["events"], { live: 0, deleted: 5 });
  assert.equal((await run("refresh --account ada --url-stdin", url)).code, 1);
  // The URL gives access to the calendar.
  assert.doesNotMatch(shown.join("\n"), /private-7f3a9c/);
});

test("--accept-shrink deletes missing events", async (t) => {
  const { instance, feed, url } = await createSubscriber(t, await createPlace(t, "SQLite"));
  await instance.run("subscribe --url-stdin --account ada", url);
  feed.body = writeCalendar(listEntries(1).map(withTimeout));
  for (let round = 0; round < 2; round++) {
    const { code, stderr } = await instance.run(
      "refresh --account ada --url-stdin --accept-shrink",
      url,
    );
    assert.equal(code, 0, stderr);
  }
  assert.deepEqual((await instance.tell("status"))["events"], { live: 1, deleted: 3 });
});

test("the operator's commands are not limited by the quota of the account", async (t) => {
  const place = await createPlace(t, "SQLite");
  const { instance, url } = await createSubscriber(t, place);
  const store = await place.open();
  const [account] = await createAdministration({
    store,
    instanceKey: createInstanceKey(randomBytes(32)),
  }).listAccounts();
  const accountId = account?.accountId ?? "";
  for (let index = 0; index < MAX_SUBSCRIPTIONS; index++) {
    const source = await addSource(store, accountId, `feed ${index}`, { kind: "subscription" });
    await store.transaction(({ subscriptions }) => subscriptions.add(sampleSubscription(source)));
  }
  const subscribed = await instance.run("subscribe --url-stdin --account ada", url);
  assert.equal(subscribed.code, 0, subscribed.stderr);
});

test("rules decide the type of an entry", async (t) => {
  const { instance, feed, url } = await createSubscriber(t, await createPlace(t, "SQLite"));
  feed.body = writeCalendar(
    [
      { uid: "a", summary: "Schulaufgabe Latein" },
      { uid: "b", summary: "Wandertag" },
    ].map(withTimeout),
  );
  await instance.file("rules.txt", "exam: Schulaufgabe\n");
  const words = "subscribe --url-stdin --account ada --preview --json --default-type info";
  const { stdout } = await instance.run(`${words} --rules rules.txt`, url);
  assert.deepEqual((JSON.parse(stdout) as { countsByType: object }).countsByType, {
    exam: 1,
    info: 1,
  });
  await instance.file("rules.txt", "no rule at all\n");
  const wrong = await instance.run(`${words} --rules rules.txt`, url);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stdout, /The rules cannot be read at rule 1/);
});

test("a host in a network of one's own is fetched only when the operator names it", async (t) => {
  const { instance, url } = await createSubscriber(t, await createPlace(t, "SQLite"), []);
  const refused = await instance.run("subscribe --url-stdin --account ada", url);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /private or local network/);
  assert.doesNotMatch(refused.stderr, /private-7f3a9c/);
});

testOnBothStores(
  "of two processes one fetches a due subscription, and logs no address",
  async (place, t) => {
    const { instance, feed, url } = await createSubscriber(t, place);
    const subscribed = await instance.runApart("subscribe --url-stdin --account ada", url);
    assert.equal(subscribed.code, 0, subscribed.stderr);
    feed.body = writeCalendar(listEntries(6).map(withTimeout));
    const store = await place.open();
    await store.transaction(async ({ subscriptions }) => {
      for (const found of await subscriptions.list()) {
        await subscriptions.update({ ...found, nextFetchAt: Date.now() - 1 });
      }
    });
    const { process } = await instance.serve("--workers", "2");
    const isFetched = (text: string) => text.startsWith('{"event":"subscription_fetched"');
    const line = await process.line(isFetched);
    const { added, unchanged, service } = JSON.parse(line) as Record<string, unknown>;
    assert.deepEqual([service, added, unchanged], ["events", 2, 4]);
    process.child.kill("SIGTERM");
    assert.equal((await process.ended).code, 0);
    assert.equal(process.stdout().split("\n").filter(isFetched).length, 1);
    assert.doesNotMatch(process.stdout(), /localhost|private-7f3a9c/);
  },
);
