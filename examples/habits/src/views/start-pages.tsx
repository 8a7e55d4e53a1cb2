/** What is shown in the place of the app. */
import { Button } from "./button.tsx";
import { describeCause, kindOfStartError } from "../start-error.ts";
import type { Texts } from "../texts.ts";

export function StartError({ texts, error }: { texts: Texts; error: unknown }) {
  return (
    <main class="start">
      <h1>{texts.cannotStart}</h1>
      <p>{texts.startErrors[kindOfStartError(error)]}</p>
      <p class="hint">{describeCause(error)}</p>
      <p>
        <Button onClick={() => location.reload()}>{texts.reload}</Button>
      </p>
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
