/** Turns errors of a store or of a backup file that the operator can fix into command errors. */
import { BackupRefusedError } from "../database/backup/backup-format.ts";
import { FileExistsError } from "../database/backup/place-file.ts";
import { StorageUnavailableError } from "../database/database.ts";
import { InstanceKeyError } from "../identity/bind-instance-key.ts";
import { explainFileError } from "../server/explain-file-error.ts";
import { MissingStoreError, StoreInUseError } from "../server/leased-store.ts";
import { CommandError } from "./command.ts";

export async function explainStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isExpected =
      error instanceof StorageUnavailableError ||
      error instanceof StoreInUseError ||
      error instanceof MissingStoreError ||
      error instanceof InstanceKeyError;
    throw isExpected ? new CommandError(error.message) : error;
  }
}

export async function explainFileErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileExistsError) throw new CommandError(error.message);
    if (error instanceof BackupRefusedError) {
      throw new CommandError(`The backup is not valid, nothing was changed: ${error.message}`);
    }
    const reason = explainFileError(error);
    if (reason === undefined) throw error;
    throw new CommandError(`Cannot write the file, no part of it remains: ${reason}`);
  }
}
