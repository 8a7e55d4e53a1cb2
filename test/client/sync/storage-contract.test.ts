import { test } from "node:test";
import { createStorageCases } from "../../../storage-contract/index.ts";
import { STORAGE_HARNESSES } from "./storages.ts";

for (const [name, harness] of Object.entries(STORAGE_HARNESSES)) {
  for (const storageCase of createStorageCases(harness)) {
    test(`${storageCase.name} (${name})`, () => storageCase.run());
  }
}
