/** Both services in one database, under one instance key: what one of them gives opens nothing in the other. */
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { test } from "node:test";
import { createEventsPages } from "../../../src/events/account/web-pages.ts";
import { createInstanceKey } from "../../../src/identity/instance-key.ts";
import { openSyncStore } from "../../../src/sync/sql/open-store.ts";
import { addSyncAccount } from "../../sync/add-account.ts";
import { startInstance } from "../../events/service/events-instance.ts";
import { createPlace } from "../../events/store/on-both-stores.ts";
import { startSyncService } from "../../sync/service/sync-service.ts";
import { createAccountBrowser, type AccountBrowser } from "./account-browser.ts";
import { ANNA, EVENTS_PATHS, SYNC_PATHS } from "./account-services.ts";

const KEY = createInstanceKey(new Uint8Array(32).fill(9));

test("tokens, cookies, proofs, passkeys and links of one service are nothing to the other", async (t) => {
  const place = await createPlace(t, "SQLite");
  const { ask, clock } = await startInstance(t, {
    place,
    instanceKey: KEY,
    pages: createEventsPages,
    accounts: [ANNA],
  });
  const store = await openSyncStore(place.store, dirname(place.store.replace(/^sqlite:/, "")));
  t.after(() => store.close());
  await addSyncAccount(store, KEY, ANNA);
  const service = await startSyncService(store, { instanceKey: KEY, now: () => clock.now });
  const at = {
    sync: { paths: SYNC_PATHS, open: () => createAccountBrowser(SYNC_PATHS, service.ask) },
    events: { paths: EVENTS_PATHS, open: () => createAccountBrowser(EVENTS_PATHS, ask) },
  };
  for (const [here, there] of [
    [at.sync, at.events],
    [at.events, at.sync],
  ] as const) {
    const [own, other] = [here.open(), there.open()];
    const proof = await own.proveSignIn(ANNA);
    await own.signIn(ANNA);
    const passkey = await own.addPasskey();
    // The values of the cookies, under the names that the other service reads.
    await other.signIn(ANNA);
    const csrf = await other.readCsrf();
    const thief = there.open();
    const valueOf = ({ cookies }: AccountBrowser, kind: string) =>
      [...cookies].find(([name]) => name.endsWith(kind)) ?? ["", ""];
    for (const kind of ["-session", "-browser"]) {
      thief.cookies.set(valueOf(other, kind)[0], valueOf(own, kind)[1]);
    }
    assert.equal(await thief.isSignedIn(), false, "a session");
    const forged = await own.postJson(here.paths.addPasskey, { action: "begin", csrf });
    assert.equal(forged.status, 403, "the token of a session");
    const { csrf: token } = await thief.readSignInForm();
    for (const sent of [proof, { ...proof, csrf: token }]) {
      const refused = await thief.postJson(there.paths.signIn, sent);
      assert.ok([401, 403].includes(refused.status), "a proof");
    }
    // The pages of both are at "localhost", so a browser would offer the passkey.
    assert.equal((await thief.trySignInWithPasskey(passkey)).status, 401, "a passkey");
    assert.equal(await thief.isSignedIn(), false);
  }
  const { administration } = service;
  const link = await administration.createResetLink();
  const opened = await at.events.open().welcome({ action: "open", link: link?.secret ?? "" });
  assert.equal(opened.status, 401, "a reset link");
  const past = await administration.createSignInLink();
  assert.equal((await at.events.open().useSignInLink(past?.secret ?? "")).status, 401);
  assert.equal((await at.sync.open().useSignInLink(past?.secret ?? "")).status, 200);
});
