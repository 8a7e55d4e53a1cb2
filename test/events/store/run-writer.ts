/** Writes events in another process. Arguments: store, data folder, account, source, name, count. */
import { openEventsStore } from "../../../src/events/sql/open-store.ts";
import { NOW, put, remove, write } from "./samples.ts";

const [address = "", dataDir = "", accountId = "", sourceId = "", name = "", count = "0"] =
  process.argv.slice(2);
const store = await openEventsStore(address, dataDir);
for (let index = 0; index < Number(count); index++) {
  const changes = [put(`${name}-${index}`), put(`${name}-again`), put(`${name}-${index}-gone`)];
  await write(store, [accountId, sourceId], changes, NOW - index);
  await write(store, [accountId, sourceId], [remove(`${name}-${index}-gone`)], NOW - index);
}
await store.close();
