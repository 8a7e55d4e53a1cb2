/** What happened, the newest line last, and in view unless the reader scrolled up. */
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
  const append = (source: LineSource, text: string, className: string) => {
    const line = document.createElement("li");
    line.dataset["source"] = source;
    const label = document.createElement("b");
    label.textContent = labels[source];
    const words = document.createElement("span");
    words.className = className;
    words.textContent = text;
    line.append(label, words);
    list.append(line);
    while (list.childElementCount > MAX_LINES) list.firstElementChild?.remove();
    follow();
  };
  return {
    add: (source, text) => append(source, text, ""),
    addError: (source, text) => append(source, text, "failure"),
  };
}
