import { format } from '#kernel/money/money.ts';
import { textOf } from './answer.ts';
import { Refused } from './client.ts';
import { type Of, type Scene, step, walletIn } from './play.ts';

/** Tokens that a person tries before giving up: one whose exchange got lost is used up. */
const LINKS = 4;

/** A bank account is linked to the wallet, and dollars are taken from it. */
export async function playBank(scene: Scene, flow: Of<'bank-top-up'>): Promise<void> {
  const { user } = flow;
  const wallet_id = await walletIn(scene, flow, 'USD');
  await link(scene, flow, wallet_id);
  const cents = BigInt(flow.cents);
  // In mock mode no bank is called, and none takes anything back.
  const returned = scene.isLive && flow.returned;
  const begun = await scene.ask(
    step(scene, flow, 'top-up', {
      path: '/banklink/topup',
      body: { wallet_id, amount: format({ asset: 'USD', units: cents }) },
      effect: { kind: 'bank-top-up', user, cents, returned },
    }),
  );
  if (!scene.isLive) return;
  const path = `/banklink/transfers/${textOf(begun, 'transaction_id')}/events`;
  for (const event_type of ['posted', 'settled', ...(returned ? ['returned'] : [])])
    await scene.elsewhere(path, { event_type });
}

async function link(scene: Scene, flow: Of<'bank-top-up'>, wallet_id: number): Promise<void> {
  for (let n = 1; ; n += 1) {
    const name = `link-${n}`;
    try {
      await scene.ask(
        step(scene, flow, name, {
          path: '/banklink/item/public-token/exchange',
          body: { wallet_id, public_token: await scene.publicToken(`${flow.name} ${name}`) },
          effect: { kind: 'bank-link', user: flow.user },
          excuses: ['PROVIDER_REJECTED'],
        }),
      );
      return;
    } catch (error) {
      if (!(error instanceof Refused) || n === LINKS) throw error;
    }
  }
}
