import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { hold, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Asset } from '#kernel/money/money.ts';
import type { World } from '../checks/world.ts';
import { SAVINGS } from '../clients/play-freeze.ts';
import type { Control } from './controls.ts';

async function walletOf(
  { db, people }: World,
  user: number,
  asset: Asset = 'USD',
): Promise<number> {
  const owner = `user:${people[user]?.user_id}`;
  return openAccount(db, { owner, purpose: 'wallet', asset });
}

const house = ({ db }: World, purpose: string, asset: Asset): Promise<number> =>
  openAccount(db, houseAccount(purpose, asset));

/** Movements of money without a request, or lost movements. */
export const moneyControls: readonly Control[] = [
  {
    name: 'transfer-more',
    finds: 'unasked',
    where: /^statement of user 1$/,
    async spoil({ world }) {
      const legs = transfer(
        await house(world, 'card-settlement', 'USD'),
        await walletOf(world, 1),
        1n,
      );
      await postWithin(world.db, { key: 'control:transfer-more', kind: 'card-top-up', legs });
    },
  },
  {
    name: 'hold-left',
    finds: 'held',
    where: /^statement of user 1$/,
    async spoil({ world }) {
      const legs = hold(await walletOf(world, 1), 1n);
      await postWithin(world.db, { key: 'control:hold-left', kind: 'card-hold', legs });
    },
  },
  {
    name: 'balance-off',
    finds: 'ledger',
    where: /^every account is the sum/,
    async spoil({ world, sql }) {
      await sql('update ledger.accounts set posted = posted + 1 where account_id = $1', [
        await walletOf(world, 2),
      ]);
    },
  },
  {
    name: 'history-gone',
    finds: 'lost',
    where: /^card history/,
    // All of them: of one alone the client may never have had the answer, and then it is not missed.
    spoil: ({ sql }) =>
      sql(`delete from card_transactions
            where type = 'PUSH' and state = 'SETTLED' and currency = 'USD'`),
  },
  {
    name: 'payment-gone',
    finds: 'lost',
    where: /^payment of a transfer$/,
    spoil: ({ sql }) =>
      sql(`delete from payments where payment_id = (
             select payment_id from payments where rail = 'card' and status = 'SUCCEEDED'
             order by payment_id desc limit 1)`),
  },
  {
    name: 'payment-stale',
    finds: 'wrong',
    where: /^payment of a thing$/,
    spoil: ({ sql }) =>
      sql(`update payments set status = 'PENDING' where payment_id = (
             select payment_id from payments where rail = 'card' and status = 'SUCCEEDED'
             order by payment_id limit 1)`),
  },
  {
    name: 'correction-gone',
    finds: 'lost',
    where: /^corrections$/,
    spoil: ({ sql }) =>
      sql(`delete from adjustments where serial = (
             select max(serial) from adjustments where status = 'BOOKED')`),
  },
  {
    name: 'frozen-paid',
    finds: 'unasked',
    where: /^frozen wallet of user 1$/,
    async spoil({ world }) {
      const wallet = await walletOf(world, 1, SAVINGS);
      const legs = transfer(wallet, await house(world, 'card-settlement', SAVINGS), 1n);
      await postWithin(world.db, { key: 'control:frozen-paid', kind: 'card-push', legs });
    },
  },
  {
    name: 'freeze-gone',
    finds: 'lost',
    where: /^freezes$/,
    spoil: ({ sql }) =>
      sql(`delete from stops where stop_id = (
             select max(stop_id) from stops where wallet_id is not null)`),
  },
  {
    name: 'network-gone',
    mode: 'live',
    finds: 'lost',
    where: /^card network$/,
    spoil: ({ sql }) =>
      sql(`delete from sandbox.records where seq = (
             select max(seq) from sandbox.records
             where kind = 'transaction' and data ->> 'actionCode' = '00')`),
  },
  {
    name: 'network-doubled',
    mode: 'live',
    finds: 'doubled',
    where: /^card network$/,
    spoil: ({ sql }) =>
      sql(`insert into sandbox.records (provider, kind, id, data)
           select provider, kind, id || '.again', data || jsonb_build_object('id', id || '.again')
           from sandbox.records where kind = 'transaction' and data ->> 'actionCode' = '00' limit 1`),
  },
  {
    name: 'network-unasked',
    finds: 'unasked',
    where: /^card network$/,
    spoil: ({ sql }) =>
      sql(
        `insert into sandbox.records (provider, kind, id, data)
         values ('card-network', 'transaction', 'control', $1::jsonb)`,
        [
          JSON.stringify({
            id: 'control',
            kind: 'pull',
            amount: '1.11',
            currency: '840',
            actionCode: '00',
            rrn: '0',
            status: 'COMPLETED',
          }),
        ],
      ),
  },
  {
    name: 'points-more',
    finds: 'wrong',
    where: /^rewards$/,
    async spoil({ world, sql }) {
      const [member] = await sql(
        `select owner from ledger.accounts where purpose = 'points' limit 1`,
      );
      const account = {
        owner: String(member?.['owner']),
        purpose: 'points',
        asset: 'POINTS',
      } as const;
      const [from, to] = [
        await house(world, 'rewards', 'POINTS'),
        await openAccount(world.db, account),
      ];
      const legs = transfer(from, to, 50n);
      await postWithin(world.db, { key: 'control:points-more', kind: 'reward', legs });
    },
  },
];
