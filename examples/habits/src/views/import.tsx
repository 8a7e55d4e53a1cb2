/** A file that a person brings: what it would add, before anything is stored. */
import { Button } from "./button.tsx";
import { useMemo, useState } from "preact/hooks";
import { useApp } from "../app-context.ts";
import { MAX_FILE_BYTES, readJson, refuse, type ReadBackup } from "../backup.ts";
import { readTable } from "../backup-table.ts";
import { planImport, runImport, type PlannedImport } from "../import.ts";
import { leaveTo, SETTINGS, TODAY } from "../route.ts";
import { deleteAll } from "../trellis.ts";
import { useOneAtATime } from "./key-needed.tsx";
import { Page } from "./page.tsx";
import { Bullets } from "./panel.tsx";

interface Brought {
  readonly name: string;
  readonly result: ReadBackup;
}

export function ImportView() {
  const { texts } = useApp();
  const words = texts.files;
  const [brought, setBrought] = useState<Brought | null>(null);
  const onFile = async (file: File | undefined) => {
    if (file === undefined) return;
    const result = await readFile(file, texts.form.defaultCategory);
    setBrought({ name: file.name, result });
  };
  return (
    <Page title={words.importTitle} backTo={SETTINGS}>
      <div class="stack">
        <p class="meta">{words.importText}</p>
        <div class="field">
          <label for="file">{words.choose}</label>
          <input
            id="file"
            type="file"
            accept=".json,.csv,application/json,text/csv"
            aria-describedby={brought?.result.kind === "refused" ? "file-error" : undefined}
            onChange={({ currentTarget }) => void onFile(currentTarget.files?.[0])}
          />
        </div>
        {brought?.result.kind === "refused" && (
          <p id="file-error" class="error" role="alert">
            {words.errors[brought.result.reason](brought.result.where)} {words.nothingChanged}
          </p>
        )}
        {brought?.result.kind === "read" && (
          <Preview key={brought.name} name={brought.name} habits={brought.result.habits} />
        )}
      </div>
    </Page>
  );
}

async function readFile(file: File, defaultCategory: string): Promise<ReadBackup> {
  if (file.size > MAX_FILE_BYTES) return refuse("too-large");
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    return /^\s*[{[]/.test(text) ? readJson(text) : readTable(text, defaultCategory);
  } catch {
    return refuse("not-readable");
  }
}

type PreviewProps = Pick<Brought, "name"> & {
  readonly habits: Extract<ReadBackup, { kind: "read" }>["habits"];
};

const MAX_NAMES = 8;

function Preview({ name, habits }: PreviewProps) {
  const { sync, data, texts, locale, notify } = useApp();
  const words = texts.files;
  const [isBusy, run] = useOneAtATime();
  // After an attempt that failed, more is known.
  const plan = useMemo(() => planImport(data, habits), [data, habits, isBusy]);
  const isNothing = plan.added.length === 0 && plan.days.length === 0;
  const onImport = () =>
    run(async () => {
      const { refused, stored } = await runImport(sync, data, plan);
      if (refused !== null) return notify(words.stopped(refused));
      notify(words.imported(plan.added.length, plan.days.length), () => deleteAll(stored));
      leaveTo(TODAY);
    });
  return (
    <section class="panel stack" aria-label={words.preview(name)}>
      <h2>{words.preview(name)}</h2>
      <Bullets items={describe(plan)} />
      <div class="row buttons">
        {!isNothing && (
          <Button look="primary" aria-disabled={isBusy} onClick={onImport}>
            {isBusy ? words.importing : words.importNow}
          </Button>
        )}
        <a class="button" href={SETTINGS}>
          {texts.cancel}
        </a>
      </div>
    </section>
  );

  function describe({ added, days, knownHabits, knownDays }: PlannedImport): string[] {
    const names = added.slice(0, MAX_NAMES).map((habit) => habit.name);
    if (added.length > MAX_NAMES) names.push("…");
    return [
      added.length === 0
        ? words.noHabits
        : words.newHabits(added.length, new Intl.ListFormat(locale).format(names)),
      words.newDays(days.length),
      ...(knownHabits + knownDays === 0 ? [] : [words.known(knownHabits, knownDays)]),
    ];
  }
}
