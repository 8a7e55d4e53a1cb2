// Generated from examples/habits/src/style.css by scripts/bundle-web.ts; do not edit.
// oxfmt-ignore
export const HABITS_STYLE_HASH =
  "TfE7awBpkh1By8apOXVtAbyxe9NST9YlnyE2KG8xUeA=";
