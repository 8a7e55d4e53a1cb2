import { tmpdir } from "node:os";
import { explainFileError } from "../database/explain-file-error.ts";
import { CatalogError } from "../release/catalog.ts";
import { isExplained } from "../hosting/explained-errors.ts";
import { WorkerStartError } from "../server/workers.ts";
import { CommandError } from "./command.ts";
import { explainStoreError } from "./explain-store-error.ts";

/** Turns a start error that the operator can fix into a command error. */
export function explainStartError(error: unknown): never {
  if (error instanceof CatalogError) throw new CommandError(error.lines);
  if (isExplained(error) || error instanceof WorkerStartError) {
    throw new CommandError(explainStoreError(error, error));
  }
  const { code, syscall, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  if (syscall === "mkdtemp") {
    const reason = explainFileError(error) ?? code;
    throw new CommandError(
      `Cannot create a folder in "${tmpdir()}": ${reason}; set TMPDIR to another folder`,
    );
  }
  // Errors of files have the same codes, but no address.
  if (address === undefined) throw error;
  if (code === "EADDRINUSE") {
    throw new CommandError(
      `Cannot listen on ${address}:${port}: another program uses that port; stop it, or change "listen" in the configuration`,
    );
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL") {
    throw new CommandError(
      `Cannot listen on ${address}:${port} (${code}): change "listen" in the configuration`,
    );
  }
  throw error;
}
