/** Where in the address an app reads the sign-in's result; a fragment is never sent to a server. */
export type Delivery = "query" | "fragment";

/** Keeps the redirect URI to the letter, which an app may compare. */
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
