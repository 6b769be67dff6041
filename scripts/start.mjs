// Plain JavaScript of old on purpose: this must still run where npm was started by an old Node.
import { hasNode } from './node-version.mjs';
import { endWithParent } from './parent.mjs';

endWithParent();

if (hasNode('npm start')) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  await import('../src/main.ts');
}
