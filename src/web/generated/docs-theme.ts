// Generated from site/browser/theme.ts by scripts/bundle-web.ts; do not edit.
// oxfmt-ignore
export const DOCS_THEME =
  "(()=>{var r=[\"system\",\"light\",\"dark\"],s=\"trellis-docs-theme\";function t(){try{let e=localStorage.getItem(s);return r.find(m=>m===e)??\"system\"}catch{return\"system\"}}function o(e){e===\"system\"?delete document.documentElement.dataset.theme:document.documentElement.dataset.theme=e}o(t());})();";
