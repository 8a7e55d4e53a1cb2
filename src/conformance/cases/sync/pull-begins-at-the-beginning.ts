import type { Operation } from "../../../contract/sync/operation.ts";
import { NotTestable } from "../../case.ts";
import { expectSame, violate } from "../../expect.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

export const pullBeginsAtTheBeginning: SyncCase = {
  id: "pull-begins-at-the-beginning",
  title:
    "Without a cursor the first page is the beginning, and the pages from there hold everything",
  section: "sync contract, Pull request and response: omit for the first page",
  async run(target) {
    const device = await target.device();
    const { maxPullOperations: limit } = await target.limits();
    const operation = freshOperation(target);
    const [receipt] = await device.store(operation);
    const first = await device.pull({ limit });
    if (first.headOffset > 20 * limit) {
      throw new NotTestable("The log is too long to be read from its beginning");
    }
    const rest = await device.pullAll(first.cursor);
    const all = [...(first.operations as Operation[]), ...rest];
    const ids = all.map(({ operationId }) => operationId);
    expectSame(
      "GET /v1/pull from the beginning",
      "repeated operations",
      ids.length - new Set(ids).size,
      0,
    );
    if (!ids.includes(operation.operationId)) {
      violate("GET /v1/pull from the beginning", `the operation at ${receipt?.offset}`, "none");
    }
  },
};
