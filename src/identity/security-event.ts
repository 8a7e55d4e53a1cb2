/** What an operator must learn about sign-ins and the store: each is logged, and counted for good. */
export const SECURITY_EVENT_KINDS = [
  /** A refresh token was used again, so there is a copy of it; its device was revoked. */
  "refresh-token-reuse",
  /** An authorization code was used again; the session or grant of its first use was revoked. */
  "code-replay",
  /** After too many failed sign-ins of a name or a network, further ones must wait. */
  "throttling-begun",
  /** A device or browser signed in that was not signed in before. */
  "new-device",
  /** The password of an account was changed. */
  "password-changed",
  /** A device or browser was signed out, by itself or by its owner. */
  "device-signed-out",
  /** Every device and browser was signed out at once. */
  "signed-out-everywhere",
  /** The owner deleted everything: the data, the devices and the account. */
  "everything-deleted",
  /** An operator made a sign-in link. */
  "sign-in-link-made",
  /** A browser used a sign-in link: it is known from now on, and still needs the password. */
  "sign-in-link-used",
  /** An operator made an invitation. */
  "invitation-made",
  /** A person created an account with an invitation. */
  "invitation-used",
  /** An operator made a link for a person who forgot the password. */
  "reset-link-made",
  /** A person set a new password with a link: all that was signed in was signed out. */
  "reset-link-used",
  /** A passkey was added to an account. */
  "passkey-added",
  /** A passkey of an account was removed. */
  "passkey-removed",
  /** A passkey signed with a counter that is not above its last one, so there may be a copy; refused. */
  "passkey-counter-went-back",
  /** The store was rolled back: it is behind its high-water mark, or behind the last revocation. */
  "store-restored",
  /** The store was rolled back together with its high-water mark: a device knows a later history. */
  "store-rolled-back",
  /** A worker process ended without a signal to stop. */
  "worker-death",
] as const;

/**
 * The kinds of security events, such as `new-device` or `refresh-token-reuse`, by which an alert can be set.
 */
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/** What an owner does in the course of things: worth knowing when it was someone else. */
const OWNER_EVENT_KINDS = [
  "new-device",
  "password-changed",
  "device-signed-out",
  "signed-out-everywhere",
  "everything-deleted",
  "sign-in-link-made",
  "sign-in-link-used",
  "invitation-made",
  "invitation-used",
  "reset-link-made",
  "reset-link-used",
  "passkey-added",
  "passkey-removed",
] as const satisfies readonly SecurityEventKind[];

export type OwnerEventKind = (typeof OWNER_EVENT_KINDS)[number];

export function isOwnerEvent(kind: SecurityEventKind): kind is OwnerEventKind {
  return OWNER_EVENT_KINDS.some((known) => known === kind);
}

/** An event has no names, tokens or addresses. */
export interface SecurityEvent {
  /** Which event. */
  readonly kind: SecurityEventKind;
  /** The prefix of the network that the request came from; null without a request. */
  readonly network: string | null;
}

/** The notice of a security event, which a service gives to `onNotice` when the event happens. */
export interface SecurityNotice {
  /** Tells it from other notices. */
  readonly kind: "security-event";
  /** What happened, without a name or an address. */
  readonly event: SecurityEvent;
}

/** How often a security event happened in a store, and when it last did. */
export interface SecurityCount {
  /** Which event. */
  readonly kind: SecurityEventKind;
  /** How often it happened since the store was created. */
  readonly total: number;
  /** Milliseconds since 1970. */
  readonly lastAt: number;
}
