import { createOperation } from "../../sync/operations.ts";
import { expectRefused } from "../../sync/refuse.ts";
import type { SyncCase } from "../../sync/target.ts";

const NAMES = [
  "token",
  "accessToken",
  "SECRET",
  "password",
  "Password2",
  "apiKey",
  "api_key",
  "api key",
  "credentials",
];

export const secretsAreRefused: SyncCase = {
  id: "secrets-are-refused",
  title: "A name that looks like a secret's is refused anywhere in a document, in any letter case",
  section: "Trellis decision, sync service: keys that look like secrets",
  async run(target) {
    const deviceId = target.newId("device");
    const entityId = target.newSetting();
    const nested = NAMES.map((name) => ({ payload: { value: { list: [{ [name]: 1 }] } } }));
    const metadata = NAMES.slice(0, 3).map((name) => ({ metadata: { [name]: 1 } }));
    const operations = [...nested, ...metadata].map((sketch) =>
      createOperation({ deviceId, entityId, ...sketch }),
    );
    await expectRefused(target, operations);
  },
};
