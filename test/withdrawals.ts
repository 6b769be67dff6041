import { run } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Asset } from '#kernel/money/money.ts';
import type { HostCurrency } from '#providers/bank-host/port.ts';
import { HOST_PAYEES } from './bank-host.ts';
import type { Body, Harness, Person } from './harness.ts';

type Fiat = HostCurrency | 'IDR';

let serial = 0;
const next = () => {
  serial += 1;
  return serial;
};

/** A user with money in a wallet and a recipient at a bank in its currency. */
export async function withdrawer(h: Harness, currency: Fiat, units: bigint, given?: Person) {
  const as = given ?? (await h.user());
  const [, { data: wallet }] = await h.call('POST /wallets/fiat', { as, body: { currency } });
  const { wallet_id } = wallet;
  await fundWallet(h, as, currency, units);
  const recipient_id = (await addBankRecipient(h, as, currency)).recipient_id as string;
  const params = { wallet_id };
  return {
    as,
    wallet_id,
    recipient_id,
    withdraw: (amount: string, more: object = {}, key: string = crypto.randomUUID()) =>
      h.call('POST /wallets/fiat/{wallet_id}/withdrawals', {
        as,
        params,
        headers: { 'idempotency-key': key },
        body: { amount, recipient_id, ...more },
      }) as Promise<[number, Body]>,
    read: async (withdrawal_id: string): Promise<Body> =>
      (
        await h.call('GET /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}', {
          as,
          params: { wallet_id, withdrawal_id },
        })
      )[1].data,
    list: (query: Record<string, string> = {}) =>
      h.call('GET /wallets/fiat/{wallet_id}/withdrawals', { as, params, query }),
    cancel: (withdrawal_id: string) =>
      h.call('POST /wallets/fiat/{wallet_id}/withdrawals/{withdrawal_id}/cancel', {
        as,
        params: { wallet_id, withdrawal_id },
      }),
    async balance(): Promise<Body> {
      const [, { data }] = await h.call('GET /wallets/fiat/{user_id}', {
        as,
        params: { user_id: as.user_id },
      });
      const { balance, held } = data.wallets.find((one: Body) => one.wallet_id === wallet_id);
      return { balance, held };
    },
  };
}

export type Withdrawer = Awaited<ReturnType<typeof withdrawer>>;

/** From nowhere, as tests may. */
export async function fundWallet(h: Harness, as: Person, asset: Asset, units: bigint) {
  const from = await openAccount(h.db, houseAccount('test', asset));
  const to = await openAccount(h.db, { owner: `user:${as.user_id}`, purpose: 'wallet', asset });
  const key = `withdrawer-${next()}`;
  await postWithin(h.db, { key, kind: 'test', legs: transfer(from, to, units) });
}

export async function addBankRecipient(h: Harness, as: Person, currency: Fiat): Promise<Body> {
  const payee = currency === 'IDR' ? RUPIAH : HOST_PAYEES[currency];
  const account_number = payee.accountNumber.slice(0, -5) + String(10_000 + next());
  const body = {
    name: payee.accountName,
    kind: 'bank',
    currency,
    details: { bank_code: payee.bankCode, account_number },
  };
  const [status, answer] = await h.call('POST /recipients', { as, body });
  if (status !== 201) throw new Error(JSON.stringify(answer));
  return { ...answer.data, account_number };
}

const RUPIAH = { bankCode: 'BCA', accountNumber: '8800123456', accountName: 'Siti Rahma' };

/** All accounts with money set aside or moved, by the ledger's own books; empty where they are sound. */
export const sumsByAsset = (h: Harness) =>
  run<{ asset: string; sum: string }>(
    h.db,
    'select asset, sum(posted)::text as sum from ledger.accounts group by asset having sum(posted) <> 0',
    [],
  );
