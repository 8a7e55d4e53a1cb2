/** The button that goes from the system's theme to light, to dark and back. */
import { findElement } from "../../src/web/page-script.ts";
import { readTheme, THEMES, writeTheme, type Theme } from "./theme-choice.ts";

export function enableThemeButton(): void {
  const button = findElement(HTMLButtonElement, "theme");
  let theme = readTheme();
  const show = () => {
    const label = button.dataset[theme] ?? "";
    button.setAttribute("aria-label", label);
    button.title = label;
  };
  button.addEventListener("click", () => {
    theme = following(theme);
    writeTheme(theme);
    show();
  });
  show();
  button.hidden = false;
}

function following(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
}
