/** The address that a browser was led to; null when it is not the redirect URI. */
export function parseCallback(callbackUrl: string, redirectUri: string): URL | null {
  const callback = URL.canParse(callbackUrl) ? new URL(callbackUrl) : null;
  const isRedirect =
    callback !== null && withoutQuery(callback) === withoutQuery(new URL(redirectUri));
  return isRedirect ? callback : null;
}

function withoutQuery({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}
