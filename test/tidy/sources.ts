import { globSync, readFileSync } from 'node:fs';

export interface Source {
  readonly path: string;
  readonly text: string;
}

/** All hand-written sources; no generated files. */
export const sources: readonly Source[] = globSync(
  '{src,sandbox,embedded,test,scripts,bench,chaos,demo,contracts,console,packages/*/src}/**/*.{ts,tsx,mjs}',
)
  .filter((path) => !path.includes('.generated.'))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** The contents of a production image. */
export const shipped = sources.filter(
  ({ path }) => path.startsWith('src/') && !path.endsWith('.test.ts'),
);

/** The same with development's additions: the sandbox and the embedded database. */
export const product = sources.filter(
  ({ path }) => /^(src|sandbox|embedded)\//.test(path) && !path.endsWith('.test.ts'),
);

/** What callers install. */
export const packaged = sources.filter(({ path }) => path.startsWith('packages/'));

/** The path that an import names, from the root of the repository. */
export function pathOf(from: string, target: string): string {
  if (!target.startsWith('#')) return new URL(target, `file:///${from}`).pathname.slice(1);
  const [alias = '', ...rest] = target.slice(1).split('/');
  if (alias === 'sdk' || alias === 'cli') return ['packages', alias, 'src', ...rest].join('/');
  const root = ['src', 'test', 'sandbox', 'embedded'].includes(alias) ? alias : `src/${alias}`;
  return [root, ...rest].join('/');
}

/** The names of the features' folders. */
export const features = [
  ...new Set(globSync('src/features/*/*/').map((path) => path.split('/')[3] ?? '')),
];

/** Lines that break a rule, each as `path: line`. */
export const breaking = (files: readonly Source[], rule: RegExp): string[] =>
  files.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, i) => (rule.test(line) ? [`${path}:${i + 1}: ${line.trim()}`] : [])),
  );

/** The domain and feature of a file, and the file's name in it; nothing for other files. */
export function inFeature(
  path: string,
): { domain: string; area: string; file: string } | undefined {
  const [, domain, area, file] = path.match(/^src\/features\/([\w-]+)\/([\w-]+)\/(.+)\.ts$/) ?? [];
  return domain && area && file ? { domain, area, file } : undefined;
}
