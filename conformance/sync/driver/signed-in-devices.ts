/** Devices that are signed in and have synced. */
import type { ClientUnderTest } from "../../drivers/client-under-test.ts";
import { createAccount, type AccountOptions, type PlayedAccount } from "./played-account.ts";
import { createDevice, expectSynced, type SyncDevice } from "./sync-device.ts";

/** One device of a new account. */
export async function withDevice(
  client: ClientUnderTest,
  options: AccountOptions,
  work: (phone: SyncDevice, account: PlayedAccount) => Promise<void>,
): Promise<void> {
  const account = createAccount(client, options);
  await work(await openDevice(client, account, "the phone"), account);
}

/** Two devices of a new account. */
export function withDevices(
  client: ClientUnderTest,
  options: AccountOptions,
  work: (phone: SyncDevice, tablet: SyncDevice, account: PlayedAccount) => Promise<void>,
): Promise<void> {
  return withDevice(client, options, async (phone, account) =>
    work(phone, await openDevice(client, account, "the tablet"), account),
  );
}

async function openDevice(
  client: ClientUnderTest,
  account: PlayedAccount,
  name: string,
): Promise<SyncDevice> {
  const device = createDevice(client, account, name);
  await device.signIn();
  await expectSynced(device.sync());
  return device;
}
