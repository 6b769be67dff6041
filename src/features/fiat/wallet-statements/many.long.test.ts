// Long: a statement of a hundred thousand entries.

import { expect, test } from 'vitest';
import { dayIn } from '#kernel/calendar.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { transact } from '#kernel/transact.ts';
import { banking, codeOf } from '#test/banking.ts';
import { harness } from '#test/harness.ts';
import { askForStatement, ofCsv, ofJson } from '#test/statement-figures.ts';

const h = await harness();
const { client_id } = await h.client();
const ada = await banking(h).holder(client_id);
const outside = await openAccount(h.db, houseAccount('test-outside', 'USD'));
const MOST = 100_000;

/** Money in small parts, so many postings in each transaction. */
async function post(first: number, count: number): Promise<void> {
  const operations = Array.from({ length: count }, (_, n) => ({
    key: `many:${first + n}`,
    kind: 'test',
    legs: transfer(outside, ada.account_id, 1n),
  }));
  await transact(h.db, (tx) => postAllWithin(tx, operations));
}

test('a hundred thousand entries are a statement, and one more is refused', async () => {
  for (let n = 0; n < MOST; n += 500) await post(n, 500);
  const day = dayIn('UTC', h.clock.now());
  const ask = (format: string) => {
    const query = { from: day, to: day, time_zone: 'UTC', format };
    return askForStatement(h, { as: ada, wallet_id: ada.wallet_id }, query);
  };
  const json = ofJson((await ask('json')).text);
  expect([json.amounts.length, json.closing]).toEqual([MOST, '1000.00']);
  expect(ofCsv((await ask('csv')).text)).toEqual(json);
  expect((await ask('camt.053')).text.split('<Ntry>')).toHaveLength(MOST + 1);
  await post(MOST, 1);
  const { status, text } = await ask('json');
  expect(codeOf([status, JSON.parse(text)])).toEqual([400, 'VALIDATION_ERROR']);
});
