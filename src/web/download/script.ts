/**
 * Shows on the download button which file the server would choose by User-Agent. The page works
 * without it. Bundled into src/web/generated.
 */
import { detectPlatform } from "../../rules/release/detect-platform.ts";

function improveButton(button: HTMLAnchorElement): void {
  // An iPad reports itself as a Mac, but no Mac has a touch screen.
  const isTablet = /Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 0;
  const platform = isTablet ? null : detectPlatform(navigator.userAgent);
  const link = document.querySelector<HTMLAnchorElement>(`#download [data-platform="${platform}"]`);
  // For other systems the server would redirect to this page.
  button.href = link?.href ?? "#files";
  write(button, ".button-label", link?.dataset["label"] ?? button.dataset["otherLabel"] ?? "");
  write(button, ".button-detail", link?.dataset["detail"] ?? "");
}

function write(button: HTMLAnchorElement, selector: string, text: string): void {
  const target = button.querySelector(selector);
  if (target !== null) target.textContent = text;
}

const button = document.querySelector<HTMLAnchorElement>("#download-button");
if (button !== null) improveButton(button);
