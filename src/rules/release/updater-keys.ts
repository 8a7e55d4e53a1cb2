/** The keys that sign files for other updaters: minisign for Tauri, and Sparkle's. */
import type { CatalogFile } from "../../contract/release/catalog.ts";
import { decodeBase64 } from "../base64.ts";
import { encodeBase64Url } from "../base64url.ts";
import { parseMinisignPublicKey } from "./minisign.ts";

export const UPDATER_KEY_KINDS = ["minisign", "sparkle"] as const;
export type UpdaterKeyKind = (typeof UPDATER_KEY_KINDS)[number];

export interface UpdaterKey {
  readonly kind: UpdaterKeyKind;
  readonly keyId: string;
  /** The public key as in catalog.json. */
  readonly publicKey: string;
  /** The public key as a key ring has it: 32 bytes in unpadded Base64URL. */
  readonly ringKey: string;
}

export function findUpdaterKey(
  { updaterKeys }: Pick<CatalogFile, "updaterKeys">,
  kind: UpdaterKeyKind,
): UpdaterKey | null {
  const key = updaterKeys?.[kind];
  return key === undefined ? null : { kind, ...key, ringKey: toRingKey(kind, key.publicKey) };
}

export function listUpdaterKeys(settings: Pick<CatalogFile, "updaterKeys">): UpdaterKey[] {
  return UPDATER_KEY_KINDS.flatMap((kind) => findUpdaterKey(settings, kind) ?? []);
}

/** The schema has checked the text. */
export function toRingKey(kind: UpdaterKeyKind, publicKey: string): string {
  const bytes =
    kind === "minisign" ? parseMinisignPublicKey(publicKey)?.publicKey : decodeBase64(publicKey);
  return encodeBase64Url(bytes ?? new Uint8Array());
}
