import { encodeBase64Url } from "../../rules/base64url.ts";
import type { DataKey } from "./data-key.ts";

/** What shows a server that the sender of a request has the key: the value of the header `Trellis-Key`. */
export function toKeyProof({ id, writeSecret }: DataKey): string {
  return `${id}.${encodeBase64Url(writeSecret)}`;
}
