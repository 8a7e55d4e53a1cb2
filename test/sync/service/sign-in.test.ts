import assert from "node:assert/strict";
import type { CompletedResponse, SyncError } from "../../../src/contract/sync/schemas.ts";
import { testOnBothStores } from "../operations/on-both-stores.ts";
import { authorize, beginSignIn, postJson, signIn, type Ask } from "../sync-client.ts";
import { completeRightly, guess, KNOWN_BROWSER as HEADER, WRONG_PROOF } from "./guess.ts";
import { redeem, signInOptions, startSyncService } from "./sync-service.ts";

testOnBothStores("sign-ins are limited by network, and a known browser apart", async ({ open }) => {
  const limits = { authorizePerMinute: 3 };
  const { ask, askFrom, clock } = await startSyncService(await open(), { limits });
  const completed = await completeRightly(ask);
  const knownBrowser = completed.headers.get(HEADER) ?? "";
  const begin = async (from: Ask, headers: Record<string, string> = {}) => {
    const begun = await beginSignIn(from, signInOptions({ headers }));
    return begun.kind === "refused" ? begun.response : null;
  };
  assert.equal(await begin(ask), null);
  assert.equal(await begin(ask), null);
  const limited = await begin(ask);
  assert.equal(limited?.status, 429);
  assert.equal(limited.headers.get("retry-after"), "60");
  assert.equal(((await limited.json()) as SyncError).error, "rate_limited");
  assert.equal(await begin(ask, { [HEADER]: knownBrowser }), null);
  assert.equal((await begin(ask, { [HEADER]: WRONG_PROOF }))?.status, 429);
  assert.equal(await begin(askFrom("192.0.2.2")), null);
  assert.equal(await begin(askFrom("2001:db8::1")), null);
  clock.now += 60_000;
  assert.equal(await begin(ask), null);
});

testOnBothStores("a sign-in that is limited waits for no writer", async ({ open }) => {
  const store = await open();
  const counting = { transactions: 0 };
  const { ask } = await startSyncService(
    {
      ...store,
      transaction(work) {
        counting.transactions++;
        return store.transaction(work);
      },
    },
    { limits: { authorizePerMinute: 1 } },
  );
  const headers = { [HEADER]: WRONG_PROOF };
  const begin = () => beginSignIn(ask, signInOptions({ headers }));
  assert.equal((await begin()).kind, "challenged");
  assert.equal((await begin()).kind, "refused");
  counting.transactions = 0;
  for (let time = 0; time < 3; time++) assert.equal((await begin()).kind, "refused");
  assert.equal(counting.transactions, 0);
});

testOnBothStores(
  "a network beyond its limit is refused before its body is read, unless its browser is known",
  async ({ open }) => {
    const limits = { authorizePerMinute: 1 };
    const { ask, service } = await startSyncService(await open(), { limits });
    const completed = await completeRightly(ask);
    const knownBrowser = completed.headers.get(HEADER) ?? "";
    assert.equal((await beginSignIn(ask, signInOptions())).kind, "refused");
    let bodies = 0;
    const post = async (remoteAddress: string, known: string | null = null) => {
      const headers = { "content-type": "application/json", [HEADER.toLowerCase()]: known };
      const { status } = await service.http.respond({
        method: "POST",
        target: "/v1/authorize",
        remoteAddress,
        header: (name) => headers[name] ?? null,
        async *body() {
          bodies++;
          yield Buffer.from("{}");
        },
      });
      return status;
    };
    assert.equal(await post("192.0.2.1"), 429);
    assert.equal(await post("192.0.2.1", WRONG_PROOF), 429);
    assert.equal(bodies, 0);
    assert.equal(await post("192.0.2.1", knownBrowser), 400);
    assert.equal(bodies, 1);
    // Requests that begin nothing are counted too: each of them could be the end of a sign-in.
    const statuses = [];
    for (let count = 0; count < 12; count++) statuses.push(await post("198.51.100.7"));
    assert.deepEqual(statuses, [...Array(10).fill(400), 429, 429]);
    assert.equal(bodies, 11);
  },
);

testOnBothStores("a sign-in whose name must wait takes no transaction", async ({ open }) => {
  const store = await open();
  let transactions = 0;
  const { askFrom } = await startSyncService({
    ...store,
    transaction(work, options) {
      transactions++;
      return store.transaction(work, options);
    },
  });
  for (let network = 0; network < 5; network++) {
    assert.equal(await guess(askFrom(`10.${network}.0.1`)), 401);
  }
  transactions = 0;
  assert.equal(await guess(askFrom("10.9.0.1")), 429);
  assert.equal(transactions, 0);
});

