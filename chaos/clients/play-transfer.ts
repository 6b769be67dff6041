import { format, money } from '#kernel/money/money.ts';
import { textOf } from './answer.ts';
import { type Of, personOf, type Scene, step } from './play.ts';

/** USDC from one chain to another: begun, burnt there, minted here. */
export async function playTransfer(scene: Scene, flow: Of<'transfer'>): Promise<void> {
  const { user, from, into, to } = flow;
  const { user_id } = personOf(scene.people, user);
  const units = BigInt(flow.units);
  const begun = await scene.ask(
    step(scene, flow, 'begin', {
      path: '/crosschain/initiate',
      body: {
        user_id,
        amount: format({ asset: 'USDC', units }),
        from_chain: from,
        to_chain: into,
        token: 'USDC',
        recipient_address: to,
      },
      effect: { kind: 'nothing' },
    }),
  );
  const [log_id, nonce] = [textOf(begun, 'data.log_id'), textOf(begun, 'data.nonce')];
  // The platform needs none in mock mode (decisions: Modes).
  const fee = scene.isLive ? money('USDC', textOf(begun, 'data.platform_fee')).units : 0n;
  await scene.ask(
    step(scene, flow, 'burn', {
      path: '/crosschain/burn',
      body: { log_id, nonce },
      effect: { kind: 'burn', user, chain: from, units, fee },
    }),
  );
  await scene.ask(
    step(scene, flow, 'mint', {
      path: '/crosschain/mint',
      body: { nonce },
      effect: { kind: 'mint', user, chain: into, units, to, log_id },
    }),
  );
}
