import type { World } from '#sandbox/simulator.ts';
import { spoilStatement } from '#sandbox/statement-faults.ts';
import {
  BUSINESS_ID,
  type Entry,
  gatewayEntryOf,
  listEntries,
  SIMULATED_GATEWAY_PROVIDER,
} from './simulated-account.ts';

const LIMIT_MAX = 50;
const BATCH = 1000;
/** Of the second copy of a line. */
const COPY = '-2';

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

/** A page of the statement, newest first, with what `POST /statements/gateway/faults` has spoilt. */
export async function gatewayStatementPage(world: Pick<World, 'records'>, query: StatementQuery) {
  const { records } = world;
  const limit = Math.min(Math.max(Number(query.limit ?? 10) || 10, 1), LIMIT_MAX);
  const matching: Entry[] = [];
  let before = query.after_id?.replace(new RegExp(`${COPY}$`), '');
  for (let isLast = false; !isLast && matching.length <= limit; ) {
    const batch = await listEntries(records, { limit: BATCH, ...(before ? { before } : {}) });
    const oldest = batch.at(-1);
    matching.push(...batch.filter((entry) => matches(entry, query)));
    // Later ones are never older, but for what came back, and that is asked for by its status.
    isLast = batch.length < BATCH || (oldest?.created ?? '') < (query['updated[gte]'] ?? '');
    before = oldest?.id;
  }
  const shownRows = await spoilStatement(
    world,
    SIMULATED_GATEWAY_PROVIDER,
    matching.slice(0, limit),
    {
      reference: ({ reference_id }) => reference_id,
      double: (entry) => ({ ...entry, id: `${entry.id}${COPY}` }),
      alter: (entry) => ({ ...entry, amount: entry.amount + 1 }),
    },
  );
  return { has_more: matching.length > limit, data: shownRows.map(shown) };
}

/** One line by its own name, as it is. */
export async function gatewayEntry({ records }: Pick<World, 'records'>, id: string) {
  const entry = await gatewayEntryOf(records, id);
  return entry && shown(entry);
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
