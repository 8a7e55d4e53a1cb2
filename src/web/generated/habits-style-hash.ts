// Generated from examples/habits/src/style.css by scripts/bundle-web.ts; do not edit.
// oxfmt-ignore
export const HABITS_STYLE_HASH =
  "CqXmPCIt/b4XgtklpLC63OjaN9MXuUUqeFGo3pxGib0=";
