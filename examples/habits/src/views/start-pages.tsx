/** What is shown in the place of the app. */
import type { Texts } from "../texts.ts";

export function StartError({ texts, error }: { texts: Texts; error: unknown }) {
  return (
    <main class="start">
      <h1>{texts.cannotStart}</h1>
      <p>{texts.cannotStartHint}</p>
      <p class="hint">{error instanceof Error ? error.message : String(error)}</p>
    </main>
  );
}

/** In a window that was opened to sign in; browsers let a page close only some windows. */
export function WindowDone({ texts, problem }: { texts: Texts; problem: string | null }) {
  return (
    <main class="start">
      <h1>{texts.appName}</h1>
      <p role="status">{problem ?? texts.sync.signedIn}</p>
      <p>
        <a class="button" href="/">
          {texts.sync.backToApp}
        </a>
      </p>
    </main>
  );
}
