/**
 * The two ceremonies of WebAuthn, with the JSON forms of Level 3. The conversion is our own, because
 * several supported browsers lack `parseCreationOptionsFromJSON` and `toJSON`.
 */
import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from "../../contract/passkey.ts";
import { decodeBase64Url, encodeBase64Url } from "../../rules/base64url.ts";

export type CeremonyResult<Credential> =
  | { readonly kind: "credential"; readonly credential: Credential }
  | CeremonyError;

export type CeremonyError = {
  readonly kind:
    /** Browsers do not tell a refusal of the person from a timeout or a missing passkey. */
    | "cancelled"
    /** The authenticator has a passkey of this account already. */
    | "already-added"
    /** The authenticator cannot store a passkey, or cannot verify the person. */
    | "unsupported"
    | "failed";
};

export interface PasskeyRequestOptions {
  /** With `conditional` the browser offers passkeys in the autofill of the user name. */
  readonly mediation: "optional" | "conditional";
  readonly signal: AbortSignal;
}

export function hasPasskeySupport(): boolean {
  return typeof PublicKeyCredential === "function";
}

export async function hasAutofillSupport(): Promise<boolean> {
  // Safari 15 and Chrome before 108 lack the function.
  const { isConditionalMediationAvailable } = PublicKeyCredential as Partial<
    typeof PublicKeyCredential
  >;
  return isConditionalMediationAvailable !== undefined
    ? isConditionalMediationAvailable.call(PublicKeyCredential).catch(() => false)
    : false;
}

export function requestPasskey(
  { challenge, rpId }: Pick<PasskeyRequest, "challenge" | "rpId">,
  { mediation, signal }: PasskeyRequestOptions,
): Promise<CeremonyResult<PasskeyAssertion>> {
  return perform(async () => {
    const credential = await navigator.credentials.get({
      mediation,
      signal,
      publicKey: { challenge: decode(challenge), rpId, userVerification: "required" },
    });
    const { response, common } = readCredential(credential, AuthenticatorAssertionResponse);
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return {
      ...common,
      response: {
        clientDataJSON: encode(clientDataJSON),
        authenticatorData: encode(authenticatorData),
        signature: encode(signature),
        ...(userHandle !== null && { userHandle: encode(userHandle) }),
      },
    };
  });
}

/** `options` is the response of the page's own service; a value that is not valid fails the ceremony. */
export function createPasskey(
  options: Readonly<Record<string, unknown>>,
): Promise<CeremonyResult<PasskeyRegistration>> {
  return perform(async () => {
    const creation = options as PasskeyCreation;
    const { challenge, user, excludeCredentials } = creation;
    const publicKey = {
      ...creation,
      challenge: decode(challenge),
      user: { ...user, id: decode(user.id) },
      excludeCredentials: excludeCredentials.map(({ type, id }) => ({ type, id: decode(id) })),
    };
    const credential = await navigator.credentials.create({ publicKey });
    const { response, common } = readCredential(credential, AuthenticatorAttestationResponse);
    return {
      ...common,
      response: {
        clientDataJSON: encode(response.clientDataJSON),
        attestationObject: encode(response.attestationObject),
      },
    };
  });
}

function readCredential<R extends AuthenticatorResponse>(
  credential: Credential | null,
  type: { new (): R },
) {
  if (!(credential instanceof PublicKeyCredential) || !(credential.response instanceof type)) {
    throw new TypeError("The browser returned another kind of credential");
  }
  const id = encode(credential.rawId);
  return {
    response: credential.response,
    common: { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} },
  };
}

async function perform<C>(ceremony: () => Promise<C>): Promise<CeremonyResult<C>> {
  try {
    return { kind: "credential", credential: await ceremony() };
  } catch (error) {
    return { kind: KINDS_BY_NAME.get(error instanceof Error ? error.name : "") ?? "failed" };
  }
}

const KINDS_BY_NAME: ReadonlyMap<string, CeremonyError["kind"]> = new Map([
  ["NotAllowedError", "cancelled"],
  ["AbortError", "cancelled"],
  ["InvalidStateError", "already-added"],
  ["ConstraintError", "unsupported"],
  ["NotSupportedError", "unsupported"],
]);

function decode(text: string): Uint8Array<ArrayBuffer> {
  const bytes = decodeBase64Url(text);
  if (bytes === null) throw new TypeError("The service sent a value that is not Base64URL");
  return bytes;
}

function encode(bytes: ArrayBuffer): string {
  return encodeBase64Url(new Uint8Array(bytes));
}
