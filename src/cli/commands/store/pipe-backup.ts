/**
 * Backups through pipes, for which `-` stands. They pass through a private folder on the disk: only a
 * verified backup is sent, and only a whole one is read.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { CommandError, UsageError, type CommandContext } from "../../command.ts";

export const PIPE = "-";
export const STANDARD_INPUT = "standard input";

type PipeContext = Pick<CommandContext, "terminal">;

/** Runs `create` with a path that is free, and sends the file to standard output afterwards. */
export async function sendBackup<T>(
  { terminal }: PipeContext,
  create: (path: string) => Promise<T>,
): Promise<T> {
  if (terminal.stdout.isTTY) {
    throw new UsageError(
      "A backup is no text for a terminal: name a file, or send it to a program",
    );
  }
  terminal.useOutputAsData?.();
  return withFolder(async (folder) => {
    const path = join(folder, "backup");
    const created = await create(path);
    try {
      await pipeline(createReadStream(path), terminal.stdout, { end: false });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw new CommandError(
        code === "EPIPE"
          ? "The program that reads the backup ended before it had all of it: no backup was made"
          : `The backup could not be sent (${code}): no backup was made`,
      );
    }
    return created;
  });
}

/** Runs `use` with the path of a file that has all of standard input. */
export async function receiveBackup<T>(
  { terminal }: PipeContext,
  use: (path: string) => Promise<T>,
): Promise<T> {
  if (terminal.stdin.isTTY) {
    throw new UsageError("There is no backup on standard input: name a file, or send one");
  }
  return withFolder(async (folder) => {
    const path = join(folder, "backup");
    await pipeline(terminal.stdin, createWriteStream(path, { flags: "wx", mode: 0o600 }));
    return use(path);
  });
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "trellis-backup-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Standard input cannot be both the backup and the passphrase. */
export function expectOneInput(file: string, fromStdin: boolean): void {
  if (file !== PIPE || !fromStdin) return;
  throw new UsageError(
    "The backup and the passphrase cannot both come from standard input: name a file",
  );
}
