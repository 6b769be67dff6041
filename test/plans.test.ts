import { expect, test } from 'vitest';
import { faultsOf, type Plan } from './plans/judge.ts';
import { isSmall } from './plans/small.ts';
import { faultsIn, growing } from './plans/watch.ts';

/**
 * At the end of each test file every statement that the product ran is planned as a database with a million rows in
 * each table would plan it (see harness.ts). These tests check its findings.
 */
const BAD: readonly (readonly [what: string, statement: string, fault: string])[] = [
  [
    'reads a table that grows as a whole',
    'select * from activity_log where details = $1',
    'reads all of activity_log',
  ],
  [
    'reads one as a whole until it finds a page',
    'select * from users where profile_picture = $1 limit 20',
    'reads all of users',
  ],
  [
    'sorts a history to show a page of it',
    'select * from card_transactions where wallet_id = $1 order by amount desc limit 20',
    'sorts without a limit',
  ],
  [
    'counts a history',
    'select count(*) from card_transactions where wallet_id = $1',
    'counts without a limit',
  ],
  ['counts a table from an index', 'select count(*) from users', 'goes through an index of users'],
  [
    'walks an index for the few that a filter leaves',
    "select * from users where user_status = 'BANNED' order by user_id desc limit 20",
    'goes through an index of users',
  ],
  [
    'passes over what it has been through before',
    'select * from users order by user_id desc limit $1 offset $2',
    'passes over rows by OFFSET',
  ],
  [
    'answers with all there is',
    'select * from card_transactions where wallet_id = $1',
    'answers without a limit',
  ],
  [
    'deletes all that is old at once',
    'delete from phone_codes where expires_at < $1',
    'changes without a limit',
  ],
  [
    'begins a page where its window does and again after a place, which may be earlier',
    'select * from idr_mints where paid_at >= $1 and (paid_at, mint_id) > ($2, $3) order by paid_at, mint_id limit 9',
    'begins twice in an index of idr_mints',
  ],
  [
    'joins all of two tables',
    'select 1 from users u join clients c using (client_id)',
    'answers without a limit',
  ],
];

test.each(BAD)('a statement that %s is found', async (_what, text, fault) => {
  const found = await faultsIn([text]);
  expect(found.map((each) => each.fault)).toContain(fault);
});

const GOOD = [
  'select * from users where user_id = $1',
  'select * from card_transactions where wallet_id = $1 order by id desc limit $2',
  'select * from users order by user_id desc limit 20',
  'select * from psps order by priority',
  'select exists (select from card_transactions)',
  'select * from idr_mints where (paid_at, mint_id) > ($2, $3) and paid_at < $1 order by paid_at, mint_id limit 9',
  'select count(*) from (select from card_transactions where wallet_id = $1 limit 100) as page',
  'insert into phone_codes select * from phone_codes where phone = $1 limit 1',
];

test.each(GOOD)('%s is as it should be', async (text) => {
  expect(await faultsIn([text])).toEqual([]);
});

test('a file with a bad statement fails, and names the fault and the statement', async () => {
  const bad = 'select * from users order by user_id limit 5 offset $1';
  expect(await growing([bad])).toEqual([`passes over rows by OFFSET: ${bad}`]);
});

test('a scan of the catalog is allowed, and one of the jobs is not', () => {
  const scan = { 'Node Type': 'Seq Scan', 'Plan Rows': 9, 'Total Cost': 9 };
  const catalog: Plan = { ...scan, Schema: 'pg_catalog', 'Relation Name': 'pg_class' };
  expect(faultsOf(catalog, isSmall)).toEqual([]);
  expect(faultsOf({ ...scan, Schema: 'public', 'Relation Name': 'jobs' }, isSmall)).not.toEqual([]);
});
