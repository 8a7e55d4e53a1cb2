/** The limits and names of a sync operation, without TypeBox, so that any client can import them. */

export const DOCUMENT_SCHEMA_VERSION = 1;

export const OPERATION_KINDS = ["create", "patch", "delete", "restore"] as const;
export type OperationKind = (typeof OPERATION_KINDS)[number];

/** `habits` checks entity types and their fields; `open` carries any; `sealed` takes only what a server cannot read. */
export const SYNC_PROFILES = ["habits", "open", "sealed"] as const;
export type SyncProfile = (typeof SYNC_PROFILES)[number];
/** A profile of operations that can be read. */
export type ClearProfile = Exclude<SyncProfile, "sealed">;

/** Members of a document that are no metadata. */
export const DOCUMENT_MEMBERS = ["schemaVersion", "entityId", "deleted", "payload"] as const;

/** The greatest integer that every JSON parser reads exactly. */
export const MAX_SEQUENCE = Number.MAX_SAFE_INTEGER;
/**
 * Devices continue after the greatest sequence they saw, so a wild one takes a step from all of them. In
 * steps of this size the end is 2^33 operations away; an offline device needs a step for each edit.
 */
export const MAX_CLOCK_STEP = 2 ** 20;
/** The first sequence that a log without a clock takes, so that an account can move to another server. */
export const MAX_FIRST_SEQUENCE = 2 ** 40;
/** UTF-8 bytes of one operation's JSON: four of the largest fit the smallest sensible body. */
export const MAX_OPERATION_BYTES = 65_536;
/** In the profile `sealed`, where what has `MAX_OPERATION_BYTES` in the clear must fit, with paddings and base64url. */
export const MAX_SEALED_OPERATION_BYTES = 163_840;
/** The operation itself is level 1. Deep enough for any form, shallow enough for recursive parsers. */
export const MAX_NESTING = 16;
/** The fields of a payload, or of a document's metadata; each is a register that is never removed. */
export const MAX_FIELDS = 256;
/** Characters (code points) of one string or member name: a long note, not a file. */
export const MAX_STRING_CHARACTERS = 32_768;
/** An entity id is an index key, and PostgreSQL allows no key above 2,704 bytes. */
export const MAX_ENTITY_ID_LENGTH = 2048;
/** UTF-8 bytes of a setting's value. Larger values belong in other entities. */
export const MAX_SETTING_BYTES = 4096;
export const MAX_ENTRY_ID_CHARACTERS = 128;

export const ENTITY_TYPE_PATTERN = "^[a-z][a-z0-9-]{0,31}$";

/** In the profile `sealed` an entity id is 32 bytes; unused bits of the last character are zero. */
export const SEALED_ID_PATTERN = "^sealed/[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$";
/** A field name is 16 bytes. */
export const SEALED_NAME_PATTERN = "^[A-Za-z0-9_-]{21}[AQgw]$";

export const HABIT_FREQUENCIES = ["daily", "weekly", "custom"] as const;
/** The days of a week are 1 to 7; a habit names each at most once. */
export const DAYS_OF_WEEK = 7;

/** The error envelope's message is bounded to this many characters. */
export const MAX_MESSAGE_CHARACTERS = 512;
