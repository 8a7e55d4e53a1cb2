/** The bodies that the script of the owner's page sends and receives. */
import Type from "typebox";
import { closedObject } from "../closed-object.ts";
import * as proof from "../password-proof.ts";
import type * as types from "./types.ts";

export { ProofAccepted, ProofChallenge, ProofResponse } from "../password-proof.ts";

export const SignInBegin = proof.SignInBegin;
export const SignInComplete = proof.SignInComplete;
export const SignInBody = Type.Union([SignInBegin, SignInComplete]);

export const ChangePasswordBegin = proof.ChangePasswordBegin;
export const ChangePasswordComplete = closedObject({
  ...proof.proofMembers,
  verifier: proof.NewVerifier,
  signOutDevices: Type.Boolean(),
});
export const ChangePasswordBody = Type.Union([ChangePasswordBegin, ChangePasswordComplete]);

export type SignInBody = types.SignInBody;
export type ChangePasswordBody = types.ChangePasswordBody;
export type ChangePasswordComplete = types.ChangePasswordComplete;
export type ProofChallenge = types.ProofChallenge;
export type ProofAccepted = types.ProofAccepted;
