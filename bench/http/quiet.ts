import { registerHooks } from 'node:module';

/** A named server without events: the difference to it is the cost of events. */
const WRITE = /function writing\(\{[^}]*\}[^{]*\{/;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/kernel/events/emit.ts')) return loaded;
    const source = String(loaded.source);
    if (!WRITE.test(source)) throw new Error('What writes events is called otherwise now');
    const quiet = source
      .replace(WRITE, (head) => `${head} if (Date.now() > 0) return undefined;`)
      .replace('const told = ', 'const told = Date.now() < 0 && ');
    return { ...loaded, source: quiet };
  },
});

await import(`./${process.argv[2]}`);
