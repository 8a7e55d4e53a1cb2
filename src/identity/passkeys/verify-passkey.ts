/** What the library verifies of WebAuthn (Level 3, 7.1 and 7.2), and what it leaves to its callers. */
import { isObject } from "../../contract/is-object.ts";
import type { PasskeyAssertion, PasskeyRegistration } from "../../contract/passkey.ts";
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";
import type { PasskeyRecord } from "./passkey-records.ts";
import type { RelyingParty } from "./relying-party.ts";

/** Ed25519, ECDSA with P-256, RSA with SHA-256: what authenticators have, by preference. */
export const PASSKEY_ALGORITHMS = [-8, -7, -257] as const;

/** A page or a flag that this service did not ask for, or no valid signature. */
export type VerificationFailure = "wrong-origin" | "not-verified" | "unexpected-attestation";

export type VerifiedAssertion =
  | { readonly kind: "verified"; readonly counter: number }
  | { readonly kind: "failed"; readonly reason: VerificationFailure };

export type VerifiedRegistration =
  | (Pick<PasskeyRecord, "credentialId" | "publicKey" | "counter"> & { readonly kind: "verified" })
  | { readonly kind: "failed"; readonly reason: VerificationFailure };

interface ClientData {
  readonly challenge: string;
  readonly origin: string;
  readonly crossOrigin: boolean;
}

/** Loading takes a quarter of a second, so only a service whose users have passkeys does it, once. */
export const loadLibrary = () => import("@simplewebauthn/server");

/** Null when it is not the JSON of a browser (WebAuthn 5.8.1). */
export function readClientData(encoded: string): ClientData | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(encoded, "base64url").toString("utf8"));
    if (!isObject(data)) return null;
    const { challenge, origin, crossOrigin } = data;
    const isText = typeof challenge === "string" && typeof origin === "string";
    return isText ? { challenge, origin, crossOrigin: crossOrigin === true } : null;
  } catch {
    return null;
  }
}

export async function verifyAssertion(
  rp: RelyingParty,
  client: ClientData,
  credential: PasskeyAssertion,
  passkey: PasskeyRecord,
): Promise<VerifiedAssertion> {
  if (!isOwnPage(rp, client)) return { kind: "failed", reason: "wrong-origin" };
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { userHandle: _, ...response } = credential.response;
  const result = await withoutException(() =>
    verifyAuthenticationResponse({
      ...expected(rp, client),
      response: { ...credential, response, clientExtensionResults: {} },
      credential: {
        id: passkey.credentialId,
        publicKey: decodeBase64Url(passkey.publicKey) ?? new Uint8Array(),
        // The caller compares the counter: one that goes back is no mere refusal.
        counter: 0,
      },
    }),
  );
  return result?.verified === true
    ? { kind: "verified", counter: result.authenticationInfo.newCounter }
    : { kind: "failed", reason: "not-verified" };
}

export async function verifyRegistration(
  rp: RelyingParty,
  client: ClientData,
  credential: PasskeyRegistration,
): Promise<VerifiedRegistration> {
  if (!isOwnPage(rp, client)) return { kind: "failed", reason: "wrong-origin" };
  const { verifyRegistrationResponse } = await loadLibrary();
  if (!(await withoutException(() => isUnattested(credential)))) {
    return { kind: "failed", reason: "unexpected-attestation" };
  }
  const result = await withoutException(() =>
    verifyRegistrationResponse({
      ...expected(rp, client),
      response: { ...credential, clientExtensionResults: {} },
      supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
    }),
  );
  const made = result?.verified === true ? result.registrationInfo.credential : null;
  // The contract bounds the id of the request; the library does not compare that of the authenticator with it.
  if (made?.id !== credential.id) return { kind: "failed", reason: "not-verified" };
  const { id, publicKey, counter } = made;
  return { kind: "verified", credentialId: id, publicKey: encodeBase64Url(publicKey), counter };
}

function expected(rp: RelyingParty, { challenge }: ClientData) {
  return {
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: true,
  };
}

/** The pages of a service are in no frame; the library lets some browsers' frames pass. */
function isOwnPage(rp: RelyingParty, { origin, crossOrigin }: ClientData): boolean {
  return origin === rp.origin && !crossOrigin;
}

/**
 * The page asked for no attestation, of which browsers leave only that of the key by itself. For certificates
 * the library would fetch revocation lists, while a transaction waits.
 */
async function isUnattested({ response }: PasskeyRegistration): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const bytes = decodeBase64Url(response.attestationObject) ?? new Uint8Array();
  const attestation = decodeAttestationObject(bytes);
  const format = attestation.get("fmt");
  const isSelf = format === "packed" && attestation.get("attStmt").get("x5c") === undefined;
  return format === "none" || isSelf;
}

/** The library throws for whatever a request has wrong. */
async function withoutException<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
