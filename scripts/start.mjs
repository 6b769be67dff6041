// Old JavaScript on purpose: this must still run if npm was started by an old Node.
import { hasNode } from './node-version.mjs';
import { endWithParent } from './parent.mjs';

endWithParent();

if (hasNode('npm start')) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  const { bundledMain } = await import('./bundle.ts');
  const { pathToFileURL } = await import('node:url');
  const bundle = await bundledMain({ debug });
  await import(bundle ? pathToFileURL(bundle).href : '../src/main.ts');
  if (process.argv.includes('--demo')) {
    const { walkWhenReady } = await import('./first-walk.ts');
    await walkWhenReady();
  }
}

/** A line in the format of the service's own log, which does not exist yet. */
function debug(msg) {
  if (!['debug', 'trace'].includes(process.env.LOG_LEVEL)) return;
  console.log(JSON.stringify({ level: 'debug', time: new Date().toISOString(), msg }));
}
