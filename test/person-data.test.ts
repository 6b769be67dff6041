import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { PersonTable } from '#kernel/person-data/person-table.ts';
import { harness } from '#test/harness.ts';

/**
 * Of each table of people the feature that has it says what an export shows and what an erasure leaves, and nobody
 * forgets a column. An exception that no longer applies is a failure too.
 */

const h = await harness();

interface Column {
  readonly table: string;
  readonly column: string;
  readonly is_text: boolean;
  readonly is_person: boolean;
}

/** Base tables with their columns; a part of a partitioned table is described with it. */
const columns = await run<Column>(
  h.db,
  `select case when n.nspname = 'public' then '' else n.nspname || '.' end || c.relname as "table",
          a.attname as "column",
          a.atttypid in ('text'::regtype, 'varchar'::regtype, 'jsonb'::regtype, 'json'::regtype,
            'bytea'::regtype, 'inet'::regtype, 'text[]'::regtype) as is_text,
          a.attname = 'user_id' or exists (select from pg_constraint k where k.contype = 'f'
            and k.conrelid = c.oid and k.confrelid = 'users'::regclass and a.attnum = any(k.conkey)) as is_person
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind in ('r', 'p') and not c.relispartition
      and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'
    order by 1, a.attnum`,
  [],
);

/** Columns that name who acted, not whose the row is. */
const ACTORS: readonly string[] = [
  ...[
    'advance_by',
    'advanced_by',
    'asked_by',
    'assigned_by',
    'by_user_id',
    'decided_by',
    'edited_by',
    'explained_by',
    'invited_by',
  ],
  ...['loss_closed_by', 'made_by', 'payer_user_id', 'pending_by', 'proposed_by', 'published_by'],
  ...['receiver', 'refunded_by', 'requested_by', 'retired_by', 'settled_by'],
  ...['submitted_by', 'updated_by_admin_id'],
];

/** Columns of these names say the same in every table, and nothing of a person. */
const IMPERSONAL: readonly string[] = [
  ...['asset', 'chain_id', 'currency', 'failure', 'kind', 'object_id', 'object_type'],
  ...['operation', 'state', 'status', 'status_times', 'user_status'],
];

const declared: readonly PersonTable[] = h.app.features.personData.flatMap(({ tables }) => tables);
const known = Map.groupBy(columns, ({ table }) => table);
const named = ({ table, owner }: PersonTable) => `${table}.${owner}`;

test('every table of people has a part of the export, or the reason why not', () => {
  const people = columns
    .filter(({ column, is_person }) => is_person && !ACTORS.includes(column))
    .map(({ table, column }) => `${table}.${column}`);
  // An owner beside the one of the row: what others hold of a person.
  const beside = [
    'fiat_holds.to_user_id',
    'payment_requests.to_user_id',
    'wallet_transfer_parts.to_user_id',
  ];
  const said = declared.map(named);
  expect(people.filter((one) => !said.includes(one) && !beside.includes(one))).toEqual([]);
  expect(said.filter((one, i) => said.indexOf(one) !== i)).toEqual([]);
  for (const { exported } of declared) expect(exported).not.toBe('');
});

test('every column with text of a person’s table is erased, kept with the reason, or not personal', () => {
  const silent = declared.flatMap((one) => {
    const { table, owner, erased, kept, impersonal } = one;
    if (erased === 'rows' || kept === 'all') return [];
    const said = [...Object.keys(erased), ...kept, ...impersonal, ...IMPERSONAL, owner];
    return (known.get(table) ?? [])
      .filter(({ column, is_text }) => is_text && !said.includes(column))
      .map(({ column }) => `${table}.${column}`);
  });
  expect(silent).toEqual([]);
});

test('what is said of a table fits the table', () => {
  for (const { table, owner, key, erased, kept, why, impersonal, exported } of declared) {
    const has = new Set((known.get(table) ?? []).map(({ column }) => column));
    const shown = typeof exported === 'string' ? [] : exported.columns;
    const all = [
      ...(erased === 'rows' ? [] : Object.keys(erased)),
      ...(kept === 'all' ? [] : kept),
      ...[owner, ...key, ...impersonal, ...shown],
    ];
    expect({ table, unknown: all.filter((column) => !has.has(column)) }).toEqual({
      table,
      unknown: [],
    });
    const isWalked =
      typeof exported !== 'string' || (erased !== 'rows' && Object.keys(erased).length > 0);
    expect({ table, key: key.length > 0 }).toEqual({ table, key: isWalked });
    expect({ table, reason: why !== undefined }).toEqual({ table, reason: kept.length > 0 });
  }
});

/** Columns that no export shows: secrets, and their digests and seals. */
const SECRET = /sealed|digest|hash$|fingerprint|token|secret|_key$|challenge$|evidence/;
/** Of these names, which say otherwise. */
const NO_SECRET = /\.(public_key|token|token_symbol|token_bank_id|\w*tx_hash)$/;

test('no export has a secret', () => {
  const shown = declared.flatMap(({ table, exported }) =>
    typeof exported === 'string' ? [] : exported.columns.map((column) => `${table}.${column}`),
  );
  const secret = shown.filter((one) => SECRET.test(one.slice(one.lastIndexOf('.') + 1)));
  expect(secret.filter((one) => !NO_SECRET.test(one))).toEqual([]);
});
