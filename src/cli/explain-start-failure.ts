/** What a person can mend about a failed start is told without a stack. */
import { CatalogError } from "../release/live-catalog.ts";
import { StoreInUseError } from "../server/leased-store.ts";
import { WorkerStartError } from "../server/workers.ts";
import { CommandError } from "./command.ts";

export function explainStartFailure(error: unknown): never {
  const isTold =
    error instanceof CatalogError ||
    error instanceof StoreInUseError ||
    error instanceof WorkerStartError;
  if (isTold) {
    throw new CommandError(error.message);
  }
  const { code, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
  // Files have the same codes, and no address.
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
