/** On a small screen not everything is in view at once: what happens must be. */
import { findElement } from "../../../src/web/page-script.ts";

export function showDevices(): void {
  show(["phone-device", "laptop-device"], "start");
}

export function showServer(): void {
  show(["server-panel"], "center");
}

/** Scrolls to the first one unless all of them are whole in the window. */
function show(ids: readonly string[], block: ScrollLogicalPosition): void {
  const elements = ids.map((id) => findElement(HTMLElement, id));
  const isHidden = elements.some((element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return top < 0 || bottom > innerHeight;
  });
  if (isHidden) elements[0]?.scrollIntoView({ block });
}
