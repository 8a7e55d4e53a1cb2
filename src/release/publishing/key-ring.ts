/** The keys of a catalogue: creates them, lists them, and lets the standby key take over. */
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { KEY_ID_PATTERN } from "../../contract/release/values.ts";
import type { Catalog } from "../../rules/release/catalog.ts";
import { CATALOG_FILE, KEYS_FILE, MANIFEST_FILE } from "../../rules/release/catalog-files.ts";
import {
  changeCatalog,
  formatJson,
  hasHistory,
  readForChange,
  publishingError,
  type CatalogState,
  type ChangeResult,
  type Decision,
  type PublishingError,
  type CatalogContext,
} from "./change-catalog.ts";
import {
  createKeyFile,
  hasKeyFile,
  openKeyFile,
  removeKeyFile,
  type CreatedKey,
  type PassphraseSource,
  type SigningKey,
} from "./key-files.ts";
import { lostManifestError, signManifest, type ManifestSummary } from "./sign-manifest.ts";

export interface CreatedKeys {
  readonly keys: readonly (CreatedKey & { readonly role: KeyRole })[];
  readonly signing: CatalogFile["signing"];
}

/** A key without a role is in the ring because apps shall learn it early, or because it signed before. */
export type KeyRole = "active" | "standby" | "none";

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

function decideKeys(
  context: CatalogContext,
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
    const key = createKeyFile(context.keysFolder, keyId, passphrase);
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
    return publishingError(`There is already a key "${id}" in ${KEYS_FILE}: choose another id`);
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

export interface KeyOverview {
  readonly keyId: string;
  readonly publicKey: string;
  readonly role: KeyRole;
  /** Whether the private key is on this machine. */
  readonly isHere: boolean;
}

export function listKeys({ settings, keys }: Catalog, keysFolder: string): KeyOverview[] {
  const { active, standby } = settings.signing;
  return Object.entries(keys).map(([keyId, publicKey]) => ({
    keyId,
    publicKey,
    role: keyId === active ? "active" : keyId === standby ? "standby" : "none",
    isHere: hasKeyFile(keysFolder, keyId),
  }));
}

export interface RotatedKeys {
  readonly signing: CatalogFile["signing"];
  /** The key that signed until now. */
  readonly retired: string;
  /** Null when nothing is published yet. */
  readonly manifest: ManifestSummary | null;
}

/** `nextStandby` names a key of the ring; absent: there is no standby key until one is made. */
export async function rotateKeys(
  context: CatalogContext,
  nextStandby: string | undefined,
  askPassphrase: PassphraseSource,
): Promise<ChangeResult<RotatedKeys>> {
  const state = await readForChange(context);
  if (state.kind === "refused") return state;
  const { settings, keys } = state.catalog;
  const { standby } = settings.signing;
  if (Object.keys(keys).length === 0 || standby === undefined) {
    return publishingError(
      "There is no standby key to take over: make one with `trellis release key new`",
    );
  }
  const key = await openKeyFile(context.keysFolder, standby, keys, askPassphrase);
  if (key.kind === "refused") return key;
  return changeCatalog(context, (current) => decideRotation(current, key, nextStandby));
}

function decideRotation(
  { catalog, manifest, now }: CatalogState,
  key: SigningKey,
  nextStandby: string | undefined,
): Decision<RotatedKeys> {
  const { active: retired, standby } = catalog.settings.signing;
  if (standby !== key.keyId) {
    return publishingError("Another process changed the keys meanwhile: run the command again");
  }
  if (nextStandby !== undefined && !Object.hasOwn(catalog.keys, nextStandby)) {
    return publishingError(
      `"${nextStandby}" is not in ${KEYS_FILE}: make it with \`trellis release key new\``,
    );
  }
  if (nextStandby === key.keyId)
    return publishingError(`"${nextStandby}" becomes the active key itself`);
  if (manifest === null && hasHistory(catalog)) return lostManifestError();
  const signing = {
    active: key.keyId,
    ...(nextStandby !== undefined && { standby: nextStandby }),
  };
  const settings: CatalogFile = { ...catalog.settings, signing };
  const changes = [{ file: CATALOG_FILE, content: formatJson(settings) }];
  if (manifest === null) {
    return { kind: "change", changes, result: { signing, retired, manifest: null } };
  }
  const { envelope, summary } = signManifest({ ...catalog, settings }, manifest, key, now);
  changes.push({ file: MANIFEST_FILE, content: envelope });
  return { kind: "change", changes, result: { signing, retired, manifest: summary } };
}
