import assert from "node:assert/strict";
import { test } from "node:test";
import {
  APP,
  BASE_URL,
  MINUTE_MS,
  OTHER_APP,
  PIET,
  OLIVE,
  startInstance,
  replaceRecords,
} from "./events-instance.ts";
import { authorizePath, decide, LOOPBACK_URI, SCHEME_URI, signIn, STATE } from "./journey.ts";
import { readPage } from "./test-browser.ts";

const browserCookie = "trellis-events-browser";

test("an unknown client or address gets a page and never a redirect", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  const [first = ""] = OTHER_APP.redirectUris;
  for (const [path, code] of [
    [authorizePath({ client_id: undefined }), "unknown-client"],
    [authorizePath({ client_id: "" }), "unknown-client"],
    [authorizePath({ client_id: "nobody" }), "unknown-client"],
    [`${authorizePath()}&client_id=${APP.id}`, "unknown-client"],
    [authorizePath({ client_id: "nobody", redirect_uri: "javascript:alert(1)" }), "unknown-client"],
    [authorizePath({ redirect_uri: undefined }), "unregistered-redirect"],
    [authorizePath({ redirect_uri: "" }), "unregistered-redirect"],
    [authorizePath({ redirect_uri: `${LOOPBACK_URI}/` }), "unregistered-redirect"],
    [authorizePath({ redirect_uri: "http://127.0.0.1:43823/callback" }), "unregistered-redirect"],
    [authorizePath({ redirect_uri: "http://localhost:43824/callback" }), "unregistered-redirect"],
    [authorizePath({ redirect_uri: first }), "unregistered-redirect"],
    [`${authorizePath()}&redirect_uri=x`, "unregistered-redirect"],
    [
      authorizePath({ redirect_uri: "https://evil.example", response_type: "token" }),
      "unregistered-redirect",
    ],
  ] as const) {
    const response = await browser.get(path);
    assert.equal(response.status, 400, path);
    assert.equal(response.headers.get("location"), null);
    const { view } = await readPage("error", response);
    assert.equal(view.code, code, path);
    assert.equal(view.requestId, response.headers.get("x-request-id"));
    assert.ok(!JSON.stringify(view).includes("evil"));
  }
  assert.equal(browser.cookies.size, 0);
});

test("the operator learns of a redirect URI that is not on the list, without its text", async (t) => {
  const { ask, notices } = await startInstance(t);
  const response = await ask(authorizePath({ redirect_uri: "https://evil.example/private" }));
  const requestId = response.headers.get("x-request-id");
  assert.deepEqual(notices, [{ kind: "redirect-not-listed", requestId, clientId: APP.id }]);
  await ask(authorizePath({ redirect_uri: undefined }));
  await ask(authorizePath({ client_id: "nobody" }));
  assert.equal(notices.length, 1);
});

test("the operator learns of a sign-in page that was opened at another host", async (t) => {
  const { ask, notices } = await startInstance(t);
  const response = await ask("/sign-in");
  const requestId = response.headers.get("x-request-id");
  assert.deepEqual(notices, [{ kind: "opened-elsewhere", requestId }]);
  const { view } = await readPage("signIn", response);
  assert.equal(view.origin, BASE_URL);
  const own = await startInstance(t, { isAtOwnAddress: true });
  await own.ask("/sign-in");
  assert.deepEqual(own.notices, []);
});

