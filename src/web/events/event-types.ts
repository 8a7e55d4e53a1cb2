/** The types of events under names that people know; any other text is its own name. */
import { html, type Html } from "../html.ts";
import type { Language } from "../language.ts";

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

export function nameOfType(type: string, language: Language): string {
  return NAMES[language].get(type) ?? type;
}

export function typeBadge(type: string, language: Language): Html {
  const isKnown = NAMES[language].has(type);
  return html`<span class="badge" ${isKnown && html` data-type="${type}"`}
    >${nameOfType(type, language)}</span
  >`;
}

/** With the one that is chosen, even when nobody knows it. */
export function typeChoices(types: readonly string[], chosen: string, language: Language) {
  const all = chosen === "" || types.includes(chosen) ? types : [...types, chosen];
  return all.map((type) => ({ value: type, label: nameOfType(type, language) }));
}
