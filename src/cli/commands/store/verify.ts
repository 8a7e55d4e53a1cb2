import { resolve } from "node:path";
import type { Authenticity } from "../../../backup/format/backup-format.ts";
import type { FindBackupKey } from "../../../backup/format/authenticate-backup.ts";
import { verifyBackup } from "../../../backup/format/open-backup.ts";
import { ConfigurationError } from "../../../configuration/configuration-error.ts";
import { chooseBackupKey } from "../../../backup/backup-key.ts";
import { readKeyOf } from "../../../identity/key-place.ts";
import {
  CommandError,
  defineCommand,
  flag,
  UsageError,
  type Command,
  type CommandContext,
} from "../../command.ts";
import { explainFileErrors } from "../../explain-store-errors.ts";
import { PASSPHRASE_OPTION } from "../../secret-input.ts";
import {
  openBackupKeys,
  readBackupPassphrase,
  IDENTITY_OPTION,
  readIdentities,
} from "./open-backup-keys.ts";
import {
  ACCEPT_OPTION,
  describeBackup,
  explainRisk,
  manifestToJson,
  type ManagedService,
} from "./managed-service.ts";
import { expectOneInput, PIPE, STANDARD_INPUT, useBackup } from "./pipe-backup.ts";

export function defineVerify(service: ManagedService): Command {
  const { name, descriptions } = service;
  return defineCommand({
    description: `Reads each file whole, checks its digest and its counts, and restores it into a temporary store beside the file to check that ${descriptions.check}. Its authenticity is checked with the instance key, or with the key in the backup. The configured store is not touched.`,
    arguments: {
      files: { description: "The backups, or - for a pipe", required: true, multiple: true },
    },
    options: {
      ...IDENTITY_OPTION,
      "with-key": flag("Check the authenticity with the instance key in the backup"),
      ...ACCEPT_OPTION,
      ...PASSPHRASE_OPTION,
    },
    async run(context) {
      const { files } = context.args;
      for (const file of files) expectOneInput(file, context.options["passphrase-stdin"]);
      const passphrase = context.options["with-key"] ? await readBackupPassphrase(context) : null;
      const findKey = createKeyFinder(context, name, passphrase);
      const identities = await readIdentities(context, context.options.identity);
      const verify = (path: string) =>
        verifyBackup(path, service.examiner, findKey, { identities });
      const verifyFile = async (given: string) => {
        const file = given === PIPE ? STANDARD_INPUT : resolve(given);
        const manifest = await nameFile(file, async () => {
          const verified = await explainFileErrors(() => useBackup(context, given, verify));
          expectAcceptable(verified.authenticity, context.options["accept-unauthenticated"]);
          return verified;
        });
        context.print(
          `${file} is ${VERDICTS[manifest.authenticity.kind]}`,
          ...describeBackup(service, manifest),
        );
        return { file, ...manifestToJson(manifest) };
      };
      const [only] = files;
      if (only !== undefined && files.length === 1) return context.json(await verifyFile(only));
      await verifyEach(context, files, verifyFile);
    },
  });
}

function createKeyFinder(
  { configuration }: Pick<CommandContext, "configuration">,
  name: ManagedService["name"],
  passphrase: string | null,
): FindBackupKey {
  return async (header) => {
    if (passphrase !== null) {
      const ring = await openBackupKeys(header.instanceKey, passphrase, name);
      return chooseBackupKey(ring, name, header);
    }
    // A backup can be verified where no service is configured.
    const section = (await configuration())[name];
    return section === undefined ? null : chooseBackupKey(await readKeyOf(section), name, header);
  };
}

async function nameFile<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CommandError ? new CommandError(`${file}: ${error.message}`) : error;
  }
}

/** One file that is not valid, or that a bug cannot read, does not keep the others from being verified. */
async function verifyEach(
  context: Pick<CommandContext, "warn" | "json" | "isJson">,
  files: readonly string[],
  verifyFile: (file: string) => Promise<object>,
): Promise<void> {
  const results: object[] = [];
  let failed = 0;
  for (const file of files) {
    try {
      results.push(await verifyFile(file));
    } catch (error) {
      // These are about the command, not about the file.
      if (error instanceof UsageError || error instanceof ConfigurationError) throw error;
      const message =
        error instanceof CommandError
          ? error.message
          : `${resolve(file)}: ${describeUnexpected(error)}`;
      failed++;
      results.push({ file: resolve(file), error: message });
      if (!context.isJson) context.warn(message);
    }
  }
  if (failed > 0) {
    throw new CommandError(`${failed} of ${files.length} backups could not be verified`, {
      files: results,
    });
  }
  context.json({ files: results });
}

function describeUnexpected(error: unknown): string {
  const stack = error instanceof Error ? error.stack : undefined;
  return `An unexpected error, which is a bug in Trellis: ${stack ?? String(error)}`;
}

const VERDICTS: Readonly<Record<Authenticity["kind"], string>> = {
  authentic: "complete and authentic",
  unchecked: "complete, authenticity not checked",
  unauthentic: "complete, but not authentic",
};

/** Without a key nothing can be said; with one, a backup that it does not vouch for is an error. */
function expectAcceptable(authenticity: Authenticity, isAccepted: boolean): void {
  if (authenticity.kind !== "unauthentic" || isAccepted) return;
  throw new CommandError(
    `${explainRisk(authenticity)}. If you trust every place where the file has been, verify it with --accept-unauthenticated`,
  );
}
