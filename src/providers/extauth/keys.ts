import {
  createLocalJWKSet,
  errors,
  importSPKI,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose';
import { Value } from 'typebox/value';
import type { Clock } from '#kernel/clock.ts';
import { refuseDryRun } from '#kernel/dry-run.ts';
import { callHttp } from '#kernel/provider-call.ts';
import { ALGORITHM, KeySet } from './wire.ts';

/** The provider's keys cannot be fetched at the moment, which proves nothing about the token. */
export class KeysUnavailable extends Error {
  override readonly name = 'KeysUnavailable';
}

/** The one key from the provider's dashboard; line breaks may come as `\n` from an environment. */
export function fixedKey(pem: string): JWTVerifyGetKey {
  const key = importSPKI(pem.replaceAll('\\n', '\n'), ALGORITHM);
  // `verify` reports it; until then a bad key must not end the process.
  key.catch(() => {});
  return () => key;
}

export interface KeySetSettings {
  url(): string;
  readonly clock: Clock;
  readonly timeoutMs: number;
}

const MAX_AGE_MS = 10 * 60_000;
/** A stranger's made-up key ids must not make us call the provider each time. */
const COOLDOWN_MS = 30_000;
const ATTEMPTS = 2;

/** The keys the provider publishes: kept ten minutes, and fetched again for one that is unknown. */
export function publishedKeys(settings: KeySetSettings): JWTVerifyGetKey {
  const { clock } = settings;
  let keys: JWTVerifyGetKey | undefined;
  let triedAt = 0;
  let fetching: Promise<JWTVerifyGetKey> | undefined;

  /** Old keys are better than none. One fetch at a time, for any number of waiting callers. */
  async function refresh(): Promise<JWTVerifyGetKey> {
    refuseDryRun('external-login keys');
    triedAt = clock.now().getTime();
    fetching ??= fetchKeys(settings).finally(() => {
      fetching = undefined;
    });
    try {
      keys = await fetching;
    } catch (error) {
      if (keys === undefined) throw error;
    }
    return keys;
  }

  return async (header, token) => {
    if (header.kid === undefined) throw new errors.JWKSNoMatchingKey();
    const age = () => clock.now().getTime() - triedAt;
    const current = keys === undefined || age() > MAX_AGE_MS ? await refresh() : keys;
    try {
      return await current(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || age() < COOLDOWN_MS) throw error;
      return (await refresh())(header, token);
    }
  };
}

async function fetchKeys({ url, timeoutMs }: KeySetSettings): Promise<JWTVerifyGetKey> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const reply = await callHttp({ name: 'extauth keys', method: 'GET', url: url(), timeoutMs });
    if ('lost' in reply || reply.status !== 200 || !Value.Check(KeySet, reply.json)) continue;
    const local = createLocalJWKSet(reply.json as JSONWebKeySet);
    return (header, token) => local(header, token);
  }
  throw new KeysUnavailable('The keys of the external login cannot be fetched');
}
