import { createHmac } from 'node:crypto';
import type { Kernel } from '#kernel/kernel.ts';
import { returnSecretContext, type Seller } from '../settings/store.ts';
import type { MerchantInvoice } from '../store.ts';

type Returning = Pick<MerchantInvoice, 'client_id' | 'object_id' | 'return_url'> & {
  readonly status: string;
};

/**
 * Where the payer goes back to, with what has become of the invoice: `invoice_id`, `status` and `ts` (seconds since
 * 1970), and `sig` over the three, joined by dots, where the client has a secret. Undefined where it names no address.
 */
export function returnUrlOf(
  { vault, clock }: Pick<Kernel, 'vault' | 'clock'>,
  { client_id, object_id, return_url, status }: Returning,
  { return_secret_sealed }: Pick<Seller, 'return_secret_sealed'>,
): string | undefined {
  if (return_url === null) return undefined;
  const ts = String(Math.floor(clock.now().getTime() / 1000));
  const address = new URL(return_url);
  const { searchParams: query } = address;
  query.set('invoice_id', object_id);
  query.set('status', status);
  query.set('ts', ts);
  query.delete('sig');
  if (return_secret_sealed === null) return address.href;
  const secret = vault.open(return_secret_sealed, returnSecretContext(client_id));
  const text = [object_id, status, ts].join('.');
  query.set('sig', createHmac('sha256', secret).update(text).digest('hex'));
  return address.href;
}
