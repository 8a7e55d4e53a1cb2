/** What happened, the newest line last, and in view unless the reader scrolled up. */
import { createElement } from "../../../src/web/create-element.ts";
import { findElement } from "../../../src/web/page-script.ts";

/** Where a line comes from; `step` is the demo itself, which acts as a person would. */
export type LineSource = "phone" | "server" | "laptop" | "step";

export interface Timeline {
  add(source: LineSource, text: string): void;
  addError(source: LineSource, text: string): void;
}

/** Older lines are removed. */
const MAX_LINES = 80;
/** A log this close to its end counts as scrolled to it: zoomed pages have fractions. */
const TOLERANCE_PX = 4;

export function createTimeline(labels: Readonly<Record<LineSource, string>>): Timeline {
  const list = findElement(HTMLOListElement, "timeline");
  const view = list.parentElement ?? list;
  let isAtEnd = true;
  const follow = () => {
    if (isAtEnd) view.scrollTop = view.scrollHeight;
  };
  view.addEventListener("scroll", () => {
    isAtEnd = view.scrollTop + view.clientHeight >= view.scrollHeight - TOLERANCE_PX;
  });
  // The steps above it grow and shrink.
  new ResizeObserver(follow).observe(view);
  const append = (source: LineSource, text: string, kind: string) => {
    const label = createElement("b", {}, labels[source]);
    const words = createElement("span", { class: kind }, text);
    list.append(createElement("li", { "data-source": source }, label, words));
    while (list.childElementCount > MAX_LINES) list.firstElementChild?.remove();
    follow();
  };
  return {
    add: (source, text) => append(source, text, ""),
    addError: (source, text) => append(source, text, "failure"),
  };
}
