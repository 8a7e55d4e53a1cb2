/** The bodies by which a page's script proves a password to its own service, as JSON Schema 2020-12. */
import Type, { type Static } from "typebox";
import { closedObject } from "./closed-object.ts";

const Text = Type.String();
const Count = Type.Integer({ minimum: 0 });

export const proofMembers = {
  action: Type.Literal("complete"),
  csrf: Text,
  challengeId: Text,
  clientNonce: Text,
  proof: Text,
};

export const SignInBegin = closedObject({
  action: Type.Literal("begin"),
  csrf: Text,
  username: Text,
});
export const SignInComplete = closedObject(proofMembers);
export const SignInBody = Type.Union([SignInBegin, SignInComplete]);

/** Begins a proof of the signed-in account's password. */
export const BeginPasswordProof = closedObject({ action: Type.Literal("begin"), csrf: Text });
/** What a service stores of a new password. */
export const NewVerifier = closedObject({
  salt: Text,
  iterations: Count,
  storedKey: Text,
  serverKey: Text,
});
/** Sets the first password of an account that signs in with passkeys alone. */
export const SetFirstPassword = closedObject({
  action: Type.Literal("set"),
  csrf: Text,
  verifier: NewVerifier,
});

export const ProofChallenge = closedObject({
  challengeId: Text,
  salt: Text,
  iterations: Count,
  serverNonce: Text,
  expiresAt: Type.String({ format: "date-time" }),
});
export const ProofAccepted = closedObject({
  serverSignature: Text,
  next: Type.String({ description: "The path to go to" }),
});
export const ProofResponse = Type.Union([ProofChallenge, ProofAccepted]);

export type SignInBody = Static<typeof SignInBody>;
export type SignInComplete = Static<typeof SignInComplete>;
export type ProofChallenge = Static<typeof ProofChallenge>;
export type ProofAccepted = Static<typeof ProofAccepted>;
