import type { SubscriptionOverview } from "../../../events/subscriptions/subscriptions.ts";
import { defineCommand, option, type Line } from "../../command.ts";
import { formatTime } from "../../format.ts";
import {
  describeFeedError,
  describeFeedNotice,
  describeFeedWarning,
  describeSummary,
} from "./describe-feed.ts";
import { withEventsAdministration } from "./open-store.ts";

export const command = defineCommand({
  description:
    "Shows only the host of each address: the rest is often a secret that gives access to the calendar.",
  options: {
    account: option("NAME", "Only the subscriptions of this account"),
  },
  async run(context) {
    const { account } = context.options;
    const found = await withEventsAdministration(context, "read", async (administration) => {
      const listed = [];
      for (const { accountId, username } of await administration.selectAccounts(account)) {
        const overviews = await administration.subscriptions.list(accountId);
        listed.push(...overviews.map((overview) => toJson(overview, username)));
      }
      return listed;
    });
    if (found.length === 0) {
      context.print("There is no subscription: run `trellis events subscribe URL --account NAME`");
    }
    context.print(...found.flatMap(describe));
    context.json({ subscriptions: found });
  },
});

function toJson(overview: SubscriptionOverview, account: string) {
  const timeOrNull = (at: number | null) => (at === null ? null : formatTime(at));
  return {
    id: overview.sourceId,
    account,
    name: overview.name,
    host: overview.host,
    defaultType: overview.defaultType,
    rules: overview.rules,
    entries: overview.entryCount,
    lastFetchedAt: timeOrNull(overview.lastFetchedAt),
    lastSucceededAt: timeOrNull(overview.lastSucceededAt),
    nextFetchAt: formatTime(overview.nextFetchAt),
    failures: overview.failures,
    lastError: overview.lastError,
    warning: overview.warning,
    report: overview.report,
  };
}

function describe(subscription: ReturnType<typeof toJson>): Line[] {
  const { lastError, warning, report, failures } = subscription;
  return [
    subscription.id,
    `  "${subscription.name}" of "${subscription.account}", ${subscription.host}`,
    `  ${subscription.entries ?? 0} entries; last read ${subscription.lastSucceededAt ?? "never"}, next fetch ${subscription.nextFetchAt}`,
    report !== null && `  last import: ${describeSummary(report)}`,
    lastError !== null &&
      `  failed ${failures === 1 ? "once" : `${failures} times`}: ${describeFeedError(lastError)}`,
    warning !== null && `  warning: ${describeFeedWarning(warning)}`,
    ...(report?.notices ?? []).map((notice) => `  ${describeFeedNotice(notice)}`),
    ...(report?.skipped ?? []).map(({ what, reason }) => `  skipped "${what}": ${reason}`),
  ];
}
