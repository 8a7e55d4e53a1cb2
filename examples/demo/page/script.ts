/** The script of the demo's page. Bundled into src/web/generated. */
import type { Language } from "../../../src/contract/language.ts";
import { findElement, readPageData } from "../../../src/web/page-script.ts";
import { createButtons } from "./buttons.ts";
import { createCallDemo, createRunKit, type CallDemo, type DemoPageData } from "./call-demo.ts";
import { createConformanceView } from "./conformance-view.ts";
import { startDevice, type StartedDevice } from "./device.ts";
import { LOG_TEXTS } from "./log-texts.ts";
import { createServerView } from "./server-view.ts";
import { createProgress } from "./progress.ts";
import { STEPS } from "./step-names.ts";
import { showDevices } from "./in-view.ts";
import { createSteps } from "./take-steps.ts";
import { createTimeline, type Timeline } from "./timeline.ts";

function start({ token, devices, recoveryKey, backupCreatedAt, done }: DemoPageData): void {
  const language = document.documentElement.lang === "de" ? "de" : "en";
  const texts = LOG_TEXTS[language];
  const callDemo = createCallDemo(token);
  const timeline = createTimeline(texts.sources);
  const server = createServerView(callDemo);
  const onActivity = () => server.refresh();
  const [phone, laptop] = devices.map((device) =>
    startDevice({ device, recoveryKey, language, callDemo, timeline, onActivity }),
  );
  if (phone === undefined || laptop === undefined) return;
  const backup = new Intl.DateTimeFormat(language, {
    weekday: "long",
    hour: "numeric",
    minute: "2-digit",
  }).format(new Date(backupCreatedAt));
  const steps = createSteps({
    phone,
    laptop,
    server,
    timeline,
    callDemo,
    language,
    texts,
    backup,
  });
  const progress = createProgress(done, callDemo);
  const buttons = { texts, timeline, callDemo, onEnd: onActivity };
  const bind = createButtons(buttons);
  for (const name of STEPS) {
    bind(`step-${name}`, async () => {
      progress.start(name);
      showDevices();
      try {
        await steps[name]();
      } finally {
        progress.stop(name);
      }
      progress.finish(name);
    });
  }
  bind("homework", createSetHomework({ devices: [phone, laptop], timeline, callDemo, language }));
  // By itself: it takes a minute, on services of its own, and the steps need not wait for it.
  createButtons(buttons)("run-conformance", createConformanceView(createRunKit(token), texts));
  timeline.add("server", texts.running(backup));
  server.refresh();
  void Promise.all([phone.untilShown(), laptop.untilShown()]).then(() => showSteps());
  // A page that was reloaded halfway may have left it to the attacker.
  callDemo("mirror", { isTakenOver: false }).catch(() => {});
  warnOfSecondTab(() => timeline.addError("step", texts.secondTab));
}

/** Before, a step would act on an app that does not show yet what it changes. */
function showSteps(): void {
  findElement(HTMLElement, "demo").dataset["ready"] = "";
}

/** Of several tabs of one device only one syncs, and a network that this tab cuts is not that of the other. */
function warnOfSecondTab(warn: () => void): void {
  void navigator.locks?.request("trellis-demo", { ifAvailable: true }, async (lock) => {
    if (lock === null) return warn();
    // Held until the tab is closed.
    await new Promise(() => {});
  });
}

interface HomeworkOptions {
  readonly devices: readonly StartedDevice[];
  readonly timeline: Timeline;
  readonly callDemo: CallDemo;
  readonly language: Language;
}

function createSetHomework({ devices, timeline, callDemo, language }: HomeworkOptions) {
  const texts = LOG_TEXTS[language];
  return async () => {
    timeline.add("server", texts.settingHomework);
    const { title } = await callDemo("homework", { language });
    timeline.add("server", texts.homeworkSet(title));
    showDevices();
    const device = devices.find(({ isOnline }) => isOnline());
    // A device that is not connected to the planner yet imports when it is.
    device?.send({ type: "connect" });
    device?.send({ type: "import" });
  };
}

const data = readPageData<DemoPageData>("demo", "demo");
if (data !== null) start(data);
