// Generated from examples/habits/src/style.css by scripts/bundle-web.ts; do not edit.
// oxfmt-ignore
export const HABITS_STYLE_HASH =
  "7aJi7GbcmvMMWRRxLMyAbcsEDo1OQq/wIhllQVInVg8=";
