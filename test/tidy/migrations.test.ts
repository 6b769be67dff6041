import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/**
 * A version runs beside the one before it while it is rolled out, on the new schema. So a migration only
 * adds; a later version drops unused parts. Where a statement only looks otherwise, the comment before it says why
 * it is harmless `beside the version before`.
 */
const FOLDER = join(import.meta.dirname, '../../migrations');
/** Migrations up to here are older than the first published version. */
const LAST_FREE = 51;
/** Of versions that were never published, and so ran beside nothing: it drops counters that they read. */
const UNPUBLISHED = /_lists_by_number\.sql$/;
const EXCUSE = /beside the version\s+(?:--\s+)?before/;

const files = readdirSync(FOLDER).sort();
const textOf = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const ofTriggers = new Set(
  files.flatMap((file) =>
    [...textOf(file).matchAll(/function\s+([\w.]+)\s*\(\)\s*returns\s+trigger/gi)].map(
      ([, name = '']) => name.toLowerCase(),
    ),
  ),
);

/** Statements with the comments before them, without bodies of functions. */
const statementsOf = (text: string): string[] =>
  text.replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, '$$$$').split(';');
const bare = (statement: string): string =>
  statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().toLowerCase();

function faultsOf(text: string): string[] {
  const whole = bare(text);
  const isNew = (column: string) => whole.includes(`add column ${column} `);
  const isMade = (name: string) =>
    whole.includes(`function ${name}(`) && /create (?:or replace )?function/.test(whole);
  return statementsOf(text)
    .filter((statement) => !EXCUSE.test(statement))
    .map(bare)
    .flatMap((sql) => [
      ...[...sql.matchAll(/\brename (?:to|column|constraint)\b.*/g)].map(([found]) => found),
      ...[...sql.matchAll(/\bdrop (?:table|view|schema|column|type)\b[^,]*/g)].map(([f]) => f),
      ...[...sql.matchAll(/\balter column (\w+) (?:set data )?type\b/g)].map(([found]) => found),
      ...[...sql.matchAll(/\balter column (\w+) set not null/g)].flatMap(([found, column = '']) =>
        isNew(column) ? [] : [found],
      ),
      ...[...sql.matchAll(/\badd column (\w+)[^,]*/g)].flatMap(([found]) =>
        /\bnot null\b/.test(found) && !/\b(?:default|generated)\b/.test(found) ? [found] : [],
      ),
      ...[...sql.matchAll(/^drop function (?:if exists )?([\w.]+)/g)].flatMap(
        ([found, name = '']) => (ofTriggers.has(name) || isMade(name) ? [] : [found]),
      ),
    ]);
}

test('migrations remove nothing that the version before uses', () => {
  const newer = files.filter(
    (file) => Number(file.slice(0, 4)) > LAST_FREE && !UNPUBLISHED.test(file),
  );
  expect(newer.length).toBeGreaterThan(0);
  const faults = newer.flatMap((file) =>
    faultsOf(textOf(file)).map((fault) => `${file}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

test('breaking statements are found, and additions are not', () => {
  const bad = [
    'alter table a rename column b to c;',
    'alter table a drop column b, add column c text;',
    'drop table a;',
    'alter table a alter column b type bigint;',
    'alter table a alter column b set not null;',
    'alter table a add column b text not null;',
    'drop function ledger.post(bigint);',
  ];
  for (const sql of bad) expect(faultsOf(sql), sql).toHaveLength(1);
  const good = [
    'alter table a add column b text;',
    "alter table a add column b text not null default '';",
    'alter table a add column b bigint default 0; alter table a alter column b set not null;',
    'create function f() returns int language sql as $$ select 1; drop table a; $$;',
    '-- Harmless beside the version before: nothing reads it.\ndrop table a;',
    'drop index a;',
  ];
  for (const sql of good) expect(faultsOf(sql), sql).toEqual([]);
});
