/** The files that `trellis dev` serves: the notes app, and the page that its link opens. */
import { hash } from "node:crypto";
import type { ServedSite } from "../../server/site-service.ts";
import { APP_STYLE } from "../../web/generated/app-style.ts";
import { NOTES_CLIENT } from "../../web/generated/notes-client.ts";
import { NOTES_PAGE } from "../../web/generated/notes-page.ts";

export const DEV_PATH = "/dev";
export const NOTES_PATH = "/notes/";

/**
 * The page of the link, which leads on to the app. The secret of the link is behind the #, which browsers
 * send to no server.
 */
const linkPage = (appUrl: string) => `<!doctype html>
<html lang="en">
  <meta charset="utf-8" />
  <meta name="viewport" content="width=device-width, initial-scale=1" />
  <title>trellis dev</title>
  <link rel="icon" href="data:," />
  <main hidden>
    <p>This link does not belong to the running server. Open the link that trellis dev printed last.</p>
    <p lang="de">Dieser Link gehört nicht zum laufenden Server. Öffne den Link, den trellis dev zuletzt ausgegeben hat.</p>
  </main>
  <script>
    const body = location.hash.slice(1);
    history.replaceState(null, "", location.pathname);
    fetch("${DEV_PATH}", { method: "POST", headers: { "Content-Type": "text/plain" }, body }).then(({ ok }) => {
      if (ok) location.replace("${appUrl}#sign-in");
      else document.querySelector("main").hidden = false;
    });
  </script>
</html>
`;

export function buildDevSite(appUrl: string): ServedSite {
  const link = linkPage(appUrl);
  const page = (path: string, body: string) => ({
    path,
    mediaType: "text/html; charset=utf-8",
    body,
  });
  return {
    files: [
      page(DEV_PATH.slice(1), link),
      page("notes/index.html", NOTES_PAGE),
      {
        path: "notes/client.js",
        mediaType: "text/javascript; charset=utf-8",
        body: NOTES_CLIENT,
      },
      { path: "notes/trellis.css", mediaType: "text/css; charset=utf-8", body: APP_STYLE },
    ],
    headers: {
      "Content-Security-Policy": contentSecurityPolicy(link + NOTES_PAGE),
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    },
  };
}

/** The pages have their own scripts and styles in them, so that each is one file to read. */
function contentSecurityPolicy(pages: string): string {
  const hashesOf = (tag: "script" | "style") =>
    [...pages.matchAll(new RegExp(`<${tag}[^>]*>(.*?)</${tag}>`, "gs"))]
      .map(([, text = ""]) => `'sha256-${hash("sha256", text, "base64")}'`)
      .join(" ");
  return [
    "default-src 'none'",
    `script-src 'self' ${hashesOf("script")}`,
    `style-src 'self' ${hashesOf("style")}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
