/** The one person of the demo. */
export const DEMO_USERNAME = "demo";
/** Long enough to be taken, easy enough to be typed. */
export const DEMO_PASSWORD = "demo-password";

/** Of a verifier that nobody has: pages work, a code cannot be redeemed. */
export const DEMO_CODE_CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
export const DEMO_STATE = "a-state-of-the-demo-app";
