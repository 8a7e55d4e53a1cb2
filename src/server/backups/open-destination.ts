import { join } from "node:path";
import { parseS3Address, readS3Settings, type S3Options } from "../object-storage/s3-settings.ts";
import { createS3Storage } from "../object-storage/s3-storage.ts";
import { BackupPlaceError, type BackupDestination } from "./backup-destination.ts";
import { createFolderDestination } from "./folder-destination.ts";
import { createS3Destination } from "./s3-destination.ts";

export interface DestinationOptions {
  readonly service: string;
  readonly dataDir: string;
  /** For the credentials of a bucket. */
  readonly env: S3Options["env"];
}

/** `to` is the path of a folder, or `s3://bucket/prefix`. */
export async function openDestination(
  to: string,
  { service, dataDir, env }: DestinationOptions,
): Promise<BackupDestination> {
  if (parseS3Address(to) === null) return createFolderDestination(to);
  const result = readS3Settings(to, { isVirtualHost: false, env });
  if (result.kind === "invalid") throw new BackupPlaceError(result.message);
  return createS3Destination(
    createS3Storage(result.settings),
    join(dataDir, `${service}.backup-draft`),
  );
}
