import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';
import type { Asset } from '#kernel/money/money.ts';

/** What fees are charged for. */
export const FEE_RAILS = [
  ...['wallet', 'withdrawal', 'batch', 'invoice', 'issued_card', 'fx', 'bridge'],
] as const;
export type FeeRail =
  | ('wallet' | 'withdrawal' | 'batch' | 'invoice' | 'issued_card')
  | ('fx' | 'bridge');

export type FeeRow = Omit<Row<'fee_rows'>, 'fee_row_id' | 'client_id' | 'rail' | 'currency'> & {
  readonly rail: FeeRail;
  readonly currency: Asset;
};

const COLUMNS = 'rail, method, currency, flat, bps, least, most';

/** The rows that count for a client: its own, else the operator's; null reads the operator's. */
export const listFees = (db: Db, client_id: number | null): Promise<FeeRow[]> =>
  run<FeeRow>(
    db,
    `select distinct on (rail, method, currency) ${COLUMNS} from fee_rows
      where client_id is null or client_id = $1
      order by rail, method, currency, client_id nulls last`,
    [client_id],
  );

/** The row for one operation: the client's before the operator's, and of either that of the method before the general one. */
export async function findFee(
  db: Db,
  { client_id, rail, method, currency }: FeeKey,
): Promise<FeeRow | undefined> {
  const [row] = await run<FeeRow>(
    db,
    `select ${COLUMNS} from fee_rows
      where (client_id is null or client_id = $1) and rail = $2 and method in ('', $3) and currency = $4
      order by client_id nulls last, method desc limit 1`,
    [client_id, rail, method ?? '', currency],
  );
  return row;
}

export interface FeeKey {
  readonly client_id: number;
  readonly rail: FeeRail;
  /** Such as `qris`; rows without one count for every method. */
  readonly method?: string;
  readonly currency: Asset;
}

/** How often the fees of a client were changed; 0 where never. */
export async function feeVersion(db: Db, client_id: number | null): Promise<number> {
  const text = 'select version from fee_versions where client_id is not distinct from $1';
  return (await run<Row<'fee_versions', 'version'>>(db, text, [client_id]))[0]?.version ?? 0;
}

/** Counts a change, where it still is the version before; undefined where it is not. */
export async function countFeeChange(
  tx: Db,
  client_id: number | null,
  change: { readonly before: number; readonly by: number },
): Promise<number | undefined> {
  const [row] = await run<Row<'fee_versions', 'version'>>(
    tx,
    `insert into fee_versions as v (client_id, version, edited_by)
     select $1::integer, 1, $3::integer where $2::integer = 0
       or exists (select from fee_versions o where o.client_id is not distinct from $1::integer)
     on conflict (client_id) do update
       set version = v.version + 1, edited_by = excluded.edited_by, updated_at = service_now()
       where v.version = $2::integer
     returning version`,
    [client_id, change.before, change.by],
  );
  return row?.version;
}

/** Puts these rows in the place of all of a client's, or of the operator's. */
export async function replaceFees(
  tx: Db,
  client_id: number | null,
  rows: readonly FeeRow[],
): Promise<void> {
  await run(tx, 'delete from fee_rows where client_id is not distinct from $1', [client_id]);
  if (rows.length === 0) return;
  await run(
    tx,
    `insert into fee_rows (client_id, ${COLUMNS})
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::numeric[], $6::integer[], $7::numeric[], $8::numeric[])`,
    [
      client_id,
      ...[rows.map(({ rail }) => rail), rows.map(({ method }) => method)],
      ...[rows.map(({ currency }) => currency), rows.map(({ flat }) => flat.toString())],
      ...[rows.map(({ bps }) => bps), rows.map(({ least }) => least?.toString() ?? null)],
      rows.map(({ most }) => most?.toString() ?? null),
    ],
  );
}
