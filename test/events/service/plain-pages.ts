/** Pages that are their view as JSON. */
import type { HttpResponse } from "../../../src/http/response.ts";
import type { EventsPages, PageFrame } from "../../../src/events/pages.ts";

export interface PlainPage<K extends keyof EventsPages = keyof EventsPages> {
  readonly page: K;
  readonly view: K extends "home" | "signInLink" ? null : Parameters<EventsPages[K]>[0];
  readonly frame: PageFrame;
}

export function createPlainPages(): EventsPages {
  const show =
    (page: keyof EventsPages) =>
    (view: object, frame: PageFrame): HttpResponse => {
      const body = JSON.stringify({ page, view, frame });
      const status = page === "error" && "status" in view ? Number(view.status) : 200;
      return {
        status,
        headers: {
          "Content-Type": "text/html; charset=utf-8",
          "Referrer-Policy": "same-origin",
          "Content-Length": String(Buffer.byteLength(body)),
        },
        body,
      };
    };
  return {
    home: (frame) => show("home")({}, frame),
    signIn: show("signIn"),
    signInLink: (frame) => show("signInLink")({}, frame),
    welcome: show("welcome"),
    consent: show("consent"),
    apps: show("apps"),
    events: show("events"),
    subscriptions: show("subscriptions"),
    settings: show("settings"),
    error: show("error"),
  };
}
