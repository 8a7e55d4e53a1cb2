/** What goes wrong with the file of a backup or an export is told without a stack. */
import { BackupRefusedError } from "../database/backup/backup-format.ts";
import { FileExistsError } from "../database/backup/place-file.ts";
import { CommandError } from "./command.ts";

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the file would be too large for this disk",
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the disk cannot be written to",
  EIO: "the disk failed",
};

export async function explainingFileFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileExistsError) throw new CommandError(error.message);
    if (error instanceof BackupRefusedError) {
      throw new CommandError(`The backup was refused, nothing was changed: ${error.message}`);
    }
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ""];
    if (reason === undefined) throw error;
    throw new CommandError(`The file could not be written, nothing is left of it: ${reason}`);
  }
}
