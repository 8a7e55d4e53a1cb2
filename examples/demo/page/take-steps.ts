/** What each step of the demo does, in the place of a person, with a sentence for everything that is seen. */
import type { Language } from "../../../src/contract/language.ts";
import type { CallDemo } from "./call-demo.ts";
import type { StartedDevice } from "./device.ts";
import { showDevices, showServer } from "./in-view.ts";
import type { LogTexts } from "./log-texts.ts";
import { CHANGED_WALK, WALK, WATER } from "./sample-habits.ts";
import type { ServerView } from "./server-view.ts";
import type { StepName } from "./step-names.ts";
import type { Timeline } from "./timeline.ts";

export interface StepOptions {
  readonly phone: StartedDevice;
  readonly laptop: StartedDevice;
  readonly server: ServerView;
  readonly timeline: Timeline;
  readonly callDemo: CallDemo;
  readonly language: Language;
  readonly texts: LogTexts;
  /** When the backup was made, in words. */
  readonly backup: string;
}

export type TakeStep = () => Promise<void>;

const LOOK_MS = 2500;

/** So long a person looks at what has changed before it changes again. */
const look = () => new Promise((resolve) => setTimeout(resolve, LOOK_MS));

export function createSteps(options: StepOptions): Readonly<Record<StepName, TakeStep>> {
  return {
    sync: createTick(options),
    offline: createOfflineEdit(options),
    restore: createRestore(options),
    release: createRelease(options),
  };
}

function createTick({ phone, laptop, timeline, texts }: StepOptions): TakeStep {
  return async () => {
    await connect([phone, laptop]);
    timeline.add("step", texts.ticking);
    const arrived = laptop.nextEvent("merged");
    phone.send({ type: "tick", habitId: WATER.id });
    await arrived;
    timeline.add("step", texts.synced);
  };
}

function createOfflineEdit(options: StepOptions): TakeStep {
  const { phone, laptop, timeline, callDemo, texts, language } = options;
  const devices = [phone, laptop];
  return async () => {
    timeline.add("step", texts.cutting);
    const { week } = await callDemo("store");
    // The step changes it back when it is taken again, also after the page was reloaded.
    const isChanged = week.some(({ name }) => name === CHANGED_WALK.names[language]);
    await whileDisconnected(devices, async () => {
      const { names, tone, icon } = isChanged ? WALK : CHANGED_WALK;
      timeline.add("step", texts.editing);
      phone.send({ type: "edit", habitId: WALK.id, changes: { name: names[language] } });
      laptop.send({ type: "edit", habitId: WALK.id, changes: { tone, icon } });
      await Promise.all(
        devices.map((device) => device.untilStatus(({ pending }) => pending !== 0)),
      );
      await look();
      timeline.add("step", texts.connecting);
      const merged = Promise.all(devices.map((device) => device.nextEvent("merged")));
      await connect(devices);
      await merged;
      timeline.add("step", texts.merged);
    });
  };
}

function createRestore(options: StepOptions): TakeStep {
  const { phone, laptop, server, timeline, callDemo, texts, backup } = options;
  const devices = [phone, laptop];
  return async () => {
    timeline.add("step", texts.holding);
    await whileDisconnected(devices, async () => {
      timeline.add("server", texts.restoring);
      const { replaced, restored } = await callDemo("restore");
      server.refresh();
      timeline.add("server", texts.restored(backup, restored, replaced));
      showServer();
      await look();
      showDevices();
      timeline.add("step", texts.connecting);
      // Deletions are lost, too, and then the server has more than before.
      const healed = server.untilStore(({ entities }) =>
        restored > replaced ? entities <= replaced : entities >= replaced,
      );
      await connect(devices);
      const { entities } = await healed;
      timeline.add("server", texts.healed(entities));
    });
  };
}

function createRelease({ phone, laptop, timeline, callDemo, texts }: StepOptions): TakeStep {
  const devices = [phone, laptop];
  const check = async (event: string) => {
    const seen = Promise.all(devices.map((device) => device.nextEvent(event)));
    for (const device of devices) device.send({ type: "check-for-update" });
    await seen;
  };
  return async () => {
    await connect(devices);
    timeline.add("server", texts.publishing);
    const { version, sequence, keyId } = await callDemo("publish");
    timeline.add("server", texts.published(version, sequence, keyId));
    await check("update-offered");
    await look();
    try {
      const { forgedVersion } = await callDemo("mirror", { isTakenOver: true });
      timeline.add("step", texts.forged(forgedVersion ?? ""));
      await check("update-refused");
    } finally {
      await callDemo("mirror", { isTakenOver: false });
    }
    timeline.add("step", texts.mirrorBack);
  };
}

async function connect(devices: readonly StartedDevice[]): Promise<void> {
  for (const device of devices) if (!device.isOnline()) device.setOnline(true);
  await Promise.all(
    devices.map((device) =>
      // A device that has no key yet, or not the data, has nothing to show.
      device.untilStatus(
        ({ kind, pending, entities }) => kind === "up-to-date" && pending === 0 && entities !== 0,
      ),
    ),
  );
}

/** The work connects them when it is time; when it fails, they are connected all the same. */
async function whileDisconnected(
  devices: readonly StartedDevice[],
  work: () => Promise<void>,
): Promise<void> {
  for (const device of devices) device.setOnline(false);
  try {
    await Promise.all(
      devices.map((device) => device.untilStatus(({ kind }) => kind === "offline")),
    );
    await work();
  } finally {
    for (const device of devices) device.setOnline(true);
  }
}
