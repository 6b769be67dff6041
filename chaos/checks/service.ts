import { CHAIN_KEYS } from '#chains/evm/port.ts';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { HOLD_OWNERS } from '#src/app/hold-owners.ts';
import type { Books } from '../clients/books.ts';
import { chainNodes, processesOf } from '../fleet/processes.ts';
import type { Finding, FindingKind } from './findings.ts';
import type { World } from './world.ts';

/** Rows that must not exist at the end, by statements that answer a `where` and a `what`. */
const NOTHING_OF: readonly (readonly [FindingKind, string])[] = [
  [
    'held',
    `select owner as where, 'has ' || held || ' ' || asset || ' set aside' as what
     from ledger.accounts where held <> 0`,
  ],
  [
    'held',
    `select 'wallet ' || wallet_address as where, 'still holds for ' || reference as what
     from wallet_holds where released_at is null`,
  ],
  [
    'wrong',
    `select 'fee of ' || operation as where, 'was written off' as what
     from onchain_sends where fee_status = 'UNPAID'
     union all select 'fee of ' || log_id, 'was written off'
     from crosschain_transfers where fee_status = 'UNPAID'`,
  ],
  [
    'dead-letter',
    `select name as where, coalesce(error, 'no word') as what
     from jobs where state = 'dead'
     union all select place || ' ' || id, coalesce('stalled: ' || error, 'open')
     from work where what <> 'flow' or stalled_at is not null`,
  ],
  [
    'break',
    `select kind || ' of ' || subject as where, details::text as what
     from crosschain_breaks where settled_at is null
     union all select 'rupiah tokens of ' || subject, found || ' where there should be ' || least
     from idr_breaks where settled_at is null`,
  ],
];

/** The service's own view: ledger, holds, dead letters, reconciliation's breaks. */
export async function checkService({ db }: Pick<World, 'db'>): Promise<Finding[]> {
  const { broken } = await verifyLedger(db, HOLD_OWNERS);
  const unsound = broken.map(({ rule, breaks }): Finding => {
    return { kind: 'ledger', where: rule, what: breaks.join('; ') };
  });
  const left = await Promise.all(
    NOTHING_OF.map(async ([kind, text]) => {
      const rows = await run<{ where: string; what: string }>(db, text, []);
      return rows.map((row): Finding => ({ kind, ...row }));
    }),
  );
  return [...unsound, ...left.flat()];
}

/** Each chain has one node; with more, processes write to different chains. */
export const checkNodes = ({ folder }: Pick<World, 'folder'>): Finding[] =>
  CHAIN_KEYS.flatMap((chain): Finding[] => {
    const nodes = chainNodes(folder, chain);
    if (nodes.length < 2) return [];
    return [{ kind: 'second-node', where: chain, what: `there are ${nodes.length}: ${nodes}` }];
  });

/** After all have ended no process runs. */
export const checkLeftOver = (folder: string): Finding[] =>
  processesOf(folder).map(({ pid, command }) => ({
    kind: 'left-over',
    where: 'after the end',
    what: `${pid} ${command.slice(0, 120)}`,
  }));

/** Every refusal has a code, and a request id. */
export const checkAnswers = (books: Books): Finding[] =>
  books.all().flatMap(({ operation: { key, path }, attempts }): Finding[] => {
    const wrong = attempts.find(
      ({ status = 0, code, request_id }) =>
        status >= 400 && (code === undefined || request_id === undefined || code === 'INTERNAL'),
    );
    if (wrong === undefined) return [];
    return [{ kind: 'bad-answer', where: path, what: JSON.stringify(wrong), keys: [key] }];
  });
