/** Passkeys at the pages of Trellis, with an authenticator in software. */
import type { PasskeyRequest } from "../../src/contract/passkey.ts";
import { createAuthenticator, type Deviations, type SoftwarePasskey } from "../authenticator.ts";
import { skipUnless } from "../case.ts";
import { ignoreConformanceErrors } from "../check.ts";
import { fail } from "../expect.ts";
import type { ReceivedResponse } from "../http.ts";
import { readScriptData, readSignInPage, type Browser } from "./browser.ts";
import {
  expectMetadata,
  expectNextPage,
  expectPasskeyCreation,
  expectPasskeyChallenge,
} from "./expectations.ts";
import type { EventsServerUnderTest } from "./server-under-test.ts";

const METADATA = "/.well-known/oauth-authorization-server";
const SETTINGS = "/account/settings";

/** What the script of the settings page needs to add a passkey. */
export interface AddPasskeyPage {
  readonly endpoint: string;
  readonly csrf: string;
}

export interface StartedPasskeySignIn {
  readonly csrf: string;
  readonly endpoint: string;
  readonly request: PasskeyRequest;
  complete(passkey: SoftwarePasskey, given?: Deviations): Promise<ReceivedResponse>;
}

/** Adds a passkey to the account, and removes it at the end. */
export async function withPasskey(
  server: EventsServerUnderTest,
  use: (passkey: SoftwarePasskey) => Promise<void>,
): Promise<void> {
  const page = await openSettings(server);
  const browser = await server.signedIn();
  const begun = await browser.postJson(page.endpoint, { action: "begin", csrf: page.csrf });
  const { create } = createAuthenticator(server.publicUrl);
  const { passkey, credential } = create(expectPasskeyCreation(begun));
  const body = { action: "complete", csrf: page.csrf, name: "Conformance", credential };
  expectNextPage(await browser.postJson(page.endpoint, body));
  try {
    await use(passkey);
  } finally {
    await ignoreConformanceErrors(() => removePasskey(server, passkey));
  }
}

export async function openSettings(server: EventsServerUnderTest): Promise<AddPasskeyPage> {
  const browser = await server.signedIn();
  const { trellis_passkeys_supported: isSupported } = expectMetadata(
    await server.api.get(METADATA),
  );
  skipUnless(isSupported === true, "The metadata does not announce trellis_passkeys_supported");
  const response = await browser.get(SETTINGS);
  const page = readScriptData<AddPasskeyPage>(response, "passkey");
  return page ?? fail(response, "the settings page of Trellis, with passkeys", "no passkeys");
}

export async function removePasskey(
  server: EventsServerUnderTest,
  { id }: SoftwarePasskey,
): Promise<void> {
  const { csrf } = await openSettings(server);
  const browser = await server.signedIn();
  await browser.submit(SETTINGS, { csrf, action: "remove-passkey", passkey: id });
}

/** `page` is the sign-in page as the browser got it. */
export async function beginPasskeySignIn(
  server: EventsServerUnderTest,
  browser: Browser,
  page: ReceivedResponse,
): Promise<StartedPasskeySignIn> {
  const { csrf } = readSignInPage(page);
  const { endpoint } =
    readScriptData<{ readonly endpoint: string }>(page, "passkey") ??
    fail(page, "a sign-in page with passkeys", "no passkeys");
  const begun = await browser.postJson(endpoint, { action: "begin", csrf });
  const request = expectPasskeyChallenge(begun);
  return {
    csrf,
    endpoint,
    request,
    complete(passkey, given) {
      const credential = createAuthenticator(server.publicUrl).get(request, passkey, given);
      return browser.postJson(endpoint, { action: "complete", csrf, credential });
    },
  };
}
