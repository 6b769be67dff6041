import { newSecrets } from '../src/app/start/secrets-file.ts';

/** Prints new secrets for production, as settings. They are kept nowhere: that is for you to do. */

for (const [name, value] of Object.entries(newSecrets())) console.log(`${name}="${value}"`);
