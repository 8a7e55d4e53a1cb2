import { createReadStream } from "node:fs";
import { basename, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { importFile, type FileResult } from "../../../events/import/import-file.ts";
import { FILE_LIMITS } from "../../../events/ingest/parse-feed.ts";
import { cleanText } from "../../../rules/events/ingest/clean-text.ts";
import { MAX_TYPE_CHARACTERS } from "../../../rules/events/ingest/limits.ts";
import { describeFeedError } from "../../../rules/events/ingest/describe-feed-error.ts";
import { CommandError, defineCommand, UsageError } from "../../command.ts";
import { confirmOrStop, YES_OPTION } from "../../confirm.ts";
import { countOf } from "../../count-of.ts";
import { clearProgress, showCount, showProgress } from "../../progress.ts";
import { describeNotice, describeSummary } from "./describe-import.ts";
import { withEventsAdministration } from "./open-store.ts";

type Imported = Extract<FileResult, { kind: "imported" }>;

export const importCommand = defineCommand({
  summary: "Import a calendar, a table or a list of events",
  description:
    "Reads iCalendar, CSV with a header row of field names, and JSON. Importing the same source again adds and updates; what the file no longer has is deleted only with --replace. It can be broken off and run again at any time.",
  arguments: { file: { description: "The file", required: true } },
  options: {
    account: { type: "string", value: "NAME", description: "Whose events", required: true },
    source: {
      type: "string",
      value: "NAME",
      description: "What the source is called (default: the name of the file)",
    },
    replace: {
      type: "boolean",
      description: "Delete events of this source that the file does not have",
    },
    "default-type": {
      type: "string",
      value: "TYPE",
      description: "For entries without a known word (default: task)",
    },
    ...YES_OPTION,
  },
  examples: [
    "trellis events import school.ics --account ada",
    "trellis events import exams.csv --account ada --source exams --replace --yes",
  ],
  async run(context) {
    const { account, source, replace, yes, "default-type": defaultType } = context.options;
    if (defaultType !== undefined) checkType(defaultType);
    const path = resolve(context.args.file);
    const bytes = await readBounded(path);
    const fileName = basename(path);
    const count = showCount(context, `Reading ${fileName}, entries:`);
    const bar = showProgress(context, `Importing ${fileName}`);
    const outcome = await withEventsAdministration(
      context,
      async ({ store, events, expectAccount }) => {
        const { accountId } = await expectAccount(account);
        return importFile({
          store,
          accountId,
          bytes,
          fileName,
          replace,
          defaultTimeZone: events.timeZone,
          ...(source !== undefined && { source }),
          ...(defaultType !== undefined && { defaultType }),
          confirm: ({ deleted, present }) => {
            clearProgress(context);
            const consequence = `This deletes ${deleted.toLocaleString("en-US")} of ${countOf(present, "event")} of "${source ?? fileName}"`;
            return confirmOrStop(context, yes, consequence);
          },
          onProgress: (progress) => {
            if (progress.phase === "reading") count?.(progress.entriesRead);
            else bar?.(progress.written, progress.total);
          },
        });
      },
    ).finally(() => clearProgress(context));
    if (outcome.kind === "failed") {
      throw new CommandError(
        `Nothing was imported from "${path}": ${describeFeedError(outcome.error)}`,
        { fault: outcome.error.code },
      );
    }
    for (const line of describe(outcome, account)) context.print(line);
    context.json(toJson(outcome, account));
  },
});

function checkType(type: string): void {
  const { text, isCut } = cleanText(type, MAX_TYPE_CHARACTERS);
  if (isCut || text !== type) {
    throw new UsageError(`--default-type must be a word of 1 to ${MAX_TYPE_CHARACTERS} characters`);
  }
}

/** One byte more than is ever taken is enough to see that it is too much. */
async function readBounded(path: string): Promise<Uint8Array> {
  try {
    return await buffer(createReadStream(path, { end: FILE_LIMITS.maxBytes }));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
    throw new CommandError(`Nothing was imported from "${path}": ${reason}`);
  }
}

function describe({ source, summary, feed }: Imported, account: string): string[] {
  const { list, total } = feed.skipped;
  const taken = summary.skipped.filter(({ reason }) => reason === "id-taken");
  const takenCount = summary.skippedCount - total;
  return [
    `Imported "${source.name}" for "${account}": ${describeSummary(summary)}`,
    ...feed.notices.map(describeNotice),
    ...(total === 0 ? [] : [`Left out ${countOf(total, "entry", "entries")}:`]),
    ...list.map(({ index, line, uid, text }) => {
      const place = line === null ? `entry ${index + 1}` : `line ${line}`;
      return `  ${place}${uid === null ? "" : `, "${uid}"`}: ${text}`;
    }),
    ...(total > list.length ? [`  and ${total - list.length} more`] : []),
    ...(takenCount === 0
      ? []
      : [
          `Left alone ${countOf(takenCount, "entry", "entries")} whose id an event of another source has:`,
        ]),
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
    notices: feed.notices,
  };
}
