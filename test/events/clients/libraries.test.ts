/** Apps on six OAuth libraries against the service over HTTP. */
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  APP,
  MINUTE_MS,
  OLIVE,
  startInstance,
  type EventsInstance,
} from "../service/events-instance.ts";
import { decideAt, LOOPBACK_URI, SCHEME_URI, signIn } from "../service/journey.ts";
import type { TestBrowser } from "../service/test-browser.ts";
import type { App, AppLibrary } from "./app-library.ts";
import { appauth } from "./libraries/appauth.ts";
import { badgatewayClient } from "./libraries/badgateway-oauth2-client.ts";
import { oauth4webapi } from "./libraries/oauth4webapi.ts";
import { openidClient } from "./libraries/openid-client.ts";
import { passportOauth2 } from "./libraries/passport-oauth2.ts";
import { simpleOauth2 } from "./libraries/simple-oauth2.ts";

const LIBRARIES: readonly AppLibrary[] = [
  openidClient,
  oauth4webapi,
  badgatewayClient,
  simpleOauth2,
  passportOauth2,
  appauth,
];
const TITLE = "Fractions";
/** Later than a parallel redemption, so that a replay revokes the grant. */
const LATER_MS = 3000;

interface Scene {
  readonly instance: EventsInstance;
  /** The person's, signed in. */
  readonly browser: TestBrowser;
}

test("apps on libraries as they come", async (t) => {
  const instance = await startInstance(t, { isAtOwnAddress: true });
  const browser = instance.createBrowser();
  await signIn(browser);
  await writeEvent(instance);
  for (const library of LIBRARIES) {
    // Each library has its own limit of token requests.
    instance.clock.now += MINUTE_MS;
    await t.test(library.name, (t) => tryLibrary(t, library, { instance, browser }));
  }
});

async function tryLibrary(t: TestContext, library: AppLibrary, scene: Scene): Promise<void> {
  const { origin, clock } = scene.instance;
  const build = (redirectUri = LOOPBACK_URI) =>
    library.build({ origin, clientId: APP.id, redirectUri });

  for (const redirectUri of [LOOPBACK_URI, SCHEME_URI]) {
    await t.test(`an app at ${redirectUri} is connected and reads events`, async () => {
      const app = await build(redirectUri);
      const token = await connect(app, scene);
      assert.match(token, /^tre_at_/);
      assert.deepEqual(await titlesOf(app, token), [TITLE]);
    });
  }

  await t.test("the app is told that the person said no", async () => {
    const app = await build();
    const { address, finish } = await app.begin();
    const error = await failureOf(finish(await visit(scene, address, "deny")));
    assert.equal(app.explain(error), library.sees.denied);
  });

  await t.test("a code that comes again is refused and ends the token made from it", async () => {
    const app = await build();
    const { address, finish } = await app.begin();
    const callback = await visit(scene, address, "allow");
    const token = await finish(callback);
    clock.now += LATER_MS;
    assert.equal(app.explain(await failureOf(finish(callback))), library.sees.replayed);
    await assertEnded(app, scene, token);
  });

  await t.test("a response with another state is not taken", async () => {
    await assertNotTaken(await build(), scene, (callback) =>
      callback.searchParams.set("state", "of-somebody-else"),
    );
  });

  if (library.checksIssuer) {
    await t.test("a response of another issuer, or of none, is not taken", async () => {
      const app = await build();
      await assertNotTaken(app, scene, ({ searchParams }) =>
        searchParams.set("iss", "https://other.example.com"),
      );
      await assertNotTaken(app, scene, ({ searchParams }) => searchParams.delete("iss"));
    });
  }

  const app = await build();
  const { revoke } = app;
  if (revoke !== undefined) {
    await t.test("a token that is given back does not read any more", async () => {
      const token = await connect(app, scene);
      await revoke(token);
      await assertEnded(app, scene, token);
    });
  }
}

/** Refused before the code is sent: with the unchanged response it can still be redeemed. */
async function assertNotTaken(
  app: App,
  scene: Scene,
  change: (callback: URL) => void,
): Promise<void> {
  const { address, finish } = await app.begin();
  const callback = await visit(scene, address, "allow");
  const changed = new URL(callback);
  change(changed);
  await assert.rejects(finish(changed));
  assert.deepEqual(await titlesOf(app, await finish(callback)), [TITLE]);
}

async function connect(app: App, scene: Scene): Promise<string> {
  const { address, finish } = await app.begin();
  return finish(await visit(scene, address, "allow"));
}

/** From the authorization URL of the library to the redirect. */
async function visit(
  { instance, browser }: Scene,
  address: string,
  action: "allow" | "deny",
): Promise<URL> {
  const { origin, pathname, search } = new URL(address);
  assert.equal(origin, instance.origin);
  const response = await decideAt(browser, pathname + search, action);
  assert.equal(response.status, 303);
  return new URL(response.headers.get("location") ?? "");
}

async function assertEnded(app: App, { instance }: Scene, token: string): Promise<void> {
  await assert.rejects(app.readEvents(token));
  const last = instance.log.at(-1);
  assert.deepEqual([last?.path, last?.status], ["/api/events", 401]);
}

async function titlesOf(app: App, token: string): Promise<(string | null)[]> {
  return (await app.readEvents(token)).events.map(({ title }) => title);
}

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  let failure: unknown;
  await assert.rejects(promise, (error) => {
    failure = error;
    return true;
  });
  return failure;
}

async function writeEvent({ store, clock, accountIds }: EventsInstance): Promise<void> {
  const accountId = accountIds.get(OLIVE.username) ?? "";
  const createdAt = clock.now;
  await store.transaction(async ({ sources, events }) => {
    const source = { sourceId: "school", accountId, kind: "file", name: "school" } as const;
    await sources.findOrAdd({ ...source, createdAt });
    const date = "2026-09-01";
    const content = { type: "exam", subjectName: "Maths", title: TITLE, date };
    await events.write(
      accountId,
      source.sourceId,
      [
        {
          kind: "put",
          eventId: "exam-1",
          content: { ...content, dateAt: Date.parse(date) },
          createdAt: "2026-08-01T00:00:00Z",
        },
      ],
      createdAt,
    );
  });
}
