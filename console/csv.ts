/** Begins a formula in programs of spreadsheets; a number is none. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^[-−]?[\d.,]+( [A-Z]+)?$/;

const cell = (text: string): string => {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Lines as a file that programs of spreadsheets open. */
export const csvOf = (lines: readonly (readonly string[])[]): string =>
  lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('');

/** Hands the browser a file of what is shown. */
export function saveCsv(name: string, lines: readonly (readonly string[])[]): void {
  const file = new Blob([`\uFEFF${csvOf(lines)}`], { type: 'text/csv;charset=utf-8' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
