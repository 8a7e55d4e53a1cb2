/** The keys of a catalogue: creates them and lists them. */
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { KEY_ID_PATTERN } from "../../contract/release/values.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import { CATALOG_FILE, KEYS_FILE } from "../../rules/release/catalog-files.ts";
import { roleOf, type KeyRole } from "../../rules/release/key-role.ts";
import {
  changeCatalog,
  formatJson,
  publishingError,
  type CatalogState,
  type ChangeResult,
  type Decision,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";
import { createKeyFile, hasKeyFile, removeKeyFile, type CreatedKey } from "./key-files.ts";

export interface CreatedKeys {
  readonly keys: readonly (CreatedKey & { readonly role: KeyRole })[];
  readonly signing: CatalogFile["signing"];
}

const KEY_ID = new RegExp(KEY_ID_PATTERN);

export async function createKeys(
  context: CatalogContext,
  id: string | undefined,
  passphrase: string | undefined,
): Promise<ChangeResult<CreatedKeys>> {
  if (id !== undefined && !KEY_ID.test(id)) {
    return publishingError(
      `"${id}" is no key id: use letters, digits, dots, hyphens and underscores`,
    );
  }
  const created: CreatedKey[] = [];
  const result = await changeCatalog<CreatedKeys>(context, (state) =>
    decideKeys(context, state, id, passphrase, created),
  );
  // A private key whose public key reached no ring is useless.
  if (result.kind === "refused") for (const key of created) removeKeyFile(key);
  return result;
}

async function decideKeys(
  context: CatalogContext,
  { catalog, now }: CatalogState,
  id: string | undefined,
  passphrase: string | undefined,
  created: CreatedKey[],
): Promise<Decision<CreatedKeys>> {
  const plan = planKeys(catalog.settings.signing, catalog.keys, id, new Date(now).getUTCFullYear());
  if ("kind" in plan) return plan;
  const keys: (CreatedKey & { role: KeyRole })[] = [];
  const ring: Record<string, string> = { ...catalog.keys };
  for (const { keyId, role } of plan.keys) {
    const key = await createKeyFile(context.keysFolder, keyId, passphrase);
    if (key.kind === "refused") return key;
    created.push(key);
    keys.push({ ...key, role });
    ring[keyId] = key.publicKey;
  }
  const changes = [{ file: KEYS_FILE, content: formatJson(ring) }];
  if (plan.keys.some(({ role }) => role !== "unused")) {
    const settings: CatalogFile = { ...catalog.settings, signing: plan.signing };
    changes.push({ file: CATALOG_FILE, content: formatJson(settings) });
  }
  return { kind: "change", changes, result: { keys, signing: plan.signing } };
}

interface KeyPlan {
  readonly keys: readonly { readonly keyId: string; readonly role: KeyRole }[];
  readonly signing: CatalogFile["signing"];
}

function planKeys(
  signing: CatalogFile["signing"],
  ring: Readonly<Record<string, string>>,
  id: string | undefined,
  year: number,
): KeyPlan | PublishingError {
  const taken = new Set([...Object.keys(ring), ...(signing.revoked ?? [])]);
  if (id !== undefined && taken.has(id)) {
    return publishingError(
      `There is already a key "${id}", in ${KEYS_FILE} or revoked: choose another id`,
    );
  }
  if (Object.keys(ring).length === 0) {
    const active = id ?? signing.active;
    taken.add(active);
    const planned = signing.standby;
    const standby = planned !== undefined && planned !== active ? planned : nextKeyId(taken, year);
    return {
      keys: [
        { keyId: active, role: "active" },
        { keyId: standby, role: "standby" },
      ],
      signing: { ...signing, active, standby },
    };
  }
  const keyId = id ?? nextKeyId(taken, year);
  return signing.standby === undefined
    ? { keys: [{ keyId, role: "standby" }], signing: { ...signing, standby: keyId } }
    : { keys: [{ keyId, role: "unused" }], signing };
}

/** `release-2026-01`, `release-2026-02`, and so on. */
export function nextKeyId(taken: ReadonlySet<string>, year: number): string {
  for (let number = 1; ; number++) {
    const keyId = `release-${year}-${String(number).padStart(2, "0")}`;
    if (!taken.has(keyId)) return keyId;
  }
}

export interface KeyOverview {
  readonly keyId: string;
  readonly publicKey: string;
  readonly role: KeyRole;
  /** Whether the private key is on this machine. */
  readonly isHere: boolean;
}

export function listKeys(catalog: Catalog, keysFolder: string): KeyOverview[] {
  return Object.entries(catalog.keys).map(([keyId, publicKey]) => ({
    keyId,
    publicKey,
    role: roleOf(keyId, catalog),
    isHere: hasKeyFile(keysFolder, keyId),
  }));
}
