import { resolve } from "node:path";
import { readRecoveryKey } from "../../../../client/encryption/recovery-key.ts";
import { placeFile, writeLines } from "../../../../database/place-file.ts";
import { toExportLines } from "../../../../sync/log/export-entities.ts";
import {
  CommandError,
  defineCommand,
  flag,
  option,
  UsageError,
  type PromptContext,
} from "../../../command.ts";
import { explainFileErrors } from "../../../explain-store-errors.ts";
import { formatCount } from "../../../format.ts";
import { askSecret, readSecret } from "../../../secret-input.ts";
import { IDENTITY_OPTION, readIdentities } from "../../store/open-backup-keys.ts";
import { PIPE, useBackup } from "../../store/pipe-backup.ts";
import { createAccountSealer, openEntities, type UnopenedOperation } from "./open-entities.ts";
import { useSealedFile, type SealedFile } from "./read-sealed-file.ts";

export const command = defineCommand({
  description:
    "Run it on the owner's machine, never on the server: it asks for the recovery key, and writes the data as a readable export. Data that cannot be opened is listed, and the exit code is then 1.",
  arguments: { file: { description: "The export or the backup", required: true } },
  wordHint:
    "The recovery key is never an argument, because other programs can read those: type it when the command asks, or pass it with --recovery-key-stdin",
  optionHints: { "recovery-key": "use --recovery-key-stdin, which reads it from standard input" },
  options: {
    out: option("FILE", "A private file that does not exist yet (default: standard output)"),
    ...IDENTITY_OPTION,
    "recovery-key-stdin": flag("Read the recovery key from the first line of standard input"),
  },
  examples: [
    "trellis sync open sync-export.json --out clear.json",
    "trellis sync open sync.backup --identity key.txt --out clear.json",
  ],
  async run(context) {
    const { out } = context.options;
    if (context.args.file === PIPE) {
      throw new UsageError("Standard input is for the recovery key: name a file");
    }
    if (context.isJson && out === undefined) {
      throw new UsageError("The data would go to standard output: name a file with --out");
    }
    const identities = await readIdentities(context, context.options.identity);
    const unreadable: UnopenedOperation[] = [];
    let entities = 0;
    const open = (write: (lines: AsyncIterable<string>) => Promise<void>) =>
      useBackup(context, context.args.file, (path) =>
        useSealedFile(path, identities, async (file) => {
          expectSealed(file);
          const sealer = createAccountSealer(file, await readDataKey(context));
          const opened = openEntities(file, sealer, (one) => unreadable.push(one));
          const counted = count(opened, () => entities++);
          await write(toExportLines(file.writtenAt, counted));
        }),
      );
    // The name is checked before a person types the key.
    await explainFileErrors(() =>
      out === undefined
        ? open(async (lines) => {
            for await (const line of lines) context.print(line);
          })
        : placeFile(resolve(out), (draft) => open((lines) => writeLines(draft, lines))),
    );
    const place = out === undefined ? "standard output" : resolve(out);
    const wrote = `Wrote ${formatCount(entities, "entity", "entities")} to ${place}`;
    const report = { file: place, entities, unreadable };
    if (unreadable.length > 0) {
      throw new CommandError([...unreadable.map(describe), summarize(unreadable, wrote)], report);
    }
    if (out !== undefined) context.print(wrote);
    context.json(report);
  },
});

function expectSealed({ keys }: SealedFile): void {
  if (keys.length > 0) return;
  throw new CommandError(
    "The file has no list of keys. Either the data is not sealed, so there is nothing to open: an export can be read as it is, and a backup is for `trellis sync restore`. Or the list was lost: use another export or backup",
  );
}

const TYPING_ERROR =
  "The recovery key has a typing error: compare its 14 groups of 4 letters and digits with your copy";

async function readDataKey(context: PromptContext): Promise<Uint8Array> {
  const text = await readSecret(context, "recovery-key", () =>
    askSecret(context, "Recovery key", (typed) =>
      readRecoveryKey(typed) === null ? TYPING_ERROR : undefined,
    ),
  );
  const dataKey = readRecoveryKey(text);
  if (dataKey === null) throw new CommandError(TYPING_ERROR);
  return dataKey;
}

async function* count<T>(all: AsyncIterable<T>, onEach: () => void): AsyncGenerator<T> {
  for await (const one of all) {
    onEach();
    yield one;
  }
}

const REASONS: Readonly<Record<UnopenedOperation["reason"], string>> = {
  damaged: "was damaged, changed or moved",
  "unknown-key": "is sealed with a key that the account does not have",
  "not-sealed": "was never sealed",
};

function describe({ entityId, operationId, reason }: UnopenedOperation): string {
  return `${entityId}${operationId === null ? "" : `, ${operationId}`}: ${REASONS[reason]}`;
}

function summarize(unreadable: readonly UnopenedOperation[], wrote: string): string {
  const reasons = Map.groupBy(unreadable, ({ reason }) => reason);
  const counts = Array.from(reasons, ([reason, { length }]) => `${length} ${reason}`).join(", ");
  return `${wrote}, without ${counts}, listed above: an older backup, or a device that still shows it, may have what is missing`;
}
