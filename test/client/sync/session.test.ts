import assert from "node:assert/strict";
import { test } from "node:test";
import { createMemorySyncStorage } from "../../../src/client/index.ts";
import {
  beginSignIn,
  BASE_URL,
  createWorld,
  offline,
  online,
  shown,
  stored,
  syncNow,
  type Network,
} from "./world.ts";
import { signInOnPage } from "./sign-in-on-page.ts";
import { REDIRECT_URI } from "../../sync/service/sync-service.ts";

const ACCESS_LIFETIME_MS = 300_000;

test("the sign-in names the device readably and can be completed by a restarted app", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.open({ storage, deviceName: "  Ada's Große phone! " });
  assert.match(phone.deviceId, /^adas-gro-e-phone-[0-9a-z]{8}$/);
  const url = await beginSignIn(phone, { lang: "de" });
  const query = new URL(url).searchParams;
  assert.ok(url.startsWith(`${BASE_URL}/v1/authorize?response_type=code&`));
  assert.equal(query.get("device_id"), phone.deviceId);
  assert.equal(query.get("lang"), "de");
  assert.equal((await world.ask(url.slice(BASE_URL.length))).status, 200);
  await phone.close();
  const restarted = await world.open({ storage, deviceName: "another name" });
  assert.equal(restarted.deviceId, phone.deviceId);
  const result = await restarted.completeSignIn(await signInOnPage(world.ask, url));
  assert.deepEqual(result, { kind: "signed-in", deviceId: phone.deviceId });
  const [device] = await world.store.transaction(({ sessions }) => sessions.list(0));
  assert.equal(device?.name, "Ada's Große phone!");
  await syncNow(restarted);
});

test("a callback of another address, another attempt or another time is refused by kind", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  const url = await beginSignIn(phone);
  const callback = await signInOnPage(world.ask, url);
  const kindOf = async (address: string) => {
    const result = await phone.completeSignIn(address);
    return result.kind === "signed-in" ? result.kind : result.error.kind;
  };
  assert.equal(await kindOf("not an address"), "not-the-callback");
  assert.equal(await kindOf(callback.replace("/callback", "/other")), "not-the-callback");
  assert.equal(await kindOf(callback.replace("state=", "state=_")), "unknown-attempt");
  assert.equal(await kindOf(callback.replace(/code=[^&]*/, "code=")), "missing-code");
  assert.equal(phone.status.kind, "signed-out");
  world.network = offline;
  assert.equal(await kindOf(callback), "unreachable");
  world.network = online;
  // Of two sign-ins that were begun, either can be completed; a fragment is read as well.
  await phone.beginSignIn();
  assert.equal(await kindOf(callback.replace("?", "#")), "signed-in");
  assert.equal(await kindOf(callback), "unknown-attempt");
  const late = await signInOnPage(world.ask, await beginSignIn(phone));
  world.clock.now += 61_000;
  assert.equal(await kindOf(late), "code-refused");
});

test("a device beyond the quota learns so, and signs in when another one is signed out", async (t) => {
  const notices: string[] = [];
  const world = await createWorld(t, {
    quota: { devices: 1 },
    onNotice: ({ kind }) => notices.push(kind),
  });
  const phone = await world.device();
  const tablet = await world.open();
  const url = await beginSignIn(tablet);
  const result = await tablet.completeSignIn(await signInOnPage(world.ask, url));
  assert.ok(result.kind === "not-signed-in" && result.error.kind === "too-many-devices");
  assert.match(result.error.message, /sign one out on the owner's page/);
  assert.deepEqual(
    notices.filter((kind) => kind !== "security-event"),
    ["too-many-devices"],
  );
  await phone.signOut();
  await world.signIn(tablet);
});

test("requests that need a new access token share one refresh", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  world.clock.now += ACCESS_LIFETIME_MS;
  world.requests.length = 0;
  await Promise.all([phone.sync(), phone.sync(), phone.signOut()]);
  assert.equal(world.requests.filter((request) => request === "POST /v1/refresh").length, 1);
});

test("an access token that the server refuses is renewed once, and the request repeated", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  // The clock of the device is behind, so it takes the token for valid.
  const { now } = world.clock;
  const late = await world.device({ now: () => now });
  world.clock.now += ACCESS_LIFETIME_MS + 1;
  world.requests.length = 0;
  await syncNow(late);
  assert.deepEqual(world.requests, ["GET /v1/pull", "POST /v1/refresh", "GET /v1/pull"]);
  await syncNow(phone);
});

