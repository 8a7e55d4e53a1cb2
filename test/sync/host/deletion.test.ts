/** An owner who deletes everything deletes one instance, and every process knows of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { STORE_KINDS } from "../../database/on-both-stores.ts";
import { createOwnerBrowser } from "../service/owner-browser.ts";
import type { Ask } from "../sync-client.ts";
import {
  addAccount,
  askOf,
  createHostPlace,
  PASSWORD,
  signInTo,
  startHost,
  USERNAME,
} from "./serve-host.ts";

async function isInitialized(ask: Ask): Promise<boolean> {
  const response = await ask("/v1/instance-info");
  return ((await response.json()) as { initialized: boolean }).initialized;
}

for (const kind of STORE_KINDS) {
  test(`the deletion of one instance leaves the others, and all processes see it (${kind})`, async (t) => {
    const place = await createHostPlace(t, kind);
    for (const name of ["ada", "bob"]) await addAccount(place, name);
    const [host, other] = [
      startHost(t, place, ["ada", "bob"]),
      startHost(t, place, ["ada", "bob"]),
    ];
    const bobs = await signInTo(host, "bob");
    const browser = createOwnerBrowser(askOf(host, "ada"));
    assert.equal((await browser.signIn({ username: USERNAME, password: PASSWORD })).status, 200);
    assert.equal(await isInitialized(askOf(other, "ada")), true, "by the usage file alone");
    const deleted = await browser.submit({ action: "delete-everything", name: USERNAME });
    assert.equal(deleted.status, 303);
    assert.equal(await isInitialized(askOf(host, "ada")), false);
    // The usage file is written after the response, and not only with the next minute.
    for (let attempt = 0; await isInitialized(askOf(other, "ada")); attempt++) {
      assert.ok(attempt < 1000, "another process takes the account for present");
      await wait(10);
    }
    const headers = { Authorization: `Bearer ${bobs.accessToken}` };
    for (const each of [host, other]) {
      assert.equal((await askOf(each, "bob")("/v1/device", { headers })).status, 200);
      assert.equal(await isInitialized(askOf(each, "bob")), true);
    }
  });
}
