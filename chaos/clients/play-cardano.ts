import { format } from '#kernel/money/money.ts';
import { type Of, personOf, type Scene, step, walletIn } from './play.ts';

/** An address whose key does not exist here. */
const ELSEWHERE = 'addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz';
/** The currency that users sell for USDC, and the one that some buy with it. */
export const BOUGHT = 'SGD';

/** Dollars of a wallet to USDC at an address, or over the chain to another wallet of the user's. */
export async function playCardano(
  scene: Scene,
  flow: Of<'cardano-mint' | 'cardano-round'>,
): Promise<void> {
  const { kind, user } = flow;
  const cents = BigInt(flow.cents);
  const from = await walletIn(scene, flow, 'USD');
  const to =
    kind === 'cardano-mint'
      ? { user_wallet_address: ELSEWHERE }
      : { currency_to: BOUGHT, wallet_to_id: await walletIn(scene, flow, BOUGHT) };
  const name = kind === 'cardano-mint' ? 'mint-user' : 'offramp-wallet';
  await scene.ask(
    step(scene, flow, 'ramp', {
      path: `/cardano/onramp-wallet-${name}`,
      body: {
        user_id: personOf(scene.people, user).user_id,
        fiat_amount: format({ asset: 'USD', units: cents }),
        currency_from: 'USD',
        wallet_from_id: from,
        ...to,
      },
      effect: { kind, user, cents },
    }),
  );
}