test("errors of a request are sent to the app, in the order of the checks", async (t) => {
  const { ask } = await startInstance(t);
  const long = "x".repeat(43);
  for (const [path, error, hasState] of [
    [`${authorizePath({ response_type: "token" })}&scope=a`, "invalid_request", true],
    [`${authorizePath({ response_type: "token" })}&state=a`, "invalid_request", false],
    [authorizePath({ response_type: undefined, scope: "all" }), "invalid_request", true],
    [authorizePath({ response_type: "", scope: "all" }), "invalid_request", true],
    [
      authorizePath({ response_type: "token", code_challenge: undefined }),
      "unsupported_response_type",
      true,
    ],
    [authorizePath({ response_type: "code token" }), "unsupported_response_type", true],
    [authorizePath({ code_challenge: undefined, scope: "all" }), "invalid_request", true],
    [authorizePath({ code_challenge: `${long}=`, scope: "all" }), "invalid_request", true],
    [authorizePath({ code_challenge_method: undefined, scope: "all" }), "invalid_request", true],
    [authorizePath({ code_challenge_method: "plain", scope: "all" }), "invalid_request", true],
    [authorizePath({ scope: "read:events write:events", request: "x" }), "invalid_scope", true],
    [authorizePath({ request: "x" }), "invalid_request", true],
    [authorizePath({ request_uri: "x" }), "invalid_request", true],
    [authorizePath({ response_mode: "fragment" }), "invalid_request", true],
    [`${authorizePath({ state: undefined })}&state=%ff`, "invalid_request", false],
  ] as const) {
    const response = await ask(path);
    assert.equal(response.status, 302, path);
    const location = response.headers.get("location") ?? "";
    assert.ok(location.startsWith(`${LOOPBACK_URI}?`), location);
    const query = new URL(location).searchParams;
    assert.equal(query.get("error"), error, path);
    assert.match(query.get("error_description") ?? "", /^[\x20-\x7e]+$/);
    assert.equal(query.get("state"), hasState ? STATE : null, path);
    assert.equal(query.get("iss"), BASE_URL);
    assert.equal(query.get("code"), null);
    assert.equal(response.headers.get("set-cookie"), null);
  }
});

test("a redirect URI keeps its query, and unknown and empty parameters change nothing", async (t) => {
  const { ask, createBrowser } = await startInstance(t);
  const [redirect = ""] = OTHER_APP.redirectUris;
  const wrong = await ask(
    authorizePath({ client_id: OTHER_APP.id, redirect_uri: redirect, scope: "all" }),
  );
  assert.ok(wrong.headers.get("location")?.startsWith(`${redirect}&error=invalid_scope&`));
  const path = authorizePath({ scope: "", response_mode: "", request: "" });
  const right = await createBrowser().get(`${path}&lang=de&lang=en&what=ever`);
  assert.match(right.headers.get("location") ?? "", /^\/sign-in\?interaction=[A-Za-z0-9_-]{43}$/);
});

test("a right request waits on the server, bound to the browser it came from", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  const begun = await browser.get(authorizePath());
  const path = begun.headers.get("location") ?? "";
  assert.equal(begun.status, 302);
  assert.match(
    begun.headers.get("set-cookie") ?? "",
    /^trellis-events-browser=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const unsigned = await browser.get(path.replace("sign-in", "consent"));
  assert.deepEqual([unsigned.status, unsigned.headers.get("location")], [302, path]);
  const { view } = await browser.see("signIn", path);
  assert.equal(view.appName, APP.name);
  assert.ok(path.endsWith(view.interaction));

  const thief = createBrowser();
  await thief.get(authorizePath());
  for (const stolen of [path, path.replace("sign-in", "consent")]) {
    const seen = await thief.get(stolen);
    assert.equal(seen.status, 400);
    assert.equal((await readPage("error", seen)).view.code, "interaction-gone");
  }
  await signIn(thief);
  const { frame } = await thief.see("home", "/");
  const forged = await thief.submit("/consent", {
    interaction: view.interaction,
    csrf: frame.account?.csrf ?? "",
    action: "allow",
  });
  assert.equal(forged.status, 400);
  // The attempt of the other browser has not consumed it.
  assert.equal(await signIn(browser, OLIVE, path), path.replace("sign-in", "consent"));
  await browser.see("consent", path.replace("sign-in", "consent"));
});

test("two tabs of one browser do not disturb each other", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  const paths = [];
  for (const state of ["first", "second"]) {
    paths.push((await browser.get(authorizePath({ state }))).headers.get("location") ?? "");
  }
  const name = browser.cookies.get(browserCookie);
  for (const path of paths) await browser.see("signIn", path);
  assert.equal(browser.cookies.get(browserCookie), name);
});

