import type { Fiat } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { InvoiceMethod } from './payment-store.ts';

export const METHOD_REFUNDS = ['in_parts', 'once'] as const;
export const METHOD_SETTLES = ['at_once'] as const;

/** A way to pay in a currency; amounts in its units. */
export type MethodRules = Pick<Row<'invoice_methods'>, 'least' | 'most'> & {
  readonly method: InvoiceMethod;
  readonly refunds: (typeof METHOD_REFUNDS)[number];
  readonly settles: (typeof METHOD_SETTLES)[number];
};

/** Those of the operator, within what the client's own rows say; in the order in which they are shown. */
export const methodRules = (db: Db, client_id: number, currency: Fiat): Promise<MethodRules[]> =>
  run(
    db,
    `select o.method, o.refunds, o.settles, greatest(o.least, c.least) as least, least(o.most, c.most) as most
     from invoice_methods o
     left join invoice_methods c
       on c.client_id = $1 and c.method = o.method and c.currency = o.currency
     where o.client_id is null and o.currency = $2
     order by array_position(array['qris', 'va', 'ewallet', 'card', 'wallet'], o.method)`,
    [client_id, currency],
  );
