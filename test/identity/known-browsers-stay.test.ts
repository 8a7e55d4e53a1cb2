import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import {
  confirmBrowser,
  identifyClient,
  rememberBrowser,
} from "../../src/identity/known-browsers.ts";
import { createSqlIdentityRecords } from "../../src/identity/sql-identity-records.ts";
import { createPlace, STORE_KINDS } from "./on-both-stores.ts";

const ACCOUNT_ID = "account-of-anna";
const BROWSERS = ["phone", "laptop", "tablet"] as const;
/** 64 browsers at most, of which those that came back have four tokens. */
const MAX_ROWS = 32 + 32 * 4;

const browser = fc.constantFrom(...BROWSERS);
const action = fc.oneof(
  fc.record({ kind: fc.constant("signs in"), browser }),
  fc.record({ kind: fc.constant("signs in, and the response is lost"), browser }),
  fc.record({ kind: fc.constant("reads a page"), browser }),
  fc.record({ kind: fc.constant("scripts sign in"), browser }),
);

for (const kind of STORE_KINDS) {
  test(`a browser that came back stays known, whatever is lost and whichever account signs in (${kind})`, async (t) => {
    const database = await (await createPlace(t, kind)).open();
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), async (actions) => {
        await database.transaction(async (tx) => {
          await tx.query("DELETE FROM identity_accounts");
          const records = createSqlIdentityRecords(tx, "sync");
          const rest = { createdAt: 0, passwordChangedAt: 0, hasPassword: true };
          const account = { accountId: ACCOUNT_ID, username: "anna", sealedVerifier: "" };
          await records.addAccount({ ...account, ...rest });
          const kept = new Map<string, string>();
          const cameBack = new Set<string>();
          const isKnown = async (name: string) => {
            const knownBrowser = kept.get(name) ?? null;
            const request = { username: "anna", address: "192.0.2.1", knownBrowser };
            return (await identifyClient(records, request, 0)).kind === "known-browser";
          };
          for (const { kind: done, browser: name } of actions) {
            const value = kept.get(name) ?? null;
            // Scripts may have evicted a browser that has not come back yet.
            if (done !== "scripts sign in" && (await isKnown(name))) cameBack.add(name);
            if (done === "reads a page") await confirmBrowser(records, value, ACCOUNT_ID, 0);
            if (done === "scripts sign in") {
              for (let count = 0; count < 12; count++) {
                await rememberBrowser(records, null, ACCOUNT_ID, 0, randomBytes);
              }
            }
            if (done.startsWith("signs in")) {
              const next = await rememberBrowser(records, value, ACCOUNT_ID, 0, randomBytes);
              if (done === "signs in") kept.set(name, next);
            }
            for (const known of cameBack) assert.ok(await isKnown(known), known);
          }
          const rows = await tx.query("SELECT 1 FROM identity_known_browsers");
          assert.ok(rows.length <= MAX_ROWS);
        });
      }),
      { numRuns: kind === "SQLite" ? 25 : 15 },
    );
  });
}
