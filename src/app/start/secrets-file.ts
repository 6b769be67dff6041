import { randomBytes } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { generateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Config } from '#kernel/config/config.ts';
import { PRODUCTION_SECRETS } from '#kernel/config/config-rules.ts';
import { makePrivate, withFileLock } from '#kernel/db/process-file.ts';
import type { KernelSecrets } from '#kernel/kernel.ts';

const FILE = 'secrets.json';

/**
 * The configured secrets; outside production missing ones are created once and kept in
 * DATA_DIR, readable by their owner only.
 */
export async function loadSecrets(config: Config): Promise<KernelSecrets> {
  const given = Object.fromEntries(
    PRODUCTION_SECRETS.flatMap((name) => (config[name] ? [[name, config[name]]] : [])),
  );
  if (PRODUCTION_SECRETS.every((name) => name in given)) return given as unknown as KernelSecrets;
  if (config.NODE_ENV === 'production') throw new Error('Production secrets are incomplete');
  await makePrivate(config.DATA_DIR);
  const path = join(config.DATA_DIR, FILE);
  // Processes that start at once must agree, or one could not read what another has sealed.
  const all = await withFileLock(join(config.DATA_DIR, 'secrets.lock'), () => completed(path));
  return { ...all, ...given };
}

async function completed(path: string): Promise<KernelSecrets> {
  const kept = JSON.parse(await readIfAny(path)) as Partial<KernelSecrets>;
  const all = { ...newSecrets(), ...kept };
  if (Object.keys(kept).length < PRODUCTION_SECRETS.length)
    await writeDurably(path, JSON.stringify(all, null, 2));
  return all;
}

/**
 * An existing file that cannot be read must stop the start: with new secrets everything sealed is lost.
 */
const readIfAny = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });

/** Drawn at random, and stored nowhere yet. */
export const newSecrets = (): KernelSecrets => ({
  MASTER_KEY: `1:${randomBytes(32).toString('base64')}`,
  JWT_SECRET: randomBytes(48).toString('base64'),
  EVM_MNEMONIC: generateMnemonic(wordlist),
});

/** Whole or not at all: a half-written master key could not be recovered. */
async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(`${path}.tmp`, 'w', 0o600);
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
}
