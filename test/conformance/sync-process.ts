/** The sync service with an account, as a process. */
import { openInstanceKey } from "../../src/identity/instance-key.ts";
import { openSyncStore } from "../../src/server/open-sync-store.ts";
import { addSyncAccount } from "../sync/add-account.ts";
import {
  startServiceProcess,
  type ServiceProcess,
  type ServiceProcessSettings,
} from "./service-process.ts";

export type SyncProcess = ServiceProcess;

export interface SyncProcessSettings extends Pick<ServiceProcessSettings, "store" | "settings"> {
  readonly username: string;
  readonly password: string;
}

export function startSyncProcess(options: SyncProcessSettings): Promise<SyncProcess> {
  const { username, password, store, settings } = options;
  return startServiceProcess({
    service: "sync",
    store,
    settings,
    async prepare(home) {
      const opened = await openSyncStore(home.store, home.dataDir);
      const account = { username, password };
      await addSyncAccount(opened, openInstanceKey(home.instanceKeyFile), account);
      await opened.close();
    },
  });
}
