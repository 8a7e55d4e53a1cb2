import { utf8Length } from "../../rules/sync/operation-bounds.ts";
import { SEAL_BYTES } from "../../rules/sync/sealed-operation.ts";
import { padmeLength } from "./envelope.ts";
import { readSealedMember } from "./sealed-member.ts";

/** `2.`, the id of a key, and a dot. */
const ENVELOPE_START = 25;

/** The bytes that an operation which waits has in a push; every key seals to the same length. */
export function sealedBytes(text: string): number {
  const member = readSealedMember(text);
  if (!member.startsWith("[")) return utf8Length(text);
  const others = utf8Length(text) - utf8Length(JSON.stringify(member)) + 2;
  const sealed = SEAL_BYTES + padmeLength(utf8Length(member));
  return others + ENVELOPE_START + Math.ceil((sealed * 4) / 3);
}
