import { registerHooks } from 'node:module';

/** A server that is named, telling nothing of what happens: what events cost is what is missing here. */
const WRITE = /async function write\([^{]*\{[^}]*\}[^{]*\{/;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/kernel/events/emit.ts')) return loaded;
    const source = String(loaded.source);
    const quiet = source.replace(WRITE, (head) => `${head} if (Date.now() > 0) return false;`);
    if (quiet === source) throw new Error('What writes events is called otherwise now');
    return { ...loaded, source: quiet };
  },
});

await import(`./${process.argv[2]}`);
