/** The keys of a catalogue: creates them and lists them. */
import type { KeyObject } from "node:crypto";
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { KEY_ID_PATTERN } from "../../contract/release/values.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import { CATALOG_FILE, KEYS_FILE } from "../../rules/release/catalog-files.ts";
import { roleOf, type KeyRole } from "../../rules/release/key-role.ts";
import { listUpdaterKeys } from "../../rules/release/updater-keys.ts";
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
  return (
    checkKeyId(id) ??
    changeKeys(context, passphrase, ({ catalog, now }, create) =>
      decideKeys(catalog, planKeys(catalog, id, new Date(now).getUTCFullYear()), create),
    )
  );
}

/** Creates a key file; without a private key with a new one. */
type CreateKey = (keyId: string, privateKey?: KeyObject) => ReturnType<typeof createKeyFile>;

/** A change that creates key files. A private key whose public key reached no catalogue is useless. */
export async function changeKeys<T>(
  context: CatalogContext,
  passphrase: string | undefined,
  decide: (state: CatalogState, create: CreateKey) => Promise<Decision<T>>,
): Promise<ChangeResult<T>> {
  const created: CreatedKey[] = [];
  const result = await changeCatalog(context, (state) =>
    decide(state, async (keyId, privateKey) => {
      const key = await createKeyFile(context.keysFolder, keyId, passphrase, privateKey);
      if (key.kind === "created") created.push(key);
      return key;
    }),
  );
  if (result.kind === "refused") for (const key of created) removeKeyFile(key);
  return result;
}

export function checkKeyId(id: string | undefined): PublishingError | null {
  return id === undefined || KEY_ID.test(id)
    ? null
    : publishingError(
        `"${id}" is not a key id: use letters, digits, dots, hyphens and underscores`,
      );
}

async function decideKeys(
  catalog: Catalog,
  plan: KeyPlan | PublishingError,
  create: CreateKey,
): Promise<Decision<CreatedKeys>> {
  if ("kind" in plan) return plan;
  const keys: (CreatedKey & { role: KeyRole })[] = [];
  const ring: Record<string, string> = { ...catalog.keys };
  for (const { keyId, role } of plan.keys) {
    const key = await create(keyId);
    if (key.kind === "refused") return key;
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
  catalog: Catalog,
  id: string | undefined,
  year: number,
): KeyPlan | PublishingError {
  const { signing } = catalog.settings;
  const ring = catalog.keys;
  const taken = takenKeyIds(catalog);
  if (id !== undefined && taken.has(id)) return takenIdError(id);
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

/** The id of a key is also the name of its file, so all kinds of keys share them. */
export function takenKeyIds({ settings, keys }: Pick<Catalog, "settings" | "keys">): Set<string> {
  return new Set([
    ...Object.keys(keys),
    ...(settings.signing.revoked ?? []),
    ...listUpdaterKeys(settings).map(({ keyId }) => keyId),
  ]);
}

export function takenIdError(id: string): PublishingError {
  return publishingError(
    `There is already a key "${id}", in ${KEYS_FILE}, in ${CATALOG_FILE} or revoked: choose another id`,
  );
}

/** `release-2026-01`, `release-2026-02`, and so on. */
export function nextKeyId(taken: ReadonlySet<string>, year: number, prefix = "release"): string {
  for (let number = 1; ; number++) {
    const keyId = `${prefix}-${year}-${String(number).padStart(2, "0")}`;
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
