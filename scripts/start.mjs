// Plain JavaScript of old on purpose: this must still run where npm was started by an old Node.
import { hasNode } from './node-version.mjs';

if (hasNode('npm start')) {
  const { enableCompileCache } = await import('node:module');
  enableCompileCache();
  await import('../src/main.ts');
}
