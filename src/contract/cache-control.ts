/** Of a file whose name has its hash: another content has another name. */
export const IMMUTABLE = "public, max-age=31536000, immutable";
