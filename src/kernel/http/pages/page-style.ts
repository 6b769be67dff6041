/** The colours of everything that we show a person, by day and by night; all readable (WCAG AA). */
export const PAGE_COLOURS = `
:root { color-scheme: light dark; --ink: #16202c; --paper: #f4f6f8; --card: #fff; --field: #fff; --accent: #0b6e4f; --on: #fff; --soft: #566371; --line: #8a97a5; --wrong: #b42318; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --paper: #10161d; --card: #19222c; --field: #10161d; --accent: #39b88a; --on: #06281c; --soft: #a3b1bf; --line: #6b7988; --wrong: #ff9b90; } }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`;

/** One look for our pages and those of the simulated providers. */
export const PAGE_STYLE = `${PAGE_COLOURS}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
main { width: 100%; min-width: 0; max-width: 26rem; padding: 2rem; border-radius: 12px; background: var(--card);
  box-shadow: 0 1px 3px #0003; overflow-wrap: anywhere; }
main.wide { max-width: 46rem; }
@media (max-width: 30rem) { body { padding: 1rem; } main { padding: 1.5rem; } }
.brand { margin: 0; font-weight: 700; letter-spacing: .04em; color: var(--accent); }
h1 { margin: .25rem 0 1rem; font-size: 1.4rem; line-height: 1.3; }
h2 { margin: 1.75rem 0 .25rem; font-size: 1rem; }
a { color: var(--accent); }
code, pre { font: .875rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
pre { padding: .75rem; overflow-x: auto; border-radius: 8px; background: var(--paper); }
table { width: 100%; margin: 1rem 0; border-collapse: collapse; }
th, td { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
dl { margin: 1rem 0; }
dt { margin-top: .75rem; font-size: .875rem; font-weight: 600; color: var(--soft); }
dd { margin: 0 0 .6rem; }
@media (min-width: 40rem) {
  .wide dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .35rem 1.5rem; align-items: baseline; }
  .wide dt, .wide dd { margin: 0; }
}
.codes { padding: 0; list-style: none; }
.codes li { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: start; gap: 0 1rem; padding: .6rem 0; border-top: 1px solid var(--paper); }
.codes p { grid-column: 1 / -1; margin: 0; }
fieldset { margin: 1rem 0 0; padding: .25rem 1rem .75rem; border: 1px solid var(--line); border-radius: 8px; }
legend { padding: 0 .35rem; font-weight: 600; }
label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
fieldset label { margin: .5rem 0 0; font-weight: 400; }
input, textarea { width: 100%; padding: .6rem .75rem; font: inherit; color: inherit; background: var(--field);
  border: 1px solid var(--line); border-radius: 8px; }
input[type=checkbox], input[type=radio] { width: auto; }
button, .button { margin-top: 1.25rem; width: 100%; padding: .7rem; font: inherit; font-weight: 600; color: var(--on);
  background: var(--accent); border: 2px solid var(--accent); border-radius: 8px; cursor: pointer; }
button.second { margin-top: .75rem; color: var(--accent); background: none; }
.button { display: block; text-align: center; text-decoration: none; }
button:disabled { opacity: .6; cursor: default; }
[role=status] { margin: 1rem 0 0; min-height: 1.5em; }
/* Still there for who has it read, without a gap for who sees. */
[role=status]:empty { position: absolute; }
[role=alert], .failed [role=status] { color: var(--wrong); }
.soft { font-size: .875rem; color: var(--soft); }
.big code { font-size: inherit; }
.big { font-size: 1.2rem; font-variant-numeric: tabular-nums; }
.code { display: block; max-width: 100%; height: auto; margin: 1rem auto; border-radius: 8px; }
.brand img { display: block; max-width: 100%; max-height: 2.5rem; margin-bottom: .5rem; }
.sum { margin: 0; font-size: 1.75rem; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums; }
.items td:last-child, .items th:last-child { padding-right: 0; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.items { margin: 1rem 0; }
.small { display: inline-block; width: auto; margin: .25rem 0; padding: .4rem .8rem; font-size: .875rem; }
.ways button { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin-top: .6rem; text-align: left; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; }
.pair > div { min-width: 0; }
.way { margin-top: .6rem; padding: .7rem; border: 2px solid var(--accent); border-radius: 8px; }
.way summary { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; font-weight: 600; color: var(--accent); }
input[aria-invalid] { border-color: var(--wrong); }
.notice { padding: .6rem .75rem; border: 1px solid var(--wrong); border-radius: 8px; color: var(--wrong); }
.text { overflow-wrap: anywhere; user-select: all; }
h1:focus { outline: none; }
details { padding: .6rem 0; border-top: 1px solid var(--paper); }
summary { cursor: pointer; }
details pre { white-space: pre-wrap; }
`;

/** In the browser's tab; written out, so that no page asks for another file. */
export const PAGE_ICON = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b6e4f"/><path d="M9 24 16 8l7 16M12 18h8" fill="none" stroke="#fff" stroke-width="3"/></svg>',
)}">`;
