/** The bodies that the script of the owner's page sends, beside those of every password proof. */
import Type, { type Static } from "typebox";
import { closedObject } from "../closed-object.ts";
import { BeginPasswordProof, NewVerifier, proofMembers } from "../password-proof.ts";

const ChangePasswordComplete = closedObject({
  ...proofMembers,
  verifier: NewVerifier,
  signOutDevices: Type.Boolean(),
});
export const ChangePasswordBody = Type.Union([BeginPasswordProof, ChangePasswordComplete]);

export type ChangePasswordBody = Static<typeof ChangePasswordBody>;
