import { createHmac, randomBytes } from 'node:crypto';
import { machineMs } from '#kernel/clock.ts';

/** A signing secret with its end; null for the present one. */
export interface Secret {
  readonly secret: string;
  readonly not_after: string | null;
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;
/** Beside the new one. */
const OLD_SECRETS_MAX = 3;

export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`;

/** The new secret first; earlier ones sign, too, until `until` or their own end. */
export function rotated(
  secrets: readonly Secret[],
  secret: string,
  until: Date,
  now: Date,
): Secret[] {
  const ending = valid(secrets, now)
    .map((old) => ({ ...old, not_after: earlier(old.not_after, until.toISOString()) }))
    .slice(0, OLD_SECRETS_MAX);
  return valid([{ secret, not_after: null }, ...ending], now);
}

export const valid = (secrets: readonly Secret[], now: Date): Secret[] =>
  secrets.filter(({ not_after }) => not_after === null || not_after > now.toISOString());

const earlier = (a: string | null, b: string): string => (a !== null && a < b ? a : b);

/**
 * The headers of Standard Webhooks 1.0: one signature for each secret that is valid now. The timestamp is the machine's
 * time, since receivers compare it with their own clock, which no sandbox moves.
 */
export function signed(id: string, body: string, secrets: readonly Secret[], now: Date) {
  const timestamp = String(Math.floor(machineMs() / 1000));
  const signatures = valid(secrets, now).map(({ secret }) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    return `v1,${mac.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
