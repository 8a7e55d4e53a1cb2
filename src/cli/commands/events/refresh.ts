import type { RefreshResult } from "../../../events/subscriptions/refresh-subscription.ts";
import { CommandError, defineCommand, UsageError } from "../../command.ts";
import { countOf } from "../../count-of.ts";
import { chooseSubscriptions } from "./choose-subscriptions.ts";
import { describeErrorCode, describeSummary, describeWarning } from "./describe-import.ts";
import { withEventsAdministration } from "./open-store.ts";
import { readUrl, URL_STDIN_OPTION } from "./url-option.ts";

export const refreshCommand = defineCommand({
  summary: "Fetch calendars now",
  description:
    "All of them, those of an account, or one. A calendar that cannot be read changes nothing. Exits 1 when one failed.",
  options: {
    account: { type: "string", value: "NAME", description: "Only those of this account" },
    url: { type: "string", value: "URL", description: "Only the one at this address" },
    ...URL_STDIN_OPTION,
    "accept-shrink": {
      type: "boolean",
      description: "It is right that more than half of the one calendar is gone",
    },
  },
  examples: [
    "trellis events refresh",
    "trellis events refresh --account ada --url https://school.example.com/7b.ics",
  ],
  async run(context) {
    const { account } = context.options;
    const acceptShrink = context.options["accept-shrink"];
    const url = await readUrl(context, context.options.url, context.options["url-stdin"]);
    if (acceptShrink && (account === undefined || url === undefined)) {
      throw new UsageError("--accept-shrink is for one calendar: give --account and --url too");
    }
    const refreshed = await withEventsAdministration(context, async (desk) => {
      const done = [];
      for (const { username, subscription } of await chooseSubscriptions(desk, { account, url })) {
        const { sourceId, name } = subscription;
        const outcome = await desk.subscriptions.refreshNow(sourceId, { acceptShrink });
        if (outcome === null) continue;
        context.print(`"${name}" of "${username}": ${describe(outcome)}`);
        done.push({ id: sourceId, account: username, name, ...outcome });
      }
      return done;
    });
    if (refreshed.length === 0) context.print("There is no subscription");
    const failed = refreshed.filter(({ kind }) => kind === "failed").length;
    if (failed > 0) {
      throw new CommandError(`${countOf(failed, "calendar")} could not be read`, { refreshed });
    }
    context.json({ refreshed });
  },
});

function describe(outcome: RefreshResult): string {
  switch (outcome.kind) {
    case "imported": {
      const { summary, warning } = outcome;
      const kept = warning === null ? "" : `; ${describeWarning(warning)}`;
      return `${describeSummary(summary)}${kept}`;
    }
    case "unchanged":
      return "it has not changed";
    case "failed":
      return describeErrorCode(outcome.fault);
    case "superseded":
      return "a server is fetching it at this moment";
  }
}
