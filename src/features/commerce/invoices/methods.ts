import { feeOf } from '#features/fiat/fees/fees.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { format } from '#kernel/money/money.ts';
import type { InvoiceDeps } from './deps.ts';
import { GATEWAY_METHODS, type InvoiceMethod } from './payment-store.ts';
import { methodsOff } from './settings/store.ts';
import type { InvoiceRow } from './store.ts';

interface MethodRules {
  /** In units of the currency. */
  readonly least: bigint;
  readonly most: bigint;
  readonly refunds: 'in_parts' | 'once';
}

/** Fifteen digits before the point are an amount; a wallet takes any. */
const ANY = 99_999_999_999_999_999n;
/** What the gateway takes, in hundredths of a rupiah. */
const RULES: Readonly<Record<InvoiceMethod, MethodRules>> = {
  qris: { least: 100_000n, most: 1_000_000_000n, refunds: 'in_parts' },
  va: { least: 1_000_000n, most: 5_000_000_000n, refunds: 'in_parts' },
  ewallet: { least: 100_000n, most: 1_000_000_000n, refunds: 'in_parts' },
  wallet: { least: 1n, most: ANY, refunds: 'in_parts' },
};

type Known = Pick<InvoiceDeps, 'isGatewayReady'>;

/** The ways to pay in a currency. */
const invoiceMethodsOf = ({ isGatewayReady }: Known, currency: Fiat): readonly InvoiceMethod[] =>
  currency === 'IDR' && isGatewayReady ? [...GATEWAY_METHODS, 'wallet'] : ['wallet'];

interface Wanted {
  readonly client_id: number;
  readonly currency: Fiat;
  /** Units, where methods for an amount are asked for. */
  readonly units: bigint | undefined;
  /** Those that the invoice or link offers; all where it names none. */
  readonly among?: readonly string[] | null;
}

/** With the fees that the client charges, those that it offers and that fit the amount. */
export async function payingMethods(
  deps: Known,
  db: Db,
  { client_id, currency, units, among }: Wanted,
) {
  const money = (amount: bigint) => format({ asset: currency, units: amount });
  const off = await methodsOff(db, client_id);
  const known = invoiceMethodsOf(deps, currency).filter(
    (method) => isOffered(method, off, among) && (units === undefined || fitsMethod(method, units)),
  );
  return Promise.all(
    known.map(async (method) => {
      const amount = { asset: currency, units: units ?? 0n };
      const { terms } = await feeOf(db, { client_id, rail: 'invoice', method, amount });
      const { least, most, refunds } = RULES[method];
      return {
        method,
        currency,
        fee: { flat: money(BigInt(terms?.flat ?? 0)), bps: terms?.bps ?? 0 },
        min: money(least),
        max: money(most),
        refunds,
      };
    }),
  );
}

const isOffered = (method: string, off: readonly string[], among: Wanted['among']): boolean =>
  !off.includes(method) && (among ?? [method]).includes(method);

/** Whether so much can be paid in that way. */
export const fitsMethod = (method: InvoiceMethod, units: bigint): boolean =>
  obstacleTo(method, units) === undefined;

function obstacleTo(method: InvoiceMethod, units: bigint) {
  const { least, most } = RULES[method];
  if (units < least) return 'TOO_SMALL';
  if (units > most) return 'TOO_LARGE';
  return method !== 'wallet' && units % 100n !== 0n ? 'NOT_WHOLE_RUPIAH' : undefined;
}

/** Throws METHOD_NOT_AVAILABLE where the invoice cannot be paid in that way, or so much cannot. */
export async function requireMethod(
  deps: Known,
  tx: Db,
  { client_id, currency, methods }: Pick<InvoiceRow, 'client_id' | 'currency' | 'methods'>,
  { method, units }: { readonly method: InvoiceMethod; readonly units: bigint },
): Promise<void> {
  const isKnown = invoiceMethodsOf(deps, currency).includes(method);
  const reason = isKnown
    ? isOffered(method, await methodsOff(tx, client_id), methods)
      ? obstacleTo(method, units)
      : 'SWITCHED_OFF'
    : 'NOT_OFFERED';
  if (reason === undefined) return;
  const { least, most } = RULES[method];
  const money = (amount: bigint) => format({ asset: currency, units: amount });
  throw fail('METHOD_NOT_AVAILABLE', 'The invoice cannot be paid in this way', {
    details: { reason, ...(isKnown && { min: money(least), max: money(most) }) },
  });
}
