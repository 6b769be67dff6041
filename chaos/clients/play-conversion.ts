import { getAddress } from 'viem';
import { addressOf, type Flow, type Place } from '../plan/workload.ts';
import { textOf } from './answer.ts';
import { CARDS, type Of, personOf, type Scene, step, walletIn } from './play.ts';

/** More rupiah than all conversions of a user take. */
const FUNDS = 6_000_000;

const NETWORKS = { sepolia: 'ERC20', amoy: 'POLYGON' } as const satisfies Record<Place, string>;

/** Where a user's USDC go from the exchange: an address that nothing else of the run has. */
export const savingsOf = (seed: number, user: number) => ({
  chain: user % 3 === 0 ? ('sepolia' as const) : ('amoy' as const),
  to: getAddress(addressOf(`${seed} savings of ${user}`)),
});

/** Gives rupiah, and an address for USDC, to all who are going to convert some. */
export async function fundConversions(scene: Scene, flows: readonly Flow[]): Promise<void> {
  const users = new Set(flows.flatMap(({ kind, user }) => (kind === 'conversion' ? [user] : [])));
  await Promise.all([...users].map((user) => fund(scene, user)));
}

async function fund(scene: Scene, user: number): Promise<void> {
  const flow = { name: `rupiah-${user}`, kind: 'conversion', user, rupiah: FUNDS } as const;
  await walletIn(scene, flow, 'IDR');
  await scene.ask(
    step(scene, flow, 'fund', {
      path: '/card-checkout/cardcc',
      body: {
        ...{ card_number: CARDS.good, expiry_date: '1239', currency_code: 'IDR' },
        amount: `${FUNDS}.00`,
      },
      effect: { kind: 'rupiah-fund', user, rupiah: FUNDS },
    }),
  );
  const { chain, to } = savingsOf(scene.seed, user);
  await scene.ask(
    step(scene, flow, 'address', {
      path: '/exchange/crypto-wallet/save',
      body: { network: NETWORKS[chain], wallet_address: to },
      effect: { kind: 'nothing' },
    }),
  );
}

/** Rupiah go to the exchange; whoever polls and trades first, a schedule or an admin, moves them on. */
export async function playConversion(scene: Scene, flow: Of<'conversion'>): Promise<void> {
  const { user, rupiah } = flow;
  const wallet_id = await walletIn(scene, flow, 'IDR');
  const begun = await scene.ask(
    step(scene, flow, 'start', {
      path: '/exchange/disbursement/start',
      token: personOf(scene.people, user).token,
      body: { wallet_id, amount_idr: rupiah },
      effect: { kind: 'conversion', user, rupiah, ...savingsOf(scene.seed, user) },
    }),
  );
  await scene.elsewhere('/exchange/deposits', { reference_id: textOf(begun, 'data.reference_id') });
  await scene.nudge('/exchange/conversion/poll-balance');
  await scene.nudge('/exchange/conversion/run-trades');
}
