/** A primary with a synchronous replica fails while apps connect and read, and the replica is promoted. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { EventsTokenResponse } from "../../../src/contract/events/schemas.ts";
import { SCOPE } from "../../../src/contract/events/values.ts";
import { openPostgres } from "../../../src/database/postgres.ts";
import { createGrants } from "../../../src/events/oauth/grants.ts";
import type { EventsRecords, EventsStore } from "../../../src/events/store.ts";
import { openInstanceKey } from "../../../src/identity/instance-key.ts";
import { createSecurityLog } from "../../../src/identity/security-log.ts";
import { randomBytes } from "../../../src/rules/web-crypto.ts";
import { openEventsStore } from "../../../src/events/sql/open-store.ts";
import { postgresUrl } from "../../database/launch-postgres.ts";
import { replicatePostgres } from "../../database/replicate-postgres.ts";
import { addEventsAccount } from "../add-account.ts";
import { CHALLENGE, LOOPBACK_URI, readEvents, redeem } from "../service/journey.ts";
import type { Ask } from "../service/test-browser.ts";
import { addSource, put, write } from "../store/samples.ts";
import { createOperated } from "./instance.ts";

/** Generous, for a busy machine. */
const HEALS_MS = 3000;
const ADA = { username: "ada", password: "correct horse battery" };
const CLIENT_ID = "trellis-demo";
const ENOUGH = 100_000;
const LIMITS = { authorizePerMinute: ENOUGH, tokenPerMinute: ENOUGH, eventsPerMinute: ENOUGH };
/** More than the apps redeem until the replica is promoted. */
const CODES = 1500;

/** Readers must see what was written, so they do not take the replica, though it comes first. */
async function expectPrimary(url: string): Promise<void> {
  const database = await openPostgres(url);
  const rows = await database.query("select pg_is_in_recovery() as is_replica");
  await database.close();
  assert.deepEqual(rows, [{ is_replica: 0 }]);
}

test("a failover to a synchronous replica loses no token and no event, and heals by itself", async (t) => {
  const { primary, replica, promote } = await replicatePostgres(t);
  const folder = await mkdtemp(join(tmpdir(), "trellis-failover-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  await expectPrimary(
    `${postgresUrl([replica.port, primary.port], "postgres")}?target_session_attrs=any`,
  );
  const hosts = postgresUrl([primary.port, replica.port], "postgres");
  const store = `${hosts}?target_session_attrs=read-write`;
  const dataDir = join(folder, "data");
  const open = () => openEventsStore(store, dataDir);
  const opened = await open();
  const key = openInstanceKey(join(dataDir, "instance.key"));
  const accountId = (await addEventsAccount(opened, key, ADA)) ?? "";
  const { sourceId } = await addSource(opened, accountId, "school");
  await write(opened, [accountId, sourceId], [put("exam"), put("essay")]);
  const codes = await issueCodes(opened, accountId);
  await opened.close();
  const instance = await createOperated(
    t,
    { store, dataDir, folder, open },
    {
      settings: { limits: LIMITS },
    },
  );
  const { ask, process: service } = await instance.serve();

  const apps = startApps(ask, codes);
  try {
    await apps.nextToken();
    await primary.kill();
    await sleep(500);
    assert.ok(apps.refusals() > 0, "requests are refused while no server can be written");
    await promote(replica);
    const promotedAt = performance.now();
    await apps.nextToken();
    const delay = performance.now() - promotedAt;
    assert.ok(delay < HEALS_MS, `the first token after ${delay} ms`);
  } finally {
    await apps.end();
  }
  for (const token of apps.tokens) {
    const response = await readEvents({ ask }, token);
    assert.equal(response.status, 200, "a token that an app has got is valid");
    const { events } = (await response.json()) as { readonly events: { readonly id: string }[] };
    assert.deepEqual(events.map(({ id }) => id).toSorted(), ["essay", "exam"]);
  }
  service.child.kill("SIGTERM");
  assert.deepEqual(await service.ended, { code: 0, signal: null });
  assert.equal(service.stderr(), "");
});

/** As consents would have issued them. */
async function issueCodes(store: EventsStore, accountId: string): Promise<string[]> {
  const now = Date.now;
  const security = createSecurityLog<EventsRecords>({ store, onEvent: undefined, now });
  const grants = createGrants({ store, security, randomBytes, clients: [{ id: CLIENT_ID }], now });
  const request = {
    clientId: CLIENT_ID,
    redirectUri: LOOPBACK_URI,
    state: null,
    codeChallenge: CHALLENGE,
    scope: SCOPE,
  };
  return store.transaction(async (records) => {
    const codes: string[] = [];
    while (codes.length < CODES) codes.push(await grants.issueCode(records, accountId, request));
    return codes;
  });
}

/** Apps that redeem codes and read their events, one after another. */
function startApps(ask: Ask, codes: readonly string[]) {
  const tokens: string[] = [];
  let isOver = false;
  let refusals = 0;
  let next = 0;

  async function expectRefused(response: Response): Promise<void> {
    assert.equal(response.status, 503, await response.text());
    assert.match(response.headers.get("Retry-After") ?? "", /^[1-9]\d*$/);
    refusals++;
    await sleep(50);
  }

  const running = [1, 2, 3].map(async () => {
    while (!isOver) {
      const redeemed = await redeem({ ask }, codes[next++] ?? "", { client_id: CLIENT_ID });
      if (redeemed.status !== 200) {
        await expectRefused(redeemed);
        continue;
      }
      const { access_token: token } = (await redeemed.json()) as EventsTokenResponse;
      tokens.push(token);
      const read = await readEvents({ ask }, token);
      if (read.status !== 200) await expectRefused(read);
      else await read.body?.cancel();
      await sleep(10);
    }
  });
  return {
    tokens,
    refusals: () => refusals,
    /** Waits until a code that is sent from now on is redeemed. */
    async nextToken() {
      const wanted = tokens.length + running.length + 1;
      const givesUpAt = performance.now() + 10 * HEALS_MS;
      while (tokens.length < wanted && performance.now() < givesUpAt) await sleep(5);
      assert.ok(tokens.length >= wanted, "no code is redeemed");
    },
    async end() {
      isOver = true;
      await Promise.all(running);
    },
  };
}
