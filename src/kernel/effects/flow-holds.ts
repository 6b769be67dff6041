import { run } from '../db/db.ts';
import type { HoldOwner } from '../ledger/holds.ts';
import { nextStepSql } from './next-attempt.ts';

/**
 * Money that flows have set aside by postings of that kind, each under the flow's id. Its data names the account as
 * `payer`. It is freed at the latest by the flow's end.
 */
export const flowHolds = (kind: string, freedBy: string): HoldOwner => ({
  kind,
  freedBy,
  find: (db, holds) =>
    run(
      db,
      `select s.id as hold, (s.data ->> 'payer')::bigint as account_id, s.id as reference,
         not s.finished as is_open, null as until, ${nextStepSql('s')} as next_attempt_at
       from sagas s where s.id = any($1)`,
      [holds],
    ),
});
