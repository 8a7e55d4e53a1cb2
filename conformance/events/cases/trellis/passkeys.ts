import { expectEach, expectHeader, expectStatus } from "../../../expect.ts";
import { randomText } from "../../../sign-in-keys.ts";
import { createAuthorizePath } from "../../authorize.ts";
import { readConsentForm } from "../../browser.ts";
import { expectError, expectNextPage } from "../../expectations.ts";
import {
  beginPasskeySignIn,
  openSettings,
  removePasskey,
  withPasskey,
  type StartedPasskeySignIn,
} from "../../passkeys.ts";
import { eventsCases, type EventsServerUnderTest } from "../../server-under-test.ts";
import type { ReceivedResponse } from "../../../http.ts";

/** An extension, which the metadata announces. */
export const PASSKEY_PAGE_CASES = eventsCases({
  "passkeys-sign-in-for-an-app": {
    title: "A sign-in with a passkey leads to the consent that an app asks for",
    section: "Trellis decision, events service: passkeys, an extension",
    run: (server) =>
      withPasskey(server, async (passkey) => {
        const browser = server.newBrowser();
        const page = await browser.follow(await createAuthorizePath(server));
        const signIn = await beginPasskeySignIn(server, browser, page);
        const { next } = expectNextPage(await signIn.complete(passkey));
        readConsentForm(await browser.get(next));
      }),
  },
  "passkeys-need-their-page-and-a-verified-person": {
    title: "A signature for another page, name or person, or of an unverified person, is refused",
    section: "Trellis decision, events service: passkeys, an extension",
    run: (server) =>
      withPasskey(server, (passkey) =>
        expectEach(
          [
            { origin: "https://phishing.example" },
            { crossOrigin: true },
            { rpId: "phishing.example" },
            { type: "webauthn.create" },
            { userVerified: false },
            { userHandle: randomText(22) },
          ] as const,
          async (given) =>
            expectRefused(await (await beginSignIn(server)).complete(passkey, given)),
        ),
      ),
  },
  "passkey-challenges-are-for-one-sign-in": {
    title: "The challenge of another page is refused, and every challenge after its first use",
    section: "Trellis decision, events service: passkeys, an extension",
    run: (server) =>
      withPasskey(server, async (passkey) => {
        const [own, other] = [await beginSignIn(server), await beginSignIn(server)];
        const { challenge } = other.request;
        expectRefused(await own.complete(passkey, { challenge }));
        expectNextPage(await own.complete(passkey));
        expectRefused(await own.complete(passkey));
      }),
  },
  "passkey-counters-do-not-go-back": {
    title: "A signature whose counter is not above the last one is refused",
    section: "Trellis decision, events service: passkeys, an extension",
    run: (server) =>
      withPasskey(server, async (passkey) => {
        expectNextPage(await (await beginSignIn(server)).complete(passkey, { counter: 5 }));
        await expectEach([5, 4, 0], async (counter) =>
          expectRefused(await (await beginSignIn(server)).complete(passkey, { counter })),
        );
      }),
  },
  "passkey-requests-need-their-token": {
    title: "Requests with passkeys without the token of the page, or from another site, are 403",
    section: "Trellis decision, events service: passkeys, an extension",
    async run(server) {
      const settings = { ...(await openSettings(server)), browser: await server.signedIn() };
      const browser = server.newBrowser();
      const page = await browser.get("/sign-in");
      const signIn = { ...(await beginPasskeySignIn(server, browser, page)), browser };
      await expectEach([settings, signIn], async ({ browser: sender, endpoint, csrf }) => {
        for (const [token, site] of [
          ["", "same-origin"],
          [randomText(43), "same-origin"],
          [csrf, "cross-site"],
          [csrf, "same-site"],
        ] as const) {
          const body = { action: "begin", csrf: token };
          expectStatus(await sender.postJson(endpoint, body, { "Sec-Fetch-Site": site }), 403);
        }
      });
    },
  },
  "removed-passkeys-sign-nobody-in": {
    title: "A passkey that was removed signs in nobody",
    section: "Trellis decision, events service: passkeys, an extension",
    run: (server) =>
      withPasskey(server, async (passkey) => {
        await removePasskey(server, passkey);
        expectRefused(await (await beginSignIn(server)).complete(passkey));
      }),
  },
});

async function beginSignIn(server: EventsServerUnderTest): Promise<StartedPasskeySignIn> {
  const browser = server.newBrowser();
  return beginPasskeySignIn(server, browser, await browser.get("/sign-in"));
}

function expectRefused(response: ReceivedResponse): void {
  expectError(response, "authentication_failed");
  expectHeader(response, "Set-Cookie", undefined);
}
