import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { PlatformError } from "trellis/client";
import { texts } from "./texts.ts";

document.title = texts.app;
const root = createRoot(document.querySelector("#app") as HTMLElement);

// The data is opened with the module: without a storage there is no app.
import("./app.tsx").then(
  ({ App }) =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  (error: unknown) =>
    root.render(
      <main>
        <h1>{texts.cannotStart}</h1>
        <p role="alert" className="error">
          {error instanceof PlatformError ? texts.platform[error.reason] : String(error)}
        </p>
      </main>,
    ),
);

// Without it, or where a browser denies it, the app works while there is a connection.
try {
  void navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
} catch {}
