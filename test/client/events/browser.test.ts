/** The events client in a real browser, from a bundle, on another origin than the real service. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type * as ClientModule from "../../../src/client/index.ts";
import { launchChromium } from "../../browser/launch-chromium.ts";
import { put } from "../../events/store/samples.ts";
import { bundleClient } from "../../fixtures/bundle-client.ts";
import { serveOnLoopback } from "../../fixtures/loopback-server.ts";
import { ORIGIN, REDIRECT_URI } from "./connect.ts";
import { ACCEPTED, REFUSED } from "./origin-cases.ts";
import { allow, createWorld } from "./world.ts";

async function openPage(t: TestContext) {
  const { code } = await bundleClient("eventsClient", "esm");
  const site = await serveOnLoopback(t, ({ url }, response) =>
    url === "/client.js"
      ? response.setHeader("Content-Type", "text/javascript").end(code)
      : response.setHeader("Content-Type", "text/html").end("<!doctype html>"),
  );
  const browser = await launchChromium();
  t.after(() => browser.close());
  const page = await browser.newPage();
  await page.goto(site);
  return page;
}

test("Chromium connects and syncs across origins, and follows no redirect", async (t) => {
  const world = await createWorld(t);
  await world.write([put("exam", "2026-09-02", { type: "exam", title: "Algebra" })]);
  const moved = await serveOnLoopback(t, (_, response) =>
    response.writeHead(302, { Location: "/elsewhere", "Access-Control-Allow-Origin": "*" }).end(),
  );
  const page = await openPage(t);
  await page.exposeFunction("decide", (url: string) => allow(world, url));
  const result = await page.evaluate(
    async ({ origin, redirectUri, servers }) => {
      const { createEventsClient, importEvents } = (await import(
        `${location.origin}/client.js`
      )) as typeof ClientModule;
      const { decide } = window as unknown as { decide(url: string): Promise<string> };
      const [client, movedClient] = servers.map((server) =>
        createEventsClient({
          origin,
          clientId: "trellis-demo",
          redirectUri,
          issuerRequired: true,
          // The service's name is made up; it is on loopback.
          fetch: (url, init) => fetch(url.replace(origin, server), init),
        }),
      );
      const begun = await client?.beginLogin();
      if (client === undefined || begun?.kind !== "begun") return begun?.kind;
      const login = await client.completeLogin(await decide(begun.authorizeUrl), begun.pending);
      if (login.kind !== "connected") return login.error;
      const request = { accessToken: login.accessToken, state: null };
      const sync = await client.syncEvents(request);
      const { imported } = importEvents(sync.events, [], { serviceName: "My planner" });
      const refused = await client.syncEvents({ accessToken: "tre_at_unknown", state: null });
      // No Authorization, so that no preflight hides the redirect itself.
      const other = await movedClient?.completeLogin(
        `${redirectUri}?code=c&state=${begun.pending.state}&iss=${origin}`,
        begun.pending,
      );
      return {
        sync: sync.kind,
        hasCursor: sync.state.cursor !== null,
        names: imported.map(({ name }) => name),
        refused: refused.kind,
        moved: other?.kind === "not-connected" ? other.error : other?.kind,
      };
    },
    {
      origin: ORIGIN,
      redirectUri: REDIRECT_URI,
      servers: [`http://127.0.0.1:${world.instance.port}`, moved],
    },
  );
  assert.deepEqual(result, {
    sync: "synced",
    hasCursor: true,
    names: ["Algebra"],
    refused: "reconnect-needed",
    moved: { kind: "redirected" },
  });
});

test("Chromium's reading of addresses makes no difference to what is accepted", async (t) => {
  const page = await openPage(t);
  const expected = [
    ...ACCEPTED.map(([text, origin]) => [text, { kind: "accepted", origin }] as const),
    ...Object.entries(REFUSED).flatMap(([reason, texts]) =>
      texts.map((text) => [text, { kind: "refused", reason }] as const),
    ),
  ];
  // As JSON, because half a character travels in no other way.
  const texts = JSON.stringify(expected.map(([text]) => text));
  const results = await page.evaluate(async (json) => {
    const { parseServiceOrigin } = (await import(
      `${location.origin}/client.js`
    )) as typeof ClientModule;
    return (JSON.parse(json) as string[]).map((text) => parseServiceOrigin(text));
  }, texts);
  for (const [index, [text, result]] of expected.entries()) {
    assert.deepEqual(results[index], result, JSON.stringify(text));
  }
});
