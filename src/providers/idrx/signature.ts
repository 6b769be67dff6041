import { Buffer } from 'node:buffer';
import { createHash, createHmac } from 'node:crypto';

/** Two forms are published: over time, method, address and body; or over method, path, hash and time. */
export const SIGNATURE_FORMS = ['url', 'path'] as const;
export type SignatureForm = (typeof SIGNATURE_FORMS)[number];

export interface SignedIdrxCall {
  readonly method: string;
  /** Whole, with its query. */
  readonly url: string;
  /** Empty where there is none. */
  readonly body: string;
  /** Milliseconds of Unix time. */
  readonly timestamp: string;
}

/** Base64url of an HMAC-SHA256 under the secret, which is given in base64. */
export function signatureOf(form: SignatureForm, secret: string, signed: SignedIdrxCall): string {
  const hmac = createHmac('sha256', Buffer.from(secret, 'base64'));
  return hmac.update(TEXTS[form](signed)).digest('base64url');
}

const TEXTS: Readonly<Record<SignatureForm, (signed: SignedIdrxCall) => string>> = {
  url: ({ timestamp, method, url, body }) => `${timestamp}${method}${url}${body}`,
  path({ timestamp, method, url, body }) {
    const { pathname, search } = new URL(url);
    const hash = createHash('sha256').update(body).digest('hex');
    return `${method}:${pathname}${search}:${hash}:${timestamp}`;
  },
};
