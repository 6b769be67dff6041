import { type Asset, format } from '#kernel/money/money.ts';
import type { CardName, Flow, Shop } from '../plan/workload.ts';
import { numberOf, textOf } from './answer.ts';
import type { Operation } from './books.ts';
import { COINS, type Correctors, type Person } from './cast.ts';
import type { Ask } from './client.ts';
import type { LateAct } from './extra-effects.ts';
import type { Guest } from './guests.ts';
import { playBank } from './play-bank.ts';
import { playCardano } from './play-cardano.ts';
import { playChargeBack } from './play-charge-back.ts';
import { playConversion } from './play-conversion.ts';
import { playCorrection } from './play-correction.ts';
import { playFreeze } from './play-freeze.ts';
import { playLatePayment } from './play-late-payment.ts';
import { playMember } from './play-member.ts';
import { playPayOn } from './play-pay-on.ts';
import { playRupiah } from './play-rupiah.ts';
import { playOrder, playPurchase } from './play-shopping.ts';
import { playStop } from './play-stop.ts';
import { playTalk } from './play-talk.ts';
import { playTransfer } from './play-transfer.ts';
import { playWages } from './play-wages.ts';
import { playXrpl } from './play-xrpl.ts';

export interface Scene {
  readonly seed: number;
  readonly isLive: boolean;
  readonly ask: Ask;
  /** An action of payers and banks at the sandbox; an earlier one counts as done. Throws `Open`. */
  readonly elsewhere: (path: string, body?: object) => Promise<unknown>;
  /** The same, but never repeated after a success, for actions that count each time. */
  readonly onceElsewhere: (
    path: string,
    body?: object,
    isEnough?: (answer: unknown) => boolean,
  ) => Promise<unknown>;
  /** The service's current answer to a user. Throws `Open`. */
  readonly look: (path: string, token: string) => Promise<unknown>;
  /** A person's token from a bank's page, the same each time under that name. Throws `Open`. */
  readonly publicToken: (name: string) => Promise<string>;
  /** An admin's manual run of a schedule's work: its result does not matter. */
  readonly nudge: (path: string) => Promise<void>;
  /** The page of the sandbox's shop that sells a lamp for so many cents. */
  readonly lamp: (cents: number) => string;
  /** A product of each marketplace, found by a search. */
  readonly goods: Readonly<Record<Shop, object>>;
  /** The burn on chain of a redemption, by the name of its flow. */
  readonly burns: ReadonlyMap<string, string>;
  readonly people: readonly Person[];
  /** The token of the admin of the client of all users. */
  readonly admin: string;
  /** The guests stopped during the run, by the name of the flow. */
  readonly guests: ReadonlyMap<string, Guest>;
  /** Two admins of the operator, who correct the ledger together. */
  readonly correctors: Correctors;
  /** The operator's planned action on each unmatched payment, by its purchase. */
  readonly desk: Map<string, Map<number, LateAct>>;
  /** The USDC contract, the same on all chains. */
  readonly usdc: string;
  /** Lets the card network change a transaction's status; the call does not report its result. */
  word(transactionIdentifier: string): Promise<void>;
}

export const CARDS: Readonly<Record<CardName, string>> = {
  good: '4111111111111111',
  silent: '4000000000000119',
  declined: '4000000000000002',
  poor: '4000000000009995',
};
const EXPIRY = { expiry_date: '1239' };

/**
 * Executes a flow, step by step. A second call continues where it was, since keys stay the same.
 */
export async function play(scene: Scene, flow: Flow): Promise<void> {
  switch (flow.kind) {
    case 'top-up':
      return topUp(scene, flow);
    case 'push':
      return push(scene, flow);
    case 'validate':
      return validate(scene, flow);
    case 'member':
      return playMember(scene, flow);
    case 'fiat-wallet':
      return fiatWallet(scene, flow);
    case 'crypto-wallet':
      return cryptoWallet(scene, flow);
    case 'send':
      return send(scene, flow);
    case 'test-mint':
      return testMint(scene, flow);
    case 'transfer':
      return playTransfer(scene, flow);
    case 'cardano-mint':
    case 'cardano-round':
      return playCardano(scene, flow);
    case 'xrpl-ramp':
      return playXrpl(scene, flow);
    case 'rupiah-in':
    case 'rupiah-out':
      return playRupiah(scene, flow);
    case 'bank-top-up':
      return playBank(scene, flow);
    case 'conversion':
      return playConversion(scene, flow);
    case 'correction':
      return playCorrection(scene, flow);
    case 'freeze':
      return playFreeze(scene, flow);
    case 'stop':
      return playStop(scene, flow);
    case 'charge-back':
      return playChargeBack(scene, flow);
    case 'late-payment':
      return playLatePayment(scene, flow);
    case 'pay-on':
      return playPayOn(scene, flow);
    case 'wages':
      return playWages(scene, flow);
    case 'purchase':
      return playPurchase(scene, flow);
    case 'order':
      return playOrder(scene, flow);
    case 'talk':
      return playTalk(scene, flow);
  }
}

export type Of<K extends Flow['kind']> = Extract<Flow, { kind: K }>;

/** A POST by the user of the flow, under a key of its step. */
export function step(
  { seed, people }: Scene,
  flow: Flow,
  name: string,
  rest: Pick<Operation, 'path' | 'body' | 'effect'> & Partial<Operation>,
): Operation {
  const key = `chaos-${seed}-${flow.name}-${name}`;
  return { key, method: 'POST', token: personOf(people, flow.user).token, ...rest };
}

