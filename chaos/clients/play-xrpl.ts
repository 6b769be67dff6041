import { createHash } from 'node:crypto';
import { Wallet } from 'xrpl';
import { format } from '#kernel/money/money.ts';
import { textOf } from './answer.ts';
import type { Call } from './cast.ts';
import type { Of, Scene } from './play.ts';
import { step } from './play.ts';

/** The receiver of all off-ramps of a run. */
export const outsideOf = (seed: number): string =>
  Wallet.fromEntropy(createHash('sha256').update(`${seed} outside`).digest().subarray(0, 16))
    .classicAddress;

/** Its holder opens an account and a line for USDC. */
export const openOutside = (seed: number, sandbox: Call): Promise<unknown> =>
  sandbox('POST /xrpl/trust-lines', { body: { address: outsideOf(seed) } });

/** Half a USDC for every dollar, so that the purchase is always enough. */
const MILLIONTHS_BACK = 5_000n;

/** Dollars to USDC on the XRP Ledger, and half of it on to an address outside. */
export async function playXrpl(scene: Scene, flow: Of<'xrpl-ramp'>): Promise<void> {
  const { user } = flow;
  const cents = BigInt(flow.cents);
  const bought = await scene.ask(
    step(scene, flow, 'on', {
      path: '/xrpl/onramp/init',
      body: {
        currency_code: 'USDC',
        fiat_currency: 'USD',
        fiat_amount: format({ asset: 'USD', units: cents }),
      },
      effect: { kind: 'xrpl-on', user, cents },
    }),
  );
  // While no ledger has it, nothing can be sent on yet.
  if (textOf(bought, 'data.xrpl_tx.status') === 'PENDING') return;
  const units = cents * MILLIONTHS_BACK;
  await scene.ask(
    step(scene, flow, 'off', {
      path: '/xrpl/offramp/init',
      body: {
        currency_code: 'USDC',
        amount: format({ asset: 'USDC', units }),
        destination_address: outsideOf(scene.seed),
      },
      effect: { kind: 'xrpl-off', user, units },
    }),
  );
}
