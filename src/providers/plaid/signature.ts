import { createHash } from 'node:crypto';
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import { Value } from 'typebox/value';
import type { Clock } from '#kernel/clock.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import type { Outcome } from '../../kernel/provider-call.ts';
import { parsed } from '../../kernel/provider-call.ts';
import type { News } from './port.ts';
import { WEBHOOK_AGE_S, WEBHOOK_HEADER, type WireKey, WireWebhook } from './wire.ts';

interface Deps {
  readonly clock: Clock;
  /** Fetches the key of that name from the provider. */
  fetchKey(kid: string): Promise<Outcome<WireKey>>;
}

type Headers = Readonly<Record<string, unknown>>;
type Verify = (raw: Buffer, headers: Headers) => Promise<boolean>;

const TOKEN_MAX = 4096;
const KID = /^[\w-]{1,100}$/;
const KEYS_KEPT = 20;
/** The time after which a key is fetched again, so that a withdrawn one stops counting. */
const KEY_LIFE_MS = 3600_000;
/** Anybody can send a token with a made-up key's name: the maximum number of requests in a minute. */
const QUESTIONS = { max: 10, inMs: 60_000 };

/**
 * Proves webhooks: an ES256 token under a key of the provider's, not older than five minutes, over the
 * digest of the very bytes.
 */
export function webhookVerifier(deps: Deps): Verify {
  const keyOf = keyReader(deps);
  return async (raw, headers) => {
    const token = headers[WEBHOOK_HEADER];
    if (typeof token !== 'string' || token.length > TOKEN_MAX) return false;
    try {
      const { alg, kid = '' } = decodeProtectedHeader(token);
      if (alg !== 'ES256' || !KID.test(kid)) return false;
      const key = await keyOf(kid);
      if (!key) return false;
      const { payload } = await jwtVerify(token, await importJWK(key, 'ES256'), {
        algorithms: ['ES256'],
        maxTokenAge: WEBHOOK_AGE_S,
        clockTolerance: 30,
        currentDate: deps.clock.now(),
      });
      const digest = createHash('sha256').update(raw).digest('hex');
      return sameSecret(String(payload['request_body_sha256'] ?? ''), digest);
    } catch {
      return false;
    }
  };
}

interface Kept {
  readonly key: WireKey;
  readonly until: number;
}

function keyReader({ clock, fetchKey }: Deps) {
  const kept = new Map<string, Kept>();
  let questions: number[] = [];

  function mayAsk(now: number): boolean {
    questions = questions.filter((at) => at > now - QUESTIONS.inMs);
    if (questions.length >= QUESTIONS.max) return false;
    questions.push(now);
    return true;
  }

  return async (kid: string): Promise<WireKey | undefined> => {
    const now = clock.now().getTime();
    const known = kept.get(kid);
    if (known && known.until > now) return known.key;
    if (!mayAsk(now)) return undefined;
    const found = await fetchKey(kid);
    if (found.kind !== 'done' || found.value.kid !== kid) return undefined;
    const { expired_at } = found.value;
    if (expired_at !== null && expired_at * 1000 <= now) return undefined;
    const [oldest] = kept.keys();
    if (kept.size >= KEYS_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(kid, { key: found.value, until: now + KEY_LIFE_MS });
    return found.value;
  };
}

/** Each call has a new signature, which identifies it. */
export function readWebhook(raw: Buffer, headers: Headers): News | undefined {
  const body = parsed(raw.toString('utf8'));
  if (!Value.Check(WireWebhook, body)) return undefined;
  const name = createHash('sha256').update(String(headers[WEBHOOK_HEADER])).digest('hex');
  const isOfTransfers = body.webhook_type === 'TRANSFER';
  return { name, about: isOfTransfers ? 'transfers' : 'something else' };
}
