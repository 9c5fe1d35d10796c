/** The style of the page; its colors are the tokens of the web page. */
export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --bg: light-dark(#ffffff, #0f1217);
  --surface: light-dark(#f6f7f9, #171b22);
  --sunken: light-dark(#eef0f3, #0a0c10);
  --line: light-dark(#d5d9e0, #2d3542);
  --text: light-dark(#14181f, #e9edf3);
  --muted: light-dark(#4d5666, #a7b1c0);
  --accent: light-dark(#1d4fd7, #8fb2ff);
  --ok: light-dark(#12683a, #5fd39a);
  --ok-bg: light-dark(#e3f5ea, #12301f);
  --run: light-dark(#0b5a86, #6cc4f5);
  --run-bg: light-dark(#e1f2fc, #0f2c3f);
  --warn: light-dark(#7d4a00, #f3bd5c);
  --warn-bg: light-dark(#fdf1d9, #362707);
  --bad: light-dark(#a8172a, #ff95a0);
  --bad-bg: light-dark(#fdeaec, #3f1219);
  --focus: light-dark(#1d4fd7, #8fb2ff);
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, "DejaVu Sans Mono", monospace;
  --s1: 4px;
  --s2: 8px;
  --s3: 12px;
  --s4: 16px;
  --s5: 24px;
  --s6: 32px;
  --radius: 8px;
}
* { box-sizing: border-box; }
html { scroll-padding-top: var(--s4); }
body { margin: 0; background: var(--bg); color: var(--text); font: 15px / 1.5 var(--font); overflow-wrap: anywhere; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
code { font: 13px var(--mono); }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 var(--s2); }
h2 { font-size: 19px; line-height: 1.25; margin: var(--s6) 0 var(--s2); }
h3 { font-size: 16px; line-height: 1.4; margin: 0 0 var(--s2); }
h3 code { font-size: 15px; }
h4 { font-size: 14px; margin: var(--s4) 0 var(--s1); }
p { margin: 0 0 var(--s2); max-width: 80ch; }
pre { margin: 0 0 var(--s2); padding: var(--s3); background: var(--sunken); border-radius: var(--radius); overflow-x: auto; overflow-wrap: normal; }
.curl { margin: var(--s2) 0; }
.skip { position: absolute; left: -100vw; padding: var(--s2) var(--s3); background: var(--bg); }
.skip:focus { left: var(--s2); top: var(--s2); }
header { padding: var(--s5) var(--s4) 0; }
nav, main { padding: 0 var(--s4) var(--s5); }
nav h2 { font-size: 14px; margin: var(--s4) 0 var(--s1); }
nav ul { list-style: none; margin: 0; padding: 0; columns: 2; }
nav li a { display: inline-block; padding: 3px 0; font: 13px var(--mono); text-decoration: none; }
nav li a:hover { text-decoration: underline; }
.operation, .schema { margin: var(--s4) 0; padding: var(--s4); background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius); }
.operation:target, .schema:target { border-color: var(--accent); }
.method { padding: 2px var(--s2); border-radius: 4px; font: 600 13px var(--mono); }
.get { color: var(--run); background: var(--run-bg); }
.post { color: var(--ok); background: var(--ok-bg); }
.put { color: var(--warn); background: var(--warn-bg); }
.delete { color: var(--bad); background: var(--bad-bg); }
.facts, .type, .place, .rules, .media, .kind { color: var(--muted); }
.media { font-weight: 400; }
.name { font-weight: 600; }
.needed { color: var(--bad); }
.place, .rules, .needed { font-size: 13px; }
.fields { margin: 0 0 var(--s2); padding: 0 0 0 var(--s3); border-left: 2px solid var(--line); list-style: none; }
.fields li { padding: 2px 0; }
.fields p { margin: 0; color: var(--muted); }
.refusals { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); margin: 0; padding: 0; list-style: none; }
summary { cursor: pointer; padding: var(--s1) 0; width: fit-content; }
@media (min-width: 900px) {
  body { display: grid; grid-template: auto 1fr / 280px minmax(0, 1fr); max-width: 1320px; margin: 0 auto; }
  header { grid-column: 1 / -1; }
  nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; }
  nav ul { columns: 1; }
}
@media print {
  nav { display: none; }
}
`;
