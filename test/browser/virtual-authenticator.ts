/** Chromium's virtual authenticator, which verifies its user and confirms at once, for the frames of a page. */
import type { CDPSession, Page } from "playwright-core";

type Credentials = Awaited<ReturnType<typeof listCredentials>>;

export interface VirtualAuthenticator {
  listCredentials(): Promise<Credentials>;
  /** Replaces all credentials, for example by older copies of them. */
  setCredentials(credentials: Credentials): Promise<void>;
  setUserVerified(isVerified: boolean): Promise<void>;
}

/** As in a browser that does not offer passkeys in its autofill: the authenticator would accept at once. */
export function disableAutofill(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
  });
}

export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send("WebAuthn.enable");
  const { authenticatorId } = await devTools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    listCredentials: () => listCredentials(devTools, authenticatorId),
    async setCredentials(credentials) {
      await devTools.send("WebAuthn.clearCredentials", { authenticatorId });
      for (const credential of credentials) {
        await devTools.send("WebAuthn.addCredential", { authenticatorId, credential });
      }
    },
    async setUserVerified(isUserVerified) {
      await devTools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
  };
}

async function listCredentials(devTools: CDPSession, authenticatorId: string) {
  return (await devTools.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
}
