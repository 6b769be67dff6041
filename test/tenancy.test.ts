import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { GLOBAL_RULES } from '#src/app/global-rules.ts';
import { type BaseTable, TENANCY } from '#src/app/tenancy.ts';
import { foreignKeys } from '#test/foreign-keys.ts';
import { harness } from '#test/harness.ts';

const h = await harness();

const columns = await run<{ table: string; column: string }>(
  h.db,
  `select c.oid::regclass::text as "table", a.attname as "column"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information_schema)'`,
  [],
);
const known = Map.groupBy(columns, ({ table }) => table);
const keys = await foreignKeys(h.db);
const declared = Object.entries(TENANCY) as [BaseTable, (typeof TENANCY)[BaseTable]][];
const has = (table: string, column: string) =>
  known.get(table)?.some((one) => one.column === column) ?? false;

/** Paths without a foreign key: rows above stay for ever, or end with a partition, or the key there is not unique. */
const UNGUARDED: readonly string[] = [
  'file_parts.file_id',
  ...['account_marks', 'entries', 'holds', 'kind_sums', 'verified_accounts'].map(
    (table) => `ledger.${table}.account_id`,
  ),
  ...['ledger.debts.user_id', 'ledger.transfers.transfer_id', 'saga_events.saga_id'],
  'webhooks.attempts.endpoint_id',
];

test('every table of the database says to whom its rows belong, and no other', () => {
  expect(declared.map(([table]) => table as string).sort()).toEqual([...known.keys()].sort());
});

test('what has the column of a client belongs to a client', () => {
  const named = declared.filter(
    ([table, { by }]) => ['client', 'either'].includes(by) !== has(table, 'client_id'),
  );
  expect(named.map(([table]) => table)).toEqual([]);
});

test('every path to a client is a foreign key, or is listed without one', () => {
  const loose = declared.flatMap(([table, owner]) => {
    if (owner.by !== 'path') return [];
    const { column, table: target, key } = owner;
    expect([table, has(table, column), has(target, key)]).toEqual([table, true, true]);
    const isGuarded = keys.some(
      (one) =>
        one.table === table &&
        one.target === target &&
        one.columns.indexOf(column) !== -1 &&
        one.columns.indexOf(column) === one.keys.indexOf(key),
    );
    return isGuarded ? [] : [`${table}.${column}`];
  });
  expect(loose.sort()).toEqual([...UNGUARDED].sort());
});

test('every path ends at a client', () => {
  for (const [table] of declared) {
    const seen = new Set<string>();
    let at: BaseTable = table;
    for (let owner = TENANCY[at]; owner.by === 'path'; owner = TENANCY[at]) {
      expect(seen.has(at), `${table} goes in a circle`).toBe(false);
      seen.add(at);
      at = owner.table;
    }
    if (at !== table)
      expect([table, ['client', 'owner', 'work'].includes(TENANCY[at].by)]).toEqual([table, true]);
  }
});

test('what is of no tenant says why', () => {
  for (const [table, owner] of declared)
    if ('why' in owner) expect([table, owner.why.length > 10]).toEqual([table, true]);
});

interface UniqueRule {
  readonly name: string;
  readonly table: BaseTable;
  readonly first: string | null;
  readonly columns: number;
  readonly is_own: boolean;
}

/** Unique rules; `is_own` where the first column is numbered, or has a default that is random or from a sequence. */
const rules = await run<UniqueRule>(
  h.db,
  `select i.indexrelid::regclass::text as name, i.indrelid::regclass::text as "table", a.attname as first,
      i.indnkeyatts::integer as columns,
      coalesce(a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) ~ 'nextval|gen_random|uuid', false) as is_own
     from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
     left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where i.indisunique and not c.relispartition and n.nspname !~ '^(pg_|information_schema)' order by 1`,
  [],
);

/** Names that the platform makes, random or with its reference of an operation: no two clients get the same. */
const MADE = /^(operation|operation_key|flow|debt|position|part_of)$|(^|_)(reference|digest|hash)$/;
/** Ids that providers give. */
const FOREIGN =
  /^(bank_top_ups_transfer|conversion_jobs_deposit_once|partner_customers_customer_id_key)$/;

test('a unique rule begins with its tenant, begins with a name that we make, or says what guards it', () => {
  const open = rules.filter(({ table, name, first, columns, is_own }) => {
    const owner = TENANCY[table];
    if (is_own || !isTenant(table)) return false;
    if (first === null || FOREIGN.test(name)) return true;
    const isPath = owner.by === 'path' && owner.column === first;
    const leads = keys.some(
      (one) => one.table === table && one.columns.includes(first) && isTenant(one.target),
    );
    const isId =
      first.endsWith('_id') &&
      first !== 'chain_id' &&
      (columns === 1 || first === 'account_id' || first === 'object_id');
    return !(first === 'client_id' || isPath || leads || isId || MADE.test(first));
  });
  expect(open.map(({ name }) => name)).toEqual(Object.keys(GLOBAL_RULES).sort());
});

const isTenant = (table: string) =>
  ['client', 'path', 'owner', 'either'].includes(TENANCY[table as BaseTable]?.by ?? '');
