import { type Static, Type } from 'typebox';
import { type FiatWallet, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { dayIn, edgeOfDay } from '#kernel/calendar.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { Download } from '#kernel/http/declare/file-bytes.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  IdInput,
  MomentInput,
  oneOfWords,
  stamped,
  TimeZone,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { statementSpan } from '#kernel/ledger/statement-span.ts';
import { DAY_MS } from '#kernel/quota/quota.ts';
import { camt053Statement } from './camt-053.ts';
import { csvStatement } from './csv.ts';
import { jsonStatement } from './json.ts';
import { pdfStatement } from './pdf/pdf.ts';
import { peopleOf } from './people-store.ts';
import { ShownStatement } from './shapes.ts';
import { readWalletStatement, STATEMENT_ENTRIES_MAX, type WalletStatement } from './statement.ts';

const endpoint = endpoints(codedEnvelope);

export interface StatementDeps extends Pick<Kernel, 'clock' | 'db'> {
  /** The name that a person was verified by. */
  verifiedNameOf(db: Db, user_id: number): Promise<string | null>;
}

const DAYS_MAX = 366;

interface Format {
  readonly type: string;
  readonly ending: string;
  write(statement: WalletStatement): AsyncIterable<string | Buffer>;
}

const FORMATS = {
  json: { type: 'application/json; charset=utf-8', ending: 'json', write: jsonStatement },
  csv: { type: 'text/csv; charset=utf-8', ending: 'csv', write: csvStatement },
  pdf: { type: 'application/pdf', ending: 'pdf', write: pdfStatement },
  'camt.053': { type: 'application/xml', ending: 'xml', write: camt053Statement },
} as const satisfies Record<string, Format>;
const FORMAT_NAMES = Object.keys(FORMATS) as readonly (keyof typeof FORMATS)[];

const DayInput = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-11-01'] });

const StatementQuery = Type.Object({
  from: explained(DayInput, 'The first day'),
  to: explained(DayInput, `The last day, which it includes; within ${DAYS_MAX} days of the first`),
  format: Type.Optional(explained(oneOfWords(FORMAT_NAMES), '`json` where it is left out')),
  time_zone: Type.Optional(TimeZone),
  at: Type.Optional(
    explained(
      MomentInput,
      'A moment that is over: the statement as it was then, without what was booked later',
    ),
  ),
});

/** A wallet's statement over days, in four formats with the same numbers. */
export const statementRoute = (deps: StatementDeps): Route =>
  endpoint('GET /wallets/fiat/{wallet_id}/statement', {
    name: 'fiatWallets.getStatement',
    auth: 'user',
    errors: ['WALLET_NOT_FOUND'],
    summary: 'Answers a statement over days as JSON, CSV, PDF or camt.053',
    params: Type.Object({ wallet_id: IdInput }),
    query: StatementQuery,
    reply: { 200: stamped({ data: ShownStatement }) },
    fault: 'Failed to make the statement',
    async handler({ caller, params, query, db }) {
      const wallet = await findFiatWallet(db, tenantScopeOf(caller), params.wallet_id);
      if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
      const statement = await statementOf(deps, wallet, query);
      const { type, ending, write } = FORMATS[query.format ?? 'json'] as Format;
      const name = `statement-${wallet.wallet_id}-${query.from}-${query.to}.${ending}`;
      const headers = { 'x-statement-digest': statement.head.digest };
      return new Download({ name, type, headers }, inBytes(write(statement)));
    },
  });

async function statementOf(
  deps: StatementDeps,
  wallet: FiatWallet,
  query: Static<typeof StatementQuery>,
): Promise<WalletStatement> {
  const { from, to, at } = query;
  const { username, client_alias, ...client } = await peopleOf(deps.db, wallet.user_id);
  const time_zone = query.time_zone ?? client.time_zone;
  requireDays(from, to, dayIn(time_zone, deps.clock.now()));
  const starts_at = edgeOfDay(from, time_zone, 'start');
  if (at !== undefined && at < starts_at) throw wrongField('at', 'must not be before from');
  const ends = { from: starts_at, to: edgeOfDay(to, time_zone, 'end'), at };
  const span = await statementSpan(deps.db, wallet.account_id, ends);
  if (!span) throw wrongField('at', 'must be in the past');
  const holder = (await deps.verifiedNameOf(deps.db, wallet.user_id)) ?? username;
  const named = { holder, issuer: client_alias, from, to, time_zone, starts_at };
  const statement = await readWalletStatement(deps.db, { ...named, wallet, span });
  if (!statement)
    throw wrongField(
      'to',
      `is too far: more than ${STATEMENT_ENTRIES_MAX} entries; ask for fewer days`,
    );
  return statement;
}

/** Throws VALIDATION_ERROR for days that do not exist, are in the wrong order, too many, or yet to come. */
function requireDays(from: string, to: string, today: string): void {
  for (const [field, day] of [
    ['from', from],
    ['to', to],
  ] as const)
    if (Number.isNaN(Date.parse(day)) || new Date(day).toISOString().slice(0, 10) !== day)
      throw wrongField(field, 'must be a day, such as 2026-11-01');
  if (to < from) throw wrongField('to', 'must not be before from');
  if ((Date.parse(to) - Date.parse(from)) / DAY_MS >= DAYS_MAX)
    throw wrongField('to', `must be within ${DAYS_MAX} days of from`);
  if (from > today) throw wrongField('from', 'must not be in the future');
}

/** Small texts together, so that each is not a packet of its own. */
const PART_BYTES = 64 * 1024;

async function* inBytes(parts: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const part of parts) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    waiting.push(bytes);
    size += bytes.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(waiting);
}
