import { expectSame, expectStatus, fail } from "../../../expect.ts";
import { expectError } from "../../expectations.ts";
import { syncClientCases } from "../client-run.ts";
import { loseResponses } from "../network.ts";
import type { TestClient } from "../test-client.ts";

/** A time that is longer than the life of an access token. */
const TOKEN_AGE_MS = 3_600_000;

export const CLIENT_SESSION_CASES = syncClientCases({
  "client-signs-in": {
    title: "The client signs in with a code and PKCE, and sends what was edited before",
    section: "sync contract, Authentication 1; POST /v1/token",
    run: ({ newSetting, withClients }) =>
      withClients(async ({ open, signIn }) => {
        const phone = await open();
        const entityId = newSetting();
        await phone.stored(phone.client.create(entityId, { value: "before the sign-in" }));
        await phone.signIn();
        await phone.sync();
        const tablet = await signIn();
        await tablet.sync();
        tablet.expectShown(entityId, { value: "before the sign-in" });
      }),
  },
  "client-refreshes-its-tokens": {
    title:
      "The client renews its access token, again and again, each time with a new refresh token",
    section: "sync contract, States and transitions 2; POST /v1/refresh",
    run: ({ withDevices }) =>
      withDevices(async (phone) => {
        for (let count = 1; count <= 3; count++) {
          phone.advance(TOKEN_AGE_MS);
          await phone.sync();
          expectSame("POST /v1/refresh", "successes", countOk(phone, "/v1/refresh"), count);
        }
      }),
  },
  "client-outlives-a-lost-refresh": {
    title: "A client whose renewed tokens were lost on the way asks again and stays signed in",
    section: "Trellis decision, sync service: a retry of a refresh gets the same tokens",
    run: ({ withDevices }) =>
      withDevices(async (phone) => {
        phone.advance(TOKEN_AGE_MS);
        phone.network.disturb(loseResponses("/v1/refresh"));
        await phone.expectNotSynced("unreachable");
        await phone.sync();
      }),
  },
  "client-keeps-its-edits-when-its-session-ends": {
    title: "A client that was revoked asks for a new sign-in, and then sends what it kept",
    section: "sync contract, States and transitions 3",
    run: ({ server, newSetting, withDevices }) =>
      withDevices(async (phone, tablet) => {
        const headers = { Authorization: phone.network.bearer() };
        expectStatus(await server.api.send("DELETE", "/v1/device", headers), 200);
        const entityId = newSetting();
        await phone.stored(phone.client.create(entityId, { value: "kept" }));
        await phone.expectNotSynced("sign-in-needed");
        phone.expectShown(entityId, { value: "kept" });
        await phone.signIn();
        await phone.sync();
        await tablet.sync();
        tablet.expectShown(entityId, { value: "kept" });
      }),
  },
  "client-signs-out": {
    title: "A client that signs out ends its session, and no other",
    section: "sync contract, POST /v1/revoke",
    run: ({ server, withDevices }) =>
      withDevices(async (phone, tablet) => {
        const headers = { Authorization: phone.network.bearer() };
        const result = await phone.client.signOut();
        const revoked = result.kind === "signed-out" ? result.revoked : result.kind;
        expectSame("the sign-out of the client", "revoked sessions", revoked, 1);
        const response = await server.api.get("/v1/device", headers);
        if (response.status === 200) fail(response, "a token that has ended", "status 200");
        expectError(response, "invalid_access_token");
        await tablet.sync();
      }),
  },
});

function countOk({ network }: TestClient, path: string): number {
  return network.requests.filter(({ url, status }) => url.pathname.endsWith(path) && status === 200)
    .length;
}
