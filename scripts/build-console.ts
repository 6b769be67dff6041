// Builds the console: node scripts/build-console.ts --out <folder> [--watch]
import { createHash } from 'node:crypto';
import {
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { watch } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { PAGE_COLOURS, PAGE_ICON } from '../src/kernel/http/pages/page-style.ts';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Its path: addresses are absolute, since all its pages share one document. */
const PLACE = '/console/';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(ROOT, '.bundle', 'console') },
    watch: { type: 'boolean', default: false },
  },
});
const { out } = values;

mkdirSync(out, { recursive: true });
await build();
if (values.watch)
  for await (const _ of watch(join(ROOT, 'console'), { recursive: true }))
    await build().catch((error: Error) => console.error(error.message));

async function build(): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: { console: 'console/main.tsx' },
    platform: 'browser',
    tsconfig: false,
    // A page of warnings about names that only servers know does not help.
    logLevel: 'silent',
    transform: {
      target: 'es2022',
      jsx: 'react-jsx',
      define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    },
  });
  const { output } = await bundle.write({
    dir: out,
    format: 'esm',
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  const chunks = output.slice(1).map(({ fileName }) => fileName);
  finish({ script: output[0].fileName, shared: output[0].imports, chunks: chunks.sort() });
}

interface Scripts {
  readonly script: string;
  /** What it begins with, which the browser loads beside it. */
  readonly shared: readonly string[];
  /** All others: those, and one for each screen. */
  readonly chunks: readonly string[];
}

/** The rest of the files; their list last, so that its presence proves all of them. */
function finish({ script, shared, chunks }: Scripts): void {
  const css = [PAGE_COLOURS, ...chosenSchemes(), ...sheets()].join('\n');
  const style = `console-${createHash('sha256').update(css).digest('base64url').slice(0, 8)}.css`;
  const files = [script, style, 'index.html', ...chunks];
  write(style, css);
  write('index.html', pageOf(script, style, shared));
  const listed = files.map((path) => ({ path, type: TYPES[extname(path)] }));
  write('manifest.json', `${JSON.stringify({ files: listed }, undefined, 2)}\n`);
  for (const name of readdirSync(out))
    if (![...files, 'manifest.json'].includes(name)) rmSync(join(out, name), { recursive: true });
  const packed = files.map((name) => gzipSync(readFileSync(join(out, name))).length);
  const size = packed.reduce((sum, bytes) => sum + bytes, 0);
  console.log(`${out}: ${files.length} files, ${Math.ceil(size / 1024)} KiB packed`);
}

/** The colours of all pages, for who chooses light or dark in place of what the system has. */
function chosenSchemes(): string[] {
  const [, light = ''] = /:root \{ color-scheme: light dark; ([^}]*)\}/.exec(PAGE_COLOURS) ?? [];
  const [, dark = ''] = /: dark\) \{ :root \{ ([^}]*)\}/.exec(PAGE_COLOURS) ?? [];
  if (light === '' || dark === '') throw new Error('The colours of pages are written otherwise');
  return [
    `:root[data-scheme="light"] { color-scheme: light; ${light}}`,
    `:root[data-scheme="dark"] { color-scheme: dark; ${dark}}`,
  ];
}

function sheets(): string[] {
  return globSync('console/**/*.css', { cwd: ROOT })
    .sort()
    .map((path) => readFileSync(join(ROOT, path), 'utf8'));
}

/** Never half of it: another process may read it meanwhile. */
function write(name: string, text: string): void {
  const part = join(out, `.${name}.${process.pid}`);
  writeFileSync(part, text);
  renameSync(part, join(out, name));
}

function pageOf(script: string, style: string, shared: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Archipay console</title>
${PAGE_ICON}
<link rel="stylesheet" href="${PLACE}${style}">
${shared.map((path) => `<link rel="modulepreload" href="${PLACE}${path}">\n`).join('')}<script type="module" src="${PLACE}${script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`;
}
