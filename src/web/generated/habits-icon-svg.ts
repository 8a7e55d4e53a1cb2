// Generated from examples/habits/icon.svg by scripts/bundle-web.ts; do not edit.
// oxfmt-ignore
export const HABITS_ICON_SVG =
  "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 192 192\"><rect width=\"192\" height=\"192\" rx=\"44\" fill=\"#1b6748\"/><path d=\"M53.8 101.8 L84.5 130.6 L140.2 67.2\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"19.2\" stroke-linecap=\"round\" stroke-linejoin=\"round\"/></svg>\n";
