import type { SignInPurpose } from "../../contract/identity.ts";
import { noteAccepted } from "../sign-in-history.ts";
import type { AccountName, AccountRecords, AccountRequest } from "./account-service.ts";

/** A person reads of a change of the ways in among the sign-ins. */
export function noteChange(
  { identity }: AccountRecords,
  { accountId }: Pick<AccountName, "accountId">,
  purpose: SignInPurpose,
  request: Pick<AccountRequest, "header" | "clientAddress">,
  now: number,
): Promise<void> {
  const address = request.clientAddress();
  const userAgent = request.header("user-agent");
  const visit = { purpose, method: "password", address, userAgent } as const;
  return noteAccepted(identity, visit, { accountId, isNew: false }, now);
}
