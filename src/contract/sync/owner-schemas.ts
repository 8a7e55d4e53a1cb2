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
  SetFirstPassword,
} from "../password-proof.ts";

const ChangePasswordComplete = closedObject({
  ...proofMembers,
  verifier: NewVerifier,
  /** Removes the passkeys of the account, too. */
  signOutDevices: Type.Boolean(),
});
export const ChangePasswordBody = Type.Union([
  BeginPasswordProof,
  ChangePasswordComplete,
  SetFirstPassword,
]);
export const ChangePasswordResponse = Type.Union([ProofChallenge, ProofAccepted, NextPage]);

export type ChangePasswordBody = Static<typeof ChangePasswordBody>;
