/**
 * What the client remembers between runs of the app, as text of three lines: the memory with the id of
 * the installation, the last verified manifest, and the first line again. So neither a cut end nor one
 * damaged place loses what was revoked, which sequence was the highest and which bucket this is.
 */
import { isObject } from "../../contract/is-object.ts";
import { NO_MANIFEST_MEMORY, type ManifestMemory } from "../../rules/release/manifest-memory.ts";
import { openManifest, type ManifestTrust } from "../../rules/release/verify-manifest.ts";
import {
  readCheckedLine,
  writeCheckedLine,
  type CheckedLine,
  isTrusted,
  readStoredMemory,
  type LostMemory,
} from "./stored-memory.ts";
import { isInstallationId } from "./installation-id.ts";
import { isValidator, type ManifestValidator } from "./manifest-validator.ts";

export interface UpdateState {
  readonly memory: ManifestMemory;
  /** The validator of exactly this envelope. */
  readonly validator: ManifestValidator | null;
  /** The envelope exactly as received; null when it cannot be verified again. */
  readonly envelope: string | null;
  /** Null when none was saved. */
  readonly installationId: string | null;
}

export const NO_UPDATE_STATE: UpdateState = {
  memory: NO_MANIFEST_MEMORY,
  validator: null,
  envelope: null,
  installationId: null,
};

export interface StoredState extends UpdateState {
  /** What was damaged and could not be kept. */
  readonly lost: readonly LostState[];
}

/**
 * Which part of what an update client remembers was lost, so that it starts again with less protection
 * against replayed manifests.
 */
export type LostState = "manifest" | LostMemory;

export async function writeUpdateState(state: UpdateState): Promise<string> {
  const { memory, validator, envelope, installationId } = state;
  const remembered = await writeCheckedLine({ memory, installationId });
  const manifest = await writeCheckedLine({ validator, envelope });
  return [remembered, manifest, remembered].join("\n");
}

/** The text is not trusted: the envelope is verified again, and the ETag counts for nothing else. */
export async function readUpdateState(
  text: string | null,
  trust: Pick<ManifestTrust, "keys" | "product">,
): Promise<StoredState> {
  if (text === null) return { ...NO_UPDATE_STATE, lost: [] };
  const { remembered, manifest } = await readLines(text);
  const { validator, envelope } = isObject(manifest.value) ? manifest.value : {};
  const opened = typeof envelope === "string" ? await openManifest(envelope, trust) : null;
  const genuine = opened?.kind === "genuine" ? opened : null;
  const { memory, lost } = await readStoredMemory(remembered, genuine, trust.keys);
  // The key may have left the ring, which is no damage.
  const isLost = !manifest.isIntact && genuine === null && opened?.kind !== "unknown-key";
  const isUsable = genuine !== null && isTrusted(genuine.publicKey, memory.revocations, trust.keys);
  return {
    memory,
    envelope: isUsable && typeof envelope === "string" ? envelope : null,
    validator: isUsable && manifest.isIntact && isValidator(validator) ? validator : null,
    installationId: readInstallationId(remembered),
    lost: isLost ? ["manifest", ...lost] : lost,
  };
}

/** Damage can only make another id of it, which is as good. */
function readInstallationId({ value }: CheckedLine): string | null {
  const { installationId } = isObject(value) ? value : {};
  return isInstallationId(installationId) ? installationId : null;
}

const LOST_LINE: CheckedLine = { value: undefined, isIntact: false };

async function readLines(text: string): Promise<Record<"remembered" | "manifest", CheckedLine>> {
  const lines = text.split("\n");
  const [first = "", second = ""] = lines;
  const remembered = await readCheckedLine(first);
  const manifest = await readCheckedLine(second);
  if (remembered.isIntact) return { remembered, manifest };
  // The last line, not the third: the damage may be a line end, and the first line again follows it.
  const again = await readCheckedLine(lines.at(-1) ?? "");
  if (!again.isIntact) return { remembered, manifest };
  return { remembered: again, manifest: lines.length === 2 ? LOST_LINE : manifest };
}
