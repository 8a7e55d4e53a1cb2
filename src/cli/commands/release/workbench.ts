/** What every release command needs: the folders of the configuration, and failures as messages. */
import { join } from "node:path";
import { formatFileError } from "../../../rules/release/catalog-file-error.ts";
import { nodeFiles } from "../../../release/catalog/file-port.ts";
import type {
  ChangeResult,
  PublishingError,
  CatalogContext,
} from "../../../release/publishing/change-catalog.ts";
import type { Configuration } from "../../../server/configuration.ts";
import { CommandError, type CommandContext } from "../../command.ts";

type AnyContext = Pick<CommandContext, "configuration" | "warn">;

/** Long enough for a queue of build jobs, short enough for a person who waits. */
const LOCK_WAIT_MS = 30_000;

export interface OpenedCatalogContext extends CatalogContext {
  readonly keyPassphrase: string | undefined;
}

export async function openCatalogContext(context: AnyContext): Promise<OpenedCatalogContext> {
  const configuration = await context.configuration();
  const release = requireRelease(configuration);
  return {
    folder: release.catalog,
    keysFolder: join(configuration.dataDir, "keys"),
    files: nodeFiles,
    now: Date.now,
    lockWaitMs: LOCK_WAIT_MS,
    onWait: () => context.warn("Waiting for another trellis process that changes the catalogue"),
    keyPassphrase: release.keyPassphrase,
  };
}

function requireRelease(configuration: Configuration) {
  if (configuration.release === undefined) {
    throw new CommandError(
      `The configuration "${configuration.file}" has no "release" section: add one, \`{}\` is enough`,
    );
  }
  return configuration.release;
}

/** The result of a change, or the command's failure. */
export function resultOf<T>(change: ChangeResult<T>, context: AnyContext): T {
  if (change.kind === "refused") throw failure(change);
  if (change.notice !== null) context.warn(change.notice);
  return change.result;
}

export function failure({ message, faults }: PublishingError): CommandError {
  const lines = faults.map((fault) => `  ${formatFileError(fault)}`);
  return new CommandError(
    lines.length === 0 ? message : [`${message}:`, ...lines].join("\n"),
    faults.length === 0 ? {} : { faults },
  );
}
