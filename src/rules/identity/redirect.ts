/** Where a browser goes with the result of a sign-in. */

/** Most apps read the query; some read the fragment, which no server ever sees. */
export type Delivery = "query" | "fragment";

/** The redirect URI stays as it is, to the letter: the values are only appended to it. */
export function appendToRedirect(
  redirectUri: string,
  values: Readonly<Record<string, string>>,
  delivery: Delivery,
): string {
  const pairs = Object.entries(values)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join("&");
  if (delivery === "fragment") return `${redirectUri}#${pairs}`;
  if (!redirectUri.includes("?")) return `${redirectUri}?${pairs}`;
  return `${redirectUri}${/[?&]$/.test(redirectUri) ? "" : "&"}${pairs}`;
}
