/** The bodies that the script of the owner's page sends, beside those of every password proof. */
import Type, { type Static } from "typebox";
import { closedObject } from "../closed-object.ts";
import { NextPage } from "../passkey-pages.ts";
import {
  BeginPasswordProof,
  NewVerifier,
  ProofAccepted,
  ProofChallenge,
  proofMembers,
} from "../password-proof.ts";

const ChangePasswordComplete = closedObject({
  ...proofMembers,
  verifier: NewVerifier,
  signOutDevices: Type.Boolean(),
});
/** Sets the first password of an account that signs in with passkeys alone. */
const SetFirstPassword = closedObject({
  action: Type.Literal("set"),
  csrf: Type.String(),
  verifier: NewVerifier,
});
export const ChangePasswordBody = Type.Union([
  BeginPasswordProof,
  ChangePasswordComplete,
  SetFirstPassword,
]);
export const ChangePasswordResponse = Type.Union([ProofChallenge, ProofAccepted, NextPage]);

export type ChangePasswordBody = Static<typeof ChangePasswordBody>;