test("a HEAD request has the headers of a GET and begins nothing", async (t) => {
  const { ask } = await startInstance(t, {
    wrapStore: replaceRecords((records) => ({
      interactions: {
        ...records.interactions,
        add: () => {
          throw new Error("A HEAD began an interaction");
        },
      },
    })),
  });
  const response = await ask(authorizePath(), { method: "HEAD" });
  assert.equal(response.status, 302);
  assert.equal(response.headers.get("set-cookie"), null);
  assert.equal(response.headers.get("location"), "/sign-in");
  const page = await ask("/sign-in", { method: "HEAD" });
  assert.equal(page.status, 200);
  assert.equal(page.headers.get("set-cookie"), null);
  assert.equal(await page.text(), "");
  const wrong = await ask(authorizePath({ client_id: "nobody" }), { method: "HEAD" });
  assert.equal(wrong.status, 400);
  assert.equal(await wrong.text(), "");
});

test("a state of 1,024 characters comes back in every script, a longer one as an error", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  const state = "🧪".repeat(1_024);
  const response = await decide(browser, "allow", { state });
  const query = new URL(response.headers.get("location") ?? "").searchParams;
  assert.deepEqual([query.get("state"), query.has("code")], [state, true]);

  const longer = await browser.get(authorizePath({ state: `${state}🧪` }));
  const refusal = new URL(longer.headers.get("location") ?? "").searchParams;
  assert.equal(refusal.get("error"), "invalid_request");
  assert.equal(refusal.get("state"), `${state}🧪`);
  assert.equal((await browser.get(authorizePath({ state: "🧪".repeat(1_200) }))).status, 414);
});

test("who allows goes back to the app with a code, the state and the issuer", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  const state = 'ä +&=%25/\u0000?#"<>';
  for (const redirect_uri of [LOOPBACK_URI, SCHEME_URI]) {
    const response = await decide(browser, "allow", { state, redirect_uri });
    assert.equal(response.status, 303);
    const location = response.headers.get("location") ?? "";
    assert.ok(location.startsWith(`${redirect_uri}?code=`), location);
    const query = new URL(location).searchParams;
    assert.match(query.get("code") ?? "", /^[A-Za-z0-9_-]{43}$/);
    assert.equal(query.get("state"), state);
    assert.equal(query.get("iss"), BASE_URL);
    assert.equal(response.headers.get("cache-control"), "no-store");
    assert.equal(response.headers.get("referrer-policy"), "no-referrer");
  }
  const without = await decide(browser, "allow", { state: undefined });
  assert.ok(!without.headers.get("location")?.includes("state="));
});

test("who denies goes back to the app with access_denied", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  const response = await decide(browser, "deny");
  assert.equal(response.status, 303);
  const query = new URL(response.headers.get("location") ?? "").searchParams;
  assert.equal(query.get("error"), "access_denied");
  assert.equal(query.get("state"), STATE);
  assert.equal(query.get("iss"), BASE_URL);
  assert.equal(query.get("code"), null);
});

test("consent is required every time, shows user and redirect URI, and is decided once", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  for (const [redirect_uri, delivery] of [
    [LOOPBACK_URI, "http"],
    [SCHEME_URI, "scheme"],
  ] as const) {
    const begun = await browser.get(authorizePath({ redirect_uri }));
    const path = begun.headers.get("location") ?? "";
    assert.match(path, /^\/consent\?interaction=/);
    const { view } = await browser.see("consent", path);
    const { interaction, csrf, ...seen } = view;
    assert.deepEqual(seen, {
      username: OLIVE.username,
      appName: APP.name,
      redirectUri: redirect_uri,
      delivery,
    });
    const fields = { interaction, csrf, action: "allow" };
    assert.equal((await browser.submit("/consent", { ...fields, action: "" })).status, 400);
    assert.equal((await browser.submit("/consent", fields)).status, 303);
    for (const action of ["allow", "deny"]) {
      const again = await browser.submit("/consent", { ...fields, action });
      assert.equal(again.status, 400);
      assert.equal((await readPage("error", again)).view.code, "interaction-gone");
    }
    assert.equal((await browser.get(path)).status, 400);
  }
});

