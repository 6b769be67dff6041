import { feeOf } from '#features/fiat/fees/fees.ts';
import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { format } from '#kernel/money/money.ts';
import type { InvoiceDeps } from './deps.ts';
import { type MethodRules, methodRules } from './methods-store.ts';
import { type InvoiceMethod, isGatewayMethod } from './payment-store.ts';
import { methodsOff } from './settings/store.ts';
import type { InvoiceRow } from './store.ts';

type Known = Pick<InvoiceDeps, 'isGatewayReady' | 'isCardReady'>;

/** The ways to pay in a currency: those of the gateway and of cards once these have their settings. */
async function rulesOf(
  { isGatewayReady, isCardReady }: Known,
  db: Db,
  { client_id, currency }: Pick<Wanted, 'client_id' | 'currency'>,
): Promise<MethodRules[]> {
  const all = await methodRules(db, client_id, currency);
  return all.filter(
    ({ method }) => method === 'wallet' || (method === 'card' ? isCardReady : isGatewayReady),
  );
}

interface Wanted {
  readonly client_id: number;
  readonly currency: Fiat;
  /** Units, where methods for an amount are asked for. */
  readonly units: bigint | undefined;
  /** Those that the invoice or link offers; all where it names none. */
  readonly among?: readonly string[] | null;
}

/** Those that the client offers and that fit the amount. */
export async function offeredMethods(deps: Known, db: Db, wanted: Wanted): Promise<MethodRules[]> {
  const { client_id, units, among } = wanted;
  const off = await methodsOff(db, client_id);
  return (await rulesOf(deps, db, wanted)).filter(
    (rules) =>
      isOffered(rules.method, off, among) && (units === undefined || fitsMethod(rules, units)),
  );
}

/** The same as they are shown, with the fees that the client charges. */
export async function payingMethods(deps: Known, db: Db, wanted: Wanted) {
  const { client_id, currency, units } = wanted;
  const money = (amount: bigint) => format({ asset: currency, units: amount });
  return Promise.all(
    (await offeredMethods(deps, db, wanted)).map(async ({ least, most, ...rules }) => {
      const amount = { asset: currency, units: units ?? 0n };
      const charged = { client_id, rail: 'invoice', method: rules.method, amount } as const;
      const { terms } = await feeOf(db, charged);
      return {
        ...rules,
        currency,
        fee: { flat: money(BigInt(terms?.flat ?? 0)), bps: terms?.bps ?? 0 },
        min: money(least),
        max: money(most),
      };
    }),
  );
}

const isOffered = (method: string, off: readonly string[], among: Wanted['among']): boolean =>
  !off.includes(method) && (among ?? [method]).includes(method);

/** Whether so much can be paid in that way. */
export const fitsMethod = (rules: MethodRules, units: bigint): boolean =>
  obstacleTo(rules, units) === undefined;

function obstacleTo({ method, least, most }: MethodRules, units: bigint) {
  if (units < least) return 'TOO_SMALL';
  if (units > most) return 'TOO_LARGE';
  return isGatewayMethod(method) && units % 100n !== 0n ? 'NOT_WHOLE_RUPIAH' : undefined;
}

/** Throws METHOD_NOT_AVAILABLE where the invoice cannot be paid in that way, or so much cannot. */
export async function requireMethod(
  deps: Known,
  tx: Db,
  invoice: Pick<InvoiceRow, 'client_id' | 'currency' | 'methods'>,
  { method, units }: { readonly method: InvoiceMethod; readonly units: bigint },
): Promise<void> {
  const { client_id, currency, methods } = invoice;
  const rules = (await rulesOf(deps, tx, invoice)).find((one) => one.method === method);
  const isOn = rules && isOffered(method, await methodsOff(tx, client_id), methods);
  const reason = rules ? (isOn ? obstacleTo(rules, units) : 'SWITCHED_OFF') : 'NOT_OFFERED';
  if (reason === undefined) return;
  const money = (amount: bigint) => format({ asset: currency, units: amount });
  throw fail('METHOD_NOT_AVAILABLE', 'The invoice cannot be paid in this way', {
    details: { reason, ...(rules && { min: money(rules.least), max: money(rules.most) }) },
  });
}
