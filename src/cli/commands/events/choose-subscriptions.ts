/** The subscriptions a command is about: one, those of an account, or all. */
import type { Subscription } from "../../../events/store.ts";
import { CommandError } from "../../command.ts";
import type { EventsAdministration } from "./open-store.ts";

export interface ChosenSubscription {
  readonly username: string;
  readonly subscription: Subscription;
}

export interface SubscriptionChoice {
  readonly account?: string | undefined;
  readonly url?: string | undefined;
  /** As `subscriptions list` shows it. */
  readonly id?: string | undefined;
}

/** Fails the command when something was named and is not there. */
export async function chooseSubscriptions(
  desk: EventsAdministration,
  { account, url, id }: SubscriptionChoice,
): Promise<readonly ChosenSubscription[]> {
  const { administration, store } = desk;
  const accounts =
    account === undefined
      ? await administration.listAccounts()
      : [await desk.expectAccount(account)];
  const chosen: ChosenSubscription[] = [];
  for (const { accountId, username } of accounts) {
    const wanted =
      url === undefined
        ? null
        : ((await desk.subscriptions.findByUrl(accountId, url))?.sourceId ?? "");
    const listed = await store.transaction(({ subscriptions }) => subscriptions.list(accountId));
    for (const subscription of listed) {
      const isMeant = [wanted ?? subscription.sourceId, id ?? subscription.sourceId].every(
        (sourceId) => sourceId === subscription.sourceId,
      );
      if (isMeant) chosen.push({ username, subscription });
    }
  }
  if (chosen.length === 0 && (url !== undefined || id !== undefined)) {
    // The address is not repeated: it may be a secret.
    throw new CommandError(
      "There is no such subscription: see `trellis events subscriptions list`",
    );
  }
  return chosen;
}
