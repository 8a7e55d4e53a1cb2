/** Turns errors of a store or of a backup file that the operator can fix into command errors. */
import {
  BackupEncryptedError,
  BackupRefusedError,
  BackupTooLargeError,
} from "../backup/format/backup-format.ts";
import { FileExistsError } from "../database/place-file.ts";
import { CopyDiffersError } from "../backup/copy/copy-tables.ts";
import { StoreAddressError } from "../database/postgres-address.ts";
import { CopyRefusedError } from "../backup/copy-store.ts";
import { explainFileError } from "../database/explain-file-error.ts";
import { isExplained } from "../hosting/explained-errors.ts";
import { InstanceError } from "../hosting/instance-error.ts";
import { CommandError } from "./command.ts";
import { explainStoreError } from "./explain-store-error.ts";

export async function explainStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const cause = error instanceof InstanceError ? error.cause : error;
    if (!isStoreError(cause)) throw error;
    throw new CommandError(explainStoreError(error as Error, cause));
  }
}

function isStoreError(error: unknown): boolean {
  return (
    isExplained(error) ||
    error instanceof StoreAddressError ||
    error instanceof CopyRefusedError ||
    error instanceof CopyDiffersError
  );
}

export async function explainFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileExistsError) throw new CommandError(error.message);
    if (error instanceof BackupEncryptedError || error instanceof BackupTooLargeError) {
      throw new CommandError(`${error.message}; nothing was changed`);
    }
    if (error instanceof BackupRefusedError) {
      throw new CommandError(`The backup is not valid, nothing was changed: ${error.message}`);
    }
    const reason = explainFileError(error);
    if (reason === undefined) throw error;
    throw new CommandError(`Cannot write the file; no part of it was kept: ${reason}`);
  }
}
