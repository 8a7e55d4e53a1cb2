import type { Authenticity } from "../../../database/backup/backup-format.ts";

type UncheckedReason = Extract<Authenticity, { readonly kind: "unchecked" }>["reason"];

const REASONS: Readonly<Record<UncheckedReason, string>> = {
  "old-version": "it is an old backup, written before backups were authenticated",
  "written-without-key": "it was written without an instance key, so it has no HMAC",
  "no-key": "the instance key that wrote it is not here",
  "other-key": "it was written with another instance key",
};

export function describeAuthenticity(authenticity: Authenticity): string {
  return authenticity.kind === "authentic"
    ? "yes, every line is as the instance wrote it"
    : `not checked: ${REASONS[authenticity.reason]}`;
}

/** Why a restore needs a decision of the operator; null for an authentic backup. */
export function explainRisk(authenticity: Authenticity): string | null {
  if (authenticity.kind === "authentic") return null;
  return `The authenticity of the backup was not checked: ${REASONS[authenticity.reason]}. Anyone who could write to the file may have added, changed or removed data, also an account with a password of their own`;
}
