/**
 * An authenticator in software (WebAuthn Level 3, 6): makes passkeys with P-256 and no attestation, and
 * signs with them. On demand it does what no honest browser or authenticator would.
 */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import type {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from "../src/contract/passkey.ts";

/** What differs from an honest ceremony. */
export interface Deviations {
  /** Of the page that asked. */
  readonly origin?: string;
  /** Whether the page says that it was inside one of another origin. */
  readonly crossOrigin?: boolean;
  /** Another challenge than that of the server. */
  readonly challenge?: string;
  /** Another relying party than that of the server. */
  readonly rpId?: string;
  /** Another type than the request has. */
  readonly type?: "webauthn.get" | "webauthn.create";
  /** Whether a person touched it. */
  readonly userPresent?: boolean;
  /** Whether it verified the person, such as by a PIN. */
  readonly userVerified?: boolean;
  /** The counter that it reports. */
  readonly counter?: number;
  /** Another user handle than that of the passkey. */
  readonly userHandle?: string;
  /** Of a new passkey. */
  readonly credentialId?: string;
  /** The form of its attestation. */
  readonly attestation?: "none" | "tpm" | "apple" | "packed-with-certificates";
}

/** A passkey in memory with its private key, for tests alone. */
export interface SoftwarePasskey {
  /** The credential id, in Base64URL. */
  readonly id: string;
  /** The handle of the account, in Base64URL. */
  readonly userHandle: string;
  /** The key that signs. */
  readonly privateKey: KeyObject;
  /** Of the last signature; an authenticator that does not count always has 0. */
  counter: number;
}

/** A passkey with the response of its registration, which the service checks when it is added. */
export interface MadePasskey {
  /** What the authenticator keeps. */
  readonly passkey: SoftwarePasskey;
  /** What the page sends to the server. */
  readonly credential: PasskeyRegistration;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

/**
 * Makes an authenticator in software, so that a test signs in with passkeys without a person. Give the
 * passkey that it makes to `checkSync`.
 * @param origin - the origin of the pages that ask for a passkey
 * @returns functions that make a passkey and sign with it
 * @example
 * ```ts
 * import { createAuthenticator } from "trellis/conformance";
 *
 * const authenticator = createAuthenticator("https://sync.example.com");
 * console.log(Object.keys(authenticator));
 * ```
 */
export function createAuthenticator(origin: string) {
  /** WebAuthn 5.8.1 */
  const writeClientData = (type: string, challenge: string, given: Deviations) =>
    Buffer.from(
      JSON.stringify({
        type: given.type ?? type,
        challenge: given.challenge ?? challenge,
        origin: given.origin ?? origin,
        crossOrigin: given.crossOrigin ?? false,
      }),
    );

  return {
    create(
      { challenge, rp, user }: Pick<PasskeyCreation, "challenge" | "rp" | "user">,
      given: Deviations = {},
    ): MadePasskey {
      const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const { credentialId, attestation = "none" } = given;
      const id = credentialId ? Buffer.from(credentialId, "base64url") : randomBytes(32);
      const attested = [Buffer.alloc(16), writeLength(id), id, writeCoseKey(publicKey)];
      const authenticatorData = writeAuthenticatorData(rp.id, HAS_CREDENTIAL, 0, given, attested);
      const counter = given.counter ?? 0;
      const passkey = { id: id.toString("base64url"), userHandle: user.id, privateKey, counter };
      const clientData = writeClientData("webauthn.create", challenge, given);
      return {
        passkey,
        credential: {
          ...describe(passkey),
          response: {
            clientDataJSON: clientData.toString("base64url"),
            attestationObject: writeAttestation(authenticatorData, attestation).toString(
              "base64url",
            ),
          },
        },
      };
    },

    get(
      { challenge, rpId }: Pick<PasskeyRequest, "challenge" | "rpId">,
      passkey: SoftwarePasskey,
      given: Deviations = {},
    ): PasskeyAssertion {
      passkey.counter = given.counter ?? (passkey.counter === 0 ? 0 : passkey.counter + 1);
      const authenticatorData = writeAuthenticatorData(rpId, 0, passkey.counter, given);
      const clientData = writeClientData("webauthn.get", challenge, given);
      const signed = Buffer.concat([authenticatorData, sha256(clientData)]);
      return {
        ...describe(passkey),
        response: {
          clientDataJSON: clientData.toString("base64url"),
          authenticatorData: authenticatorData.toString("base64url"),
          signature: sign("sha256", signed, passkey.privateKey).toString("base64url"),
          userHandle: given.userHandle ?? passkey.userHandle,
        },
      };
    },
  };
}

function describe({ id }: SoftwarePasskey) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
}

function sha256(bytes: string | Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** WebAuthn 6.1 */
function writeAuthenticatorData(
  rpId: string,
  flags: number,
  counter: number,
  given: Deviations,
  attested: readonly Buffer[] = [],
): Buffer {
  const fixed = Buffer.alloc(5);
  const isPresent = given.userPresent === false ? 0 : USER_PRESENT;
  fixed[0] = flags | isPresent | (given.userVerified === false ? 0 : USER_VERIFIED);
  fixed.writeUInt32BE(given.counter ?? counter, 1);
  return Buffer.concat([sha256(given.rpId ?? rpId), fixed, ...attested]);
}

/** CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y} (RFC 9053 7.1.1). */
function writeCoseKey(publicKey: KeyObject): Buffer {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  return Buffer.concat([
    Buffer.from("a5010203262001215820", "hex"),
    Buffer.from(x, "base64url"),
    Buffer.from("225820", "hex"),
    Buffer.from(y, "base64url"),
  ]);
}

/** CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes} (WebAuthn 6.5). */
function writeAttestation(
  authenticatorData: Buffer,
  attestation: NonNullable<Deviations["attestation"]>,
): Buffer {
  const text = (value: string) => Buffer.from([0x60 + value.length, ...Buffer.from(value)]);
  const [format = "none", certificates] = attestation.split("-with-");
  // {"x5c": []}
  const statement = certificates
    ? [Buffer.from([0xa1]), text("x5c"), Buffer.from([0x80])]
    : [Buffer.from([0xa0])];
  return Buffer.concat([
    Buffer.from([0xa3]),
    text("fmt"),
    text(format),
    text("attStmt"),
    ...statement,
    text("authData"),
    Buffer.from([0x59]),
    writeLength(authenticatorData),
    authenticatorData,
  ]);
}

function writeLength({ length }: Buffer): Buffer {
  return Buffer.from([length >> 8, length & 0xff]);
}
