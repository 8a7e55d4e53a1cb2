import { API_CONTENT_SECURITY_POLICY } from "../contract/content-security-policy.ts";

/** Keep responses with personal data out of caches, frames and other sites. */
export function createSecurityHeaders(isHttps: boolean): Readonly<Record<string, string>> {
  return {
    "Cache-Control": "no-store",
    "Content-Security-Policy": API_CONTENT_SECURITY_POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy":
      "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    ...(isHttps && { "Strict-Transport-Security": "max-age=31536000" }),
  };
}
