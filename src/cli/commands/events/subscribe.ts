import { readFile } from "node:fs/promises";
import type { FeedPreview } from "../../../events/pages.ts";
import { CommandError, defineCommand, flag, option, UsageError, type Line } from "../../command.ts";
import { formatCount } from "../../format.ts";
import { describeFeedNotice, describeSummary, expectSubscription } from "./describe-feed.ts";
import { withEventsAdministration } from "./open-store.ts";
import {
  readCalendarUrl,
  URL_STDIN_OPTION,
  noSubscriptionError,
  selectSubscriptions,
} from "./select-subscriptions.ts";
import { confirmPlan, PLAN_OPTIONS } from "../../prompts.ts";

export const subscribeCommand = defineCommand({
  description:
    "Fetches the calendar now, and then about every hour while a server runs. The address must be https or webcal, in a public network or on a host that the configuration allows.",
  arguments: { url: { description: "The address of the calendar" } },
  options: {
    account: option("NAME", "The account that gets the events", { required: true }),
    ...URL_STDIN_OPTION,
    name: option("NAME", "The display name (default: the host)"),
    "default-type": option("TYPE", "The type of entries without a known keyword (default: task)"),
    rules: option(
      "FILE",
      "A file that maps words to types, one rule per line: `exam: Klausur, Prüfung`",
    ),
    preview: flag("Show what would be imported, and change nothing"),
  },
  examples: [
    "trellis events subscribe https://school.example.com/7b.ics --account ada --name School",
    "trellis events subscribe --url-stdin --account ada --preview < address",
  ],
  async run(context) {
    const { account, name = "", rules, preview } = context.options;
    const url = await readCalendarUrl(context, context.args.url, context.options["url-stdin"]);
    if (url === undefined) throw new UsageError("Missing argument URL, or option --url-stdin");
    const fields = {
      url,
      name,
      defaultType: context.options["default-type"] ?? "",
      rules: rules === undefined ? "" : await readRules(rules),
    };
    const access = preview ? "read" : "change";
    await withEventsAdministration(context, access, async ({ subscriptions, expectAccount }) => {
      const { accountId } = await expectAccount(account);
      if (preview) {
        const result = expectSubscription(await subscriptions.preview(accountId, fields));
        context.print(...describePreview(result.preview));
        context.json(result.preview);
        return;
      }
      const { sourceId } = expectSubscription(await subscriptions.subscribe(accountId, fields));
      const listed = await subscriptions.list(accountId);
      const found = listed.find((subscription) => subscription.sourceId === sourceId);
      if (found === undefined) {
        throw new CommandError("The subscription was ended by another command or in a browser");
      }
      const { host, report } = found;
      context.print(
        `"${account}" is subscribed to "${found.name}" at ${host}: ${report === null ? "the import is running" : describeSummary(report)}`,
      );
      context.print(
        ...(report?.notices ?? []).map(describeFeedNotice),
        report !== null &&
          report.skippedCount > 0 &&
          `${formatCount(report.skippedCount, "entry was", "entries were")} skipped: see \`trellis events subscriptions list\``,
      );
      context.json({ account, id: sourceId, name: found.name, host, report });
    });
  },
});

function describePreview(preview: FeedPreview): Line[] {
  const { entries, total, countsByType, skippedCount, notices } = preview;
  const types = Object.entries(countsByType).map(([type, count]) => `${count} ${type}`);
  return [
    `${formatCount(total, "entry", "entries")}${total === 0 ? "" : `: ${types.join(", ")}`}`,
    ...entries.map(
      ({ date, type, title, subjectName }) =>
        `  ${date ?? "no date"}  ${type}  ${title ?? subjectName ?? "without a title"}`,
    ),
    total > entries.length && `  and ${total - entries.length} more`,
    ...notices.map(describeFeedNotice),
    skippedCount > 0 && `${formatCount(skippedCount, "entry", "entries")} would be skipped`,
    "This was a preview: nothing was imported",
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

export const unsubscribeCommand = defineCommand({
  description:
    "Subscribing to the same address again restores the same events. Habits that apps created from the events stay on their devices.",
  arguments: {
    id: { description: "The subscription's id, as `subscriptions list` shows it", isId: true },
  },
  options: {
    account: option("NAME", "The account, together with --url"),
    url: option("URL", "The address of the calendar"),
    ...URL_STDIN_OPTION,
    ...PLAN_OPTIONS,
  },
  examples: [
    "trellis events unsubscribe --account ada --url https://school.example.com/7b.ics --yes",
  ],
  async run(context) {
    const { id } = context.args;
    const { account } = context.options;
    const url = await readCalendarUrl(context, context.options.url, context.options["url-stdin"]);
    const isOne = id === undefined ? account !== undefined && url !== undefined : url === undefined;
    if (!isOne) {
      throw new UsageError("Name one subscription, or give --account NAME with --url URL");
    }
    await withEventsAdministration(context, "change", async (administration) => {
      const [selected] = await selectSubscriptions(administration, { account, url, id });
      if (selected === undefined) throw noSubscriptionError();
      const { username, subscription } = selected;
      const { accountId, sourceId, name } = subscription;
      const present = await administration.store.transaction(({ events }) =>
        events.listSource(accountId, sourceId),
      );
      const live = present.filter(({ deletedAt }) => deletedAt === null).length;
      await confirmPlan(context, {
        consequence: `This deletes ${formatCount(live, "event")} of "${name}" of "${username}"`,
        plan: { account: username, id: sourceId, name, deleted: live },
      });
      expectSubscription(await administration.subscriptions.unsubscribe(accountId, sourceId));
      context.print(
        `"${username}" is no longer subscribed to "${name}"; ${formatCount(live, "event")} deleted`,
      );
      context.json({ account: username, id: sourceId, name, deleted: live });
    });
  },
});
