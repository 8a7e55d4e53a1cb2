import { readFile } from "node:fs/promises";
import type { FeedPreview, SubscriptionFields } from "../../../events/pages.ts";
import { CommandError, defineCommand, UsageError } from "../../command.ts";
import { countOf } from "../../count-of.ts";
import { describeSummary } from "./describe-import.ts";
import { subscriptionErrorToCliError } from "./describe-problem.ts";
import { withEventsAdministration, type EventsAdministration } from "./open-store.ts";
import { readUrl, URL_STDIN_OPTION } from "./url-option.ts";

export const subscribeCommand = defineCommand({
  summary: "Subscribe an account to a calendar",
  description:
    "Fetches the calendar now, and from then on about every hour while a server runs. https and webcal addresses in public networks, and hosts that the configuration allows. With --preview nothing is kept.",
  arguments: { url: { description: "The address of the calendar" } },
  options: {
    account: { type: "string", value: "NAME", description: "Whose events", required: true },
    ...URL_STDIN_OPTION,
    name: { type: "string", value: "NAME", description: "What people call it (default: its host)" },
    "default-type": {
      type: "string",
      value: "TYPE",
      description: "For entries without a known word (default: task)",
    },
    rules: {
      type: "string",
      value: "FILE",
      description: "Which words make which type, one rule a line: `exam: Klausur, Prüfung`",
    },
    preview: { type: "boolean", description: "Show what it would bring, and keep nothing" },
  },
  examples: [
    "trellis events subscribe https://school.example.com/7b.ics --account ada --name School",
    "trellis events subscribe --url-stdin --account ada --preview < address",
  ],
  async run(context) {
    const { account, name = "", rules, preview } = context.options;
    const url = await readUrl(context, context.args.url, context.options["url-stdin"]);
    if (url === undefined) throw new UsageError("Missing argument URL: or give --url-stdin");
    const fields = {
      url,
      name,
      defaultType: context.options["default-type"] ?? "",
      rules: rules === undefined ? "" : await readRules(rules),
    };
    await withEventsAdministration(context, async (desk) => {
      const { accountId } = await desk.expectAccount(account);
      if (preview) {
        const shown = await previewFor(desk, accountId, fields);
        for (const line of describePreview(shown)) context.print(line);
        context.json(shown);
        return;
      }
      const found = await subscribeFor(desk, accountId, fields);
      const { sourceId, host, report } = found;
      context.print(
        `"${account}" is subscribed to "${found.name}" at ${host}: ${report === null ? "it is being imported" : describeSummary(report)}`,
      );
      if (report !== null && report.skippedCount > 0) {
        context.print(
          `${countOf(report.skippedCount, "entry was", "entries were")} left out: see \`trellis events subscriptions list\``,
        );
      }
      context.json({ account, id: sourceId, name: found.name, host, report });
    });
  },
});

async function previewFor(
  { subscriptions }: EventsAdministration,
  accountId: string,
  fields: SubscriptionFields,
): Promise<FeedPreview> {
  const outcome = await subscriptions.preview(accountId, fields);
  if (outcome.kind === "refused") throw subscriptionErrorToCliError(outcome.problem);
  return outcome.preview;
}

async function subscribeFor(
  { subscriptions }: EventsAdministration,
  accountId: string,
  fields: SubscriptionFields,
) {
  const outcome = await subscriptions.subscribe(accountId, fields);
  if (outcome.kind === "refused") throw subscriptionErrorToCliError(outcome.problem);
  const listed = await subscriptions.list(accountId);
  const found = listed.find(({ sourceId }) => sourceId === outcome.sourceId);
  if (found === undefined) throw new CommandError("The subscription was ended by somebody else");
  return found;
}

function describePreview({ entries, total, countsByType, skippedCount }: FeedPreview): string[] {
  const types = Object.entries(countsByType).map(([type, count]) => `${count} ${type}`);
  return [
    `${countOf(total, "entry", "entries")}${total === 0 ? "" : `: ${types.join(", ")}`}`,
    ...entries.map(
      ({ date, type, title, subjectName }) =>
        `  ${date ?? "no date"}  ${type}  ${title ?? subjectName ?? "without a title"}`,
    ),
    ...(total > entries.length ? [`  and ${total - entries.length} more`] : []),
    ...(skippedCount === 0
      ? []
      : [`${countOf(skippedCount, "entry", "entries")} would be left out`]),
    "Nothing was kept",
  ];
}

async function readRules(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandError(`Cannot read the rules "${path}" (${code})`);
  }
}
