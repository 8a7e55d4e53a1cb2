/** Sync, planner, version and appearance. */
import { Button } from "./button.tsx";
import { useApp } from "../app-context.ts";
import { useObservable } from "../use-observable.ts";
import type { Theme } from "../preferences.ts";
import type { Language } from "../texts.ts";
import { Choice } from "./choice.tsx";
import { DataSection } from "./data-section.tsx";
import { EncryptionSection } from "./encryption-section.tsx";
import { Page } from "./page.tsx";
import { PlannerSection } from "./planner-section.tsx";
import { openShortcuts } from "./shortcuts.tsx";
import { SyncSection } from "./sync-section.tsx";
import { VersionSection } from "./version-section.tsx";
import { Panel } from "./panel.tsx";

export function Settings() {
  const { texts, encryption, planner, updates } = useApp();
  return (
    <Page title={texts.settings.title}>
      <div class="stack">
        <SyncSection />
        {encryption !== null && <EncryptionSection encryption={encryption} />}
        {planner !== null && <PlannerSection planner={planner} />}
        <DataSection />
        <Looks />
        {updates !== null && <VersionSection updates={updates} />}
      </div>
    </Page>
  );
}

function Looks() {
  const { texts, preferences } = useApp();
  const current = useObservable(preferences);
  const { language, theme } = current;
  const { themes } = texts.settings;
  return (
    <Panel id="looks-title" title={texts.settings.looks}>
      <Choice
        legend={texts.settings.language}
        name="language"
        options={[
          { value: "de", label: "Deutsch" },
          { value: "en", label: "English" },
        ]}
        value={language}
        onChange={(next: Language) => preferences.set({ ...current, language: next })}
      />
      <Choice
        legend={texts.settings.theme}
        name="theme"
        options={(["system", "light", "dark"] as const).map((value) => ({
          value,
          label: themes[value],
        }))}
        value={theme}
        onChange={(next: Theme) => preferences.set({ ...current, theme: next })}
      />
      <div class="row buttons">
        <Button onClick={openShortcuts}>{texts.shortcuts.title}</Button>
      </div>
    </Panel>
  );
}