testOnBothStores("a site has no more sign-ins than four of its networks", async ({ open }) => {
  const limits = { authorizePerMinute: 3 };
  const { ask, askFrom } = await startSyncService(await open(), { limits });
  const completed = await completeRightly(ask);
  const knownBrowser = completed.headers.get(HEADER) ?? "";
  const countBegun = async (addressOf: (index: number) => string) => {
    let begun = 0;
    for (let index = 0; index < 60; index++) {
      const options = signInOptions({ username: `made-up-${index}` });
      const result = await beginSignIn(askFrom(addressOf(index)), options);
      if (result.kind === "challenged") begun++;
      else assert.equal(result.response.status, 429);
    }
    return begun;
  };
  assert.equal(await countBegun((index) => `2001:db8:1:${index}::1`), 12);
  assert.equal(await countBegun((index) => `198.51.100.${index}`), 12);
  // One of each site, and no more of the provider than sixteen networks have: 12 are used.
  assert.equal(await countBegun((index) => `2001:db8:${index + 100}::1`), 36);
  const headers = { [HEADER]: knownBrowser };
  const known = await beginSignIn(askFrom("2001:db8:1::1"), signInOptions({ headers }));
  assert.equal(known.kind, "challenged");
});

testOnBothStores("processes on one store share the limit of sign-ins", async ({ open }) => {
  const limits = { authorizePerMinute: 10 };
  const first = await startSyncService(await open(), { limits });
  const second = await startSyncService(await open(), { limits });
  const statuses = await Promise.all(
    Array.from({ length: 16 }, async (_, index) => {
      const begun = await beginSignIn((index % 2 ? first : second).ask, signInOptions());
      return begun.kind;
    }),
  );
  assert.equal(statuses.filter((kind) => kind === "challenged").length, 10);
});

testOnBothStores("strangers do not lock a known browser out", async ({ open }) => {
  const { ask } = await startSyncService(await open());
  const completed = await completeRightly(ask);
  const first = completed.headers.get(HEADER) ?? "";
  assert.match(first, /^[\w-]{43}$/);
  for (let count = 0; count < 5; count++) assert.equal(await guess(ask), 401);
  assert.equal((await completeRightly(ask)).status, 429);
  const again = await completeRightly(ask, first);
  assert.equal(again.status, 200);
  const second = again.headers.get(HEADER) ?? "";
  assert.match(second, /^[\w-]{43}$/);
  assert.notEqual(second, first);
  // The response with the second value was lost, and the next one is not.
  const third = await completeRightly(ask, first);
  assert.equal(third.status, 200);
  assert.equal((await completeRightly(ask, third.headers.get(HEADER) ?? "")).status, 200);
  for (const value of [first, second]) {
    assert.equal((await completeRightly(ask, value)).status, 429);
  }
});

testOnBothStores("signing in in between buys no further guesses", async ({ open }) => {
  const { ask } = await startSyncService(await open());
  let passed = 0;
  for (let round = 0; round < 4; round++) {
    for (let count = 0; count < 4; count++) {
      const status = await guess(ask, { username: `made-up-${round}-${count}` });
      if (status === 401) passed++;
    }
    await completeRightly(ask);
  }
  assert.equal(passed, 5);
});

testOnBothStores("a wrong password and a sign-in that is gone are told alike", async ({ open }) => {
  const store = await open();
  const { ask, clock } = await startSyncService(store);
  const responses: Response[] = [];
  const begin = async () => {
    const begun = await beginSignIn(ask, signInOptions());
    assert.ok(begun.kind === "challenged");
    return begun;
  };
  responses.push(await (await begin()).complete(WRONG_PROOF));
  const used = await begin();
  await used.complete();
  responses.push(await used.complete());
  const expired = await begin();
  clock.now += 300_000;
  responses.push(await expired.complete());
  const evicted = await begin();
  await store.database.transaction((tx) => tx.query("DELETE FROM identity_challenges"));
  responses.push(await evicted.complete());
  const told = await Promise.all(
    responses.map(async (response) => {
      const { error, message } = (await response.json()) as SyncError;
      return `${response.status} ${error} ${message}`;
    }),
  );
  assert.deepEqual(new Set(told), new Set([told[0]]));
  assert.match(
    told[0] ?? "",
    /^401 authentication_failed .* or this sign-in has expired; try again$/,
  );
});

testOnBothStores("revoking all and a new password end what is in flight", async ({ open }) => {
  const { ask, administration, clock } = await startSyncService(await open());
  const { password } = signInOptions();
  const endings = {
    "revoke all": async () => {
      const { accessToken } = await signIn(ask, signInOptions({ deviceId: "laptop" }));
      const headers = { Authorization: `Bearer ${accessToken}` };
      assert.equal((await postJson(ask, "/v1/revoke", { scope: "all" }, headers)).status, 200);
    },
    "the operator's revocation": () => administration.revokeAllDevices(),
    "a new password": () => administration.changePassword(password),
  };
  for (const [name, end] of Object.entries(endings)) {
    const { code } = await authorize(ask, signInOptions(), "attempt-before");
    const begun = await beginSignIn(ask, signInOptions());
    assert.ok(begun.kind === "challenged");
    await end();
    assert.equal((await redeem(ask, code, "attempt-before")).status, 400, name);
    assert.equal((await begun.complete()).status, 401, name);
    // What begins afterwards is not concerned.
    const after = await completeRightly(ask);
    const { code: fresh } = (await after.json()) as CompletedResponse;
    assert.equal((await redeem(ask, fresh, "attempt-of-the-test")).status, 200, name);
    clock.now += 60_000;
  }
});
