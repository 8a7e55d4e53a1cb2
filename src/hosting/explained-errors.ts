import { StorageUnavailableError } from "../database/database.ts";
import { MigrationError } from "../database/find-pending.ts";
import { InstanceKeyError } from "../identity/bind-instance-key.ts";
import { KeyFileError } from "../identity/instance-key.ts";
import { HostLeaseError } from "./lease-host.ts";
import { MissingStoreError } from "../database/open-store.ts";
import { StoreInUseError } from "../database/lease-store.ts";
import { ProfileError } from "../sync/sql/check-profile.ts";
import { UpgradeNeededError } from "../database/prepare-upgrade.ts";

/** Whether the message of an error is ours: it says what to do, and quotes nothing that is stored. */
export function isExplained(error: unknown): error is Error {
  return (
    error instanceof StorageUnavailableError ||
    error instanceof InstanceKeyError ||
    error instanceof KeyFileError ||
    error instanceof MissingStoreError ||
    error instanceof UpgradeNeededError ||
    error instanceof MigrationError ||
    error instanceof StoreInUseError ||
    error instanceof ProfileError ||
    error instanceof HostLeaseError
  );
}
