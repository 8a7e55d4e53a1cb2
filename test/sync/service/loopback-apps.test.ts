/** The option for development: every app on this machine, and no other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlace } from "../operations/on-both-stores.ts";
import { beginSignIn } from "../sync-client.ts";
import { signInOptions, startSyncService } from "./sync-service.ts";
import { createRedirectAllowlist } from "../../../src/sync/sign-in/redirect-allowlist.ts";

const ON_THIS_MACHINE = ["http://localhost:5173", "http://127.0.0.1:3000", "https://app.localhost"];
const ELSEWHERE = [
  "http://localhost.example.com:5173",
  "https://app.example.com",
  "null",
  "com.example.app://localhost",
];

for (const allowLoopbackApps of [false, true]) {
  const name = allowLoopbackApps ? "every app" : "no app that is not listed";
  test(`${name} on this machine may call the service and end a sign-in`, async (t) => {
    const { ask } = await startSyncService(await (await createPlace(t, "SQLite")).open(), {
      allowLoopbackApps,
    });
    const calls = async (origin: string) => {
      const headers = { Origin: origin, "Access-Control-Request-Method": "POST" };
      const preflight = await ask("/v1/push", { method: "OPTIONS", headers });
      const response = await ask("/v1/capabilities", { headers: { Origin: origin } });
      assert.equal(preflight.status, response.status === 200 ? 204 : 403);
      return response.headers.get("access-control-allow-origin") === origin;
    };
    const signsIn = async (origin: string) => {
      const options = signInOptions({ redirectUri: `${origin}/callback` });
      return (await beginSignIn(ask, options, "attempt")).kind === "challenged";
    };
    for (const origin of ON_THIS_MACHINE) {
      assert.equal(await calls(origin), allowLoopbackApps, origin);
      assert.equal(await signsIn(origin), allowLoopbackApps, origin);
    }
    for (const origin of ELSEWHERE) {
      assert.equal(await calls(origin), false, origin);
      assert.equal(await signsIn(origin), false, origin);
    }
    // The owner's page is for its own origin alone.
    const page = await ask("/", { headers: { Origin: "http://localhost:5173" } });
    assert.equal(page.headers.get("access-control-allow-origin"), null);
  });
}

test("a service that others can reach does not allow every app on a machine", async (t) => {
  const options = { baseUrl: "https://sync.example.org", allowLoopbackApps: true };
  const store = await (await createPlace(t, "SQLite")).open();
  await assert.rejects(
    startSyncService(store, options),
    /at "https:\/\/sync\.example\.org": use it/,
  );
});

test("a redirect URI with a fragment or user information is not allowed on this machine either", () => {
  const allowed = createRedirectAllowlist(["http://localhost:43823/callback"], [], true);
  assert.equal(allowed.get("http://localhost:1/callback?a=b")?.delivery, "query");
  for (const uri of [
    "http://localhost:1/#a",
    "http://ada@localhost:1/",
    "http://localhost:1/\u0000",
  ])
    assert.equal(allowed.get(uri), undefined, uri);
});
