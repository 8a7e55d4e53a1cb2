/** The question of `init` about backups of sync and events. */
import { loadRecipientCheck } from "../../../configuration/age-recipients.ts";
import type { ServiceName } from "../../../configuration/configuration.ts";
import { option, UsageError, type PromptContext } from "../../command.ts";
import { askList, splitWords } from "./ask.ts";

export const BACKUP_OPTIONS = {
  "backup-encrypt-to": option(
    "KEY",
    "sync, events: make a backup each day, encrypted to this public key of age",
    { multiple: true },
  ),
} as const;

/** The part of a section; empty without a key, which leaves the backups to the operator. */
export async function askBackupSettings(
  context: PromptContext,
  services: readonly ServiceName[],
): Promise<{ backup?: { encryptTo: string[] } }> {
  const hasStore = services.includes("sync") || services.includes("events");
  if (!hasStore) {
    if ((context.options["backup-encrypt-to"] as string[]).length === 0) return {};
    throw new UsageError("--backup-encrypt-to is for the sync and events services");
  }
  const findError = await loadRecipientCheck();
  const encryptTo = await askList(
    context,
    "backup-encrypt-to",
    "Public keys (age1…, from `age-keygen` on another machine) for an encrypted backup each day, separated by spaces; empty: the server makes no backups",
    "",
    (answer) => {
      const error = splitWords(answer)
        .map(findError)
        .find((found) => found !== null);
      return error === undefined ? undefined : `It ${error}`;
    },
  );
  return encryptTo.length === 0 ? {} : { backup: { encryptTo } };
}
