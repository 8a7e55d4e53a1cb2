/** The views of the app, by the fragment of its address: the back button works, also offline. */
import { useEffect, useState } from "preact/hooks";

type FixedView = "today" | (typeof FIXED_VIEWS)[number];

const FIXED_VIEWS = [
  "new",
  "order",
  "archive",
  "settings",
  "import",
  "update",
  "key",
  "new-key",
] as const;

export type Route =
  | { readonly view: FixedView }
  | { readonly view: "history" | "edit"; readonly habitId: string };

export const TODAY = "#/";
export const NEW = "#/new";
export const ORDER = "#/order";
export const IMPORT = "#/import";
export const ARCHIVE = "#/archive";
export const SETTINGS = "#/settings";
export const UPDATE = "#/update";
export const KEY = "#/key";
export const NEW_KEY = "#/new-key";
export const historyOf = (habitId: string) => `#/habit/${encodeURIComponent(habitId)}`;
export const editOf = (habitId: string) => `${historyOf(habitId)}/edit`;

export function parseRoute(fragment: string): Route {
  const [, view = "", id = "", part] = fragment.split("/");
  if (view === "habit" && id !== "") {
    return { view: part === "edit" ? "edit" : "history", habitId: decodePart(id) };
  }
  return { view: FIXED_VIEWS.find((fixed) => fixed === view) ?? "today" };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function useRoute(): Route {
  const [fragment, setFragment] = useState(location.hash);
  useEffect(() => {
    const update = () => setFragment(location.hash);
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return parseRoute(fragment);
}

/** Without a new entry in the history: the view that is left makes no sense to come back to. */
export function leaveTo(fragment: string): void {
  location.replace(fragment);
}