test("the response to a refresh that is lost is asked for again with the same token", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  world.clock.now += ACCESS_LIFETIME_MS;
  const sent: string[] = [];
  const loseRefresh: Network = async (send, { path, init }) => {
    const response = await send();
    if (path !== "/v1/refresh") return response;
    sent.push(String(init.body));
    // The one that is sent at once again, too.
    if (sent.length <= 2) throw new TypeError("fetch failed");
    return response;
  };
  world.network = loseRefresh;
  const lost = await phone.sync();
  assert.equal(lost.kind === "not-synced" && lost.error.kind, "unreachable");
  await syncNow(phone);
  assert.equal(sent.length, 3);
  assert.equal(new Set(sent).size, 1);
  world.clock.now += ACCESS_LIFETIME_MS;
  await syncNow(phone);
});

test("a session that has ended asks for a sign-in and keeps data and queue", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.device({ storage });
  const other = await world.device();
  await stored(phone.create("note/1", { title: "Synced" }));
  await syncNow(phone);
  await stored(phone.create("note/2", { title: "Waiting" }));
  assert.deepEqual(await other.signOut({ everywhere: true }), { kind: "signed-out", revoked: 2 });
  const result = await phone.sync();
  assert.equal(result.kind === "not-synced" && result.error.kind, "sign-in-needed");
  for (const client of [phone, await world.open({ storage })]) {
    assert.equal(client.status.kind, "sign-in-needed");
    assert.equal(client.status.pending, 1);
    assert.equal(client.entities.list("note").length, 2);
  }
  const requests = world.requests.length;
  await phone.sync();
  assert.equal(world.requests.length, requests, "no request without a session");
  await world.signIn(phone);
  await syncNow(phone);
  assert.deepEqual(shown(await world.device()), shown(phone));
});

test("signing out keeps the data, erases it on request, and works without the server", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const phone = await world.device({ storage });
  const { deviceId } = phone;
  await stored(phone.create("note/1", { title: "Mine" }));
  await syncNow(phone);
  assert.deepEqual(await phone.signOut(), { kind: "signed-out", revoked: 1 });
  assert.equal(phone.status.kind, "signed-out");
  assert.deepEqual(shown(phone), { "note/1": { title: "Mine" } });
  await world.signIn(phone);
  world.network = offline;
  const everywhere = await phone.signOut({ everywhere: true });
  assert.equal(everywhere.kind === "not-signed-out" && everywhere.error.kind, "unreachable");
  assert.notEqual(phone.status.kind, "signed-out");
  assert.deepEqual(await phone.signOut({ erase: true }), { kind: "signed-out", revoked: null });
  assert.deepEqual(shown(phone), {});
  assert.notEqual(phone.deviceId, deviceId, "an erased device must not use its ids again");
  const text = JSON.stringify(
    await storage.transaction("read", (tx) => tx.list({ from: "!", below: "~", limit: 99 })),
  );
  assert.ok(!text.includes("Mine") && !text.includes("trs_"), text);
  world.network = online;
  await world.signIn(phone);
  await syncNow(phone);
  assert.deepEqual(shown(phone), { "note/1": { title: "Mine" } });
});

test("no token, code or verifier is in a result, an error, a status or an address", async (t) => {
  const world = await createWorld(t);
  const secrets = new Set<string>();
  const addresses: string[] = [];
  const collect = (text: string) => {
    for (const [secret] of text.matchAll(/trs_[a-z]t_[\w-]+/g)) secrets.add(secret);
  };
  const phone = await world.open();
  const url = await beginSignIn(phone);
  const callback = await signInOnPage(world.ask, url);
  world.network = async (send, { path, init }) => {
    addresses.push(path);
    const body = JSON.parse(String(init.body ?? "{}")) as Record<string, string>;
    if (body["codeVerifier"] !== undefined) secrets.add(body["codeVerifier"]);
    const response = await send();
    const text = await response.text();
    collect(text);
    return new Response(text, response);
  };
  const results: unknown[] = [await phone.completeSignIn(callback)];
  results.push(await phone.sync());
  world.clock.now += ACCESS_LIFETIME_MS;
  results.push(await phone.sync(), phone.status);
  world.network = (_, { init }) => {
    const { headers, body } = init;
    return Promise.reject(new TypeError(`failed: ${JSON.stringify(headers)} ${String(body)}`));
  };
  results.push(await phone.sync(), phone.status, phone.getSnapshot().status);
  results.push(await phone.signOut({ everywhere: true }));
  assert.ok(secrets.size >= 5);
  const said = JSON.stringify([results, addresses]);
  for (const secret of secrets) assert.ok(!said.includes(secret), said);
});

test("the redirect URI may have a query of its own", async (t) => {
  const redirectUri = `${REDIRECT_URI}?app=1`;
  const world = await createWorld(t, { redirectUris: [REDIRECT_URI, redirectUri] });
  const phone = await world.open({ redirectUri });
  const url = await beginSignIn(phone);
  assert.equal(new URL(url).searchParams.get("redirect_uri"), redirectUri);
  assert.equal((await world.ask(url.slice(BASE_URL.length))).status, 200);
  const result = await phone.completeSignIn(`${redirectUri}&code=c&state=wrong`);
  assert.equal(result.kind === "not-signed-in" && result.error.kind, "unknown-attempt");
});

