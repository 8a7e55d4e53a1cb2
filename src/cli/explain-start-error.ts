import { tmpdir } from "node:os";
import type { Configuration } from "../configuration/configuration-schema.ts";
import { listListeners } from "../configuration/list-listeners.ts";
import { explainFileError } from "../database/explain-file-error.ts";
import { CatalogError } from "../release/catalog.ts";
import { isExplained } from "../hosting/explained-errors.ts";
import { WorkerStartError } from "../server/workers.ts";
import { CommandError } from "./command.ts";
import { explainStoreError } from "./explain-store-error.ts";
import { findPortHolder } from "./find-port-holder.ts";

/**
 * Turns a start error that the operator can fix into a command error. A command without a configuration chooses
 * its ports itself, so it can be started again.
 */
export function explainStartError(error: unknown, configuration?: Configuration): never {
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
  const cannot = `Cannot listen on ${address}:${port}`;
  const remedy = configuration === undefined ? "start it again" : describeKeys(configuration, port);
  if (code === "EADDRINUSE") {
    const holder = port === undefined ? null : findPortHolder(port, address);
    // Nothing is found when the other listener was one of this program, which has ended them all.
    throw new CommandError(
      holder === null
        ? `${cannot}: another program, or another service of this configuration, uses that port; stop it, or ${remedy}`
        : `${cannot}: ${holder} uses that port; stop it, or ${remedy}`,
    );
  }
  if (code === "EACCES" || code === "EADDRNOTAVAIL") {
    throw new CommandError(`${cannot} (${code}): ${remedy}`);
  }
  throw error;
}

/** The public address on this machine names the same port, unless a proxy is in front. */
function describeKeys(configuration: Configuration, port: number | undefined): string {
  const keys = listListeners(configuration)
    .filter(({ listen }) => listen.port === port)
    .flatMap(({ key, address }) =>
      address !== null && new URL(address.url).port === String(port) ? [key, address.key] : [key],
    );
  return `change ${keys.map((key) => `"${key}"`).join(" and ")} in the configuration`;
}
