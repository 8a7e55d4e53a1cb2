/** The bodies that the script of the owner's page sends and receives. */
import Type from "typebox";
import { ChangePasswordBegin, NewVerifier, proofMembers } from "../password-proof.ts";
import type * as types from "./types.ts";

export {
  ChangePasswordBegin,
  ProofAccepted,
  ProofChallenge,
  ProofResponse,
  SignInBegin,
  SignInBody,
  SignInComplete,
} from "../password-proof.ts";

export const ChangePasswordComplete = Type.Object(
  {
    ...proofMembers,
    verifier: NewVerifier,
    signOutDevices: Type.Boolean(),
  },
  { additionalProperties: false },
);
export const ChangePasswordBody = Type.Union([ChangePasswordBegin, ChangePasswordComplete]);

export type SignInBody = types.SignInBody;
export type ChangePasswordBody = types.ChangePasswordBody;
export type ChangePasswordComplete = types.ChangePasswordComplete;
export type ProofChallenge = types.ProofChallenge;
export type ProofAccepted = types.ProofAccepted;
