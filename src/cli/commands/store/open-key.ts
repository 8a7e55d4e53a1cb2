import { randomBytes } from "node:crypto";
import {
  createInstanceKey,
  INSTANCE_KEY_BYTES,
  openInstanceKey,
  readInstanceSecret,
  type InstanceKey,
} from "../../../identity/instance-key.ts";
import type { StoreAccess } from "../../../server/leased-store.ts";
import type { StoreContext } from "../../command.ts";

/** A command that only reads creates no key: it continues with one that decrypts nothing, and says so. */
export function openKey(
  context: Pick<StoreContext, "warn">,
  access: StoreAccess,
  path: string,
): InstanceKey {
  if (access !== "read") return openInstanceKey(path);
  const secret = readInstanceSecret(path);
  if (secret === null) {
    context.warn(
      `There is no instance key at "${path}", so what the store has encrypted cannot be read: put the key file back`,
    );
  }
  return createInstanceKey(secret ?? randomBytes(INSTANCE_KEY_BYTES));
}
