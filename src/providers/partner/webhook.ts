import { createHash, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Value } from 'typebox/value';
import type { Clock } from '#kernel/clock.ts';
import { parsed } from '#kernel/provider-call.ts';
import type { CustomerNews } from './port.ts';
import { PartnerWireEvent } from './wire.ts';

interface Deps {
  readonly clock: Clock;
  /** The public keys of our webhooks, in PEM. */
  fetchKeys(): Promise<readonly string[]>;
}

const HEADER = /^t=(\d{10,16}),v0=([\w+/]+=*)$/;
const AGE_MS = 10 * 60_000;
/** Anybody can cause a call for the keys: one in so long, where those that are known do not fit. */
const KEYS_MS = 60_000;

/** Proves webhooks: RSA with SHA-256 under a key of ours there, over the time and the very bytes. */
export function partnerVerifier({ clock, fetchKeys }: Deps) {
  let keys: readonly string[] = [];
  let fetchedAt = Number.NEGATIVE_INFINITY;
  return async (raw: Buffer, headers: IncomingHttpHeaders): Promise<boolean> => {
    const [, time = '', signature = ''] =
      HEADER.exec(String(headers['x-webhook-signature'] ?? '')) ?? [];
    const now = clock.now().getTime();
    if (signature === '' || Math.abs(now - Number(time)) > AGE_MS) return false;
    const signed = Buffer.concat([Buffer.from(`${time}.`), raw]);
    const fits = () =>
      keys.some((key) => isSignedBy(key, signed, Buffer.from(signature, 'base64')));
    if (fits()) return true;
    if (now - fetchedAt < KEYS_MS) return false;
    fetchedAt = now;
    keys = await fetchKeys();
    return fits();
  };
}

/** Bridge describes a signature over the digest of the text, which libraries digest once more; either is its key's. */
function isSignedBy(key: string, signed: Buffer, signature: Buffer): boolean {
  const digest = createHash('sha256').update(signed).digest();
  try {
    return [digest, signed].some((data) => verify('RSA-SHA256', data, key, signature));
  } catch {
    return false;
  }
}

/** Whose customer has changed; how, is not believed but asked for. */
export function customerNewsOf(raw: Buffer): CustomerNews | undefined {
  const event = parsed(raw.toString('utf8'));
  if (!Value.Check(PartnerWireEvent, event)) return undefined;
  const { event_id: name, event_category, event_object } = event;
  const customerId = event_category === 'customer' ? event_object.id : event_object.customer_id;
  return customerId ? { name, customerId } : undefined;
}
