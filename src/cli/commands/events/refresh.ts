import type { RefreshResult } from "../../../events/subscriptions/refresh-subscription.ts";
import { CommandError, defineCommand, flag, option, UsageError } from "../../command.ts";
import { formatCount } from "../../format.ts";
import { describeFeedError, describeFeedWarning, describeSummary } from "./describe-feed.ts";
import { withEventsAdministration } from "./open-store.ts";
import { readCalendarUrl, selectSubscriptions, URL_STDIN_OPTION } from "./select-subscriptions.ts";

export const command = defineCommand({
  description:
    "Fetches all calendars, those of an account, or one. When a calendar cannot be read, its events stay as they are. Exit code 1 when a fetch failed.",
  options: {
    account: option("NAME", "Only the calendars of this account"),
    url: option("URL", "Only the calendar at this address"),
    ...URL_STDIN_OPTION,
    "accept-shrink": flag("Accept that more than half of the calendar's entries are missing"),
  },
  examples: [
    "trellis events refresh",
    "trellis events refresh --account ada --url https://school.example.com/7b.ics",
  ],
  async run(context) {
    const { account } = context.options;
    const acceptShrink = context.options["accept-shrink"];
    const url = await readCalendarUrl(context, context.options.url, context.options["url-stdin"]);
    if (acceptShrink && (account === undefined || url === undefined)) {
      throw new UsageError("--accept-shrink is for one calendar: give --account and --url too");
    }
    const refreshed = await withEventsAdministration(context, "change", async (administration) => {
      const done = [];
      const selected = await selectSubscriptions(administration, { account, url });
      for (const { username, subscription } of selected) {
        const { sourceId, name } = subscription;
        const result = await administration.subscriptions.refreshNow(sourceId, { acceptShrink });
        if (result === null) continue;
        context.print(`"${name}" of "${username}": ${describe(result)}`);
        done.push({ id: sourceId, account: username, name, ...result });
      }
      return done;
    });
    if (refreshed.length === 0) context.print("There is no subscription");
    const failed = refreshed.filter(({ kind }) => kind === "failed").length;
    if (failed > 0) {
      throw new CommandError(`${formatCount(failed, "calendar")} could not be read`, { refreshed });
    }
    context.json({ refreshed });
  },
});

function describe(result: RefreshResult): string {
  switch (result.kind) {
    case "imported": {
      const { summary, warning } = result;
      const kept = warning === null ? "" : `; ${describeFeedWarning(warning)}`;
      return `${describeSummary(summary)}${kept}`;
    }
    case "unchanged":
      return "it has not changed";
    case "failed":
      return describeFeedError(result.error);
    case "superseded":
      return "a server is fetching it right now";
  }
}
