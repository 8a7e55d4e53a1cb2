/**
 * Backups through pipes, for which `-` stands, and which a shell may name like files. They pass through a private
 * folder on the disk: only a verified backup is sent, and only a whole one is read.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { createScratchFolder } from "../../../backup/format/scratch-folder.ts";
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
      "A backup cannot be shown at a terminal: name a file, or pipe it to a program",
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
          ? "The program that reads the backup ended too early: no backup was made"
          : `The backup could not be sent (${code}): no backup was made`,
      );
    }
    return created;
  });
}

/** Runs `use` with the path of a file, which can be read more than once; `given` may be a pipe. */
export async function useBackup<T>(
  { terminal }: PipeContext,
  given: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  if (given !== PIPE) {
    const path = resolve(given);
    // Of another that cannot be read, `use` says so.
    const isPipe = (await stat(path).catch(() => null))?.isFIFO() ?? false;
    return isPipe ? receive(createReadStream(path), use) : use(path);
  }
  if (terminal.stdin.isTTY) {
    throw new UsageError("There is no backup on standard input: name a file, or pipe one");
  }
  return receive(terminal.stdin, use);
}

function receive<T>(source: NodeJS.ReadableStream, use: (path: string) => Promise<T>): Promise<T> {
  return withFolder(async (folder) => {
    const path = join(folder, "backup");
    await pipeline(source, createWriteStream(path, { flags: "wx", mode: 0o600 }));
    return use(path);
  });
}

async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await createScratchFolder(tmpdir(), "trellis-backup");
  try {
    return await work(folder.path);
  } finally {
    await folder.remove();
  }
}

/** Standard input cannot be both the backup and the passphrase. */
export function expectOneInput(file: string, fromStdin: boolean): void {
  if (file !== PIPE || !fromStdin) return;
  throw new UsageError(
    "The backup and the passphrase cannot both come from standard input: name a file",
  );
}
