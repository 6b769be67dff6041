import { API_PREFIX } from '#kernel/http/declare/prefix.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { objectId } from '#kernel/object-id.ts';
import { sameSecret } from '#kernel/secrets/token.ts';

type KeyDeps = Pick<Kernel, 'vault' | 'publicUrl'>;

/** 144 bits. */
const KEY_BYTES = 18;

/** The key of an invoice's page. It is kept nowhere: the master key makes it from the id. */
const keyOf = ({ vault }: Pick<KeyDeps, 'vault'>, invoice_id: string): string =>
  vault.fingerprint(invoice_id, 'page of an invoice').subarray(0, KEY_BYTES).toString('hex');

export const isKeyOfInvoice = (
  deps: Pick<KeyDeps, 'vault'>,
  invoice_id: string,
  key: string,
): boolean => sameSecret(key, keyOf(deps, invoice_id));

/** The path of an invoice's page, or of something below it, with its key. */
export function checkoutPath(
  deps: Pick<KeyDeps, 'vault'>,
  invoice_id: string,
  below = '',
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({ key: keyOf(deps, invoice_id), ...more });
  return `${API_PREFIX}/payment-gateway/checkout/${objectId('inv', invoice_id)}${below}?${query}`;
}

/** The key in the address of a link. Its digest is kept, by which it is found. */
export const keyOfLink = ({ vault }: Pick<KeyDeps, 'vault'>, link_id: string): string =>
  vault.fingerprint(link_id, 'address of a link').subarray(0, KEY_BYTES).toString('hex');

export const linkPath = (key: string, more: Readonly<Record<string, string>> = {}): string => {
  const query = new URLSearchParams(more).toString();
  return `${API_PREFIX}/payment-gateway/pay/${key}${query && `?${query}`}`;
};

/** Where people pay the invoice. */
export const checkoutUrl = (deps: KeyDeps, invoice_id: string): string =>
  `${deps.publicUrl()}${checkoutPath(deps, invoice_id)}`;
