import { type Db, run } from '#kernel/db/db.ts';

/** A limit of a card's controls, with its place among them. */
export interface IntervalLimit {
  readonly n: number;
  readonly interval: 'day' | 'week' | 'month' | 'all_time';
  /** Only these categories count; null counts all. */
  readonly mcc: readonly string[] | null;
}

/**
 * What a card has paid, or promised, in the present interval of each limit, in the client's time zone. What was given back
 * counts all the same.
 */
export async function spentByLimit(
  tx: Db,
  { card_id, client_id }: { readonly card_id: string; readonly client_id: number },
  limits: readonly IntervalLimit[],
): Promise<ReadonlyMap<number, bigint>> {
  if (limits.length === 0) return new Map();
  const rows = await run<{ n: number; spent: bigint }>(
    tx,
    `select l.n, coalesce((select sum(s.amount) from card_spending s
         where s.card_id = $1 and s.period = l.interval
           and s.starts = start_of_period(l.interval, service_now(), c.time_zone)
           and s.mcc = any (coalesce(l.mcc, array['']))), 0) as spent
     from jsonb_to_recordset($3::jsonb) l (n integer, interval text, mcc text[])
     join clients c on c.client_id = $2`,
    [card_id, client_id, JSON.stringify(limits)],
  );
  return new Map(rows.map(({ n, spent }) => [n, spent]));
}
