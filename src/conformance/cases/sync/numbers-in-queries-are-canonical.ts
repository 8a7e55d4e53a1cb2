import { expectEach } from "../../expect.ts";
import { expectError } from "../../sync/bodies.ts";
import type { SyncCase } from "../../sync/target.ts";

const WRONG = ["0", "-1", "05", "1e2", "0x10", "%2B5", "%205", "5%20", "1.0", "", "ten", "NaN"];

export const numbersInQueriesAreCanonical: SyncCase = {
  id: "numbers-in-queries-are-canonical",
  title:
    "limit is a plain decimal from 1 to what the server names; anything else is invalid_request",
  section: "Trellis decision, shared by all services: integers in queries; sync contract, Limits",
  async run(target) {
    const device = await target.device();
    const { maxPullOperations } = await target.limits();
    const tooMany = [String(maxPullOperations + 1), "99999", "12345678901234567"];
    await expectEach([...WRONG, ...tooMany], async (limit) => {
      expectError(await device.get(`/v1/pull?limit=${limit}`), "invalid_request");
    });
    await expectEach([1, maxPullOperations], async (limit) => void (await device.pull({ limit })));
  },
};
