import { defineCommand, option, UsageError } from "../../command.ts";
import { formatCount } from "../../format.ts";
import { confirmOrFail, YES_OPTION } from "../../prompts.ts";
import { expectSubscription } from "./describe-feed.ts";
import { withEventsAdministration } from "./open-store.ts";
import {
  noSubscriptionError,
  readCalendarUrl,
  selectSubscriptions,
  URL_STDIN_OPTION,
} from "./select-subscriptions.ts";

export const command = defineCommand({
  description:
    "Subscribing to the same address again restores the same events. Habits that apps created from the events stay on their devices.",
  arguments: {
    id: { description: "The subscription's id, as `subscriptions list` shows it", isId: true },
  },
  options: {
    account: option("NAME", "The account, together with --url"),
    url: option("URL", "The address of the calendar"),
    ...URL_STDIN_OPTION,
    ...YES_OPTION,
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
      await confirmOrFail(
        context,
        `This deletes ${formatCount(live, "event")} of "${name}" of "${username}"`,
      );
      expectSubscription(await administration.subscriptions.unsubscribe(accountId, sourceId));
      context.print(
        `"${username}" is no longer subscribed to "${name}"; ${formatCount(live, "event")} deleted`,
      );
      context.json({ account: username, id: sourceId, name, deleted: live });
    });
  },
});
