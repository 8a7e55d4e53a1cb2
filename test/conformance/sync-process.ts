/** The sync service as its operator runs it: an account, then `trellis serve sync`, as processes. */
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
  const words = ["account", "create", "--username", username, "--password-stdin"];
  const commands = [{ words, stdin: `${password}\n` }];
  return startServiceProcess({ service: "sync", store, settings, commands });
}
