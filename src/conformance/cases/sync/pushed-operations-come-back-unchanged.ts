import { violate, describeAnswer } from "../../expect.ts";
import { expectReceipts, expectPage } from "../../sync/bodies.ts";
import { JSON_BODY } from "../../sync/device.ts";
import { freshOperation } from "../../sync/operations.ts";
import type { SyncCase } from "../../sync/target.ts";

const VALUES =
  '{"big":12345678901234567890,"exact":1.0,"power":1e2,"tiny":1E-400,"text":"\\u00e9\\/é","z":1,"a":[ ]}';

export const pushedOperationsComeBackUnchanged: SyncCase = {
  id: "pushed-operations-come-back-unchanged",
  title:
    "An operation is sent to every device byte for byte as it was pushed, large numbers and unknown fields too",
  section: "Trellis decision, sync service: unknown further fields are kept untouched",
  async run(target) {
    const device = await target.device();
    const plain = freshOperation(target);
    const text = JSON.stringify(plain)
      .replace('"value":1', `"value":${VALUES}`)
      .replace('"deleted":false', '"note":{"n":9007199254740993},"deleted":false')
      .replace('"changedMetadataFields":[]', '"changedMetadataFields":["note"]');
    const headers = { ...JSON_BODY, ...device.bearer };
    const [marker] = await device.store(freshOperation(target));
    expectReceipts(await target.api.send("POST", "/v1/push", headers, `{"operations":[${text}]}`));
    const answer = await device.get(
      `/v1/pull?cursor=${marker?.cursor}&limit=${(await target.limits()).maxPullOperations}`,
    );
    expectPage(answer);
    if (!new TextDecoder().decode(answer.body).includes(text)) {
      violate(answer.asked, `the operation as it was pushed, ${text}`, describeAnswer(answer));
    }
    const snapshot = await device.get("/v1/snapshot");
    if (!new TextDecoder().decode(snapshot.body).includes(`"value":${VALUES}`)) {
      violate(snapshot.asked, "the value as it was pushed", "another spelling of it");
    }
  },
};
