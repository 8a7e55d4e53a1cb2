import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { testOnBothStores } from "../../test/identity/on-both-stores.ts";
import { DAY_MS } from "../contract/durations.ts";
import type { Database } from "../database/database.ts";
import { identifyClient, rememberBrowser } from "./known-browsers.ts";
import { createSecurityLog } from "./security-log.ts";
import { issueSignInLink, redeemSignInLink } from "./sign-in-links.ts";
import { createSqlIdentityRecords, pruneSqlIdentity } from "./sql-identity-records.ts";

const NOW = Date.UTC(2026, 7, 21);
const MINUTE_MS = 60_000;
const HOME = "192.0.2.1";

async function addAnna(database: Database) {
  const transaction = <T>(
    work: (records: ReturnType<typeof createSqlIdentityRecords>) => Promise<T>,
  ) => database.transaction((tx) => work(createSqlIdentityRecords(tx, "events")));
  const times = { createdAt: NOW, passwordChangedAt: NOW };
  const account = { accountId: "of-anna", username: "anna", sealedVerifier: "", hasPassword: true };
  await transaction((identity) => identity.addAccount({ ...account, ...times }));
  const store = {
    transaction: <T>(
      work: (records: { identity: ReturnType<typeof createSqlIdentityRecords> }) => Promise<T>,
    ) => transaction((identity) => work({ identity })),
  };
  const networks: (string | null)[] = [];
  const security = createSecurityLog({
    store,
    onEvent: ({ kind, network }) => networks.push(`${kind} ${network}`),
    now: () => NOW,
  });
  return {
    transaction,
    networks,
    issue: async () =>
      (await transaction((identity) => issueSignInLink(identity, "anna", NOW, randomBytes))).secret,
    use: (link: string, now = NOW, knownBrowser: string | null = null) =>
      redeemSignInLink(security, { link, address: HOME, knownBrowser }, now, randomBytes),
    identify: (knownBrowser: string | null, now = NOW) =>
      transaction((identity) =>
        identifyClient(identity, { username: "anna", address: HOME, knownBrowser }, now),
      ),
  };
}

testOnBothStores(
  "a sign-in link makes one browser known, for a day until it signs in",
  async ({ open }) => {
    const { issue, use, identify, transaction, networks } = await addAnna(await open());
    const link = await issue();
    const known = await use(link);
    assert.match(known ?? "", /^[\w-]{43}$/);
    assert.notEqual(known, link);
    const client = await identify(known);
    assert.ok(client.kind === "known-browser");
    assert.equal(client.hasSignedIn, false);
    assert.equal((await identify(known, NOW + DAY_MS - 1)).kind, "known-browser");
    assert.equal((await identify(known, NOW + DAY_MS)).kind, "unknown");
    const signedIn = await transaction((identity) =>
      rememberBrowser(identity, known, "of-anna", NOW, randomBytes),
    );
    const later = await identify(signedIn, NOW + 300 * DAY_MS);
    assert.ok(later.kind === "known-browser" && later.hasSignedIn);
    assert.deepEqual(networks, ["sign-in-link-used 192.0.2.0/24"]);
    const counts = await transaction((identity) => identity.listSecurityCounts());
    assert.deepEqual(
      counts.map(({ kind, total }) => [kind, total]),
      [
        ["sign-in-link-made", 1],
        ["sign-in-link-used", 1],
      ],
    );
  },
);

testOnBothStores(
  "a link works once, within ten minutes, and only for an account that is there",
  async ({ open }) => {
    const database = await open();
    const { issue, use } = await addAnna(database);
    const [used, late, orphaned] = [await issue(), await issue(), await issue()];
    assert.notEqual(await use(used, NOW + 10 * MINUTE_MS - 1), null);
    assert.equal(await use(used), null);
    assert.equal(await use(late, NOW + 10 * MINUTE_MS), null);
    for (const link of ["", "\u0000", `${orphaned}x`, "A".repeat(43)]) {
      assert.equal(await use(link), null);
    }
    await database.query("DELETE FROM identity_accounts");
    assert.equal(await use(orphaned), null);
    await database.transaction((tx) => pruneSqlIdentity(tx, NOW + 10 * MINUTE_MS));
    assert.deepEqual(await database.query("SELECT 1 FROM identity_secrets"), []);
  },
);

testOnBothStores("of presses at the same time one makes a browser known", async ({ open }) => {
  const { issue, use } = await addAnna(await open());
  const link = await issue();
  const values = await Promise.all([use(link), use(link), use(link)]);
  assert.equal(values.filter((value) => value !== null).length, 1);
});

testOnBothStores(
  "the store has neither the link nor what the browser keeps, and a known browser keeps its own",
  async ({ open }) => {
    const database = await open();
    const { issue, use, identify, transaction } = await addAnna(database);
    const link = await issue();
    const rows = await database.query("SELECT * FROM identity_secrets");
    assert.equal(rows.length, 1);
    assert.ok(!JSON.stringify(rows).includes(link));
    const signedIn = await transaction((identity) =>
      rememberBrowser(identity, null, "of-anna", NOW, randomBytes),
    );
    assert.equal(await use(link, NOW, signedIn), signedIn);
    assert.equal((await identify(signedIn, NOW + 300 * DAY_MS)).kind, "known-browser");
    const known = await use(await issue());
    const tokens = await database.query("SELECT * FROM identity_known_browsers");
    assert.equal(tokens.length, 2);
    assert.ok(!JSON.stringify(tokens).includes(known ?? "missing"));
  },
);
