import { newSecrets } from '../src/app/start/secrets-file.ts';

/** Prints new secrets for production, as settings. They are not stored: the operator has to keep them. */

for (const [name, value] of Object.entries(newSecrets())) console.log(`${name}="${value}"`);