test("a script gets the address as JSON, and its failures too", async (t) => {
  const { createBrowser } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  const path = (await browser.get(authorizePath())).headers.get("location") ?? "";
  const { view } = await browser.see("consent", path);
  const { interaction, csrf } = view;
  const fields = { interaction, csrf, action: "allow" };
  const json = { Accept: "application/json" };
  const forged = await browser.submit("/consent", { ...fields, csrf: "x" }, json);
  assert.equal(forged.status, 403);
  assert.equal(((await forged.json()) as { error: string }).error, "csrf_failed");
  const response = await browser.submit("/consent", fields, json);
  assert.equal(response.status, 200);
  const { redirectUri } = (await response.json()) as { redirectUri: string };
  assert.ok(redirectUri.startsWith(`${LOOPBACK_URI}?code=`));
  const again = await browser.submit("/consent", fields, json);
  assert.equal(again.status, 400);
  assert.equal(((await again.json()) as { error: string }).error, "interaction_expired");
});

test("a forged consent is refused and uses nothing up", async (t) => {
  const { createBrowser } = await startInstance(t, { accounts: [OLIVE, PIET] });
  const browser = createBrowser();
  const other = createBrowser();
  await signIn(browser);
  await signIn(other, PIET);
  const path = (await browser.get(authorizePath())).headers.get("location") ?? "";
  const { view } = await browser.see("consent", path);
  const { interaction, csrf } = view;
  const fields = { interaction, csrf, action: "allow" };
  const foreign = (await other.see("home", "/")).frame.account?.csrf ?? "";
  const refused = [
    await browser.submit("/consent", { ...fields, csrf: "" }),
    await browser.submit("/consent", { ...fields, csrf: foreign }),
    await browser.submit("/consent", { ...fields, csrf: `${csrf}x` }),
    await browser.submit("/consent", fields, { "Sec-Fetch-Site": "cross-site" }),
    await browser.submit("/consent", fields, { "Sec-Fetch-Site": "same-site" }),
  ];
  for (const response of refused) {
    assert.equal(response.status, 403);
    assert.equal((await readPage("error", response)).view.code, "csrf-failed");
  }
  const unsigned = createBrowser();
  assert.equal((await unsigned.submit("/consent", fields)).headers.get("location"), "/sign-in");
  assert.equal((await browser.submit("/consent", fields)).status, 303);
});

test("a consent that waits for a change of the password issues no code", async (t) => {
  const waiting = { work: async () => {} };
  const { createBrowser, store, accountIds } = await startInstance(t, {
    wrapStore: (inner) => ({
      ...inner,
      async transaction(work) {
        await waiting.work();
        return inner.transaction(work);
      },
    }),
  });
  const browser = createBrowser();
  await signIn(browser);
  const path = (await browser.get(authorizePath())).headers.get("location") ?? "";
  const { interaction, csrf } = (await browser.see("consent", path)).view;
  const fields = { interaction, csrf, action: "allow" };
  waiting.work = async () => {
    waiting.work = async () => {};
    const accountId = accountIds.get(OLIVE.username) ?? "";
    await store.transaction(({ sessions }) => sessions.closeAll(accountId));
  };
  const late = await browser.submit("/consent", fields);
  const back = path.replace("consent", "sign-in");
  assert.deepEqual([late.status, late.headers.get("location")], [303, back]);
  assert.equal(await signIn(browser, OLIVE, back), path, "the request can still be allowed");
});

