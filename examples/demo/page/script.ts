/** The script of the demo's page. Bundled into src/web/generated. */
import { readPageData } from "../../../src/web/page-script.ts";
import { createCallDemo, type DemoPageData } from "./call-demo.ts";
import { startDevice } from "./device.ts";
import { createServerView } from "./server.ts";

const data = readPageData<DemoPageData>("demo", "demo");
if (data !== null) {
  const language = document.documentElement.lang === "de" ? "de" : "en";
  const callDemo = createCallDemo(data.token);
  const server = createServerView(language, data.backupCreatedAt, callDemo);
  const onActivity = () => server.refresh();
  const devices = data.devices.map((device) =>
    startDevice({ device, recoveryKey: data.recoveryKey, language, callDemo, onActivity }),
  );
  server.start(devices);
}
