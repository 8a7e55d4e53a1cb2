/** Invitations and reset links, as an operator lists and revokes them on the machine. */
import {
  accountLinkId,
  listAccountLinks,
  revokeAccountLinks,
  type AccountLink,
} from "./account-links.ts";
import type { IdentityRecords } from "./identity-records.ts";

export interface ListedLink extends Pick<AccountLink, "kind" | "username" | "expiresAt"> {
  readonly id: string;
}

interface LinkStore {
  transaction<T>(work: (records: { readonly identity: IdentityRecords }) => Promise<T>): Promise<T>;
}

export function createLinkAdministration(store: LinkStore, now: () => number) {
  return {
    /** Lists the links that can be used, the first to expire first. */
    listLinks: () =>
      store.transaction(async ({ identity }) =>
        (await listAccountLinks(identity, now())).map(describeLink),
      ),
    /** Revokes the link with this id, or all for null. Returns those that there were. */
    revokeLinks: (id: string | null) =>
      store.transaction(async ({ identity }) =>
        (await revokeAccountLinks(identity, id, now())).map(describeLink),
      ),
  };
}

function describeLink(link: AccountLink): ListedLink {
  const { kind, username, expiresAt } = link;
  return { id: accountLinkId(link), kind, username, expiresAt };
}
