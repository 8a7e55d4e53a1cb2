/** Finds events by their words, their source and their time. It needs no script, and its address can be kept. */
import type { EventsView } from "../../../contract/events/page-views.ts";
import { selectField, textField } from "../../forms.ts";
import { html, type Html } from "../../html.ts";
import { PATHS, type SignedInFrame } from "../frame.ts";
import { EVENTS_TEXTS } from "./texts.ts";

export function filterForm(view: EventsView, { language }: SignedInFrame): Html {
  const texts = EVENTS_TEXTS[language].filter;
  const { filter, sources } = view;
  const sourceChoices = sources.map(({ sourceId, kind, name }) => ({
    value: sourceId,
    label: kind === "manual" ? texts.manual : name,
  }));
  const stateChoices = Object.entries(texts.states).map(([value, label]) => ({ value, label }));
  return html`<form
    class="filter"
    method="get"
    action="${PATHS.events}"
    role="search"
    aria-label="${texts.title}"
  >
    ${textField({ name: "filter-text", submittedName: "text", label: texts.text, value: filter.text, type: "search" })}
    ${selectField({
      name: "source",
      label: texts.source,
      value: filter.sourceId ?? "",
      choices: [{ value: "", label: texts.allSources }, ...sourceChoices],
    })}
    ${selectField({
      name: "state",
      label: texts.state,
      value: filter.state ?? "",
      choices: [{ value: "", label: texts.allStates }, ...stateChoices],
    })}
    <button class="button" type="submit">${texts.apply}</button>
  </form>`;
}
