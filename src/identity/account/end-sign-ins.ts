import type { AccountName, AccountRecords, AccountRealm } from "./account-service.ts";

export interface EndedSignIns {
  /** The sessions of browsers. */
  readonly endedSessions: number;
  /** The devices or apps that had access. */
  readonly endedAccess: number;
}

/** Ends what someone who knew an earlier password may have begun; `isEverywhere` ends all access. */
export async function endSignIns<Records extends AccountRecords>(
  { sessionsOf, endAccess, endCodes }: AccountRealm<Records>,
  records: Records,
  { accountId, username }: AccountName,
  isEverywhere: boolean,
): Promise<EndedSignIns> {
  const account = { accountId, username };
  const endedSessions = await sessionsOf(records).closeAll(accountId);
  if (isEverywhere) return { endedSessions, endedAccess: await endAccess(records, account) };
  await endCodes(records, account);
  return { endedSessions, endedAccess: 0 };
}
