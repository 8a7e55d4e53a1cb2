import type { SealedKey } from "../../../identity/seal-key.ts";
import type { StoreOwner } from "../../../server/leased-store.ts";
import type { CommandContext } from "../../command.ts";
import { formatBytes } from "../../format.ts";

/** What the backup, verify and restore commands need to know about a service. */
export interface BackupService<M extends StoreManifest, R> {
  readonly name: StoreOwner;
  readonly realm: string;
  /** Sentences of the commands' descriptions that differ between services. */
  readonly descriptions: {
    readonly contents: string;
    readonly excluded: string;
    readonly check: string;
    readonly restore: string;
  };
  /**
   * Creates the backup, verifies it and records it as the last one. `prepare` is called while the
   * store is open.
   */
  createBackup(
    context: StoreContext,
    file: string,
    prepare: () => Promise<BackupOptions>,
  ): Promise<M>;
  verifyBackup(file: string): Promise<M>;
  describeContents(manifest: M): readonly string[];
  /** The last lines about a backup: whether it has the instance key, and what it never has. */
  describeExcluded(hasInstanceKey: boolean): readonly string[];
  /** `approve` gets the consequence in numbers, and throws to stop the restore. */
  restore(
    target: { readonly store: string; readonly dataDir: string },
    file: string,
    approve: (manifest: M, consequence: string) => Promise<void>,
  ): Promise<R>;
  summarizeRestore(
    context: StoreContext,
    report: R,
  ): Promise<{ readonly lines: readonly string[]; readonly json: object }>;
}

export type StoreContext = Pick<CommandContext, "configuration" | "warn">;

export interface StoreManifest {
  readonly createdAt: string;
  readonly product: string;
  readonly sha256: string;
  readonly fileBytes: number;
  readonly instanceKey: SealedKey | null;
}

interface BackupOptions {
  readonly product: string;
  readonly now: number;
  readonly instanceKey: SealedKey | null;
}

export function describeBackup<M extends StoreManifest>(
  service: BackupService<M, unknown>,
  manifest: M,
): string[] {
  const lines = [
    `Created     ${manifest.createdAt} by Trellis ${manifest.product}`,
    ...service.describeContents(manifest),
    `Digest      ${manifest.sha256}`,
    `Size        ${formatBytes(manifest.fileBytes)}`,
    ...service.describeExcluded(manifest.instanceKey !== null),
  ];
  return lines.map((line) => `  ${line}`);
}

/** The manifest for `--json`: it says whether the backup has the instance key, without the key. */
export function manifestToJson<M extends StoreManifest>(manifest: M) {
  const { instanceKey, ...rest } = manifest;
  return { ...rest, hasInstanceKey: instanceKey !== null };
}
