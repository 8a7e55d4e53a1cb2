/** Buttons that copy their `data-copy`, hidden until a browser can. */
import { writeText } from "./page-script.ts";

const COPIED_MS = 2000;

export function enableCopying(): void {
  // The clipboard is absent outside a secure context, whatever its type says.
  const clipboard = navigator.clipboard as Clipboard | undefined;
  if (clipboard === undefined) return;
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    const label = button.querySelector(".copy-label")?.textContent ?? "";
    button.hidden = false;
    button.addEventListener("click", () => {
      const { copy = "", copied = "" } = button.dataset;
      const show = (text: string, status: string) => {
        writeText(button, ".copy-label", text);
        writeText(document, "#copy-status", status);
      };
      // Where the browser refuses, the text can still be selected.
      clipboard.writeText(copy).then(
        () => {
          show(copied, copied);
          setTimeout(() => show(label, ""), COPIED_MS);
        },
        () => {},
      );
    });
  }
}