test("a sign-in that is completed twice at once is completed once", async (t) => {
  const world = await createWorld(t);
  const phone = await world.open();
  const url = await beginSignIn(phone);
  const callback = await signInOnPage(world.ask, url);
  world.requests.length = 0;
  const results = await Promise.all([
    phone.completeSignIn(callback),
    phone.completeSignIn(callback),
  ]);
  const signedIn = { kind: "signed-in", deviceId: phone.deviceId };
  assert.deepEqual(results, [signedIn, signedIn]);
  assert.deepEqual(world.requests, ["POST /v1/token"]);
  await syncNow(phone);
});

test("after a new sign-in the end of the old session is no problem any more", async (t) => {
  const world = await createWorld(t);
  const phone = await world.device();
  const other = await world.device();
  await stored(phone.create("note/1", {}));
  await other.signOut({ everywhere: true });
  await phone.sync();
  assert.equal(phone.status.kind, "sign-in-needed");
  await world.signIn(phone);
  assert.equal(phone.status.kind, "syncing");
  assert.equal(phone.status.problem, undefined);
});

test("another server gets neither the tokens nor, unless it is asked for, the data", async (t) => {
  const world = await createWorld(t);
  const storage = createMemorySyncStorage();
  const ada = await world.device({ storage });
  await stored(ada.create("note/1", { title: "Ada's" }));
  await syncNow(ada);
  await ada.close();

  const elsewhere = await createWorld(t);
  const sent: string[] = [];
  const baseUrl = "https://other.example";
  const moved = await elsewhere.open({
    storage,
    baseUrl,
    fetch: (url, init) => {
      sent.push(JSON.stringify([url, init.headers, init.body]));
      return elsewhere.fetch(url.replace(baseUrl, BASE_URL), init);
    },
  });
  assert.equal(moved.status.kind, "signed-out");
  const result = await moved.sync();
  assert.equal(result.kind === "not-synced" && result.error.kind, "signed-out");
  assert.equal(sent.length, 0);

  const signIn = async (options: { moveData?: boolean }) => {
    const url = await beginSignIn(moved, options);
    return moved.completeSignIn(await signInOnPage(elsewhere.ask, url));
  };
  const refused = await signIn({});
  assert.ok(refused.kind === "not-signed-in" && refused.error.kind === "another-server");
  assert.ok(refused.error.message.includes(BASE_URL), refused.error.message);
  for (const one of sent) assert.match(one, /\/v1\/(instance-info|capabilities|authorize)/);
  assert.doesNotMatch(sent.join(), /Ada|Bearer|trs_/);
  assert.equal(moved.status.kind, "signed-out");

  // A server that has moved: the device takes everything along.
  assert.equal((await signIn({ moveData: true })).kind, "signed-in");
  assert.equal((await syncNow(moved)).pushed, 1);
  assert.deepEqual(shown(await elsewhere.device()), { "note/1": { title: "Ada's" } });
  const pull = sent.find((one) => one.includes("/v1/pull"));
  assert.ok(pull?.includes("cursor=") === false, "a cursor is its own server's");
  await moved.close();

  // Another person: what was there is erased first.
  const back = await world.open({ storage });
  assert.equal(back.status.kind, "signed-out");
  assert.equal((await back.signOut({ erase: true })).kind, "signed-out");
  await world.signIn(back);
  assert.deepEqual(shown(back), {});
  await syncNow(back);
});

test("a request without any response is sent once more at once, and what was received twice counts once", async (t) => {
  const world = await createWorld(t);
  const [phone, tablet] = [await world.device(), await world.device()];
  await stored(phone.create("note/1", { a: 1 }));
  const seen = new Map<string, number>();
  world.network = async (send, { path }) => {
    const [name = ""] = path.split("?");
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    if (count === 1) {
      // The connection ends before the response of a push, and before anything else was sent.
      if (name === "/v1/push") await send();
      return offline(send, { path, init: {} });
    }
    return send();
  };
  const result = await phone.sync();
  assert.equal(result.kind === "synced" && result.pushed, 1);
  assert.deepEqual([seen.get("/v1/push"), (seen.get("/v1/pull") ?? 0) >= 2], [2, true]);
  world.network = online;
  await syncNow(tablet);
  assert.deepEqual(shown(tablet), { "note/1": { a: 1 } });
  const before = world.requests.length;
  world.network = offline;
  assert.equal((await phone.sync()).kind, "not-synced");
  assert.equal(world.requests.length - before, 2);
});
