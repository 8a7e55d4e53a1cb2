// Generated from examples/habits/src/style.css by scripts/bundle-web.ts; do not edit.
// oxfmt-ignore
export const HABITS_STYLE_HASH =
  "7BfPtXO62Ti4wzkJTb4F32PavavUvWEmwrj5cZvc57s=";
