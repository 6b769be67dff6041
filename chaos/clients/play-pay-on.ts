import { format } from '#kernel/money/money.ts';
import { USERS } from '../plan/workload.ts';
import { textOf } from './answer.ts';
import { type Of, personOf, type Scene, step, walletIn } from './play.ts';

const USD = (cents: number) => format({ asset: 'USD', units: BigInt(cents) });

/** Money from one user to the next, then out of the first one's wallet to an account at a bank. */
export async function playPayOn(scene: Scene, flow: Of<'pay-on'>): Promise<void> {
  const { user, cents, account } = flow;
  const wallet_id = await walletIn(scene, flow, 'USD');
  const to = (user + 1) % USERS;
  await scene.ask(
    step(scene, flow, 'transfer', {
      path: '/wallets/fiat/transfers',
      body: {
        from_wallet_id: wallet_id,
        to: { user_id: personOf(scene.people, to).user_id },
        amount: USD(cents),
      },
      effect: { kind: 'wallet-transfer', user, receiver: to, cents: BigInt(cents) },
    }),
  );
  const recipient = await scene.ask(
    step(scene, flow, 'recipient', {
      path: '/recipients',
      body: {
        name: 'Grace Lee',
        kind: 'bank',
        currency: 'USD',
        details: { bank_code: '021000021', account_number: account },
      },
      effect: { kind: 'nothing' },
    }),
  );
  const paid = await scene.ask(
    step(scene, flow, 'withdraw', {
      path: `/wallets/fiat/${wallet_id}/withdrawals`,
      body: { amount: USD(cents), recipient_id: textOf(recipient, 'data.recipient_id') },
      effect: { kind: 'withdrawal', user, cents: BigInt(cents) },
    }),
  );
  await scene.elsewhere(`/bank-host/payments/${textOf(paid, 'data.withdrawal_id')}/complete`);
}
