/** What a person can mend about a store is told without a stack. */
import { StorageUnavailableError } from "../database/database.ts";
import { StoreInUseError } from "../server/leased-store.ts";
import { CommandError } from "./command.ts";

export async function explainingStoreFailures<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isTold = error instanceof StorageUnavailableError || error instanceof StoreInUseError;
    throw isTold ? new CommandError(error.message) : error;
  }
}
