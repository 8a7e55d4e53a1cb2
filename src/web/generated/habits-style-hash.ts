// Generated from examples/habits/src/style.css by scripts/bundle-web.ts; do not edit.
// oxfmt-ignore
export const HABITS_STYLE_HASH =
  "qlMaXPF8j2WMCwSjr7dzoQ/AI26dkP75iQhbUSjZWPE=";
