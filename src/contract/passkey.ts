/** Passkeys: the JSON forms of WebAuthn Level 3 that pages and services exchange, as JSON Schema 2020-12. */
import Type, { type Static } from "typebox";
import { closedObject } from "./closed-object.ts";

/** One for each device of a person, with room to spare; it bounds what an account stores. */
export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME_CHARACTERS = 64;
/** Adding or removing a way to sign in needs a session that was opened less than this long ago. */
export const FRESH_SESSION_SECONDS = 15 * 60;

// An id has at most 1,023 bytes (WebAuthn 4, "Credential ID").
const CredentialId = Type.String({ pattern: "^[A-Za-z0-9_-]{1,1364}$" });
const Binary = Type.String({ pattern: "^[A-Za-z0-9_-]{1,16384}$" });

// Browsers add members, such as those of extensions, so these objects are open.
const credential = <const R extends Type.TSchema>(response: R) =>
  Type.Object({
    id: CredentialId,
    rawId: CredentialId,
    type: Type.Literal("public-key"),
    response,
  });

/** AuthenticationResponseJSON: what `navigator.credentials.get` returned. */
export const PasskeyAssertion = credential(
  Type.Object({
    clientDataJSON: Binary,
    authenticatorData: Binary,
    signature: Binary,
    userHandle: Type.Optional(Type.Union([Binary, Type.Null()])),
  }),
);
/** RegistrationResponseJSON: what `navigator.credentials.create` returned. */
export const PasskeyRegistration = credential(
  Type.Object({ clientDataJSON: Binary, attestationObject: Binary }),
);

/** What a page needs to ask for a passkey; any discoverable one of this service will do. */
export const PasskeyRequest = closedObject({
  challenge: Type.String(),
  rpId: Type.String(),
  expiresAt: Type.String({ format: "date-time" }),
});

/** PublicKeyCredentialCreationOptionsJSON: what a page needs to make a passkey. */
export const PasskeyCreation = closedObject({
  challenge: Type.String(),
  rp: closedObject({ id: Type.String(), name: Type.String() }),
  user: closedObject({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(
    closedObject({ type: Type.Literal("public-key"), alg: Type.Integer() }),
  ),
  timeout: Type.Integer({ minimum: 0 }),
  attestation: Type.Literal("none"),
  authenticatorSelection: closedObject({
    residentKey: Type.Literal("required"),
    requireResidentKey: Type.Literal(true),
    userVerification: Type.Literal("required"),
  }),
  excludeCredentials: Type.Array(
    closedObject({ type: Type.Literal("public-key"), id: Type.String() }),
  ),
});

export type PasskeyAssertion = Static<typeof PasskeyAssertion>;
export type PasskeyRegistration = Static<typeof PasskeyRegistration>;
export type PasskeyRequest = Static<typeof PasskeyRequest>;
export type PasskeyCreation = Static<typeof PasskeyCreation>;
