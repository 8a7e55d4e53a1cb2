// Generated from examples/habits/src/style.css by scripts/bundle-web.ts; do not edit.
// oxfmt-ignore
export const HABITS_STYLE_HASH =
  "+uP4bmmVa3an0bv70rMxLLWSm7F1Fvo33+uAfMWsLWc=";
