import { StorageUnavailableError } from "../database/database.ts";
import { MigrationError } from "../database/migrate.ts";
import { InstanceKeyError } from "../identity/bind-instance-key.ts";
import { KeyFileError } from "../identity/instance-key.ts";
import { CatalogError } from "../release/live-catalog.ts";
import { MissingStoreError, StoreInUseError } from "../server/leased-store.ts";
import { UpgradeNeededError } from "../server/prepare-upgrade.ts";
import { WorkerStartError } from "../server/workers.ts";
import { CommandError } from "./command.ts";

/** Turns a start error that the operator can fix into a command error. */
export function explainStartError(error: unknown): never {
  if (
    error instanceof CatalogError ||
    error instanceof MigrationError ||
    error instanceof UpgradeNeededError ||
    error instanceof StoreInUseError ||
    error instanceof MissingStoreError ||
    error instanceof InstanceKeyError ||
    error instanceof KeyFileError ||
    error instanceof WorkerStartError
  ) {
    throw new CommandError(error.message);
  }
  if (error instanceof StorageUnavailableError) {
    throw new CommandError(`${error.message}; \`trellis doctor\` shows which store it is`);
  }
  const { code, address, port } = error as NodeJS.ErrnoException & {
    address?: string;
    port?: number;
  };
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
