import { describeVersion } from "../../../database/product-stamp.ts";
import type { Authenticity, BackupManifest } from "../../../backup/format/backup-format.ts";
import type { Database } from "../../../database/database.ts";
import type { RestoreReport } from "../../../backup/restore-store.ts";
import type { StoreDescription } from "../../../backup/store-description.ts";
import { flag, type Line, type StoreContext } from "../../command.ts";
import { formatBytes } from "../../format.ts";

/** What the backup and key commands need to know about a service. */
export interface ManagedService<
  M extends BackupManifest = BackupManifest,
  S = unknown,
  R = unknown,
> extends StoreDescription<M, S, R> {
  /** Sentences of the commands' descriptions that differ between services. */
  readonly descriptions: {
    readonly contents: string;
    readonly excluded: string;
    readonly check: string;
    readonly restore: string;
    /** What else is lost without the instance key, as the end of a sentence. */
    readonly missingKey: string;
    readonly sessions: string;
    /** What stays as it is when the key is rotated. */
    readonly rotate: string;
  };
  withDatabase<T>(
    context: StoreContext,
    work: (database: Database, dataDir: string) => Promise<T>,
  ): Promise<T>;
  describeContents(manifest: M): readonly string[];
  /** Says in numbers what a restore would do. */
  describeConsequence(manifest: M, present: S): string;
  summarizeRestore(
    context: StoreContext,
    report: RestoreReport<M, S, R>,
  ): Promise<{ readonly lines: readonly Line[]; readonly json: object }>;
}

export function describeBackup(
  { descriptions, describeContents }: ManagedService,
  manifest: BackupManifest,
): string[] {
  const missingKey = `not included: keep a copy of the key file apart from the backup${descriptions.missingKey}`;
  const lines = [
    `Created     ${manifest.createdAt} by Trellis ${describeVersion(manifest.product)}`,
    ...describeContents(manifest),
    `Digest      ${manifest.sha256}`,
    `Authentic   ${describeAuthenticity(manifest.authenticity)}`,
    `Size        ${formatBytes(manifest.fileBytes)}`,
    `Encrypted   ${manifest.isEncrypted ? "with age: to verify and restore it, name your identity with --identity FILE" : "not with age"}`,
    `Key         ${manifest.instanceKey === null ? missingKey : "included, encrypted with your passphrase"}`,
    `Sessions    not included: ${descriptions.sessions}`,
  ];
  return lines.map((line) => `  ${line}`);
}

/** The manifest for `--json`: it says whether the backup has the instance key, without the key. */
export function manifestToJson<M extends BackupManifest>(manifest: M) {
  const { instanceKey, ...rest } = manifest;
  return { ...rest, hasInstanceKey: instanceKey !== null };
}

type Unproven = Exclude<Authenticity, { readonly kind: "authentic" }>;

const UNPROVEN_REASONS: Readonly<Record<Unproven["reason"], string>> = {
  "written-without-key": "it was written without an instance key, so it has no HMAC",
  "no-key": "the instance key that wrote it is not here",
  "other-key": "it was written with another instance key",
};

function describeAuthenticity(authenticity: Authenticity): string {
  return authenticity.kind === "authentic"
    ? "yes, every line is as the instance wrote it"
    : describeUnproven(authenticity);
}

function describeUnproven({ kind, reason }: Unproven): string {
  return `${kind === "unchecked" ? "not checked" : "no"}: ${UNPROVEN_REASONS[reason]}`;
}

/** Why the operator must decide about a backup; null for an authentic one. */
export function explainRisk(authenticity: Authenticity): string | null {
  if (authenticity.kind === "authentic") return null;
  const { kind, reason } = authenticity;
  const state =
    kind === "unchecked"
      ? "The authenticity of the backup was not checked"
      : "The backup is not authentic under the instance key that is here";
  return `${state}: ${UNPROVEN_REASONS[reason]}. Anyone who could write to the file may have added, changed or removed data, also an account with a password of their own`;
}

/** Lets an operator go on with a backup that no key vouches for, for example an old one. */
export const ACCEPT_OPTION = {
  "accept-unauthenticated": flag(
    "Accept a backup without proof of its authenticity: anyone who could write to the file may have changed it",
  ),
} as const;
