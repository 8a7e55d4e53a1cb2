const MEMBER =
  /"(code|codeVerifier|refreshToken|accessToken|access_token|proof|password|csrf)"\s*:\s*"[^"]*"/g;
const FIELD = /\b(code|code_verifier|access_token|token|csrf)=[^&\s"<>]+/g;
const TOKEN = /(Bearer\s+|tr[es]_[ar]t_)[A-Za-z0-9._~+/-]+=*/gi;
const COOKIE = /(-(?:session|browser|known)=)[A-Za-z0-9_.-]+/g;
const HEADER = /(Trellis-Known-Browser: )[A-Za-z0-9_.-]+/gi;

/** Reports end up in issues and build logs, so they must not contain tokens, codes or proofs. */
export function hideSecrets(text: string): string {
  return text
    .replace(MEMBER, '"$1":"…"')
    .replace(FIELD, "$1=…")
    .replace(TOKEN, "$1…")
    .replace(COOKIE, "$1…")
    .replace(HEADER, "$1…");
}
