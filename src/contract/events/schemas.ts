import Type, { type Static } from "typebox";
import { closedObject } from "../closed-object.ts";
import { CODE_VERIFIER_PATTERN } from "../identity.ts";
import * as proof from "../password-proof.ts";
import { EVENTS_ERROR_CODES } from "./errors.ts";
import { EVENT_TYPES, EVENTS_EXTRAS, INFO_TYPE, PROTOCOL_VERSION, SCOPE } from "./values.ts";

const Text = Type.String();
const TextOrNull = (description: string) => Type.Union([Text, Type.Null()], { description });
const Only = <T extends string>(value: T) => Type.Array(Type.Literal(value));

/** RFC 6749 5.2, RFC 6750 3.1. */
export const EventsError = closedObject({
  error: Type.Enum([...EVENTS_ERROR_CODES], { type: "string" }),
  error_description: Type.String({ pattern: "^[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]{1,256}$" }),
});

export const EventsHealth = closedObject({
  status: Type.Literal("ok"),
  version: Type.Literal(PROTOCOL_VERSION),
});

/** RFC 8414 2, RFC 9207 3. */
export const ServerMetadata = closedObject({
  issuer: Text,
  authorization_endpoint: Text,
  token_endpoint: Text,
  revocation_endpoint: Text,
  scopes_supported: Only(SCOPE),
  response_types_supported: Only("code"),
  response_modes_supported: Only("query"),
  grant_types_supported: Only("authorization_code"),
  token_endpoint_auth_methods_supported: Only("none"),
  revocation_endpoint_auth_methods_supported: Only("none"),
  code_challenge_methods_supported: Only("S256"),
  authorization_response_iss_parameter_supported: Type.Literal(true),
  trellis_passkeys_supported: Type.Optional(
    Type.Boolean({ description: "Whether people can sign in with a passkey (WebAuthn)" }),
  ),
});

/** RFC 6749 3.2: unknown members are ignored. */
export const TokenForm = Type.Object({
  grant_type: Type.Literal("authorization_code"),
  code: Text,
  client_id: Text,
  redirect_uri: Type.String({ description: "The same as in the authorization request" }),
  code_verifier: Type.String({ pattern: CODE_VERIFIER_PATTERN }),
});

export const EventsTokenResponse = closedObject({
  access_token: Text,
  token_type: Type.Literal("Bearer"),
  expires_in: Type.Integer({
    minimum: 0,
    description: "Seconds until an unused token expires; each use extends it",
  }),
  scope: Type.Literal(SCOPE),
});

/** RFC 7009 2.1. */
export const RevocationForm = Type.Object({
  token: Text,
  token_type_hint: Type.Optional(Text),
  client_id: Text,
});

/** RFC 7009 2.2: clients ignore it, but some expect JSON. */
export const RevocationResponse = closedObject({});

export const WireEvent = closedObject({
  id: Type.String({ minLength: 1, description: "Never changes" }),
  type: Type.String({
    minLength: 1,
    description: `Known types are ${EVENT_TYPES.join(", ")}; others are possible`,
  }),
  subject_name: TextOrNull("A school subject, a team, a calendar"),
  title: TextOrNull("What is to be done"),
  date: TextOrNull("YYYY-MM-DD for a whole day, else RFC 3339 with the offset of its zone"),
  created_at: TextOrNull("RFC 3339; never changes"),
});

/** A deleted event. Apps that do not support deletions skip it because of its type. */
export const DeletedEvent = closedObject({
  id: Type.String({ minLength: 1 }),
  type: Type.Literal(INFO_TYPE),
  subject_name: Type.Null(),
  title: Type.Null(),
  date: Type.Null(),
  created_at: TextOrNull("As before the deletion"),
  deleted: Type.Literal(true),
});

export const EventList = closedObject({
  events: Type.Array(Type.Union([WireEvent, DeletedEvent])),
  has_more: Type.Boolean({ description: "Whether there are more events than the limit" }),
  next_updated_since: Type.String({
    format: "date-time",
    description: "The updated_since of the next request, with which no change is missed",
  }),
  server_time: Type.String({ format: "date-time", description: "The clock of the service" }),
  extras: Type.Array(Type.Enum([...EVENTS_EXTRAS], { type: "string" }), {
    description:
      "What the service offers beyond the contract: include_deleted, the members that name the next page, and its clock",
  }),
});

/** Posted by the script of the settings page. */
export const ChangePasswordBegin = proof.BeginPasswordProof;
export const ChangePasswordComplete = closedObject({
  ...proof.proofMembers,
  verifier: proof.NewVerifier,
  /** Removes the passkeys of the account, too. */
  disconnectApps: Type.Boolean(),
});
export const ChangePasswordBody = Type.Union([
  ChangePasswordBegin,
  ChangePasswordComplete,
  proof.SetFirstPassword,
]);

export type EventsError = Static<typeof EventsError>;
export type EventsHealth = Static<typeof EventsHealth>;
export type ServerMetadata = Static<typeof ServerMetadata>;
export type EventsTokenResponse = Static<typeof EventsTokenResponse>;
export type WireEvent = Static<typeof WireEvent>;
export type DeletedEvent = Static<typeof DeletedEvent>;
export type EventList = Static<typeof EventList>;
export type ChangePasswordBody = Static<typeof ChangePasswordBody>;
export type ChangePasswordComplete = Static<typeof ChangePasswordComplete>;
