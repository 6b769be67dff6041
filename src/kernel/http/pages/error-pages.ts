import { CODES, type Code } from '#kernel/error.ts';
import { GUIDES } from '#kernel/http/declare/error-guide.ts';
import { breakable, escapeHtml, type Page, page } from './pages.ts';

const CODE_NAMES = (Object.keys(CODES) as Code[]).sort();

/** A page for each code with its cause and cure, to which every error leads, and a list of them. */
export const errorPages = ({ DOCS }: { readonly DOCS: 'on' | 'off' }): Page[] => [
  { path: '/docs/errors', render: () => page(200, 'Errors', index, { wide: true }) },
  ...CODE_NAMES.map(
    (code): Page => ({
      path: `/docs/errors/${code}`,
      render: () => page(200, code, explained(code, DOCS === 'on')),
    }),
  ),
];

const index = [
  '<p>Every failure carries one of these codes as <code>code</code>, and a <code>doc_url</code> that leads to',
  'its page. The codes are stable; texts may change. Beside each is the status that it usually has.</p>',
  '<ul class="codes">',
  ...CODE_NAMES.map(
    (code) =>
      `<li><a href="/docs/errors/${code}">${breakable(code)}</a> <span>${CODES[code]}</span>
<p class="soft">${escapeHtml(GUIDES[code].cause)}</p></li>`,
  ),
  '</ul>',
].join('\n');

function explained(code: Code, hasReference: boolean): string {
  const { cause, cure } = GUIDES[code];
  return [
    `<p><strong>Usual status</strong> ${CODES[code]}</p>`,
    `<h2>Why</h2><p>${escapeHtml(cause)}</p>`,
    `<h2>What to do</h2><p>${escapeHtml(cure)}</p>`,
    `<p><a href="/docs/errors">All codes</a>${hasReference ? ' · <a href="/docs">Reference</a>' : ''}</p>`,
  ].join('\n');
}
