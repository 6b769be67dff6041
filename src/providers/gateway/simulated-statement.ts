import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput, text, words } from '#kernel/http/schema.ts';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import {
  addEntry,
  BUSINESS_ID,
  type Entry,
  listEntries,
  PREFIX,
  PROVIDER,
} from './simulated-account.ts';

const FAULT = 'statement-fault';
const LIMIT_MAX = 50;
const BATCH = 1000;
const RUPIAH_MAX = 1_000_000_000_000;
/** Of the second copy of a line. */
const COPY = '-2';

const StatementFault = Type.Object({
  reference: text(255),
  kind: words(['lose', 'double', 'alter', 'invent', 'none'] as const),
  /** In rupiah: what the altered or invented line says instead. */
  amount: Type.Optional(integerInput(1, RUPIAH_MAX)),
});
type StatementFault = Static<typeof StatementFault>;

/**
 * `POST /gateway/statement/faults {reference, kind, amount?}`: what the statement says wrongly of that
 * reference from now on, until `none`. The money itself is as it was.
 */
export function statementControls(server: FastifyInstance, { records, clock }: World): void {
  const path = `${PREFIX}/statement/faults`;
  server.get(path, async () => faultsOf(records));

  server.post<{ Body: StatementFault }>(
    path,
    { schema: { body: StatementFault } },
    async ({ body }, reply) => {
      const { reference, kind, amount } = body;
      if (kind === 'invent')
        await addEntry(records, invented(reference, amount ?? 10_000), clock.now());
      else if (!(await records.insert(PROVIDER, FAULT, reference, body)))
        await records.update<StatementFault>(PROVIDER, FAULT, reference, () => body);
      return reply.code(201).send(body);
    },
  );
}

const invented = (reference_id: string, amount: number) =>
  ({
    product_id: randomUUID(),
    type: 'PAYMENT',
    channel_category: 'QR_CODE',
    channel_code: 'QRIS',
    reference_id,
    account_identifier: null,
    amount,
    cashflow: 'MONEY_IN',
  }) as const;

async function faultsOf(records: Records): Promise<StatementFault[]> {
  const all = await records.list<StatementFault>(PROVIDER, FAULT, { limit: BATCH });
  return all.filter(({ kind }) => kind !== 'none');
}

/** The query of `GET /transactions`; everything else of theirs is not played. */
export interface StatementQuery {
  readonly types?: string | string[];
  readonly statuses?: string | string[];
  readonly reference_id?: string;
  readonly limit?: string;
  readonly after_id?: string;
  readonly 'updated[gte]'?: string;
  readonly 'updated[lte]'?: string;
}

/** A page of the statement, newest first, with what the controls have spoilt. */
export async function statementPage({ records }: World, query: StatementQuery) {
  const limit = Math.min(Math.max(Number(query.limit ?? 10) || 10, 1), LIMIT_MAX);
  const faults = new Map((await faultsOf(records)).map((fault) => [fault.reference, fault]));
  const matching: Entry[] = [];
  let before = query.after_id?.replace(new RegExp(`${COPY}$`), '');
  for (let isLast = false; !isLast && matching.length <= limit; ) {
    const batch = await listEntries(records, { limit: BATCH, ...(before ? { before } : {}) });
    const oldest = batch.at(-1);
    const isLost = ({ reference_id }: Entry) => faults.get(reference_id)?.kind === 'lose';
    matching.push(...batch.filter((entry) => matches(entry, query) && !isLost(entry)));
    // Later ones are never older, but for what came back, and that is asked for by its status.
    isLast = batch.length < BATCH || (oldest?.created ?? '') < (query['updated[gte]'] ?? '');
    before = oldest?.id;
  }
  const page = matching.slice(0, limit);
  return {
    has_more: matching.length > limit,
    data: page.flatMap((entry) => spoilt(entry, faults.get(entry.reference_id))).map(shown),
  };
}

function matches(entry: Entry, query: StatementQuery): boolean {
  const { types = [], statuses = [], reference_id } = query;
  const isOneOf = (word: string, asked: string | string[]) =>
    asked.length === 0 || [asked].flat().includes(word);
  return (
    isOneOf(entry.type, types) &&
    isOneOf(entry.status, statuses) &&
    (reference_id === undefined || entry.reference_id.includes(reference_id)) &&
    entry.updated >= (query['updated[gte]'] ?? '') &&
    entry.updated <= (query['updated[lte]'] ?? '9')
  );
}

function spoilt(entry: Entry, fault: StatementFault | undefined): readonly Entry[] {
  if (fault?.kind === 'double') return [entry, { ...entry, id: `${entry.id}${COPY}` }];
  if (fault?.kind === 'alter') return [{ ...entry, amount: fault.amount ?? entry.amount + 1 }];
  return [entry];
}

const shown = (entry: Entry) => ({
  ...entry,
  currency: 'IDR',
  business_id: BUSINESS_ID,
  net_amount: entry.amount,
  settlement_status: entry.cashflow === 'MONEY_IN' ? 'SETTLED' : null,
  estimated_settlement_time: entry.cashflow === 'MONEY_IN' ? entry.created : null,
  fee: {
    xendit_fee: 0,
    value_added_tax: 0,
    xendit_withholding_tax: 0,
    third_party_withholding_tax: 0,
    status: 'COMPLETED',
  },
});
