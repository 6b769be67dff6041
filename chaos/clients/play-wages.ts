import { setTimeout as pause } from 'node:timers/promises';
import { format } from '#kernel/money/money.ts';
import { USERS } from '../plan/workload.ts';
import { listOf, numberOf, textOf } from './answer.ts';
import { Open } from './client.ts';
import type { Wage } from './extra-effects.ts';
import { type Of, personOf, type Scene, step, walletIn } from './play.ts';

const USD = (cents: bigint) => format({ asset: 'USD', units: cents });
const LOOKS = 40;
const LOOK_MS = 250;

/** A user asks the next one for money, who pays; and pays two accounts at a bank in one batch, which the operator approves. */
export async function playWages(scene: Scene, flow: Of<'wages'>): Promise<void> {
  const wallet_id = await walletIn(scene, flow, 'USD');
  await askFor(scene, flow, wallet_id);
  const batch_id = await payAll(scene, flow, wallet_id);
  if (!scene.isLive) return;
  for (const id of await itemsOf(scene, flow, batch_id))
    await scene.elsewhere(`/bank-host/payments/${id}/complete`);
}

async function askFor(scene: Scene, flow: Of<'wages'>, wallet_id: number): Promise<void> {
  const payer = (flow.user + 1) % USERS;
  const cents = BigInt(flow.cents);
  const { token, user_id } = personOf(scene.people, payer);
  const asked = await scene.ask(
    step(scene, flow, 'ask', {
      path: '/wallets/fiat/requests',
      body: { to: { user_id }, wallet_id, amount: USD(cents) },
      effect: { kind: 'nothing' },
    }),
  );
  const opened = await scene.ask(
    step(scene, flow, 'payer', {
      path: '/wallets/fiat',
      token,
      body: { currency: 'USD' },
      effect: { kind: 'nothing' },
    }),
  );
  await scene.ask(
    step(scene, flow, 'accept', {
      path: `/wallets/fiat/requests/${textOf(asked, 'data.request_id')}/accept`,
      token,
      body: { from_wallet_id: numberOf(opened, 'data.wallet_id') },
      effect: { kind: 'wallet-transfer', user: payer, receiver: flow.user, cents },
    }),
  );
}

/** Drafted and submitted by its owner, approved by the operator; answers its id. */
async function payAll(scene: Scene, flow: Of<'wages'>, wallet_id: number): Promise<string> {
  const wages = [1n, 2n].map((n): Wage => {
    return { reference: `${scene.seed}-${flow.name}-${n}`, cents: BigInt(flow.cents) + n * 1000n };
  });
  const items = wages.map(({ reference, cents }) => ({
    reference,
    amount: USD(cents),
    recipient: {
      name: 'Grace Lee',
      kind: 'bank',
      currency: 'USD',
      details: { bank_code: '021000021', account_number: flow.account },
    },
  }));
  const body = { name: flow.name, source_wallet_id: wallet_id, items };
  const nothing = { kind: 'nothing' } as const;
  const drafted = step(scene, flow, 'draft', { path: '/batches', body, effect: nothing });
  const draft = await scene.ask(drafted);
  const batch_id = textOf(draft, 'data.batch_id');
  const path = `/batches/${batch_id}`;
  const submitted = await scene.ask(
    step(scene, flow, 'submit', {
      path: `${path}/submit`,
      body: versionOf(draft),
      effect: nothing,
    }),
  );
  const [operator] = scene.correctors;
  await operator.prove();
  await scene.ask(
    step(scene, flow, 'approve', {
      path: `${path}/approve`,
      token: operator.token,
      body: versionOf(submitted),
      effect: { kind: 'wages', user: flow.user, wages },
    }),
  );
  return batch_id;
}

const versionOf = (batch: unknown) => ({
  version: numberOf(batch, 'data.version'),
  content_hash: textOf(batch, 'data.content_hash'),
});

/** Its payments, once the bank has all of them. */
async function itemsOf(scene: Scene, { user }: Of<'wages'>, batch_id: string): Promise<string[]> {
  const { token } = personOf(scene.people, user);
  for (let looks = LOOKS; looks > 0; looks -= 1) {
    const items = listOf(await scene.look(`/batches/${batch_id}/items`, token), 'data.items');
    const begun = items.filter((one) => BEGUN.includes(textOf(one, 'status')));
    if (begun.length === items.length && items.length > 0)
      return items.map((one) => textOf(one, 'item_id'));
    await pause(LOOK_MS);
  }
  throw new Open(`the payments of ${batch_id} have not begun`);
}

const BEGUN: readonly string[] = ['PROCESSING', 'COMPLETED'];
