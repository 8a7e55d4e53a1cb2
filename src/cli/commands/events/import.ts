import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { importFile, type FileResult } from "../../../events/import/import-file.ts";
import { FILE_LIMITS } from "../../../events/ingest/parse-feed.ts";
import { cleanText } from "../../../rules/events/ingest/clean-text.ts";
import { MAX_TYPE_CHARACTERS } from "../../../rules/events/ingest/limits.ts";
import { explainFeedError } from "../../../rules/events/ingest/explain-feed-error.ts";
import { CommandError, defineCommand, flag, option, UsageError, type Line } from "../../command.ts";
import { formatCount, formatNumber } from "../../format.ts";
import { clearProgress, showCount, showProgress } from "../../progress.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";
import { describeFeedNotice, describeSummary } from "./describe-feed.ts";
import { withEventsAdministration } from "./open-store.ts";

type Imported = Extract<FileResult, { kind: "imported" }>;

export const command = defineCommand({
  description:
    "A CSV file needs a header row of field names. Importing the same source again adds and updates events; events that are no longer in the file are deleted only with --replace. An interrupted import can be run again.",
  arguments: { file: { description: "The file", required: true } },
  options: {
    account: option("NAME", "The account that gets the events", { required: true }),
    source: option("NAME", "The name of the source (default: the name of the file)"),
    replace: flag("Delete events of this source that are not in the file"),
    "default-type": option("TYPE", "The type of entries without a known keyword (default: task)"),
    ...PLAN_OPTIONS,
  },
  examples: [
    "trellis events import school.ics --account ada",
    "trellis events import exams.csv --account ada --source exams --replace --yes",
  ],
  async run(context) {
    const { account, source, replace, "default-type": defaultType } = context.options;
    const isDryRun = context.options["dry-run"];
    if (defaultType !== undefined) checkType(defaultType);
    const path = resolve(context.args.file);
    const bytes = await readBounded(path);
    const fileName = basename(path);
    const count = showCount(context, `Reading ${fileName}, entries:`);
    const bar = showProgress(context, `Importing ${fileName}`);
    const result = await withEventsAdministration(
      context,
      "change",
      async ({ store, settings, expectAccount }) => {
        const { accountId } = await expectAccount(account);
        return importFile({
          store,
          accountId,
          bytes,
          fileName,
          replace,
          defaultTimeZone: settings.timeZone,
          ...(source !== undefined && { source }),
          ...(defaultType !== undefined && { defaultType }),
          // Only a deletion is questioned, and only a file that replaces its source deletes.
          ...((replace || isDryRun) && {
            confirm: async (plan) => {
              clearProgress(context);
              const { added, changed, deleted, present } = plan;
              if (deleted === 0 && !isDryRun) return;
              await confirmPlan(context, {
                consequence: `This deletes ${formatNumber(deleted)} of ${formatCount(present, "event")} of "${source ?? fileName}"`,
                details: [`It adds ${formatNumber(added)} and changes ${formatNumber(changed)}`],
                plan,
              });
            },
          }),
          onProgress: (progress) => {
            if (progress.phase === "reading") count?.(progress.entriesRead);
            else bar?.(progress.written, progress.total);
          },
        });
      },
    ).finally(() => clearProgress(context));
    if (result.kind === "failed") {
      throw new CommandError(
        `Nothing was imported from "${path}": ${explainFeedError(result.error)}`,
        { code: result.error.code },
      );
    }
    context.print(...describe(result, account));
    context.json(toJson(result, account));
  },
});

function checkType(type: string): void {
  const { text, isCut } = cleanText(type, MAX_TYPE_CHARACTERS);
  if (isCut || text !== type) {
    throw new UsageError(`--default-type must be a word of 1 to ${MAX_TYPE_CHARACTERS} characters`);
  }
}

/** Reads at most one byte more than the limit, which is enough to reject the file. */
async function readBounded(path: string): Promise<Uint8Array> {
  try {
    return await buffer(createReadStream(path, { end: FILE_LIMITS.maxBytes }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
    throw new CommandError(`Nothing was imported from "${path}": ${reason}`);
  }
}

function describe({ source, summary, feed }: Imported, account: string): Line[] {
  const { list, total } = feed.skipped;
  const taken = summary.skipped.filter(({ reason }) => reason === "id-taken");
  const takenCount = summary.skippedCount - total;
  return [
    `Imported "${source.name}" for "${account}": ${describeSummary(summary)}`,
    ...feed.notices.map(describeFeedNotice),
    total > 0 && `Skipped ${formatCount(total, "entry", "entries")}:`,
    ...list.map(({ index, line, uid, text }) => {
      const place = line === null ? `entry ${index + 1}` : `line ${line}`;
      return `  ${place}${uid === null ? "" : `, "${uid}"`}: ${text}`;
    }),
    total > list.length && `  and ${total - list.length} more`,
    takenCount > 0 &&
      `Skipped ${formatCount(takenCount, "entry", "entries")} whose id belongs to an event of another source:`,
    ...taken.map(({ what }) => `  "${what}"`),
  ];
}

function toJson({ source, summary, feed }: Imported, account: string) {
  const { skipped, ...counts } = summary;
  return {
    account,
    source: source.name,
    format: feed.format,
    ...counts,
    skipped: feed.skipped.list,
    takenIds: skipped.filter(({ reason }) => reason === "id-taken").map(({ what }) => what),
  };
}
