import { type Db, run } from '#kernel/db/db.ts';

/** Units of IDR that the gateway may have paid out of its balance and that are not booked. */
export async function redemptionsUnderWay(db: Db): Promise<bigint> {
  const [row] = await run<{ total: bigint }>(
    db,
    `select coalesce(sum(net_amount_idr), 0) as total from idr_redeems
     where status in ('PENDING', 'PROCESSING')`,
    [],
  );
  return row?.total ?? 0n;
}

/** Units of IDR that may have been paid to the gateway already, and that are not booked. */
export async function purchasesUnderWay(db: Db): Promise<bigint> {
  const [row] = await run<{ total: bigint }>(
    db,
    `select coalesce(sum(total_amount_idr), 0) as total from idr_mints where status = 'PENDING'`,
    [],
  );
  return row?.total ?? 0n;
}
