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
/** What a module may ask about its own place, which is not that of the bundle. */
const OWN_PLACE = /\bimport\.meta\.url\b|\b__dirname\b|\b__filename\b/;
/** Two names for all chunks, which lie in one folder two below the checkout. */
const PLACES = `import { fileURLToPath as __pathOf } from 'node:url';
const __placeOf = (path) => new URL('../../' + path, import.meta.url).href;`;

/** A library that is only loaded when it is needed stays where it is until then. */
const lazyLibraries: Plugin = {
  name: 'lazy-libraries',
  resolveDynamicImport: (name) =>
    typeof name === 'string' && !/^[.#/]/.test(name) ? { id: name, external: true } : undefined,
};

/** A production image has no sandbox and no embedded database. Whatever loads them in spite of that finds nothing. */
const DEVELOPMENT = /^#(sandbox|embedded)\//;
const absentFolders: Plugin = {
  name: 'absent-folders',
  resolveId: {
    filter: { id: DEVELOPMENT },
    handler: (id) => (existsSync(join(root, id.slice(1))) ? null : { id, external: true as const }),
  },
};

/** Taken whole by an import, it would load what it has for browsers' sake, as nobody here asks for. */
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

/** Beside the place it gets when it is whole. */
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
  // Somebody else may have been quicker, with the same.
  if (!['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

/** The files of the repository that it is made of, so that one can see what an image contains. */
function sourcesOf(output: readonly (OutputChunk | OutputAsset)[]): string[] {
  const ids = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []));
  const files = ids.map((id) => relative(root, id).split(sep).join('/'));
  return files.filter((file) => !/^\W|node_modules\//.test(file)).sort();
}

/** On the disk before it has its name: after a power failure nothing would notice an empty file. */
function settle(path: string): void {
  const file = openSync(path, 'r+');
  writeFileSync(file, inAscii(readFileSync(path, 'utf8')));
  fsyncSync(file);
  closeSync(file);
}

/**
 * One letter beyond ASCII and Node keeps the whole text at two bytes a letter. Left alone where a
 * backslash before it, or a raw text around it, would make it mean something else.
 */
function inAscii(code: string): string {
  if (/\\[\u0080-\uffff]|String\.raw`[^`]*[\u0080-\uffff]/.test(code)) return code;
  return code.replace(/[\u0080-\uffff]/g, (letter) => {
    return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
