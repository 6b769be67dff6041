import { format } from '#kernel/money/money.ts';
import { textOf } from './answer.ts';
import type { Effect } from './books.ts';
import type { Corrector } from './cast.ts';
import { type Of, type Scene, step, walletIn } from './play.ts';

/** One of the operator's people proposes, the other approves; and the other way round for its reversal. */
export async function playCorrection(scene: Scene, flow: Of<'correction'>): Promise<void> {
  const { user, undone } = flow;
  const [maker, checker] = scene.correctors;
  const cents = BigInt(flow.cents);
  const proposal = {
    kind: 'adjustment',
    direction: 'credit',
    currency: 'USD',
    wallet_id: await walletIn(scene, flow, 'USD'),
    amount: format({ asset: 'USD', units: cents }),
  };
  const given = { kind: 'correction', user, cents, entry: 'adjustment' } as const;
  const reference = await correct(scene, flow, { proposal, effect: given, by: [maker, checker] });
  if (!undone) return;
  const taken = { kind: 'correction', user, cents: -cents, entry: 'reversal' } as const;
  const undoing = { kind: 'reversal', of: reference };
  await correct(scene, flow, { proposal: undoing, effect: taken, by: [checker, maker] });
}

interface Correction {
  readonly proposal: { readonly kind: string };
  readonly effect: Effect;
  readonly by: readonly [maker: Corrector, checker: Corrector];
}

async function correct(scene: Scene, flow: Of<'correction'>, correction: Correction) {
  const { proposal, effect, by } = correction;
  const [maker, checker] = by;
  const proposed = await scene.ask(
    step(scene, flow, proposal.kind, {
      path: '/adjustments',
      token: maker.token,
      effect: { kind: 'nothing' },
      body: { ...proposal, reason: flow.name },
    }),
  );
  const path = `/adjustments/${textOf(proposed, 'data.adjustment_id')}/approve`;
  await checker.prove();
  const approval = { path, token: checker.token, body: {}, effect };
  return textOf(
    await scene.ask(step(scene, flow, `${proposal.kind}-yes`, approval)),
    'data.reference',
  );
}
