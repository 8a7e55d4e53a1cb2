import type { SubscriptionOverview } from "../../../events/subscriptions/subscriptions.ts";
import { defineCommand } from "../../command.ts";
import { toTime } from "../../to-time.ts";
import { describeErrorCode, describeSummary, describeWarning } from "./describe-import.ts";
import { withEventsAdministration } from "./open-store.ts";

export const subscriptionsListCommand = defineCommand({
  summary: "Show the calendars, and how their last fetch went",
  description:
    "Of an address only the host is shown: the rest often is a secret that opens the calendar.",
  options: {
    account: { type: "string", value: "NAME", description: "Only those of this account" },
  },
  async run(context) {
    const { account } = context.options;
    const found = await withEventsAdministration(context, async (desk) => {
      const accounts =
        account === undefined
          ? await desk.administration.listAccounts()
          : [await desk.expectAccount(account)];
      const listed = [];
      for (const { accountId, username } of accounts) {
        const overviews = await desk.subscriptions.list(accountId);
        listed.push(...overviews.map((overview) => toJson(overview, username)));
      }
      return listed;
    });
    if (found.length === 0) {
      context.print("There is no subscription: run `trellis events subscribe URL --account NAME`");
    }
    for (const subscription of found) context.print(describe(subscription).join("\n"));
    context.json({ subscriptions: found });
  },
});

function toJson(overview: SubscriptionOverview, account: string) {
  const timeOf = (at: number | null) => (at === null ? null : toTime(at));
  return {
    id: overview.sourceId,
    account,
    name: overview.name,
    host: overview.host,
    defaultType: overview.defaultType,
    rules: overview.rules,
    entries: overview.entryCount,
    lastFetchedAt: timeOf(overview.lastFetchedAt),
    lastSucceededAt: timeOf(overview.lastSucceededAt),
    nextFetchAt: toTime(overview.nextFetchAt),
    failures: overview.failures,
    fault: overview.lastFault,
    warning: overview.warning,
    report: overview.report,
  };
}

function describe(subscription: ReturnType<typeof toJson>): string[] {
  const { fault, warning, report, failures } = subscription;
  return [
    subscription.id,
    `  "${subscription.name}" of "${subscription.account}", ${subscription.host}`,
    `  ${subscription.entries ?? 0} entries; last read ${subscription.lastSucceededAt ?? "never"}, next fetch ${subscription.nextFetchAt}`,
    ...(report === null ? [] : [`  last import: ${describeSummary(report)}`]),
    ...(fault === null
      ? []
      : [`  failed ${failures === 1 ? "once" : `${failures} times`}: ${describeErrorCode(fault)}`]),
    ...(warning === null ? [] : [`  warning: ${describeWarning(warning)}`]),
    ...(report?.skipped ?? []).map(({ what, reason }) => `  left out "${what}": ${reason}`),
  ];
}
