/** Makes signing keys and enters their public halves in the catalogue's ring. */
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { KEY_ID_PATTERN } from "../../contract/release/values.ts";
import { CATALOG_FILE, KEYS_FILE } from "../../rules/release/catalog-files.ts";
import {
  changeCatalog,
  formatJson,
  refuse,
  type CatalogState,
  type Change,
  type Decision,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";
import { createKeyFile, removeKeyFile, type CreatedKey } from "./keys.ts";

export interface CreatedKeys {
  readonly keys: readonly (CreatedKey & { readonly role: KeyRole })[];
  readonly signing: CatalogFile["signing"];
}

/** A key without a role is in the ring for apps to learn it early, or because it has signed before. */
export type KeyRole = "active" | "standby" | "none";

const KEY_ID = new RegExp(KEY_ID_PATTERN);

export async function createKeys(
  bench: CatalogContext,
  id: string | undefined,
  passphrase: string | undefined,
): Promise<Change<CreatedKeys>> {
  if (id !== undefined && !KEY_ID.test(id)) {
    return refuse(`"${id}" is no key id: use letters, digits, dots, hyphens and underscores`);
  }
  const created: CreatedKey[] = [];
  const outcome = await changeCatalog<CreatedKeys>(bench, (state) =>
    decideKeys(bench, state, id, passphrase, created),
  );
  // A private key whose public half reached no ring is of no use to anybody.
  if (outcome.kind === "refused") for (const key of created) removeKeyFile(key);
  return outcome;
}

function decideKeys(
  bench: CatalogContext,
  { catalog, now }: CatalogState,
  id: string | undefined,
  passphrase: string | undefined,
  created: CreatedKey[],
): Decision<CreatedKeys> {
  const plan = planKeys(catalog.settings.signing, catalog.keys, id, new Date(now).getUTCFullYear());
  if ("kind" in plan) return plan;
  const keys: (CreatedKey & { role: KeyRole })[] = [];
  const ring: Record<string, string> = { ...catalog.keys };
  for (const { keyId, role } of plan.keys) {
    const key = createKeyFile(bench.keysFolder, keyId, passphrase);
    if (key.kind === "refused") return key;
    created.push(key);
    keys.push({ ...key, role });
    ring[keyId] = key.publicKey;
  }
  const changes = [{ file: KEYS_FILE, content: formatJson(ring) }];
  if (plan.keys.some(({ role }) => role !== "none")) {
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
  if (id !== undefined && Object.hasOwn(ring, id)) {
    return refuse(`There is already a key "${id}" in ${KEYS_FILE}: choose another id`);
  }
  const taken = new Set(Object.keys(ring));
  if (taken.size === 0) {
    const active = id ?? signing.active;
    taken.add(active);
    const planned = signing.standby;
    const standby = planned !== undefined && planned !== active ? planned : nextKeyId(taken, year);
    return {
      keys: [
        { keyId: active, role: "active" },
        { keyId: standby, role: "standby" },
      ],
      signing: { active, standby },
    };
  }
  const keyId = id ?? nextKeyId(taken, year);
  return signing.standby === undefined
    ? { keys: [{ keyId, role: "standby" }], signing: { ...signing, standby: keyId } }
    : { keys: [{ keyId, role: "none" }], signing };
}

/** `release-2026-01`, `release-2026-02`, and so on. */
export function nextKeyId(taken: ReadonlySet<string>, year: number): string {
  for (let number = 1; ; number++) {
    const keyId = `release-${year}-${String(number).padStart(2, "0")}`;
    if (!taken.has(keyId)) return keyId;
  }
}
