import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { SETTINGS } from '#kernel/config/config.ts';

const read = (path: string) => readFileSync(path, 'utf8');
const pages = globSync('{*.md,docs/**/*.md,bench/*.md,ops/*.md}');

test('docs/settings.md lists every setting, with its default, and no other', () => {
  const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| (.*?) \|/gm)];
  const listed = Object.fromEntries(rows.map(([, name, shown = '']) => [name, shown]));
  expect(Object.keys(listed).sort()).toEqual(Object.keys(SETTINGS).sort());
  for (const [name, { default: value }] of Object.entries(SETTINGS))
    if (value !== undefined) expect(listed[name], name).toBe(value === '' ? '' : `\`${value}\``);
});

test('every link between the pages leads somewhere', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].flatMap(([, target = '']) =>
      existsSync(join(dirname(page), target)) ? [] : [`${page}: ${target}`],
    ),
  );
  expect(broken).toEqual([]);
});

test('every command that the pages name exists', () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name = '']) => name),
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('decisions are numbered one by one over all pages of the design, and listed', () => {
  const files = globSync('docs/design/*.md').filter((path) => !path.endsWith('README.md'));
  const index = read('docs/design/README.md');
  const numbers = files.flatMap((path) => {
    const text = read(path);
    expect(text, path).toMatch(
      /^# .+\n\nStatus: .+ · first written \d{4}-\d\d-\d\d · last changed \d{4}-\d\d-\d\d\n/,
    );
    expect(index).toContain(`(${path.replace('docs/design/', '')})`);
    return [...text.matchAll(/^## (\d+)\. /gm)].map(([, n]) => Number(n));
  });
  expect(numbers.sort((a, b) => a - b)).toEqual(numbers.map((_, i) => i + 1));
  for (const n of numbers) expect(index).toContain(`[${n}. `);
});
