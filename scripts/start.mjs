// Plain JavaScript of old on purpose: this must still parse where only an old Node is at hand.
import { requireNode } from './node-version.mjs';

requireNode('npm start');
const { enableCompileCache } = await import('node:module');
enableCompileCache();
await import('../src/main.ts');
