/** What a maker, an operator and a teacher do in the demo, with the steps of the commands. */
import { mkdir, truncate, writeFile, readFile } from "node:fs/promises";
import { join, basename } from "node:path";
import type { DraftRelease } from "../../src/contract/release/catalog.ts";
import { readCatalog } from "../../src/release/catalog/read-catalog.ts";
import { addArtifact } from "../../src/release/publishing/add-to-draft.ts";
import type { CatalogContext } from "../../src/release/publishing/change-catalog.ts";
import { createDraft } from "../../src/release/publishing/create-draft.ts";
import { publishRelease } from "../../src/release/publishing/publish-release.ts";
import type { ControlResults } from "./page/call-demo.ts";
import { DEMO_ARTIFACTS, describeFile, expectDone, isSigned, SIZES } from "./demo-releases.ts";
import { readBackupKey } from "../../src/backup/backup-key.ts";
import type { SyncConfiguration } from "../../src/configuration/configuration-schema.ts";
import { restoreStore } from "../../src/backup/restore-store.ts";
import { SYNC_STORE } from "../../src/sync/sql/open-store.ts";
import type { Language } from "../../src/contract/language.ts";
import { importFile } from "../../src/events/import/import-file.ts";
import type { EventsStore } from "../../src/events/store.ts";
import { formatEntry, type CalendarEntry, type DemoEvents } from "./demo-events.ts";

/** As `trellis release new`, `add-artifact` and `publish`. `builds` is a folder for the artifacts. */
export async function publishNext(
  context: CatalogContext,
  builds: string,
): Promise<ControlResults["publish"]> {
  const next = await findNext(context);
  const { version } = next;
  const { result: draft } = expectDone(await createDraft(context, { ...next, channel: "stable" }));
  await writeNotes(join(context.folder, draft.file), draft.release);
  await mkdir(join(builds, version), { recursive: true });
  for (const artifact of DEMO_ARTIFACTS) {
    const { extension, ...target } = artifact;
    const { fileName, url } = describeFile(version, artifact);
    const path = join(builds, version, fileName);
    await writeFile(path, `${fileName}: the demo builds no program that could be installed\n`);
    // The page shows sizes as of programs; to hash whole ones would take a second.
    await truncate(path, SIZES[extension] / 10);
    const signed = isSigned(artifact);
    expectDone(await addArtifact(context, { version, path, url, signed, ...target }));
  }
  const { result } = expectDone(
    await publishRelease(context, version, undefined, async () => undefined),
  );
  return { version, sequence: result.manifest.sequence, keyId: result.keyId };
}

async function findNext({ folder, now }: CatalogContext) {
  const read = await readCatalog(folder, now());
  if (read.kind === "invalid") throw new Error("The demo's catalogue is invalid");
  const [newest] = read.catalog.releases;
  const [major = 1, minor = 0] = (newest?.version ?? "").split(".").map(Number);
  return { version: `${major}.${minor + 1}.0`, buildNumber: (newest?.buildNumber ?? 0) + 10 };
}

const NOTES = {
  en: {
    headline: "School among your habits",
    summary: "Connect your school’s planner, and you see what is due where you look every day.",
    added: "Homework from your planner becomes habits",
  },
  de: {
    headline: "Die Schule bei deinen Gewohnheiten",
    summary:
      "Verbinde den Planer deiner Schule und sieh dort, wo du jeden Tag hinsiehst, was ansteht.",
    added: "Hausaufgaben aus deinem Planer werden zu Gewohnheiten",
  },
};

/** Writes the notes as a person who edits the file of a draft. */
async function writeNotes(path: string, draft: DraftRelease): Promise<void> {
  const present = ({ headline, summary, added }: (typeof NOTES)[Language]) => {
    return { headline, summary, highlights: [], changes: { ...draft.notes, added: [added] } };
  };
  const presentation = { en: present(NOTES.en), de: present(NOTES.de) };
  const notes = { ...draft.notes, added: [NOTES.en.added] };
  await writeFile(path, `${JSON.stringify({ ...draft, notes, presentation }, null, 2)}\n`);
}

/** As `trellis sync restore`. No other process may use the store. Returns the live entities before and after. */
export async function restoreYesterday(
  configuration: SyncConfiguration,
  dataDir: string,
  backupPath: string,
): Promise<ControlResults["restore"]> {
  const { store, instanceKeyFile } = configuration;
  const readKey = () => readBackupKey(instanceKeyFile, SYNC_STORE.name);
  const target = { store, dataDir, readKey };
  const { manifest, replaced } = await restoreStore(SYNC_STORE, target, backupPath, {
    findKey: async () => readKey(),
    accept({ authenticity }) {
      if (authenticity.kind !== "authentic") throw new Error("The demo's backup was changed");
    },
    confirm: async () => {},
  });
  return { replaced: replaced.entities.live, restored: manifest.entities.live };
}

interface HomeworkSettings extends Pick<DemoEvents, "accountId" | "calendarPath"> {
  readonly store: EventsStore;
  readonly timeZone: string;
}

type Homework = Pick<CalendarEntry, "summary" | "category">;

const HOMEWORK: Readonly<Record<Language, readonly Homework[]>> = {
  en: [
    { summary: "Homework: essay, page 42", category: "English" },
    { summary: "Homework: map of the Hanse", category: "History" },
    { summary: "Homework: label the leaf", category: "Biology" },
  ],
  de: [
    { summary: "Hausaufgabe: Aufsatz, Seite 42", category: "Deutsch" },
    { summary: "Hausaufgabe: Karte der Hanse", category: "Geschichte" },
    { summary: "Hausaufgabe: Blatt beschriften", category: "Biologie" },
  ],
};
const END = "END:VCALENDAR";

/** The homework enters the calendar, which is imported again. Returns its title; `count` is that of earlier calls. */
export async function setHomework(
  { store, timeZone, accountId, calendarPath }: HomeworkSettings,
  language: Language,
  count: number,
): Promise<string> {
  const list = HOMEWORK[language];
  const homework = list[count % list.length] as Homework;
  const entry = formatEntry({ ...homework, uid: `homework-${count + 1}`, inDays: 1 }, Date.now());
  const calendar = await readFile(calendarPath, "utf8");
  const changed = calendar.replace(END, `${entry}\r\n${END}`);
  await writeFile(calendarPath, changed);
  const imported = await importFile({
    store,
    accountId,
    bytes: Buffer.from(changed),
    fileName: basename(calendarPath),
    defaultTimeZone: timeZone,
  });
  if (imported.kind === "failed") {
    throw new Error(`The calendar "${calendarPath}" cannot be imported any more`);
  }
  return homework.summary;
}
