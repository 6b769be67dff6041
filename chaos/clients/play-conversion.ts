import { getAddress } from 'viem';
import { addressOf, type Flow, type Place } from '../plan/workload.ts';
import { textOf } from './answer.ts';
import { CARDS, type Of, type Scene, step, walletIn } from './play.ts';

/** More than the card's fee for a conversion's amount, and too little for a daily run to convert. */
const MARGIN = 10_000;

const NETWORKS = { sepolia: 'ERC20', amoy: 'POLYGON' } as const satisfies Record<Place, string>;

/** The address for a user's USDC from the exchange, unique in the run. */
export const savingsOf = (seed: number, user: number) => ({
  chain: user % 3 === 0 ? ('sepolia' as const) : ('amoy' as const),
  to: getAddress(addressOf(`${seed} savings of ${user}`)),
});

/** Every user with a conversion sets the address for the USDC. */
export async function nameSavings(scene: Scene, flows: readonly Flow[]): Promise<void> {
  const conversions = flows.filter(({ kind }) => kind === 'conversion');
  const firsts = new Map(conversions.map((flow) => [flow.user, flow]));
  await Promise.all([...firsts.values()].map((flow) => nameAddress(scene, flow)));
}

async function nameAddress(scene: Scene, flow: Flow): Promise<void> {
  const { chain, to } = savingsOf(scene.seed, flow.user);
  await scene.ask(
    step(scene, flow, 'address', {
      path: '/exchange/crypto-wallet/save',
      body: { network: NETWORKS[chain], wallet_address: to },
      effect: { kind: 'nothing' },
    }),
  );
}

/**
 * Rupiah come from a card and go to the exchange; the first poll and trade, by a schedule or an admin,
 * moves them on. The wallet holds the amount of one conversion at most, since the clock may pass a daily run.
 */
export async function playConversion(scene: Scene, flow: Of<'conversion'>): Promise<void> {
  const { user, rupiah } = flow;
  const wallet_id = await walletIn(scene, flow, 'IDR');
  const funds = rupiah + MARGIN;
  await scene.ask(
    step(scene, flow, 'fund', {
      path: '/card-checkout/cardcc',
      body: {
        card_number: CARDS.good,
        expiry_date: '1239',
        currency_code: 'IDR',
        amount: `${funds}.00`,
      },
      effect: { kind: 'rupiah-fund', user, rupiah: funds },
    }),
  );
  const begun = await scene.ask(
    step(scene, flow, 'start', {
      path: '/exchange/disbursement/start',
      body: { wallet_id, amount_idr: rupiah },
      effect: { kind: 'conversion', user, rupiah, ...savingsOf(scene.seed, user) },
    }),
  );
  await scene.elsewhere('/exchange/deposits', { reference_id: textOf(begun, 'data.reference_id') });
  await scene.nudge('/exchange/conversion/poll-balance');
  await scene.nudge('/exchange/conversion/run-trades');
}
