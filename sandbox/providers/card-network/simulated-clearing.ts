import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { APPROVED } from '#providers/card-network/action-codes.ts';
import { type ClearingRecord, TYPES } from '#providers/card-network/statement.ts';
import { DateTime } from '#providers/card-network/wire.ts';
import type { World } from '#sandbox/simulator.ts';
import { spoilStatement } from '#sandbox/statement-faults.ts';
import { SIMULATED_CARD_PROVIDER } from './simulated-issuer.ts';
import { listTransactions, type SimulatedCardTransaction } from './simulated-transactions.ts';

const PAGE = 500;

const ClearingQuery = Type.Object({
  acquiringBIN: Type.String({ pattern: '^\\d{6}$' }),
  fromDateTime: DateTime,
  toDateTime: DateTime,
  pageKey: Type.Optional(Type.String()),
});

/** Approved, and nothing that stands any more. */
const TAKEN_BACK = ['FAILED', 'CANCELLED', 'DECLINED', 'EXPIRED', 'REJECTED', 'REVERSED'];

/** What was cleared from one moment to another, newest first; `lose`, `double` and `alter` by its rrn. */
async function answerClearing(
  world: World,
  query: Static<typeof ClearingQuery>,
): Promise<{ clearingRecords: ClearingRecord[]; nextPageKey?: string } | undefined> {
  const { acquiringBIN, fromDateTime, toDateTime, pageKey } = query;
  let before = pageKey;
  for (;;) {
    const page = await listTransactions(world, {
      limit: PAGE,
      ...(before === undefined ? {} : { before }),
    });
    if (page === undefined) return undefined;
    const last = page.at(-1);
    const isLast = page.length < PAGE || last === undefined || last.transmittedAt < fromDateTime;
    const within = page.filter(
      ({ transmittedAt }) => transmittedAt >= fromDateTime && transmittedAt < toDateTime,
    );
    before = last?.id;
    // What is later than the window is passed over.
    if (within.length === 0 && !isLast) continue;
    const clearingRecords = await spoilStatement(
      world,
      SIMULATED_CARD_PROVIDER,
      within
        .filter(({ acquiringBin }) => acquiringBin === acquiringBIN)
        .filter(({ actionCode, status }) => actionCode === APPROVED && !TAKEN_BACK.includes(status))
        .map(recordOf),
      {
        reference: ({ retrievalReferenceNumber }) => retrievalReferenceNumber,
        double: (record) => ({ ...record, transactionIdentifier: another(record) }),
        alter: (record) => ({ ...record, transactionAmount: `1${record.transactionAmount}` }),
      },
    );
    return { clearingRecords, ...(isLast || before === undefined ? {} : { nextPageKey: before }) };
  }
}

/** Its digits the other way round, which are those of no other transaction. */
const another = ({ transactionIdentifier }: ClearingRecord): string =>
  [...String(transactionIdentifier)].reverse().join('');

/** What is owed to us; the rest is owed by us. */
const CREDITS: ReadonlySet<string> = new Set(['pull', 'representment']);

const recordOf = (transaction: SimulatedCardTransaction): ClearingRecord => ({
  transactionIdentifier: transaction.transactionIdentifier,
  retrievalReferenceNumber: transaction.rrn,
  systemsTraceAuditNumber: transaction.stan,
  cardAcceptorTerminalId: transaction.terminalId,
  transactionType: TYPES[transaction.kind],
  transactionAmount: transaction.amount,
  transactionCurrencyCode: transaction.currency,
  debitCreditIndicator: CREDITS.has(transaction.kind) ? 'C' : 'D',
  transmissionDateTime: transaction.transmittedAt,
});

/** Answers as the network does. */
export async function clearing(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const { query } = request;
  const page = Value.Check(ClearingQuery, query) ? await answerClearing(world, query) : undefined;
  if (page !== undefined) return page;
  const message = 'acquiringBIN, fromDateTime, toDateTime or pageKey is invalid';
  return reply
    .code(400)
    .send({ responseStatus: { code: '3001', severity: 'ERROR', message, info: '' } });
}
