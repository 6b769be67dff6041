// Makes the bundle that scripts/bundle.ts starts: node scripts/make-bundle.ts <checkout> <folder> <entries>
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { type OutputAsset, type OutputChunk, type Plugin, rolldown } from 'rolldown';

const [root = '', folder = '', entries = '{"main":"src/main.ts"}'] = process.argv.slice(2);

/** Native code, and libraries that look for files of their own beside them. */
const APART = /^(pino|@node-rs\/argon2)$/;
/** A module's ways to find its own path, which is not the bundle's. */
const OWN_PLACE = /\bimport\.meta\.url\b|\b__dirname\b|\b__filename\b/;
/** Two names for all chunks, which lie in one folder two below the checkout. */
const PLACES = `import { fileURLToPath as __pathOf } from 'node:url';
const __placeOf = (path) => new URL('../../' + path, import.meta.url).href;`;

/** A lazily loaded library stays outside. */
const lazyLibraries: Plugin = {
  name: 'lazy-libraries',
  resolveDynamicImport: (name) =>
    typeof name === 'string' && !/^[.#/]/.test(name) ? { id: name, external: true } : undefined,
};

/** A production image has no sandbox and no embedded database. Code that loads them all the same fails. */
const DEVELOPMENT = /^#(sandbox|embedded)\//;
const absentFolders: Plugin = {
  name: 'absent-folders',
  resolveId: {
    filter: { id: DEVELOPMENT },
    handler: (id) => (existsSync(join(root, id.slice(1))) ? null : { id, external: true as const }),
  },
};

/** Imported as a whole, it would load its browser API, which no code here uses. */
const HTTP = /^(node:)?http$/;
const builtinHttp: Plugin = {
  name: 'builtin-http',
  resolveId: { filter: { id: HTTP }, handler: () => '\0http' },
  load: {
    filter: { id: /^\0http$/ },
    handler: () => `module.exports = process.getBuiltinModule('node:http');`,
  },
};

const ownPlaces: Plugin = {
  name: 'own-places',
  transform: {
    filter: { id: /^[^\0]/, code: OWN_PLACE },
    handler(code, id) {
      const place = (path: string) => `__placeOf(${JSON.stringify(path.split(sep).join('/'))})`;
      const file = relative(root, id);
      return {
        code: code
          .replace(/\bimport\.meta\.url\b/g, place(file))
          .replace(/(?<!['"\w.])__dirname\b(?!['"])/g, `__pathOf(${place(dirname(file))})`)
          .replace(/(?<!['"\w.]|typeof )__filename\b(?!['"])/g, `__pathOf(${place(file)})`),
      };
    },
  },
};

/** Beside its final path, until it is complete. */
const part = `${folder}.${process.pid}`;
try {
  mkdirSync(part, { recursive: true });
  const bundle = await rolldown({
    cwd: root,
    input: JSON.parse(entries),
    platform: 'node',
    external: APART,
    plugins: [absentFolders, lazyLibraries, builtinHttp, ownPlaces],
    logLevel: 'silent',
  });
  // Whole names and a line for each statement: stacks are read by people. Texts about types are not.
  const { output } = await bundle.write({
    dir: part,
    format: 'esm',
    banner: PLACES,
    comments: { jsdoc: false },
  });
  await bundle.close();
  writeFileSync(join(part, 'sources.txt'), `${sourcesOf(output).join('\n')}\n`);
  for (const name of readdirSync(part)) settle(join(part, name));
  renameSync(part, folder);
} catch (error) {
  rmSync(part, { recursive: true, force: true });
  // Another process may have been faster, with the same files.
  if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

/** The repository's files in it, so that the contents of an image can be checked. */
function sourcesOf(output: readonly (OutputChunk | OutputAsset)[]): string[] {
  const ids = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
  const files = ids.map((id) => relative(root, id).split(sep).join('/'));
  return files.filter((file) => !/^\W|node_modules\//.test(file)).sort();
}

/** On the disk before it has its name: after a power failure an empty file would go unnoticed. */
function settle(path: string): void {
  const file = openSync(path, 'r+');
  writeFileSync(file, inAscii(readFileSync(path, 'utf8')));
  fsyncSync(file);
  closeSync(file);
}

/**
 * With one letter beyond ASCII Node keeps the whole text at two bytes a letter. Letters stay unescaped where a backslash
 * before them, or a raw text around them, would change their meaning.
 */
function inAscii(code: string): string {
  if (/\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.test(code)) return code;
  return code.replace(/[\u0080-\uffff]/g, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
