/**
 * Says before the click what the server would pick by User-Agent, with the same rule. The page does
 * not need it: it only makes the button more precise. Bundled into src/web/generated.
 */
import { detectPlatform } from "../../rules/release/detect-platform.ts";

function improveButton(button: HTMLAnchorElement): void {
  // An iPad calls itself a Mac, but no Mac has a touch screen.
  const isTablet = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 0;
  const platform = isTablet ? null : detectPlatform(navigator.userAgent);
  const link = document.querySelector<HTMLAnchorElement>(`#download [data-platform="${platform}"]`);
  // For other systems the selector would only lead back here.
  button.href = link?.href ?? "#files";
  write(button, ".button-label", link?.dataset["label"] ?? button.dataset["otherLabel"] ?? "");
  write(button, ".button-detail", link?.dataset["detail"] ?? "");
}

function write(button: HTMLAnchorElement, part: string, text: string): void {
  const target = button.querySelector(part);
  if (target !== null) target.textContent = text;
}

const button = document.querySelector<HTMLAnchorElement>("#download-button");
if (button !== null) improveButton(button);
