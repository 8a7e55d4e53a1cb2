/** A log on the page: the newest line is the last one, and in view unless the reader scrolled up. */
import { findElement } from "../../../src/web/page-script.ts";

/** Older lines are forgotten. */
const MAX_LINES = 60;
/** A log this close to its end counts as scrolled to it: zoomed pages have fractions. */
const TOLERANCE_PX = 4;

export type LogView = ReturnType<typeof createLogView>;

export function createLogView(id: string) {
  const list = findElement(HTMLOListElement, id);
  const view = list.parentElement ?? list;
  const time = new Intl.DateTimeFormat(document.documentElement.lang, {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });
  const append = (text: string, detail: string, className: string) => {
    const isAtEnd = view.scrollTop + view.clientHeight >= view.scrollHeight - TOLERANCE_PX;
    const line = document.createElement("li");
    const stamp = document.createElement("time");
    stamp.textContent = time.format(Date.now());
    const words = document.createElement("span");
    words.className = className;
    words.textContent = text;
    if (detail !== "") {
      const code = document.createElement("code");
      code.textContent = detail;
      words.append(" ", code);
    }
    line.append(stamp, words);
    list.append(line);
    while (list.childElementCount > MAX_LINES) list.firstElementChild?.remove();
    if (isAtEnd) view.scrollTop = view.scrollHeight;
  };
  return {
    /** `detail` is set apart, such as a cursor. */
    add: (text: string, detail = "") => append(text, detail, ""),
    addFailure: (text: string) => append(text, "", "failure"),
  };
}
