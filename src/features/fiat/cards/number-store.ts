import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

/** Takes so many numbers of an hour; answers the one after the last of them. */
export async function takeNumbers(db: Db, hour: string, count: number): Promise<number> {
  const [row] = await run<Row<'card_numbers', 'given'>>(
    db,
    `insert into card_numbers as n (hour, given) values ($1, $2)
     on conflict (hour) do update set given = n.given + excluded.given returning given`,
    [hour, count],
  );
  if (!row) throw new Error(`No numbers were given for ${hour}`);
  return row.given;
}
