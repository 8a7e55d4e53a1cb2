/** The bodies by which pages with browser sessions use and add passkeys, as JSON Schema 2020-12. */
import Type, { type Static } from "typebox";
import { closedObject } from "./closed-object.ts";
import {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyRegistration,
  PasskeyRequest,
} from "./passkey.ts";

const Text = Type.String();
const Begin = closedObject({ action: Type.Literal("begin"), csrf: Text });
export const NextPage = closedObject({ next: Type.String({ description: "The path to go to" }) });

export const PasskeySignInBody = Type.Union([
  Begin,
  closedObject({ action: Type.Literal("complete"), csrf: Text, credential: PasskeyAssertion }),
]);
export const PasskeySignInResponse = Type.Union([PasskeyRequest, NextPage]);

export const AddPasskeyBody = Type.Union([
  Begin,
  closedObject({
    action: Type.Literal("complete"),
    csrf: Text,
    name: Text,
    credential: PasskeyRegistration,
  }),
]);
export const AddPasskeyResponse = Type.Union([PasskeyCreation, NextPage]);

export type PasskeySignInBody = Static<typeof PasskeySignInBody>;
export type AddPasskeyBody = Static<typeof AddPasskeyBody>;

/** What a page shows of the passkeys of an account. */
export interface PasskeysView {
  readonly passkeys: readonly PasskeyItem[];
  /** Whether the session is new enough to add and remove passkeys. */
  readonly isFresh: boolean;
}

export interface PasskeyItem {
  readonly credentialId: string;
  readonly name: string;
  readonly createdAt: number;
  /** Null before the first sign-in with it. */
  readonly lastUsedAt: number | null;
}

export type PasskeyNotice = "passkey-added" | "passkey-named" | "passkey-removed";
export type PasskeyError = "passkey-gone" | "passkey-name-invalid" | "last-way-in" | "not-fresh";