/** Their wallet in it, opened if missing. */
export async function walletIn(scene: Scene, flow: Flow, currency: string): Promise<number> {
  const { user } = flow;
  const opened = await scene.ask(
    step(scene, flow, `wallet-${currency}`, {
      path: '/wallets/fiat',
      body: { currency },
      effect: currency === 'USD' ? { kind: 'nothing' } : { kind: 'fiat-wallet', user, currency },
    }),
  );
  return numberOf(opened, 'data.wallet_id');
}

/** All have an end before the next step, or the flow stays open. */
export async function allOf(steps: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(steps);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

export function personOf(people: readonly Person[], user: number): Person {
  const person = people[user];
  if (person === undefined) throw new Error(`There is no user ${user}`);
  return person;
}

const usd = (cents: number): string => format({ asset: 'USD', units: BigInt(cents) });

async function topUp(scene: Scene, flow: Of<'top-up'>): Promise<void> {
  const { user, card, cents, refund, word } = flow;
  const isRefused = card === 'declined' || card === 'poor';
  const charge = { card_number: CARDS[card], ...EXPIRY, currency_code: 'USD' };
  const paid = await scene.ask(
    step(scene, flow, 'top-up', {
      path: '/card-checkout/card',
      body: { ...charge, amount: usd(cents) },
      effect: { kind: 'top-up', user, cents: BigInt(cents), worded: word ?? false },
      ...(isRefused && { refusal: 'CARD_DECLINED' }),
    }),
  );
  if (word) await scene.word(textOf(paid, 'data.transaction_identifier'));
  if (refund === undefined) return;
  const reference_id = textOf(paid, 'data.reference_id');
  await scene.ask(
    step(scene, flow, 'refund', {
      path: '/card-checkout/card/refund',
      body: { ...charge, amount: usd(refund), reference_id },
      effect: { kind: 'refund', user, cents: BigInt(refund), of: BigInt(cents) },
    }),
  );
}

/** A user's initial balance: more than all pushes of a run take. */
export async function topUpFirst(scene: Scene, user: number): Promise<void> {
  await play(scene, {
    name: `first-${user}`,
    kind: 'top-up',
    user,
    card: 'good',
    cents: 90_000 + user,
  });
}

async function push(scene: Scene, flow: Of<'push'>): Promise<void> {
  const { user, cents } = flow;
  const body = {
    amount: usd(cents),
    currency_code: 'USD',
    card_number: CARDS.good,
    recipient_name: 'Ann Other',
  };
  const effect = { kind: 'push', user, cents: BigInt(cents) } as const;
  const path = '/card-checkout/card/manual_refund';
  await scene.ask(step(scene, flow, 'push', { path, body, effect }));
}

async function validate(scene: Scene, flow: Of<'validate'>): Promise<void> {
  await scene.ask(
    step(scene, flow, 'validate', {
      path: '/card-checkout/card/validate',
      body: { card_number: CARDS[flow.card], ...EXPIRY, cvv: '123' },
      effect: { kind: 'nothing' },
      ...(flow.card === 'declined' && { refusal: 'CARD_DECLINED' }),
    }),
  );
}

async function fiatWallet(scene: Scene, flow: Of<'fiat-wallet'>): Promise<void> {
  const { user, currency } = flow;
  const effect = { kind: 'fiat-wallet', user, currency } as const;
  const path = '/wallets/fiat';
  await scene.ask(step(scene, flow, 'open', { path, body: { currency }, effect }));
}

async function cryptoWallet(scene: Scene, flow: Of<'crypto-wallet'>): Promise<void> {
  const { user, chains } = flow;
  const { user_id } = personOf(scene.people, user);
  const wallet = `Wallet ${flow.name}`;
  const path = '/manual/wallets/crypto';
  const made = await scene.ask(
    step(scene, flow, 'wallet', {
      path,
      body: { user_id, wallet_name: wallet, chain_id: chains[0] },
      effect: { kind: 'crypto-wallet', user, wallet },
    }),
  );
  const bw_id = numberOf(made, 'data.bw_id');
  for (const chain of chains)
    await scene.ask(
      step(scene, flow, `address-${chain}`, {
        path: `${path}/${bw_id}/address`,
        body: { chain_id: chain },
        effect: { kind: 'address', user, wallet, chain },
      }),
    );
}

async function send(scene: Scene, flow: Of<'send'>): Promise<void> {
  const { user, chain, asset, to } = flow;
  const units = BigInt(flow.units);
  const kept: Asset = asset === 'USDC' ? 'USDC' : COINS[chain];
  await scene.ask(
    step(scene, flow, 'send', {
      path: '/onchain/execute',
      body: {
        wallet_address: personOf(scene.people, user).addresses[chain],
        chain_id: chain,
        token_symbol: kept,
        token_contract: asset === 'USDC' ? scene.usdc : 'native',
        to_address: to,
        amount: format({ asset: kept, units }),
      },
      effect: { kind: 'send', user, chain, asset, units, to },
    }),
  );
}

async function testMint(scene: Scene, flow: Of<'test-mint'>): Promise<void> {
  const { chain, to } = flow;
  const units = BigInt(flow.units);
  await scene.ask(
    step(scene, flow, 'mint', {
      path: '/crosschain/test-mint',
      body: { chain, address: to, amount: format({ asset: 'USDC', units }) },
      effect: { kind: 'test-mint', chain, units, to },
    }),
  );
}
