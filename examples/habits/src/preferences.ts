/** How this device shows the app. */
import { createLocalValue } from "./local-value.ts";
import { createObservable, type Observable } from "./observable.ts";
import type { Language } from "./texts.ts";

export type Theme = "system" | "light" | "dark";

export interface Preferences {
  readonly language: Language;
  readonly theme: Theme;
  /** The one whose habits are shown; null for all. */
  readonly category: string | null;
  readonly isGrouped: boolean;
  readonly hasShortcuts: boolean;
}

export function openPreferences(storageName: string): Observable<Preferences> {
  const saved = createLocalValue<Partial<Preferences>>(`${storageName}/preferences`);
  const preferences = createObservable<Preferences>({
    language: navigator.language.startsWith("de") ? "de" : "en",
    theme: "system",
    category: null,
    isGrouped: false,
    hasShortcuts: true,
    ...saved.read(),
  });
  const apply = () => {
    const { language, theme } = preferences.get();
    document.documentElement.lang = language;
    if (theme === "system") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
  };
  apply();
  preferences.subscribe(() => {
    saved.write(preferences.get());
    apply();
  });
  return preferences;
}
