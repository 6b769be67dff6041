import { run } from '#kernel/db/db.ts';
import type { Harness } from '#test/harness.ts';
import { sent } from '#test/statements.ts';

/** So many admins of as many clients, each verified, the newest users of all. */
export async function crowd(h: Harness, many: number): Promise<void> {
  const { client_id } = await h.client({ country_code: 'US' });
  await run(
    h.db,
    `with c as (
       insert into clients (client_code, email, client_alias, client_type, country_code, phone, client_status)
       select 'CL-190001-' || lpad(n::text, 4, '0'), 'crowd' || n || '@example.com', 'Crowd', client_type,
         country_code, phone, client_status
       from clients, generate_series(1, $2::integer) n where client_id = $1 returning client_id),
     u as (
       insert into users (client_id, username, email, phone, role)
       select client_id, 'crowd' || client_id, 'crowd' || client_id || '@example.com', '+15550100', 'admin'
       from c returning user_id)
     insert into verifications (user_id, kind, status) select user_id, 'KYC', 'APPROVED' from u`,
    [client_id, many],
  );
  // The planner has to know them, as with a large table.
  await run(h.db, 'analyze users, clients, verifications', []);
}

interface Node {
  readonly 'Index Searches'?: number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly Node[];
}

/**
 * The maximum number of loops in the plan of the last statement that begins so: descents of an index, or scans of
 * its own input. Sequential scans are off, as for large tables.
 */
export async function mostOften(
  h: Harness,
  { begin, values }: { readonly begin: string; readonly values: readonly unknown[] },
): Promise<number> {
  const text = sent.findLast((one) => one.startsWith(begin)) ?? '';
  const connection = await h.kernel.pool.connect();
  try {
    await connection.query('set enable_seqscan = off; set enable_bitmapscan = off');
    const { rows } = await connection.query(`explain (analyze, format json) ${text}`, [...values]);
    const times = [...nodesOf(rows[0]['QUERY PLAN'][0].Plan)].map(
      (node) => node['Actual Loops'] * Math.max(1, node['Index Searches'] ?? 1),
    );
    return Math.max(...times);
  } finally {
    connection.release(true);
  }
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const below of node.Plans ?? []) yield* nodesOf(below);
}
