/** The display names of event types. An unknown type is shown as it is. */
import type { Language } from "../../contract/language.ts";
import { html, type Html } from "../html.ts";

const NAMES: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: new Map([
    ["homework", "Homework"],
    ["exam", "Exam"],
    ["test", "Test"],
    ["presentation", "Presentation"],
    ["task", "Task"],
    ["info", "Info"],
  ]),
  de: new Map([
    ["homework", "Hausaufgabe"],
    ["exam", "Klausur"],
    ["test", "Test"],
    ["presentation", "Referat"],
    ["task", "Aufgabe"],
    ["info", "Info"],
  ]),
};

export function typeName(type: string, language: Language): string {
  return NAMES[language].get(type) ?? type;
}

export function typeBadge(type: string, language: Language): Html {
  const isKnown = NAMES[language].has(type);
  return html`<span class="badge" ${isKnown && html` data-type="${type}"`}
    >${typeName(type, language)}</span
  >`;
}

/** Includes the chosen type, even if it is unknown. */
export function typeChoices(types: readonly string[], chosen: string, language: Language) {
  const all = chosen === "" || types.includes(chosen) ? types : [...types, chosen];
  return all.map((type) => ({ value: type, label: typeName(type, language) }));
}
