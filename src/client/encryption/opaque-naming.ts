/** The ids and names that a server sees in the place of those of the app. They never change. */
import { encodeBase64Url } from "../../rules/base64url.ts";
import { encodeUtf8 } from "../../rules/web-crypto.ts";
import { toKeyedHash, hkdf, type DataKey } from "./data-key.ts";

export type FieldPart = "payload" | "metadata";

export interface OpaqueNaming {
  /** The opaque id, `sealed/…`, of an app's entity id. */
  entityId(entityId: string): string;
  /** The opaque name of a field of the entity that has this opaque id. */
  fieldName(opaqueId: string, part: FieldPart, name: string): string;
}

const NAME_BYTES = 16;

/** The name key is derived from the account's first data key, so every later one must lead back to that. */
export function createOpaqueNaming(first: DataKey): OpaqueNaming {
  const nameKey = hkdf(first.bytes, "name-key");
  const hashId = toKeyedHash(hkdf(nameKey, "entity-id"));
  const hashName = toKeyedHash(hkdf(nameKey, "field-name"));
  return {
    entityId: (entityId) => `sealed/${encodeBase64Url(hashId(encodeUtf8(entityId)))}`,
    fieldName(opaqueId, part, name) {
      const hash = hashName(encodeUtf8(`${opaqueId}\n${part}\n${name}`));
      return encodeBase64Url(hash.subarray(0, NAME_BYTES));
    },
  };
}