test("who signs out, or was signed out, comes back to the same request", async (t) => {
  const { createBrowser } = await startInstance(t, { accounts: [OLIVE, PIET] });
  const browser = createBrowser();
  await signIn(browser);
  const consent = (await browser.get(authorizePath())).headers.get("location") ?? "";
  const back = consent.replace("consent", "sign-in");
  const { interaction, csrf } = (await browser.see("consent", consent)).view;
  const left = await browser.submit("/sign-out", { csrf, interaction });
  assert.deepEqual([left.status, left.headers.get("location")], [303, back]);
  assert.equal(await signIn(browser, PIET, back), consent);

  const seen = (await browser.see("consent", consent)).view;
  assert.equal(seen.username, PIET.username);
  browser.cookies.delete("trellis-events-session");
  const fields = { interaction, csrf: seen.csrf, action: "allow" };
  const late = await browser.submit("/consent", fields);
  assert.deepEqual([late.status, late.headers.get("location")], [303, back]);
  const json = await browser.submit("/consent", fields, { Accept: "application/json" });
  assert.equal(json.status, 401);
  assert.equal(((await json.json()) as { error: string }).error, "authentication_failed");
  assert.equal(await signIn(browser, OLIVE, back), consent);

  const own = (await browser.see("consent", consent)).view.csrf;
  const odd = await browser.submit("/sign-out", { csrf: own, interaction: "//elsewhere.example" });
  assert.equal(odd.headers.get("location"), "/sign-in");
});

test("a request waits for ten minutes and no longer", async (t) => {
  const { createBrowser, clock } = await startInstance(t);
  const browser = createBrowser();
  await signIn(browser);
  const path = (await browser.get(authorizePath())).headers.get("location") ?? "";
  clock.now += 10 * MINUTE_MS - 1;
  const { view } = await browser.see("consent", path);
  clock.now += 1;
  assert.equal((await browser.get(path)).status, 400);
  const { interaction, csrf } = view;
  const late = await browser.submit("/consent", { interaction, csrf, action: "allow" });
  assert.equal(late.status, 400);
});

test("too many requests from one network get a page that says how long to wait", async (t) => {
  const { ask, clock } = await startInstance(t, {
    limits: { authorize: { requests: 5, windowSeconds: 60 } },
  });
  const from = (address: string) =>
    ask(authorizePath(), { headers: { "X-Forwarded-For": address } });
  for (let count = 0; count < 5; count++) assert.equal((await from("192.0.2.7")).status, 302);
  const limited = await from("192.0.2.7");
  assert.equal(limited.status, 429);
  assert.equal(limited.headers.get("retry-after"), "60");
  const { view } = await readPage("error", limited);
  assert.deepEqual([view.code, view.retryAfterSeconds], ["too-many-requests", 60]);
  assert.equal((await from("192.0.2.8")).status, 302);
  clock.now += MINUTE_MS;
  assert.equal((await from("192.0.2.7")).status, 302);
});

// Any page can embed an image or a frame with this URL.
test("a request that is not a page load begins nothing and is not counted", async (t) => {
  let begun = 0;
  const { ask } = await startInstance(t, {
    limits: { authorize: { requests: 2, windowSeconds: 60 } },
    wrapStore: replaceRecords((records) => ({
      interactions: {
        ...records.interactions,
        add: (...given) => {
          begun++;
          return records.interactions.add(...given);
        },
      },
    })),
  });
  const as = (dest: string) => ask(authorizePath(), { headers: { "Sec-Fetch-Dest": dest } });
  for (const dest of ["image", "iframe", "frame", "script", "empty", "object", "anything"]) {
    const response = await as(dest);
    assert.equal(response.status, 302, dest);
    assert.equal(response.headers.get("location"), "/sign-in");
    assert.equal(response.headers.get("set-cookie"), null);
  }
  assert.equal(begun, 0);
  assert.equal((await as("document")).status, 302);
  assert.equal((await ask(authorizePath())).status, 302);
  assert.equal(begun, 2);
  assert.equal((await as("document")).status, 429);
  assert.equal((await as("image")).status, 302);
});
