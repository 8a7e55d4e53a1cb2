import { defineCommand, UsageError } from "../../command.ts";
import { confirmOrStop, YES_OPTION } from "../../confirm.ts";
import { countOf } from "../../count-of.ts";
import { chooseSubscriptions } from "./choose-subscriptions.ts";
import { subscriptionErrorToCliError } from "./describe-problem.ts";
import { withEventsAdministration } from "./open-store.ts";
import { readUrl, URL_STDIN_OPTION } from "./url-option.ts";

export const unsubscribeCommand = defineCommand({
  summary: "End a subscription and delete its events",
  description:
    "Whoever subscribes to the same address again finds the same events. Habits that apps made of them stay on their devices.",
  arguments: {
    id: { description: "The subscription, as `subscriptions list` shows it", isId: true },
  },
  options: {
    account: { type: "string", value: "NAME", description: "Whose, together with --url" },
    url: { type: "string", value: "URL", description: "The address of the calendar" },
    ...URL_STDIN_OPTION,
    ...YES_OPTION,
  },
  examples: [
    "trellis events unsubscribe --account ada --url https://school.example.com/7b.ics --yes",
  ],
  async run(context) {
    const { id } = context.args;
    const { account, yes } = context.options;
    const url = await readUrl(context, context.options.url, context.options["url-stdin"]);
    const isOne = id === undefined ? account !== undefined && url !== undefined : url === undefined;
    if (!isOne)
      throw new UsageError("Name one subscription, or give --account NAME with --url URL");
    await withEventsAdministration(context, async (desk) => {
      const [chosen] = await chooseSubscriptions(desk, { account, url, id });
      if (chosen === undefined) throw subscriptionErrorToCliError({ kind: "not-found" });
      const { username, subscription } = chosen;
      const { accountId, sourceId, name } = subscription;
      const present = await desk.store.transaction(({ events }) =>
        events.listSource(accountId, sourceId),
      );
      const live = present.filter(({ deletedAt }) => deletedAt === null).length;
      await confirmOrStop(
        context,
        yes,
        `This deletes ${countOf(live, "event")} of "${name}" of "${username}"`,
      );
      const outcome = await desk.subscriptions.unsubscribe(accountId, sourceId);
      if (outcome.kind === "refused") throw subscriptionErrorToCliError(outcome.problem);
      context.print(
        `"${username}" is no longer subscribed to "${name}"; ${countOf(live, "event")} deleted`,
      );
      context.json({ account: username, id: sourceId, name, deleted: live });
    });
  },
});
