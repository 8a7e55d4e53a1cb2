/** A place for scheduled backups. A backup has its name there only when it is complete and verified. */

export interface BackupDestination {
  /** On this machine, with space for a backup and for the scratch store that verifies it. */
  readonly workFolder: string;
  /** For people: a path, or an address in a bucket. */
  addressOf(name: string): string;
  list(prefix: string): Promise<readonly StoredBackup[]>;
  /** `create` writes a verified backup to a path, which must be free. */
  store<M>(name: string, create: (path: string) => Promise<M>): Promise<M>;
  remove(name: string): Promise<void>;
  /** Removes what backups left behind that were broken off. */
  removeDrafts(prefix: string): Promise<void>;
}

export interface StoredBackup {
  readonly name: string;
  /** By its name. */
  readonly createdAt: number;
  readonly bytes: number;
}

/** The place cannot be used; the message says what happened and what to do, without secrets. */
export class BackupPlaceError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "BackupPlaceError";
  }
}
