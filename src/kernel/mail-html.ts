import type { PageLanguage } from './http/pages/language.ts';
import { escapeHtml } from './http/pages/pages.ts';
import { type Line, unlinked } from './wording.ts';

/**
 * The HTML part of a mail, made of the lines of its text, so that both say the same: paragraphs, a button
 * for what leads somewhere, and passwords and codes large enough to be read off. It loads nothing. As in
 * the text only lines of ours can be clicked on; what others chose is text, without links.
 */
export const htmlOf = (
  title: string,
  lines: readonly Line[],
  language: PageLanguage = 'en',
): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body class="paper" style="margin:0;padding:24px 12px;background:#f4f6f8;color:#16202c;${FONT}">
<div class="card" role="article" lang="${language}" style="max-width:520px;margin:0 auto;padding:28px 24px;background:#ffffff;border-radius:12px">
<p class="brand" style="margin:0 0 4px;font-weight:700;letter-spacing:.04em;color:#0b6e4f">Archipay</p>
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;overflow-wrap:anywhere">${escapeHtml(title)}</h1>
${blocksOf(lines).map(shownBlock).join('\n')}
</div>
</body>
</html>
`;

const FONT = "font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
/** What a mail program does not know it leaves out, and what stands beside the text counts then. */
const STYLE = `
:root { color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background: #10161d !important; color: #e8edf2 !important; }
  .card { background: #19222c !important; color: #e8edf2 !important; }
  .brand { color: #39b88a !important; }
  .button { background: #39b88a !important; color: #06281c !important; }
  .value { background: #10161d !important; color: #e8edf2 !important; }
  .soft { color: #a3b1bf !important; }
}`;

type Block = readonly Line[];

/** What stands between empty lines. */
function blocksOf(lines: readonly Line[]): Block[] {
  const blocks: Line[][] = [[]];
  for (const line of lines) {
    if (line === '') blocks.push([]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0);
}

const PARAGRAPH = 'margin:0 0 14px;overflow-wrap:anywhere';
/** Lines that stand alone, in a list of facts or of things. */
const FACT = /^(?:[A-Z][\w ]{0,30}: |- )/;
const SECRET = /^(Password|Kata sandi|Code): (.+)$/;

/** Sentences that go on over lines are one paragraph; what is clicked on or copied stands alone. */
function shownBlock(block: Block): string {
  const parts: string[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') parts.push(`<p style="${PARAGRAPH}">${text}</p>`);
    text = '';
  };
  for (const line of block) {
    const alone = typeof line === 'string' ? undefined : shownAlone(line);
    if (alone !== undefined) {
      flush();
      parts.push(alone);
      continue;
    }
    const said = typeof line === 'string' ? unlinked(line) : line.ours;
    const joined = FACT.test(said) ? '<br>' : ' ';
    text = text === '' ? escapeHtml(said) : `${text}${joined}${escapeHtml(said)}`;
  }
  flush();
  return parts.join('\n');
}

function shownAlone(line: Exclude<Line, string>): string | undefined {
  if ('href' in line)
    return `<p style="margin:18px 0"><a class="button" href="${escapeHtml(line.href)}" style="display:inline-block;padding:12px 22px;border-radius:8px;background:#0b6e4f;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(line.label)}</a></p>`;
  const [, name, value] = SECRET.exec(line.ours) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return `<p style="margin:0 0 14px"><span class="soft" style="display:block;font-size:14px;color:#566371">${name}</span>
<span class="value" style="display:inline-block;padding:8px 14px;border-radius:8px;background:#f4f6f8;font:700 20px/1.4 ui-monospace,Menlo,Consolas,monospace;letter-spacing:.06em;overflow-wrap:anywhere">${escapeHtml(value)}</span></p>`;
}
