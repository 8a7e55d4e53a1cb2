import type { Subscription } from "../../../events/store.ts";
import { CommandError, flag, UsageError, type CommandContext } from "../../command.ts";
import { readFirstLine } from "../../secret-input.ts";
import type { EventsAdministration } from "./open-store.ts";

/** The address of a calendar is often a secret, which a list of processes would show. */
export const URL_STDIN_OPTION = {
  "url-stdin": flag("Read the address from the first line of standard input"),
} as const;

/** `given` is the address on the command line. */
export async function readCalendarUrl(
  { terminal }: Pick<CommandContext, "terminal">,
  given: string | undefined,
  fromStdin: boolean,
): Promise<string | undefined> {
  if (!fromStdin) return given;
  if (given !== undefined) {
    throw new UsageError("Give the address either on the command line or with --url-stdin");
  }
  return readFirstLine(terminal.stdin);
}

export interface SubscriptionFilter {
  readonly account?: string | undefined;
  readonly url?: string | undefined;
  /** The id of the subscription, as `subscriptions list` shows it. */
  readonly id?: string | undefined;
}

export interface SelectedSubscription {
  readonly username: string;
  readonly subscription: Subscription;
}

/** Fails the command when the filter names an account or a subscription that does not exist. */
export async function selectSubscriptions(
  { store, subscriptions, selectAccounts }: EventsAdministration,
  { account, url, id }: SubscriptionFilter,
): Promise<readonly SelectedSubscription[]> {
  const selected: SelectedSubscription[] = [];
  for (const { accountId, username } of await selectAccounts(account)) {
    const found = url === undefined ? null : await subscriptions.findByUrl(accountId, url);
    const listed = await store.transaction((records) => records.subscriptions.list(accountId));
    for (const subscription of listed) {
      const { sourceId } = subscription;
      const matchesUrl = url === undefined || found?.sourceId === sourceId;
      if (matchesUrl && (id ?? sourceId) === sourceId) selected.push({ username, subscription });
    }
  }
  if (selected.length === 0 && (url !== undefined || id !== undefined)) {
    throw noSubscriptionError();
  }
  return selected;
}

/** The message does not repeat the address, which may be a secret. */
export function noSubscriptionError(): CommandError {
  return new CommandError("There is no such subscription: see `trellis events subscriptions list`");
}
