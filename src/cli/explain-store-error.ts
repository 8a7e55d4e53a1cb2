import { StorageUnavailableError } from "../database/database.ts";

/** The message of a store that cannot be opened has no path or address, which may be a secret. */
export function explainStoreError({ message }: Error, cause: unknown): string {
  return cause instanceof StorageUnavailableError
    ? `${message}; \`trellis doctor\` shows which store it is`
    : message;
}
