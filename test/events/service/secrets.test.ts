import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { EventsTokenResponse } from "../../../src/contract/events/schemas.ts";
import type { PasswordChallenge } from "../../../src/rules/identity/auth-message.ts";
import { OLIVE, startInstance } from "./events-instance.ts";
import {
  proveChallenge,
  authorizePath,
  obtainCode,
  readEvents,
  redeem,
  signIn,
  STATE,
  VERIFIER,
} from "./journey.ts";

test("no secret is in the log, in an error or in the store", async (t) => {
  const instance = await startInstance(t, { isAtOwnAddress: true });
  const { ask, log, notices, place, store } = instance;
  const errors: string[] = [];
  const keep = async (response: Response) => {
    if (response.status >= 400) errors.push(withoutFrame(await response.clone().text()));
    return response;
  };
  const browser = instance.createBrowser();
  const begun = await browser.get(authorizePath());
  const path = begun.headers.get("location") ?? "";
  const { view } = await browser.see("signIn", path);
  const { csrf } = view;
  const challenge = (await (
    await browser.postJson("/sign-in", { action: "begin", csrf, username: OLIVE.username })
  ).json()) as PasswordChallenge;
  const { members } = await proveChallenge(challenge, OLIVE, view);
  const forged = { ...members, proof: "A".repeat(43) };
  await keep(await browser.postJson("/sign-in", { action: "complete", csrf, ...forged }));
  await keep(await browser.postJson("/sign-in", { action: "complete", csrf, ...members }));
  await signIn(browser, OLIVE, path);
  const code = await obtainCode(browser);
  const token = (await (await redeem(instance, code)).json()) as EventsTokenResponse;
  await keep(await redeem(instance, code));
  await keep(await readEvents(instance, token.access_token));
  await keep(await readEvents(instance, `${token.access_token}x`));
  await keep(await ask(`/api/events?limit=1&access_token=${token.access_token}`));
  await keep(await ask(`/api/oauth/token?code=${code}`, { method: "POST" }));
  await keep(await ask(authorizePath({ client_id: "private-client" })));
  const { frame } = await browser.see("home", "/");
  const form = { csrf: frame.account?.csrf ?? "", url: "https://feeds.example/private-address" };
  await keep(await browser.submit("/account/subscriptions", { ...form, action: "nothing" }));
  await keep(await browser.submit("/account/events", { csrf: "", title: "private-title" }));

  assert.ok(log.length > 12);
  for (const entry of log) {
    assert.deepEqual(Object.keys(entry).sort(), [
      "durationMs",
      "method",
      "path",
      "requestId",
      "status",
    ]);
  }
  assert.ok(errors.length >= 8, `${errors.length}`);
  assert.ok(notices.every(({ kind }) => kind === "security-event"));
  const session = browser.cookies.get("trellis-events-session") ?? "";
  const name = browser.cookies.get("trellis-events-browser") ?? "";
  const secrets = [
    code,
    token.access_token,
    session,
    name,
    members.proof,
    OLIVE.password,
    VERIFIER,
  ];
  const told = JSON.stringify([log, notices]) + errors.join("\n");
  for (const secret of [...secrets, STATE, "private-", OLIVE.username]) {
    assert.ok(secret.length > 4);
    assert.ok(!told.includes(secret), `"${secret}" was told`);
  }

  await store.close();
  const database = place.store.slice("sqlite:".length);
  const kept = await readFile(database, "latin1");
  assert.ok(kept.includes(OLIVE.username));
  for (const secret of secrets) assert.ok(!kept.includes(secret), `"${secret}" was kept`);
});

/** The frame contains the user name and the link of the language switch. */
function withoutFrame(text: string): string {
  const { frame: _frame, ...rest } = (text === "" ? {} : JSON.parse(text)) as { frame?: unknown };
  return JSON.stringify(rest);
}
