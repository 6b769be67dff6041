import { AppError } from '#kernel/error.ts';
import { format } from '#kernel/money/money.ts';
import { HOUR_MS, type QuotaRule } from '#kernel/quota/quota.ts';
import { transact } from '#kernel/transact.ts';
import { createInvoice } from '../create.ts';
import type { TryingDeps } from '../deps.ts';
import { invoiceOfOperation } from '../store.ts';
import { openInvoiceOfLink, type PaymentLink, takePlace } from './store.ts';

/** Invoices that are made by presses of a button, by people we do not know. */
const PRESSES: QuotaRule = {
  name: 'invoices by links',
  limits: [
    { per: 'network', withinMs: HOUR_MS, most: 100 },
    { per: 'client', withinMs: HOUR_MS, most: 20_000, strangers: 300 },
  ],
};

/** An invoice of a link has its place so long, if it is not paid. */
const OPEN_S = { least: 300, most: 3600 };

interface Press {
  readonly ip: string;
  /** Of the page: the same press twice makes one invoice. */
  readonly press: string;
  /** In units of the currency. */
  readonly units: bigint;
}

/**
 * The invoice of a press of the button, by its UUID; undefined where the link has no place for it. Of many presses at
 * once no more come through than it takes. Throws RATE_LIMITED.
 */
export async function pressLink(
  deps: TryingDeps,
  link: PaymentLink,
  { ip, press, units }: Press,
): Promise<string | undefined> {
  const { db, quotas, clock } = deps;
  const { client_id, user_id, link_id, currency, wallet_id, title, methods, return_url } = link;
  const operation = `link:${link_id}:${press}`;
  const known = await knownInvoice(deps, link, operation);
  if (known !== undefined) return known;
  await quotas.spend(db, PRESSES, { ip, client_id });
  const leftS =
    link.expires_at === null
      ? OPEN_S.most
      : Math.floor((Date.parse(link.expires_at) - clock.ms()) / 1000);
  const body = {
    amount: format({ asset: currency, units }),
    currency,
    description: title,
    wallet_id,
    expires_in_s: Math.max(OPEN_S.least, Math.min(OPEN_S.most, leftS)),
    ...(methods !== null && { methods }),
    ...(return_url !== null && { return_url }),
  };
  const caller = { client_id, user_id };
  try {
    return await transact(db, async (tx) => {
      if (!(await takePlace(tx, link_id))) return undefined;
      const made = await createInvoice(deps, tx, { caller, body, operation, link_id });
      return made.invoice_id;
    });
  } catch (error) {
    // The same press, twice at once.
    if (error instanceof AppError && error.code === 'CONFLICT')
      return knownInvoice(deps, link, operation);
    throw error;
  }
}

/** The one of this press; of a link for one payment the one that is open, of any press. */
async function knownInvoice(
  { db, clock }: Pick<TryingDeps, 'db' | 'clock'>,
  { link_id, usage }: PaymentLink,
  operation: string,
): Promise<string | undefined> {
  const made = await invoiceOfOperation(db, operation);
  if (made || usage === 'many') return made?.invoice_id;
  const open = await openInvoiceOfLink(db, link_id);
  const isPayable =
    open?.status === 'PROCESSING' || (open?.expires_at ?? '') > clock.now().toISOString();
  return isPayable ? open?.invoice_id : undefined;
}
